//! Changes of a field of an instruction.

use crate::tables::{Format, Isa, MAX_DWORDS};
use crate::{DecodeError, decode};

/// Returns an instruction with the code of one field replaced.
///
/// # Errors
/// Those of [`decode()`] for the changed dwords. If the code selects a suffix dword, it is 0.
pub fn with_code<I: Isa>(
    format: u8,
    mut words: [u32; MAX_DWORDS],
    field: usize,
    code: u32,
    mode: I::Mode,
) -> Result<I::Instr, DecodeError<I>> {
    let Some(f) = Format::<I>::at(format).and_then(|format| format.fields.get(field)) else {
        return Err(DecodeError::UnknownFormat { word: words[0] });
    };
    if u64::from(code) >> f.bits.width() != 0 {
        return Err(DecodeError::InvalidOperand {
            format,
            field: field as u8,
            opcode: crate::opcode::<I>(format, &words, 0).unwrap_or(u16::MAX),
            code,
        });
    }
    f.bits.set(&mut words, code);
    decode::<I>(&words, mode).map(|(instr, _)| instr)
}
