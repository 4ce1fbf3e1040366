//! Operand classes test flags of a block with an error, and of a valid one beside it: only the error is reported.

use isa::{isa, isa_set};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    Reg,
}

pub type Value = isa::Meaning<File>;

mod operands {
    use super::isa;

    isa! {
        operands for super::Small;
        value super::Value of super::File;
        flags super::flags;

        values {
            0..=15  reg "r{}";
            16..=31 int 0..=15;
        }

        operand Src = reg if narrow else reg | int if wide else int;
    }
}

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:8] = opcode,
        S [7:0]: s: Src,
    }
    flags narrow;
    text "{s}";
    0 => A (s: u32) narrow;
    0 => B (s: u32);
}

isa! {
    format G: 32 {
        E [31:24] = 0b10,
        OP [23:8] = opcode,
        S [7:0]: s: Src,
    }
    flags wide;
    text "{s}";
    0 => C (s: u32) wide;
}

isa_set! {
    set Small;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value Value;
    operands operands;
    formats { F, G }
}

fn main() {}
