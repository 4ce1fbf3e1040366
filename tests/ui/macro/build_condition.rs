//! A condition of the `build` clause that asks for a word nobody declares.

use isa::{Cx, Operand, Text, isa, isa_set};

/// The modes, in which some words have different meanings; here there is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Only,
}

/// The value of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Register(u8),
}

pub mod operands {
    use super::*;

    /// A register, `r0` to `r255`.
    pub struct Reg;

    impl Operand<Tiny> for Reg {
        type Get = u8;
        fn get(code: u32) -> u8 {
            code as u8
        }
        fn code(value: u8) -> u32 {
            u32::from(value)
        }
        fn write(_: &Cx<'_, Tiny>, code: u32, out: &mut Text) {
            out.push("r");
            out.dec(code);
        }
        fn value(_: &Cx<'_, Tiny>, code: u32) -> Option<Value> {
            Some(Value::Register(code as u8))
        }
    }
}

isa! {
    /// Two sources and one destination.
    format ALU: 32 {
        OP [31:24] = opcode,
        D  [23:16]: out d: Reg,
        S0 [15:8]:  s0: Reg,
        S1 [7:0]:   s1: Reg,
    }
    text "{d}, {s0}, {s1}";

    0x01 => ADD (d: u32, s0: u32, s1: u32);
}

isa_set! {
    /// One instruction.
    set Tiny;
    mode crate::Mode { Only };
    value crate::Value;
    operands crate::operands;
    build crate::operands { Reg if speedy => Register }
    formats { ALU }
}

fn main() {}
