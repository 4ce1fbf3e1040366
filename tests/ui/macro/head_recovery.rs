//! A mistake in the first clauses of operand classes or in the keyword of a block is one error: the classes and the mnemonics exist all
//! the same, and bodies may read what a misspelt clause for addresses names.

use isa::{isa, isa_set};
use isa_ui_tests::tables::Value;

mod operands {
    use super::isa;

    isa! {
        value super::Value of isa_ui_tests::tables::File;

        values {
            0..=15 reg "r{}";
        }

        operand Reg = reg;
    }

    isa! {
        operand for super::Small;
        valve super::Value of isa_ui_tests::tables::File;

        number Imm = 0..=255;
    }
}

isa! {
    formal F: 32 {
        E [31:24] = 0b1,
        OP [23:16] = opcode,
        D [15:12]: out d: Reg,
        S [11:8]: s: Reg,
        IMM [7:0]: imm: Imm,
    }
    text "{d}, {s}, {imm}";
    0 => ADD (d: u32, s: u32, imm: u8) { d = s + imm as u32; }
}

isa! {
    format G: 32 {
        E [31:24] = 0b10,
        OP [23:16] = opcode,
        D [15:12]: out d: Reg,
        S [11:8]: s: Reg,
        REST [7:0] reserved,
    }
    text "{d}, {s}";
    adress mem in global = s;
    0 => LOAD (d: u32, s: u32) { d = mem.u32; }
    1 => LOADH (d: u32, s: u32) { d = mem.u16 as u32; }
}

isa_set! {
    set Small;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value Value;
    operands operands;
    formats { F, G }
}

fn main() {
    assert_ne!(Opcode::ADD, Opcode::LOADH);
}
