//! From words to an instruction.

pub(crate) mod error;
pub(crate) mod fast;

use crate::DecodeError;
use crate::tables::view::{Rows, View, announced};
use crate::tables::{Announce, Field, Format, Isa, MAX_DWORDS, Packed};

/// Reads dwords from bytes or words.
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

    /// Where it stands, in bytes from the beginning.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The next dwords, as many as an instruction can have, and how many whole ones are left of them.
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

    /// Goes forward by some dwords, to the end at most.
    #[inline]
    pub fn advance(&mut self, dwords: usize) {
        self.at = self.at.saturating_add(dwords.saturating_mul(4)).min(self.bytes.len());
    }
}

/// One item of a [`Decoder`].
#[derive(Clone, Copy, Debug)]
pub struct Decoded<I: Isa> {
    /// Where it begins, in bytes from the start of the input.
    pub offset: usize,
    /// The instruction, or why there is none.
    pub result: Result<I::Instr, DecodeError<I>>,
}

/// Decodes bytes one instruction after the other, and goes on after an error: past the whole instruction if it is
/// merely non-canonical, otherwise at the next dword. One to three bytes at the end are one item that says so.
#[derive(Clone, Debug)]
pub struct Decoder<'a, I: Isa> {
    cursor: Cursor<'a>,
    mode: I::Mode,
}

