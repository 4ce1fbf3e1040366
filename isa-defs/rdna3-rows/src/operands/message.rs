//! Messages that S_SENDMSG and its relatives send (guide §5.3).

use isa::{Asm, Cx, Operand, ParseError, Text, ValidCodes};

use super::expression::expression_in;
use super::read::{call, unknown_name};
use crate::{Generation, Value};

/// The messages that have a name in text. Those from 128 on return a value to the wave.
pub static MESSAGES: [(u8, &str); 13] = [
    (0x01, "MSG_INTERRUPT"),
    (0x02, "MSG_HS_TESSFACTOR"),
    (0x03, "MSG_DEALLOC_VGPRS"),
    (0x05, "MSG_STALL_WAVE_GEN"),
    (0x06, "MSG_HALT_WAVES"),
    (0x09, "MSG_GS_ALLOC_REQ"),
    (0x80, "MSG_RTN_GET_DOORBELL"),
    (0x81, "MSG_RTN_GET_DDID"),
    (0x82, "MSG_RTN_GET_TMA"),
    (0x83, "MSG_RTN_GET_REALTIME"),
    (0x84, "MSG_RTN_SAVE_WAVE"),
    (0x85, "MSG_RTN_GET_TBA"),
    (0x86, "MSG_RTN_GET_TBA_TO_PC"),
];

/// Messages that have a name in LLVM's text only.
const UNLISTED: [u8; 3] = [0x05, 0x06, 0x86];

/// Whether the guide lists a message, among those that return a value or among the others.
#[must_use]
pub fn message_listed(id: u8, returns: bool) -> bool {
    message_name(id).is_some() && !UNLISTED.contains(&id) && (id >= 0x80) == returns
}

/// The name of a message, if it has one.
#[must_use]
pub fn message_name(id: u8) -> Option<&'static str> {
    MESSAGES.iter().find(|(code, _)| *code == id).map(|(_, name)| *name)
}

/// A message by its number, the low byte of the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageCode;

impl<I: Generation> Operand<I> for MessageCode {
    type Get = u16;

    const VALID_CODES: ValidCodes = ValidCodes::Within(0xff);

    fn printable(_cx: &Cx<'_, I>, _code: u32) -> bool {
        true
    }

    /// Text of a message that has a name leaves out what stands above the number.
    fn check(_cx: &Cx<'_, I>, code: u32) -> bool {
        code <= 0xff || message_name(code as u8).is_none()
    }

    fn write(_cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        match message_name(code as u8) {
            Some(name) => {
                out.push("sendmsg(");
                out.push(name);
                out.push_ascii(b')');
            }
            // No message of this generation has an operation or a stream; the text has their places all the same.
            None if code <= 0xff => {
                out.push("sendmsg(");
                out.dec(code);
                out.push(", 0, 0)");
            }
            None => out.dec(code),
        }
    }

    fn value(_cx: &Cx<'_, I>, code: u32) -> Option<Value> {
        Some(Value::Immediate(code as i32))
    }

    /// `sendmsg(MSG_INTERRUPT)`, `sendmsg(1, 0, 0)`, or the number that the field holds.
    fn parse(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
        if !call(asm, "sendmsg") {
            asm.state_bits();
            return expression_in(asm, 0, 0xffff, "the constant lies between 0 and 65535").map(Some);
        }
        let word = asm.input.peek_word();
        let mut code = 0;
        if let Some((id, _)) = MESSAGES.iter().find(|(_, name)| *name == word) {
            asm.input.word();
            code |= u32::from(*id);
        } else {
            let number = expression_in(asm, 0, 0xff, "messages have the numbers 0 to 255");
            let names = MESSAGES.iter().map(|m| m.1);
            code |= number.or_else(|error| unknown_name(asm, error, "the name or the number of a message", names))?;
            // The operation and the stream of older generations: only a message without a name has their places.
            if asm.input.eat(",") {
                code |= expression_in(asm, 0, 7, "an operation has a number from 0 to 7")? << 4;
                if asm.input.eat(",") {
                    code |= expression_in(asm, 0, 3, "a stream has a number from 0 to 3")? << 8;
                }
            }
        }
        if asm.input.eat(")") { Ok(Some(code)) } else { Err(asm.expected("`)`")) }
    }
}
