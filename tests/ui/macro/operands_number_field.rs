//! A number that its field cannot hold.

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
        }

        operand Reg -> u8 = reg;
        number Imm = 0..=4095;
    }
}

isa! {
    format F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:8]: out d: Reg,
        IMM [7:0]: imm: Imm,
    }
    text "{d}, {imm}";
    0 => A (d: u32, imm: u16);
}

isa_set! {
    set Small;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value Value;
    operands operands;
    formats { F, operands::CLASSES }
}

fn main() {}