impl<'a, I: Isa> Decoder<'a, I> {
    /// A decoder of `bytes`, in memory order.
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
        if let Some((instr, length)) = quick::<I>(bytes, offset, mode) {
            self.cursor.at = offset + 4 * length;
            return Some(Decoded { offset, result: Ok(instr) });
        }
        let (Decoded { result, .. }, next) = item_at::<I>(bytes, offset, mode)?;
        self.cursor.at = next;
        // Taken apart and put together again, so that the compiler keeps the common case in registers: were both
        // returned from one place in memory, the caller would read whole what was written in parts, which is slow.
        match result {
            Ok(instr) => Some(Decoded { offset, result: Ok(instr) }),
            Err(error) => Some(Decoded { offset, result: Err(error) }),
        }
    }

    /// As with [`next`](Self::next), one after the other; quicker, since what is done with an item is written out for
    /// both ways that it can come, and where it stands is no part of a whole that others see.
    #[inline]
    fn fold<B, F: FnMut(B, Decoded<I>) -> B>(self, init: B, mut f: F) -> B {
        let Decoder { cursor: Cursor { bytes, at: mut offset }, mode } = self;
        let mut all = init;
        loop {
            if let Some((instr, length)) = quick::<I>(bytes, offset, mode) {
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

/// The instruction that bytes surely begin with.
#[inline(always)]
fn quick<I: Isa>(bytes: &[u8], at: usize, mode: I::Mode) -> Option<(I::Instr, usize)> {
    let bytes: &[u8; 4 * MAX_DWORDS] = bytes.get(at..)?.first_chunk()?;
    let (low, third) = (bytes.first_chunk()?, bytes.last_chunk()?);
    I::quick(u64::from_le_bytes(*low), u32::from_le_bytes(*third), mode)
}

/// The item at an offset near the end, or where the quick way is not sure, and where the next one begins.
#[inline(never)]
fn item_at<I: Isa>(bytes: &[u8], offset: usize, mode: I::Mode) -> Option<(Decoded<I>, usize)> {
    let mut cursor = Cursor { bytes, at: offset };
    let (words, have) = cursor.peek();
    let (result, length) = match have {
        0 if cursor.remaining() == 0 => return None,
        0 => (Err(DecodeError::Truncated { need: 1, have: 0 }), 1),
        _ => match slowly::<I>(words, have, mode) {
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

/// Decodes the instruction that `input` begins with, and says how many dwords it takes.
///
/// # Errors
/// See [`DecodeError`]: no such format, opcode or form; a code that names nothing; a field that should be unused and is
/// not; an input that ends too early.
// Always, since it is called in loops: where the result goes through memory, which is written in parts and read as a whole,
// the processor waits.
#[inline(always)]
pub fn decode<I: Isa>(input: &[u32], mode: I::Mode) -> Result<(I::Instr, usize), DecodeError<I>> {
    if let Some(&[w0, w1, w2]) = input.first_chunk()
        && let Some(found) = I::quick(Packed::new([w0, w1, w2]).low, w2, mode)
    {
        return Ok(found);
    }
    let (instr, length) = padded(input, mode)?;
    // Put together anew, so that both ways end alike: otherwise the instruction goes through memory here, too.
    let (format, words) = I::parts(&instr);
    match I::instr(format, words, length as u8) {
        Some(instr) => Ok((instr, length)),
        None => Err(DecodeError::UnknownFormat { word: words[0] }),
    }
}

/// The same near the end of the input, or where the quick way is not sure.
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
    slowly::<I>(words, have, mode)
}

/// Decodes the instruction that `have` words (one at least) begin with; the others are zero.
fn slowly<I: Isa>(words: [u32; MAX_DWORDS], have: usize, mode: I::Mode) -> Result<(I::Instr, usize), DecodeError<I>> {
    // Data among code is what most often comes here.
    if I::hopeless(words[0]) {
        return in_full::<I>(words, have, mode);
    }
    let cut = (have < MAX_DWORDS).then(|| I::quick(Packed::new(words).low, words[2], mode)).flatten();
    match cut.filter(|(_, length)| *length <= have) {
        Some(found) => Ok(found),
        None => in_full::<I>(words, have, mode),
    }
}

/// The same with an account of what is wrong.
///
/// # Errors
/// As [`decode`].
#[cold]
#[inline(never)]
pub fn in_full<I: Isa>(
    words: [u32; MAX_DWORDS],
    have: usize,
    mode: I::Mode,
) -> Result<(I::Instr, usize), DecodeError<I>> {
    let (lo, width) = I::window();
    let window = words[0] >> lo & (u32::MAX >> (32 - width));
    let mut error = DecodeError::UnknownFormat { word: words[0] };
    for &id in I::candidates(window) {
        let Some(format) = I::formats().get(usize::from(id)) else {
            continue;
        };
        let (mask, value) = &format.fixed;
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
            // The most specific format speaks; a broader one that follows may still know the opcode.
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
        return Err(DecodeError::WrongMode { opcode: opcode(0), needs });
    }
    // One dword has one meaning: a code that announces a second suffix dword has none to stand for it.
    if suffix_dword != 0
        && let Some(second) = announced(format, rows.announcers, &words).find(|t| *t != suffix_dword)
    {
        return Err(DecodeError::UnknownForm { format: id, opcode: opcode(0), suffix_dword: second });
    }
    let mut odd = None;
    let mut seen = 0;
    for View { slot, component, mut cx } in rows.views(format, &words, mode) {
        seen += 1;
        if let Some(needs) = cx.shape.only
            && needs != mode
        {
            return Err(DecodeError::WrongMode { opcode: slot.opcode, needs });
        }
        for bound in cx.form.bound::<I>() {
            let Some(carrier) = component.carriers.get(usize::from(bound.carrier)) else {
                continue;
            };
            let Some(valid) = carrier.valid else { continue };
            let code = carrier.bits.get(&words);
            cx.ty = bound.ty;
            cx.name = carrier.name;
            if valid(&cx, code) {
                continue;
            }
            if !(carrier.printable)(&cx, code) {
                // The code may stand for a suffix dword that the row cannot have.
                let asks = |a: &&Announce| a.part == carrier.bits.first;
                let suffix_dwords = format.announces.iter().find(asks).map_or(&[][..], |a| a.suffix_dwords);
                if let Some(wants) = suffix_dwords.get(code as usize).copied().filter(|t| *t != 0) {
                    return Err(DecodeError::UnknownForm { format: id, opcode: slot.opcode, suffix_dword: wants });
                }
                return Err(DecodeError::InvalidOperand {
                    format: id,
                    field: carrier.field,
                    opcode: slot.opcode,
                    code,
                });
            }
            odd = odd.or(Some(carrier.field));
        }
        let (mask, value) = cx.form.fixed::<I>();
        if (0..MAX_DWORDS).any(|i| words[i] & mask[i] != value[i]) {
            odd = odd.or_else(|| unexpected(format, &words, suffix_dword, mask, value));
        }
    }
    if seen < format.components.len() {
        return Err(DecodeError::UnknownForm { format: id, opcode: opcode(seen), suffix_dword });
    }
    let Some(instr) = I::instr(id, words, length as u8) else {
        return Err(DecodeError::UnknownFormat { word: words[0] });
    };
    match odd {
        None => Ok((instr, length)),
        Some(field) => Err(DecodeError::NonCanonical { format: id, field, instr }),
    }
}

/// The first field that does not hold what it should.
#[cold]
fn unexpected<I: Isa>(
    format: &Format<I>,
    words: &[u32; MAX_DWORDS],
    suffix_dword: u8,
    mask: &[u32; MAX_DWORDS],
    value: &[u32; MAX_DWORDS],
) -> Option<u8> {
    let wrong: [u32; MAX_DWORDS] = core::array::from_fn(|i| (words[i] ^ value[i]) & mask[i]);
    let here = |f: &Field| f.suffix_dword == 0 || f.suffix_dword == suffix_dword;
    let at = format.fields.iter().position(|f| here(f) && f.bits.get(&wrong) != 0);
    Some(at.map_or(u8::MAX, |i| i as u8))
}
