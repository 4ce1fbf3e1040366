//! The decoder.

pub(crate) mod error;
pub(crate) mod fast;

use crate::DecodeError;
use crate::dwords::Bits96;
use crate::tables::view::{Rows, View, selected};
use crate::tables::{Field, FixedBits, Format, Isa, MAX_DWORDS, Selector, VariantBits};

/// A position in bytes that are read as dwords.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the beginning of `bytes`, which are in memory order (little-endian).
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    /// Returns the position, in bytes from the start.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// Returns the number of bytes left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Returns the next [`MAX_DWORDS`] dwords, filled up with 0, and how many of them are in the input.
    #[inline]
    #[must_use]
    pub fn peek(&self) -> ([u32; MAX_DWORDS], usize) {
        let mut words = [0; MAX_DWORDS];
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let (chunks, _) = rest.as_chunks::<4>();
        let have = chunks.len().min(MAX_DWORDS);
        for (word, chunk) in words.iter_mut().zip(chunks) {
            *word = u32::from_le_bytes(*chunk);
        }
        (words, have)
    }

    /// Advances by some dwords, at most to the end.
    #[inline]
    pub fn advance(&mut self, dwords: usize) {
        self.at = self.at.saturating_add(dwords.saturating_mul(4)).min(self.bytes.len());
    }
}

/// One item of a [`Decoder`].
#[derive(Clone, Copy, Debug)]
pub struct Decoded<I: Isa> {
    /// The position, in bytes from the start of the input.
    pub offset: usize,
    /// The instruction or the error.
    pub result: Result<I::Instr, DecodeError<I>>,
}

/// An iterator over the instructions in bytes. It continues after an error: past the instruction if it is non-canonical,
/// otherwise at the next dword. One to three bytes at the end are a [`Truncated`](DecodeError::Truncated) item.
#[derive(Clone, Debug)]
#[doc(alias = "MCDisassembler")]
pub struct Decoder<'a, I: Isa> {
    cursor: Cursor<'a>,
    mode: I::Mode,
}

impl<'a, I: Isa> Decoder<'a, I> {
    /// Returns a decoder of `bytes`, which are in memory order.
    #[must_use]
    pub const fn new(bytes: &'a [u8], mode: I::Mode) -> Self {
        Decoder { cursor: Cursor::new(bytes), mode }
    }
}

impl<I: Isa> Iterator for Decoder<'_, I> {
    type Item = Decoded<I>;

    #[inline]
    fn next(&mut self) -> Option<Decoded<I>> {
        let Decoder { cursor: Cursor { bytes, at: offset }, mode } = *self;
        if let Some((instr, length)) = decode_fast::<I>(bytes, offset, mode) {
            self.cursor.at = offset + 4 * length;
            return Some(Decoded { offset, result: Ok(instr) });
        }
        let (Decoded { result, .. }, next) = item_at::<I>(bytes, offset, mode)?;
        self.cursor.at = next;
        // The result is taken apart and built again, so that the compiler keeps the fast path in registers. If both paths
        // returned it through memory, the caller would read as a whole what was written in parts (a store-forwarding
        // stall).
        match result {
            Ok(instr) => Some(Decoded { offset, result: Ok(instr) }),
            Err(error) => Some(Decoded { offset, result: Err(error) }),
        }
    }

    /// Calls `f` for all items. Faster than [`next`](Self::next): `f` is inlined after the fast path and after the slow path,
    /// and the position stays in a register.
    #[inline]
    fn fold<B, F: FnMut(B, Decoded<I>) -> B>(self, init: B, mut f: F) -> B {
        let Decoder { cursor: Cursor { bytes, at: mut offset }, mode } = self;
        let mut all = init;
        loop {
            if let Some((instr, length)) = decode_fast::<I>(bytes, offset, mode) {
                all = f(all, Decoded { offset, result: Ok(instr) });
                offset += 4 * length;
            } else {
                let Some((item, next)) = item_at::<I>(bytes, offset, mode) else { return all };
                all = f(all, item);
                offset = next;
            }
        }
    }
}

/// Decodes the instruction at a position on the fast path.
#[inline(always)]
fn decode_fast<I: Isa>(bytes: &[u8], at: usize, mode: I::Mode) -> Option<(I::Instr, usize)> {
    let bytes: &[u8; 4 * MAX_DWORDS] = bytes.get(at..)?.first_chunk()?;
    let (low, third) = (bytes.first_chunk()?, bytes.last_chunk()?);
    I::decode_fast(u64::from_le_bytes(*low), u32::from_le_bytes(*third), mode)
}

