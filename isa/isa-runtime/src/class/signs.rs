//! The signs of sources in text: `-v0`, `|v0|`, `neg(1)`, `abs(v0)`, which bits of modifiers hold.

use super::placing::BitOf;
#[cfg(feature = "parse")]
use super::{Placing, Space};
use crate::tables::{Cx, Isa};
#[cfg(feature = "parse")]
use crate::{Asm, Constant, ParseError};
use crate::{Case, Text, Type};

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

/// Where the signs of a source are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg(feature = "parse")]
pub enum SignPlace {
    /// The source has none.
    None,
    /// In bits of modifiers.
    Modifiers,
    /// In the source, which has to be a constant.
    Constant,
}

/// The signs in the text of a source.
#[derive(Clone, Copy, Debug)]
#[cfg(feature = "parse")]
pub struct Signs {
    /// `-x` or `neg(x)`.
    neg: bool,
    /// `|x|` or `abs(x)`.
    abs: bool,
    /// The absolute value is written with bars.
    pub has_bars: bool,
    /// Where the signs are kept.
    pub place: SignPlace,
}

#[cfg(feature = "parse")]
impl Signs {
    /// No signs, of a source that could have some in this place.
    #[must_use]
    pub const fn none(place: SignPlace) -> Self {
        Signs { neg: false, abs: false, has_bars: false, place }
    }

    /// Returns whether there is a sign.
    #[must_use]
    pub const fn any(self) -> bool {
        self.neg || self.abs
    }

    /// Returns a constant with the signs taken into it. An integer has the bits of a float of the type. Those of an `f64` are
    /// ambiguous, so that it takes none.
    #[must_use]
    pub(super) fn fold(self, constant: Constant, ty: Type) -> Option<Constant> {
        match constant {
            Constant::Integer(_) if ty.bits() == 64 && ty.is_float() => None,
            _ => Some(constant.with_signs(self.neg, self.abs, ty.total_bits())),
        }
    }

    /// Puts the signs of a source, which begins at `start`, into the modifiers that hold them.
    fn keep<I: Isa>(self, asm: &mut Asm<'_, '_, I>, placing: &'static Placing, start: usize) -> Result<(), ParseError> {
        for (is_set, cases) in [(self.neg, placing.neg), (self.abs, placing.abs)] {
            let bit = bit_of(cases, asm.ty, asm.shape.flags());
            if is_set && !bit.is_some_and(|bit| asm.set_modifier_bit(bit.modifier, bit.bit)) {
                return Err(asm.rule_at(start, "this operand takes no sign here"));
            }
        }
        Ok(())
    }
}

/// Returns whether the variant has a field for the sign of a source.
#[must_use]
#[cfg(feature = "parse")]
pub fn has_field<I: Isa>(asm: &Asm<'_, '_, I>, placing: &'static Placing) -> bool {
    bit_of(placing.neg, asm.ty, asm.shape.flags()).is_some_and(|bit| asm.has_modifier(bit.modifier))
}

/// Returns where the variant keeps the signs of a source.
#[must_use]
#[cfg(feature = "parse")]
pub fn place_of<I: Isa>(asm: &Asm<'_, '_, I>, placing: &'static Placing) -> SignPlace {
    if has_field(asm, placing) { SignPlace::Modifiers } else { SignPlace::None }
}

/// Returns whether a sign can come next, or the word for one. In most texts none does, and no field for it has to be looked
/// for.
#[cfg(feature = "parse")]
fn can_begin<I: Isa>(asm: &mut Asm<'_, '_, I>) -> bool {
    matches!(asm.input.peek(), Some(b'-' | b'|' | b'n' | b'a'))
}

/// Reads a source between its signs, which go to their place.
///
/// # Errors
/// As `read`, or signs that have no place.
#[cfg(feature = "parse")]
pub fn read<I: Isa, F: Copy>(
    asm: &mut Asm<'_, '_, I>,
    space: &Space<F>,
    placing: &'static Placing,
    place: SignPlace,
    read: impl Fn(&mut Asm<'_, '_, I>, Signs) -> Result<u32, ParseError>,
) -> Result<u32, ParseError> {
    if !can_begin(asm) {
        return read(asm, Signs::none(place));
    }
    let start = asm.input.at();
    let (code, signs) = around(asm, space, place, read)?;
    if place != SignPlace::Constant || space.is_register(code) {
        signs.keep(asm, placing, start)?;
    }
    Ok(code)
}

/// Reads the signs of a source, and the source with `read`.
#[cfg(feature = "parse")]
fn around<I: Isa, F: Copy>(
    asm: &mut Asm<'_, '_, I>,
    space: &Space<F>,
    place: SignPlace,
    read: impl Fn(&mut Asm<'_, '_, I>, Signs) -> Result<u32, ParseError>,
) -> Result<(u32, Signs), ParseError> {
    let start = asm.input.at();
    let mut signs = Signs::none(place);
    if asm.input.eat("-") {
        if asm.input.peek() == Some(b'-') {
            return Err(asm.rule_at(start, "two signs read as nothing: write `neg(-1)`"));
        }
        let word = asm.input.peek_word();
        let is_named =
            space.begins_register(asm.input.rest()) || word == "abs" || word == "lit" && place == SignPlace::Modifiers;
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
