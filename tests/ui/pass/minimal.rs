//! The smallest instruction set: a kind of operand, a format, a row.

#![allow(missing_docs)]

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
    formats { ALU }
}

fn main() {
    let (add, dwords) = Instr::decode(&[0x0103_0201], Mode::Only).unwrap();
    assert_eq!(dwords, 1);
    assert_eq!(add.opcode(), Opcode::ADD);
    assert_eq!(add.to_string(), "add r3, r2, r1");
    let Instr::Alu(alu) = add;
    assert_eq!(Instr::from(alu.with_d(9).unwrap()).encode()[..], [0x0109_0201]);
    assert!(Instr::decode(&[0], Mode::Only).is_err());
}
