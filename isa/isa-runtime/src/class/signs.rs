//! The signs of sources in text: `-v0`, `|v0|`, `neg(1)`, `abs(v0)`, which bits of modifiers hold.

use super::Space;
use crate::inst::{BitOf, Placing};
use crate::tables::{Cx, Isa};
use crate::{Asm, Case, Constant, ParseError, Text, Type};

/// Returns the bit that holds a sign of an operand, in a row with these flags.
fn bit_of(cases: &'static [(Case, BitOf)], ty: Type, flags: u128) -> Option<BitOf> {
    cases.iter().find(|(case, _)| case.holds(ty, flags, 0)).map(|(_, bit)| *bit)
}

/// Writes a source between its signs. `neg` and `abs` are the bits that hold them; `is_number` returns whether the source is a
/// constant, which `-` would make another one.
pub fn write<I: Isa>(
    cx: &Cx<'_, I>,
    [neg, abs]: [&'static [(Case, BitOf)]; 2],
    is_number: impl Fn() -> bool,
    out: &mut Text,
    write: impl Fn(&mut Text),
) {
    let is_set = |cases| {
        let bit = bit_of(cases, cx.ty, cx.shape.flags());
        bit.and_then(|bit| Some(cx.sibling(bit.modifier)?.0 >> bit.bit)).unwrap_or(0) & 1 != 0
    };
    let (before, after) = match (is_set(neg), is_set(abs)) {
        (false, false) => return write(out),
        (true, false) if is_number() => ("neg(", ")"),
        (true, false) => ("-", ""),
        (false, true) => ("|", "|"),
        (true, true) => ("-|", "|"),
    };
    out.push(before);
    write(out);
    out.push(after);
}

/// The signs in the text of a source.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// `-x` or `neg(x)`.
    neg: bool,
    /// `|x|` or `abs(x)`.
    abs: bool,
    /// The absolute value is written with bars.
    pub has_bars: bool,
    /// The operand takes signs, whether or not it has any.
    pub is_possible: bool,
}

impl Signs {
    /// No signs.
    #[must_use]
    pub const fn none(is_possible: bool) -> Self {
        Signs { neg: false, abs: false, has_bars: false, is_possible }
    }

    /// Returns whether there is a sign.
    #[must_use]
    pub const fn any(self) -> bool {
        self.neg || self.abs
    }

    /// A constant with the signs taken into it, where no field holds them: an integer is taken as the bits of a float
    /// of `bits` bits.
    #[must_use]
    pub fn fold(self, n: Constant, bits: u16) -> Constant {
        match n {
            Constant::Float(f) => {
                let f = if self.abs { f.abs() } else { f };
                Constant::Float(if self.neg { -f } else { f })
            }
            Constant::Integer(n) => {
                let sign = 1i64 << (bits.clamp(1, 64) - 1);
                let n = if self.abs { n & !sign } else { n };
                let n = if self.neg { n ^ sign } else { n };
                // Without its sign a negative integer is a pattern of its width.
                let narrow = if bits < 64 && self.any() { n & ((1 << bits) - 1) } else { n };
                Constant::Integer(narrow)
            }
        }
    }

    /// Puts the signs of a source, which begins at `start`, into the fields that hold them.
    ///
    /// # Errors
    /// A sign that no field of the variant holds.
    pub fn keep<I: Isa>(
        self,
        asm: &mut Asm<'_, '_, I>,
        placing: &'static Placing,
        start: usize,
    ) -> Result<(), ParseError> {
        for (is_set, cases) in [(self.neg, placing.neg), (self.abs, placing.abs)] {
            let bit = bit_of(cases, asm.ty, asm.shape.flags());
            if is_set && !bit.is_some_and(|bit| asm.set_modifier_bit(bit.modifier, bit.bit)) {
                asm.input.go(start);
                return Err(asm.rule("this operand takes no sign here"));
            }
        }
        Ok(())
    }
}

/// Returns whether the variant has a field for the sign of a source.
#[must_use]
pub fn has_field<I: Isa>(asm: &Asm<'_, '_, I>, placing: &'static Placing) -> bool {
    bit_of(placing.neg, asm.ty, asm.shape.flags()).is_some_and(|bit| asm.has_modifier(bit.modifier))
}

/// Returns whether a sign can come next, or the word for one. In most texts none does, and no field for it has to be looked
/// for.
#[must_use]
pub fn can_begin<I: Isa>(asm: &mut Asm<'_, '_, I>) -> bool {
    matches!(asm.input.peek(), Some(b'-' | b'|' | b'n' | b'a'))
}

/// Reads registers between their signs.
///
/// # Errors
/// As `read`, or a sign that no field holds.
pub fn read<I: Isa, F: Copy>(
    asm: &mut Asm<'_, '_, I>,
    space: &Space<F>,
    placing: &'static Placing,
    read: impl Fn(&mut Asm<'_, '_, I>) -> Result<u32, ParseError>,
) -> Result<u32, ParseError> {
    if !can_begin(asm) {
        return read(asm);
    }
    let start = asm.input.at();
    let (code, signs) = around(asm, space, false, |asm, _| read(asm))?;
    signs.keep(asm, placing, start)?;
    Ok(code)
}

/// Reads the signs of a source, and the source with `read`. `has_literals`: a sign can come before `lit(…)`.
///
/// # Errors
/// As `read`, or signs that belong to nothing.
pub fn around<I: Isa, F: Copy, T>(
    asm: &mut Asm<'_, '_, I>,
    space: &Space<F>,
    has_literals: bool,
    read: impl FnOnce(&mut Asm<'_, '_, I>, Signs) -> Result<T, ParseError>,
) -> Result<(T, Signs), ParseError> {
    let start = asm.input.at();
    let mut signs = Signs::none(true);
    if asm.input.eat("-") {
        if asm.input.peek() == Some(b'-') {
            asm.input.go(start);
            return Err(asm.rule("two signs read as nothing: write `neg(-1)`"));
        }
        let word = asm.input.peek_word();
        let is_named = space.begins_register(asm.input.rest()) || word == "abs" || word == "lit" && has_literals;
        signs.neg = is_named || matches!(asm.input.peek(), Some(b'|' | b'['));
        if !signs.neg {
            // The sign of a number.
            asm.input.go(start);
        }
    }
    let opens = |asm: &mut Asm<'_, '_, I>, word: &str| {
        if !asm.input.eat_word(word) {
            return Ok(false);
        }
        if asm.input.eat("(") { Ok(true) } else { Err(asm.expected("`(`")) }
    };
    let neg = opens(asm, "neg")?;
    let abs = opens(asm, "abs")?;
    signs.has_bars = !abs && asm.input.eat("|");
    signs.neg |= neg;
    signs.abs = abs || signs.has_bars;
    let read = read(asm, signs)?;
    if signs.has_bars && !asm.input.eat("|") {
        return Err(asm.expected("`|`"));
    }
    for _ in 0..u8::from(neg) + u8::from(abs) {
        if !asm.input.eat(")") {
            return Err(asm.expected("`)`"));
        }
    }
    Ok((read, signs))
}