/// Returns the item at a position near the end, or one that the fast path declines, and the position of the next item.
#[inline(never)]
fn item_at<I: Isa>(bytes: &[u8], offset: usize, mode: I::Mode) -> Option<(Decoded<I>, usize)> {
    let mut cursor = Cursor { bytes, at: offset };
    let (words, have) = cursor.peek();
    let (result, length) = match have {
        0 if cursor.remaining() == 0 => return None,
        0 => (Err(DecodeError::Truncated { need: 1, have: 0 }), 1),
        _ => match decode_padded::<I>(words, have, mode) {
            Ok((instr, length)) => (Ok(instr), length),
            Err(error) => (Err(error), noncanonical_length(&error, &words)),
        },
    };
    cursor.advance(length);
    Some((Decoded { offset, result }, cursor.at))
}

fn noncanonical_length<I: Isa>(error: &DecodeError<I>, words: &[u32; MAX_DWORDS]) -> usize {
    match error {
        DecodeError::NonCanonical { format, .. } => crate::length::<I>(*format, words),
        _ => 1,
    }
}

/// Decodes the instruction at the start of `input`. Returns it and its length in dwords.
///
/// # Errors
/// See [`DecodeError`]: unknown formats, opcodes and encoding variants, codes that name nothing, reserved codes, and truncated
/// input.
// Always inlined: a result that is returned through memory costs a store-forwarding stall in loops.
#[inline(always)]
pub fn decode<I: Isa>(input: &[u32], mode: I::Mode) -> Result<(I::Instr, usize), DecodeError<I>> {
    if let Some(&[w0, w1, w2]) = input.first_chunk()
        && let Some(found) = I::decode_fast(Bits96::new([w0, w1, w2]).low, w2, mode)
    {
        return Ok(found);
    }
    let (instr, length) = padded(input, mode)?;
    // The instruction is built again, so that neither path returns it through memory.
    let (format, words) = I::parts(&instr);
    match I::instr(format, words, length as u8) {
        Some(instr) => Ok((instr, length)),
        None => Err(DecodeError::UnknownFormat { word: words[0] }),
    }
}

/// Decodes an instruction near the end of the input, or one that the fast path declines.
#[inline(never)]
fn padded<I: Isa>(input: &[u32], mode: I::Mode) -> Result<(I::Instr, usize), DecodeError<I>> {
    let mut words = [0; MAX_DWORDS];
    let have = input.len().min(MAX_DWORDS);
    for (word, from) in words.iter_mut().zip(input) {
        *word = *from;
    }
    if have == 0 {
        return Err(DecodeError::Truncated { need: 1, have: 0 });
    }
    decode_padded::<I>(words, have, mode)
}

/// Decodes the instruction at the start of `have` dwords, at least one. The other dwords are 0.
fn decode_padded<I: Isa>(
    words: [u32; MAX_DWORDS],
    have: usize,
    mode: I::Mode,
) -> Result<(I::Instr, usize), DecodeError<I>> {
    // In most cases this is data between code.
    if I::is_undefined_opcode(words[0]) {
        return decode_slow::<I>(words, have, mode);
    }
    let cut = (have < MAX_DWORDS).then(|| I::decode_fast(Bits96::new(words).low, words[2], mode)).flatten();
    match cut.filter(|(_, length)| *length <= have) {
        Some(found) => Ok(found),
        None => decode_slow::<I>(words, have, mode),
    }
}

/// Decodes an instruction on the slow path, which finds the error if there is none.
///
/// # Errors
/// As [`decode`].
#[cold]
#[inline(never)]
pub fn decode_slow<I: Isa>(
    words: [u32; MAX_DWORDS],
    have: usize,
    mode: I::Mode,
) -> Result<(I::Instr, usize), DecodeError<I>> {
    let (lo, width) = I::tables().window;
    let window = words[0] >> lo & (u32::MAX >> (32 - width));
    let mut error = DecodeError::UnknownFormat { word: words[0] };
    for &id in I::tables().candidates_of(window) {
        let Some(format) = Format::<I>::at(id) else { continue };
        let FixedBits { mask, value } = &format.fixed;
        if words[0] & mask[0] != value[0] {
            continue;
        }
        if usize::from(format.dwords) > have {
            return Err(DecodeError::Truncated { need: format.dwords, have: have as u8 });
        }
        if words[1] & mask[1] != value[1] {
            continue;
        }
        match Rows::find(format, &words) {
            Ok(rows) => return in_format::<I>(id, format, &rows, words, have, mode),
            // The error is that of the most specific format, unless a later one has the opcode.
            Err(c) if matches!(error, DecodeError::UnknownFormat { .. }) => {
                let number = c.opcode.get(&words) as u16;
                error = DecodeError::UnknownOpcode { format: id, field: c.field, number };
            }
            Err(_) => {}
        }
    }
    Err(error)
}

