//! A set with operand-level instructions that does not list the block of its operand classes.

use isa::{isa, isa_set};
use isa_ui_tests::tables::{File, Value};

pub mod operands {
    use super::*;

    isa! {
        operands CLASSES for crate::set::Unlisted;
        value Value of File;

        values { 0..=15 reg "r{}"; }

        /// A register.
        operand Reg -> u8 = reg;
    }
}

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

mod set {
    use super::*;

    isa_set! {
        /// A set.
        set Unlisted;
        mode isa_ui_tests::toy::Mode { Narrow, Wide };
        value Value;
        operands crate::operands;
        inst;
        formats { crate::ALU }
    }
}

fn main() {}
