//! A code that selects a suffix dword that the set lacks.

use isa::{isa, isa_set};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    Reg,
}

pub type Value = isa::Meaning<File>;

mod operands {
    use super::isa;

    isa! {
        operands CLASSES for super::Small;
        value super::Value of super::File;

        values {
            0..=15 reg "r{}";
            31     literal LITTERAL;
        }

        operand Reg -> u8 = reg;
        operand Src -> u8 = reg | literal;
    }
}

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        SRC [7:0]: s: Src,
    }
    text "{d}, {s}";
    dword LITERAL when SRC == 31;
    0 => A (d: u32, s: u32);
}

isa! {
    dword LITERAL {
        VALUE [31:0] reserved,
    }
}

isa_set! {
    set Small;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value Value;
    operands operands;
    formats { F, LITERAL, operands::CLASSES }
}

fn main() {}
