//! A declaration with an error declares its class all the same: the blocks that name it report nothing.

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

        values {
            0..=15 reg "r{}";
        }

        operand Dst = reg if it is 64 else reg;
        operant Src = reg;
        number Imm = 0..=255, sined;
        modifier Sat = flag
        modifier Round = flag;
        operand Numbered<N in 0..=1> = register;
    }
}

isa! {
    format F: 32 {
        E [31:26] = 0b1,
        SAT [25]: mod sat: Sat,
        ROUND [24]: mod round: Round,
        D [23:20]: out d: Dst,
        S0 [19:16]: s0: Src,
        S1 [15:8]: s1: Numbered<0>,
        IMM [7:0]: imm: Imm,
    }
    text "{d}, {s0}, {s1}, {imm}{sat}{round}";
    0 => A (d: u32, s0: u32, s1: u32, imm: u8);
}

isa_set! {
    set Small;
    mode isa_ui_tests::toy::Mode { Narrow, Wide };
    value Value;
    operands operands;
    formats { F }
}

fn main() {}
