//! Errors of the decoder.

use core::fmt;

use crate::tables::{Format, Isa};

/// An error of the decoder: the dwords are not an instruction, or not a canonical one. The message names the generation, if the
/// set has one, the format, the field and the value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DecodeError<I: Isa> {
    /// The input ends inside the instruction.
    Truncated {
        /// How many dwords the instruction takes.
        need: u8,
        /// How many whole dwords there are.
        have: u8,
    },
    /// No format begins with these bits.
    UnknownFormat {
        /// The first dword.
        word: u32,
    },
    /// The format has no such opcode.
    UnknownOpcode {
        /// The index of the format in [`Tables::formats`](crate::tables::Tables::formats).
        format: u8,
        /// The index of its opcode field in the format's fields.
        field: u8,
        /// The value of its opcode field.
        number: u16,
    },
    /// The instruction exists in another mode only.
    WrongMode {
        /// The index of the format in [`Tables::formats`](crate::tables::Tables::formats).
        format: u8,
        /// The index of the opcode in [`Tables::mnemonics`](crate::tables::Tables::mnemonics).
        opcode: u16,
        /// The mode in which it exists.
        needs: I::Mode,
    },
    /// The opcode cannot have this suffix dword, or needs one that no field selects.
    UnknownForm {
        /// The index of the format in [`Tables::formats`](crate::tables::Tables::formats).
        format: u8,
        /// The index of the opcode in [`Tables::mnemonics`](crate::tables::Tables::mnemonics).
        opcode: u16,
        /// The index of the suffix dword in the format's suffix dwords plus one, or 0.
        suffix_dword: u8,
    },
    /// A field holds a code that names nothing.
    InvalidOperand {
        /// The index of the format in [`Tables::formats`](crate::tables::Tables::formats).
        format: u8,
        /// The index of the field in the format's fields.
        field: u8,
        /// The index of the opcode in [`Tables::mnemonics`](crate::tables::Tables::mnemonics).
        opcode: u16,
        /// The code.
        code: u32,
    },
    /// A field holds a reserved code or, where the instruction does not use it, a value that it must not have. Other disassemblers
    /// print some of these instructions.
    NonCanonical {
        /// The index of the format in [`Tables::formats`](crate::tables::Tables::formats).
        format: u8,
        /// The index of the field in the format's fields.
        field: u8,
        /// The instruction it is otherwise; encoding it gives the same words back.
        instr: I::Instr,
    },
}

impl<I: Isa> DecodeError<I> {
    /// Returns the instruction that the words are but for the reserved code.
    #[must_use]
    pub const fn noncanonical(&self) -> Option<I::Instr> {
        match self {
            DecodeError::NonCanonical { instr, .. } => Some(*instr),
            _ => None,
        }
    }

    /// Returns the code in the invalid field, if the error concerns a field.
    #[must_use]
    pub fn code(&self) -> Option<u32> {
        match self {
            DecodeError::InvalidOperand { code, .. } => Some(*code),
            DecodeError::NonCanonical { field, instr, .. } => {
                let (format, words) = I::parts(instr);
                Some(Format::<I>::at(format)?.fields.get(usize::from(*field))?.bits.get(&words))
            }
            _ => None,
        }
    }

    /// The guide's name of the format, where the error has got that far.
    #[must_use]
    pub fn format(&self) -> Option<&'static str> {
        let (DecodeError::UnknownOpcode { format, .. }
        | DecodeError::WrongMode { format, .. }
        | DecodeError::UnknownForm { format, .. }
        | DecodeError::InvalidOperand { format, .. }
        | DecodeError::NonCanonical { format, .. }) = self
        else {
            return None;
        };
        Format::<I>::at(*format).map(|format| format.name)
    }

    /// Returns the guide's name of the invalid field, if the error concerns a field.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            DecodeError::UnknownOpcode { format, field, .. }
            | DecodeError::InvalidOperand { format, field, .. }
            | DecodeError::NonCanonical { format, field, .. } => Format::<I>::at(*format)?.field_name(*field),
            _ => None,
        }
    }
}

fn mnemonic<I: Isa>(opcode: u16) -> &'static str {
    I::tables().mnemonics.get(usize::from(opcode)).copied().unwrap_or("?")
}

impl<I: Isa> fmt::Display for DecodeError<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = self.format().unwrap_or("?");
        let field = self.field().unwrap_or("encoding");
        if let Some(generation) = I::generation() {
            write!(f, "{generation}: ")?;
        }
        match *self {
            DecodeError::Truncated { need, have } => {
                write!(f, "the input ends inside an instruction: it takes {need} dwords, there are {have}")
            }
            DecodeError::UnknownFormat { word } => {
                write!(f, "no microcode format begins with 0x{word:08x}")
            }
            DecodeError::UnknownOpcode { number, .. } => {
                write!(f, "{format} has no opcode {number} ({field})")
            }
            DecodeError::WrongMode { opcode, needs, .. } => {
                write!(f, "{format} {} exists in mode {needs:?} only", mnemonic::<I>(opcode))
            }
            DecodeError::UnknownForm { format: at, opcode, suffix_dword } => {
                let name = mnemonic::<I>(opcode);
                match Format::<I>::at(at).and_then(|format| format.suffix_dword(suffix_dword)) {
                    Some(dword) => write!(f, "{format} {name} cannot be followed by {}", dword.name),
                    None => write!(f, "{format} {name} does not exist without a dword that follows it"),
                }
            }
            DecodeError::InvalidOperand { opcode, code, .. } => {
                write!(
                    f,
                    "{format} {}: {field} holds {code} (0x{code:x}), which names nothing here",
                    mnemonic::<I>(opcode)
                )
            }
            DecodeError::NonCanonical { .. } => {
                let code = self.code().unwrap_or(0);
                write!(f, "non-canonical {format}: {field} holds {code} (0x{code:x}), which is reserved")
            }
        }
    }
}

impl<I: Isa> core::error::Error for DecodeError<I> {}
