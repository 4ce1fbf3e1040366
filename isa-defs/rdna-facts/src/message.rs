//! The messages of S_SENDMSG and related instructions: their meaning and their payload in M0 (guide §5.3; RDNA4's §5.4).

use rdna_rows::operands::{self, message_name};

use crate::Family;
use crate::layout::{Field, layout};

/// The answer to a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// Nothing: S_SENDMSG, S_SENDMSGHALT.
    None,
    /// A value of 32 or 64 bits: S_SENDMSG_RTN_B32, S_SENDMSG_RTN_B64.
    Value,
}

/// The shaders that may send a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sender {
    /// Any shader.
    Any,
    /// Shaders of the hull stage, once.
    Hull,
    /// Shaders of the geometry stage.
    Geometry,
    /// The trap handler.
    TrapHandler,
}

/// A message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// Its number: SIMM16 bits 7:0, or SSRC0 of the instructions that return a value.
    pub id: u8,
    /// The guide's name for it.
    pub name: &'static str,
    /// The request.
    pub meaning: &'static str,
    /// The fields of M0.
    pub payload: &'static [Field],
    /// The answer.
    pub answer: Answer,
    /// The shaders that may send it.
    pub sender: Sender,
    /// Whether only S_ENDPGM may follow.
    pub ends: bool,
}

impl Message {
    /// Returns its name in assembly, if it has one.
    #[must_use]
    pub fn text(&self) -> Option<&'static str> {
        let rdna4 = || operands::RDNA4_MESSAGES.iter().find(|(id, _)| *id == self.id).map(|(_, name)| *name);
        message_name(self.id).or_else(rdna4)
    }
}

const fn sent(id: u8, name: &'static str, meaning: &'static str, payload: &'static [Field], sender: Sender) -> Message {
    Message { id, name, meaning, payload, answer: Answer::None, sender, ends: false }
}

const fn asked(id: u8, name: &'static str, meaning: &'static str, sender: Sender) -> Message {
    Message { id, name, meaning, payload: &[], answer: Answer::Value, sender, ends: false }
}

/// The messages that the guide lists, by number. Tables 15 and 16. LLVM names two more, MSG_STALL_WAVE_GEN and
/// MSG_HALT_WAVES, of which the guide says nothing.
pub static MESSAGES: [Message; 12] = [
    sent(0x01, "Interrupt", "interrupts the host; the wave's place goes along", InterruptPayload::FIELDS, Sender::Any),
    sent(
        0x02,
        "HS TessFactor",
        "all tessellation factors of the workgroup are zero or one",
        TessFactorPayload::FIELDS,
        Sender::Hull,
    ),
    Message {
        ends: true,
        ..sent(0x03, "Dealloc VGPRs", "gives all VGPRs back; the wave can only end", &[], Sender::Any)
    },
    sent(0x09, "GS alloc req", "asks for room in the parameter cache", GsAllocPayload::FIELDS, Sender::Geometry),
    asked(0x80, "Get Doorbell ID", "the doorbell of the wave; 0x0bad where there is none", Sender::Any),
    asked(0x81, "Get Draw ID", "the number of the draw or dispatch", Sender::Any),
    asked(0x82, "Get TMA", "the trap memory address", Sender::Any),
    asked(0x83, "Get REALTIME", "the clock that runs at a constant rate", Sender::Any),
    asked(0x84, "Save wave", "the wave is ready to have its context saved", Sender::TrapHandler),
    asked(0x85, "Get TBA", "the trap base address", Sender::Any),
    asked(
        0x86,
        "Get TBA to PC",
        "the trap base address, to jump to (LLVM's; the guide has no such message)",
        Sender::Any,
    ),
    asked(0xff, "Illegal RTN", "an illegal message that returns a value", Sender::Any),
];

/// The messages that only RDNA4 has. RDNA4's guide §5.4, table 22.
pub static RDNA4_MESSAGES: [Message; 1] =
    [asked(0x87, "Get SE HW ID", "the logical numbers of the shader engine and of its die", Sender::Any)];

/// The message of RDNA3 with this number.
#[must_use]
pub fn message(id: u8) -> Option<&'static Message> {
    message_in(Family::Gfx11, id)
}

/// The messages of a family, by number. RDNA4's guide §5.4, tables 21 and 22: all of RDNA3's, and one more.
pub fn messages(family: Family) -> impl Iterator<Item = &'static Message> {
    let more: &'static [Message] = match family {
        Family::Gfx11 => &[],
        Family::Gfx12 => &RDNA4_MESSAGES,
    };
    let before = MESSAGES.iter().filter(|message| message.id < 0xff);
    before.chain(more).chain(MESSAGES.iter().filter(|message| message.id == 0xff))
}

/// The message of a family with this number.
#[must_use]
pub fn message_in(family: Family, id: u8) -> Option<&'static Message> {
    messages(family).find(|message| message.id == id)
}

layout! {
    /// M0 of an interrupt.
    InterruptPayload {
        /// The user's own.
        data: u32 = 24, "DATA";
        __: u32 = 8, "";
    }
}

layout! {
    /// M0 of HS TessFactor.
    TessFactorPayload {
        /// All are zero or one.
        all_zero_or_one: bool = 1, "ALL_ZERO_OR_ONE";
        __: u32 = 31, "";
    }
}

layout! {
    /// M0 of GS alloc req.
    GsAllocPayload {
        /// How many vertices.
        vertices: u16 = 10, "VERTICES";
        __: u32 = 2, "";
        /// How many primitives.
        primitives: u16 = 11, "PRIMITIVES";
        __: u32 = 9, "";
    }
}
