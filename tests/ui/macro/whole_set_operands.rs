//! A set in one file: an invalid operand table causes no errors elsewhere.

use isa::{isa, isa_set};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Only,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum File {
    R,
}

pub type Value = isa::Meaning<File>;

pub mod operands {
    use super::*;

    isa! {
        operands CLASSES for Own;
        value super::Value of File;

        values {
            0..=15 r "r{}"
            16     literal LIT;
        }

        /// A register.
        operand Reg -> u8 = r;
        /// A register or a literal.
        operand Src = r | literal;
        /// A literal.
        number Literal = -0x8000_0000..=0xffff_ffff;
    }
}

isa! {
    /// A literal.
    dword LIT {
        VALUE [31:0]: k: Literal,
    }
}

isa! {
    /// Arithmetic.
    format ALU: 32 {
        OP       [31:24] = opcode,
        D        [23:16]: out d: Reg,
        A        [15:8]:  a: Reg,
        B        [7:0]:   b: Src,
    }
    dword LIT when B == 16;
    text "{d}, {a}, {b}";

    0 => ADD (d: u32, a: u32, b: u32) { d = a + b; }
}

isa_set! {
    /// A set.
    set Own;
    mode self::Mode { Only };
    value self::Value;
    operands self::operands;
    build;
    formats { LIT, ALU, self::operands::CLASSES }
}

fn main() {}
