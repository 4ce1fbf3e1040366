//! A row without operands comes before one with some, and both have the same modifier.

#![allow(missing_docs)]

use isa::{Cx, Operand, Text, isa, isa_set};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Only,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    Register(u8),
}

pub mod operands {
    use super::*;

    pub struct Reg;

    impl Operand<Tiny> for Reg {
        type Get = u8;
        fn write(_: &Cx<'_, Tiny>, code: u32, out: &mut Text) {
            out.push("r");
            out.dec(code);
        }
        fn value(_: &Cx<'_, Tiny>, code: u32) -> Option<Value> {
            Some(Value::Register(code as u8))
        }
    }

    pub struct Flag;

    impl Operand<Tiny> for Flag {
        type Get = bool;
        const OMIT_IF_ZERO: bool = true;
        fn write(cx: &Cx<'_, Tiny>, code: u32, out: &mut Text) {
            if code != 0 {
                out.push(" ");
                out.push(cx.name);
            }
        }
    }
}

isa! {
    /// A destination and a flag.
    format ALU: 32 {
        OP [31:24] = opcode,
        D  [23:16]: out d: Reg,
        RESERVED [15:1] reserved,
        F  [0]:     mod now: Flag,
    }
    text "{d}{now}";

    0x01 => STOP ();
    0x02 => CLEAR (d: u32);
}

isa_set! {
    /// Two instructions.
    set Tiny;
    mode crate::Mode { Only };
    value crate::Value;
    operands crate::operands;
    formats { ALU }
}

fn main() {
    for (word, text) in
        [(0x0100_0000, "stop"), (0x0100_0001, "stop now"), (0x0203_0000, "clear r3"), (0x0203_0001, "clear r3 now")]
    {
        let (instr, _) = Instr::decode(&[word], Mode::Only).unwrap();
        assert_eq!(instr.to_string(), text);
        assert_eq!(instr.operands(Mode::Only).count(), usize::from(word >> 24 == 2));
    }
}
