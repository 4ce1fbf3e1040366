//! Registers as text has them.

use crate::expression::in_range;
use crate::number::integer;
use isa_runtime::{Asm, Isa, ParseError, Text};

/// Half of a 32-bit register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Half {
    /// Bits 15 to 0.
    Low,
    /// Bits 31 to 16.
    High,
}

/// How text names the registers of a set whose files are `F`.
#[derive(Debug)]
pub struct Names<F: 'static> {
    /// Registers with a name of their own: the name, the file, the first register and how many.
    pub named: &'static [(&'static str, F, u8, u8)],
    /// Files whose registers have numbers: the prefix, the file and the highest number.
    pub numbered: &'static [(&'static str, F, u8)],
    /// The file whose registers have halves, if one does.
    pub halves: Option<F>,
    /// What is said of a number that no register has.
    pub none: &'static str,
}

/// Consecutive registers as they are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span<F> {
    /// The file.
    pub file: F,
    /// The number of the first.
    pub first: u8,
    /// How many.
    pub count: u8,
    /// The half that is meant, if one is.
    pub half: Option<Half>,
}

impl<F> Span<F> {
    const fn new(file: F, first: u8, count: u8) -> Self {
        Span { file, first, count, half: None }
    }
}

/// The most registers that an operand has.
const MOST: u8 = 32;

/// Reads registers: `v5`, `v[5:6]`, `v5.l`, `vcc_lo`, `[s4,s5]`. `None`, and nothing taken, if something else comes next.
///
/// # Errors
/// A number that no register of the file has, a range that goes down, a list with gaps.
pub fn registers<I: Isa, F: Copy + PartialEq>(
    asm: &mut Asm<'_, '_, I>,
    names: &Names<F>,
) -> Result<Option<Span<F>>, ParseError> {
    let start = asm.input.at();
    let next = asm.input.bytes();
    if let Some((span, length)) = plain(next, names) {
        asm.input.go(start + length);
        return Ok(Some(span));
    }
    if asm.input.eat("[") {
        let list = register_list(asm, names)?;
        if list.is_none() {
            asm.input.go(start);
        }
        return Ok(list);
    }
    span(asm, names)
}

/// Registers with numbers as nearly all texts have them, `v5` or `s[4:5]`, and how many bytes they take; `None` for
/// everything else and for everything wrong, which [`registers`] looks at.
fn plain<F: Copy>(text: &[u8], names: &Names<F>) -> Option<(Span<F>, usize)> {
    let letter = text.first();
    // A prefix is nearly always one letter, and then nothing has to be called that compares.
    let begins = |(prefix, ..): &&(&str, F, u8)| {
        prefix.as_bytes().first() == letter && (prefix.len() == 1 || text.starts_with(prefix.as_bytes()))
    };
    let &(prefix, file, last) = names.numbered.iter().find(begins)?;
    let (first, count, length) = isa_runtime::numbered(text.get(prefix.len()..)?, last)?;
    Some((Span::new(file, first, count), prefix.len() + length))
}

/// The same but for lists, which hold no others.
fn span<I: Isa, F: Copy + PartialEq>(
    asm: &mut Asm<'_, '_, I>,
    names: &Names<F>,
) -> Result<Option<Span<F>>, ParseError> {
    let start = asm.input.at();
    let word = asm.input.peek_word();
    if word.is_empty() {
        return Ok(None);
    }
    if let Some((_, file, first, count)) = names.named.iter().find(|(name, ..)| *name == word) {
        asm.input.take(word);
        return Ok(Some(Span::new(*file, *first, *count)));
    }
    for &(prefix, file, last) in names.numbered {
        let Some(number) = word.strip_prefix(prefix) else { continue };
        if number.is_empty() {
            asm.input.word();
            if !asm.input.eat("[") {
                asm.input.go(start);
                continue;
            }
            return range(asm, file, last, names.none).map(Some);
        }
        let (digits, half) = match number.strip_suffix(".l").map(|d| (d, Half::Low)) {
            _ if names.halves.is_none() => (number, None),
            Some((d, half)) => (d, Some(half)),
            None => number.strip_suffix(".h").map_or((number, None), |d| (d, Some(Half::High))),
        };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let Some(first) = digits.parse().ok().filter(|n| *n <= last) else {
            return Err(asm.rule(names.none));
        };
        if half.is_some() && names.halves != Some(file) {
            return Err(asm.rule("only vector registers have halves"));
        }
        asm.input.word();
        return Ok(Some(Span { half, ..Span::new(file, first, 1) }));
    }
    Ok(None)
}

/// The rest of `v[5:6]` or `v[5]` after the bracket.
fn range<I: Isa, F>(asm: &mut Asm<'_, '_, I>, file: F, last: u8, none: &'static str) -> Result<Span<F>, ParseError> {
    let index = |asm: &mut Asm<'_, '_, I>| {
        let start = asm.input.at();
        let number = integer(asm, "a register number")?;
        in_range(asm, start, number, 0, i64::from(last), none).map(|n| n as u8)
    };
    let first = index(asm)?;
    let end = if asm.input.eat(":") { index(asm)? } else { first };
    if end < first {
        return Err(asm.rule("the first register of a range stands before the last"));
    }
    if !asm.input.eat("]") {
        return Err(asm.expected("`]`"));
    }
    if end - first >= MOST {
        return Err(asm.rule("no operand has more than 32 registers"));
    }
    Ok(Span::new(file, first, end - first + 1))
}

/// The rest of `[v4,v5]` after the bracket: consecutive registers written one by one. `None` if no register follows.
fn register_list<I: Isa, F: Copy + PartialEq>(
    asm: &mut Asm<'_, '_, I>,
    names: &Names<F>,
) -> Result<Option<Span<F>>, ParseError> {
    let Some(mut all) = span(asm, names)? else { return Ok(None) };
    while asm.input.eat(",") {
        let Some(next) = span(asm, names)? else { return Err(asm.expected("a register")) };
        let follows = next.file == all.file && u16::from(next.first) == u16::from(all.first) + u16::from(all.count);
        if !follows || next.count != 1 || all.count >= MOST {
            return Err(asm.rule("the registers of a list follow each other"));
        }
        all.count += 1;
    }
    if asm.input.eat("]") { Ok(Some(all)) } else { Err(asm.expected("`]`")) }
}

/// Writes registers: `s5`, or `s[5:6]` for several.
#[inline]
pub fn write_range(prefix: &str, first: u32, count: u8, out: &mut Text) {
    out.push(prefix);
    if count <= 1 {
        return out.dec(first);
    }
    out.push_ascii(b'[');
    out.dec(first);
    out.push_ascii(b':');
    out.dec(first + u32::from(count) - 1);
    out.push_ascii(b']');
}
