//! Clauses about operand-level instructions that a class cannot have.

use isa::isa;
#[allow(unused_imports)] use isa_ui_tests::tables::{File, Sets, Value};

isa! {
    operands for I: Sets;
    value Value of File;

    values {
        0..=14 reg "r{}";
    }

    operand Reg = reg, default 1;
    operand Lane = reg, second by fi;
    modifier Shift -> u8 = 0..=7, text " shift:{}", required, default 1;
    modifier Wide = flag, default 0 if wide else 1;
    number Offset = 0..=255, off;
    number Index = 0..=255, or regs unless imm, off;
}

fn main() {}
