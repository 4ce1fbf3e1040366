//! What is wrong: a field has too few bits for the numbers of its class.

use isa::{isa, isa_set};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Only,
}
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    Reg,
}
pub type Value = isa::Meaning<File>;

mod operands {
    use super::{File, Tiny};
    use isa::isa;

    isa! {
        operands for Tiny;
        value crate::Value of File;

        values {
            0..=31 reg "r{}";
        }

        /// A register.
        operand Reg -> u8 = reg;
        /// An offset.
        number Offset -> u16 = 0..=4095;
    }
}

isa! {
    /// Jumps.
    format JUMP: 32 {
        ENCODING [31:16] = 0,
        D [15:11]: d: Reg,
        OFF [10:0]: offset: Offset,
    }
    text "{d}, {offset}";
    0 => JUMP (d: u32, offset: u12);
}

isa_set! {
    /// A set.
    set Tiny;
    mode crate::Mode { Only };
    value crate::Value;
    operands crate::operands;
    formats { JUMP, }
}

fn main() {}
