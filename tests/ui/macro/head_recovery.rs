//! A block of operand classes without its first clause, a block with a misspelt keyword and one without a clause for addresses are an
//! error each: the classes and mnemonics exist all the same.

use isa::{isa, isa_set};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    Reg,
}

pub type Value = isa::Meaning<File>;

mod operands {
    use super::isa;

    isa! {
        value super::Value of super::File;

        values {
            0..=15 reg "r{}";
        }

        operand Reg = reg;
    }

    isa! {
        operand for super::Small;
        valve super::Value of super::File;

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
    mode isa_tests::toy::Mode { Narrow, Wide };
    value Value;
    operands operands;
    formats { F, G }
}

fn main() {
    assert_ne!(Opcode::ADD, Opcode::LOADH);
}