/// Decodes words whose format and opcodes are known to exist.
fn in_format<I: Isa>(
    id: u8,
    format: &'static Format<I>,
    rows: &Rows<I>,
    mut words: [u32; MAX_DWORDS],
    have: usize,
    mode: I::Mode,
) -> Result<(I::Instr, usize), DecodeError<I>> {
    let suffix_dword = rows.suffix_dword;
    let length = usize::from(format.dwords) + usize::from(suffix_dword != 0);
    if length > have {
        return Err(DecodeError::Truncated { need: length as u8, have: have as u8 });
    }
    for word in words.iter_mut().skip(length) {
        *word = 0;
    }
    let opcode =
        |component: usize| rows.rows.get(component).copied().flatten().map_or(u16::MAX, |(slot, _)| slot.opcode);
    if let Some(needs) = format.only
        && needs != mode
    {
        return Err(DecodeError::WrongMode { format: id, opcode: opcode(0), needs });
    }
    // There is one suffix dword: no code may select a second one.
    if suffix_dword != 0
        && let Some(second) = selected(format, rows.selector_mask, &words).find(|t| *t != suffix_dword)
    {
        return Err(DecodeError::UnknownForm { format: id, opcode: opcode(0), suffix_dword: second });
    }
    let mut noncanonical = None;
    let mut seen = 0;
    for View { slot, component, mut cx } in rows.views(format, &words, mode) {
        seen += 1;
        if let Some(needs) = cx.shape.only
            && needs != mode
        {
            return Err(DecodeError::WrongMode { format: id, opcode: slot.opcode, needs });
        }
        for (bound, carrier) in cx.variant.carriers(component) {
            let Some(valid) = carrier.valid else { continue };
            let code = carrier.bits.get(&words);
            cx.ty = bound.ty;
            cx.name = carrier.name;
            if valid(&cx, code) {
                continue;
            }
            if !(carrier.printable)(&cx, code) {
                // The code may select a suffix dword that the row cannot have.
                let is_field = |a: &&Selector| a.bits == carrier.bits.first;
                let suffix_dwords = format.selectors.iter().find(is_field).map_or(&[][..], |a| a.suffix_dwords);
                if let Some(suffix_dword) = suffix_dwords.get(code as usize).copied().filter(|t| *t != 0) {
                    return Err(DecodeError::UnknownForm { format: id, opcode: slot.opcode, suffix_dword });
                }
                return Err(DecodeError::InvalidOperand {
                    format: id,
                    field: carrier.field,
                    opcode: slot.opcode,
                    code,
                });
            }
            noncanonical = noncanonical.or(Some(carrier.field));
        }
        let VariantBits { written: FixedBits { value, .. }, required } = cx.variant.fixed::<I>();
        let wrong: [u32; MAX_DWORDS] = core::array::from_fn(|i| (words[i] ^ value[i]) & required[i]);
        if wrong != [0; MAX_DWORDS] {
            noncanonical =
                noncanonical.or_else(|| Some(first_field(format, &wrong, suffix_dword).map_or(u8::MAX, |at| at as u8)));
        }
    }
    if seen < format.components.len() {
        return Err(DecodeError::UnknownForm { format: id, opcode: opcode(seen), suffix_dword });
    }
    let Some(instr) = I::instr(id, words, length as u8) else {
        return Err(DecodeError::UnknownFormat { word: words[0] });
    };
    match noncanonical {
        None => Ok((instr, length)),
        Some(field) => Err(DecodeError::NonCanonical { format: id, field, instr }),
    }
}

/// Returns the index of the first field with one of these bits.
#[cold]
pub(crate) fn first_field<I: Isa>(format: &Format<I>, bits: &[u32; MAX_DWORDS], suffix_dword: u8) -> Option<usize> {
    let here = |f: &Field| f.suffix_dword == 0 || f.suffix_dword == suffix_dword;
    format.fields.iter().position(|f| here(f) && f.bits.get(bits) != 0)
}
