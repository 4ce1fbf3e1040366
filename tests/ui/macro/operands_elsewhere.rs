//! A set lists operand classes of another module than the clause `operands` names, or lists them twice.

use isa::{isa, isa_set};
use isa_ui_tests::tables::{File, Sets, Value};

pub mod operands {
    use super::*;

    isa! {
        operands CLASSES for I: Sets;
        value Value of File;

        values { 0..=15 reg "r{}"; }

        /// A register.
        operand Reg -> u8 = reg;
    }
}

pub use operands::Reg;

isa! {
    /// Arithmetic.
    format ALU: 32 {
        OP       [31:24] = opcode,
        RESERVED [23:16] reserved,
        D        [15:8]: out d: Reg,
        A        [7:0]:  a: Reg,
    }
    text "{d}, {a}";

    0 => MOV (d: u32, a: u32);
}

mod elsewhere {
    use super::*;

    isa_set! {
        /// A set.
        set Elsewhere;
        mode isa_ui_tests::toy::Mode { Narrow, Wide };
        value Value;
        operands crate;
        formats { crate::ALU, crate::operands::CLASSES }
    }
}

mod twice {
    use super::*;

    isa_set! {
        /// A set.
        set Twice;
        mode isa_ui_tests::toy::Mode { Narrow, Wide };
        value Value;
        operands crate::operands;
        formats { crate::ALU, crate::operands::CLASSES, crate::operands::CLASSES }
    }
}

fn main() {}
