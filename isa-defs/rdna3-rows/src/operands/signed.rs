//! The signs of sources in text: `-v0`, `|v0|`, `neg(1)`, `abs(v0)`.

use amdgpu_operands::{Number, begins_register};
use isa::inst::{BitOf, Placing};
use isa::{Asm, Case, Cx, ParseError, Text, Type};

use crate::Generation;

/// Returns the bit that holds a sign of an operand, in a row with these flags.
fn bit_of(cases: &'static [(Case, BitOf)], ty: Type, flags: u128) -> Option<BitOf> {
    cases.iter().find(|(case, _)| case.holds(ty, flags, 0)).map(|(_, bit)| *bit)
}

/// Returns whether a source is negated, and whether its absolute value is taken first.
fn signs<I: Generation>(cx: &Cx<'_, I>, [neg, abs]: [&'static [(Case, BitOf)]; 2]) -> (bool, bool) {
    // Most instructions have no bit set that could be a sign, and need not look for their own.
    let is_vop3 = cx.format.dwords == 2;
    let any = if is_vop3 { cx.words[1] >> 29 | cx.words[0] >> 8 & 7 } else { cx.suffix_dword_value() >> 20 & 15 };
    if any == 0 {
        return (false, false);
    }
    let is_set = |cases: &'static [(Case, BitOf)]| {
        let code = bit_of(cases, cx.ty, cx.shape.flags()).and_then(|bit| Some(cx.sibling(bit.modifier)?.0 >> bit.bit));
        code.unwrap_or(0) & 1 != 0
    };
    (is_set(neg), is_set(abs))
}

/// Writes a source between its signs; `is_number`: whether it is a constant, which `-` would make another one.
pub(super) fn write<I: Generation>(
    cx: &Cx<'_, I>,
    places: [&'static [(Case, BitOf)]; 2],
    is_number: impl Fn() -> bool,
    out: &mut Text,
    write: impl Fn(&mut Text),
) {
    let (before, after) = match signs(cx, places) {
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
pub(super) struct Signs {
    /// `-x` or `neg(x)`.
    neg: bool,
    /// `|x|` or `abs(x)`.
    abs: bool,
    /// The absolute value is written with bars.
    pub(super) has_bars: bool,
    /// The operand takes signs, whether or not it has any.
    pub(super) is_possible: bool,
}

impl Signs {
    /// No signs.
    pub(super) const fn none(is_possible: bool) -> Self {
        Signs { neg: false, abs: false, has_bars: false, is_possible }
    }

    /// Returns whether there is a sign.
    pub(super) const fn any(self) -> bool {
        self.neg || self.abs
    }

    /// A constant with the signs taken into it, where no field holds them: an integer is taken as the bits of a float
    /// of `bits` bits.
    pub(super) fn fold(self, n: Number, bits: u16) -> Number {
        match n {
            Number::Float(f) => {
                let f = if self.abs { f.abs() } else { f };
                Number::Float(if self.neg { -f } else { f })
            }
            Number::Integer(n) => {
                let sign = 1i64 << (bits.clamp(1, 64) - 1);
                let n = if self.abs { n & !sign } else { n };
                let n = if self.neg { n ^ sign } else { n };
                // Without its sign a negative integer is a pattern of its width.
                let narrow = if bits < 64 && self.any() { n & ((1 << bits) - 1) } else { n };
                Number::Integer(narrow)
            }
        }
    }

    /// Puts the signs of a source, which begins at `start`, into the fields that hold them.
    pub(super) fn keep<I: Generation>(
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
pub(super) fn has_field<I: Generation>(asm: &Asm<'_, '_, I>, placing: &'static Placing) -> bool {
    bit_of(placing.neg, asm.ty, asm.shape.flags()).is_some_and(|bit| asm.has_modifier(bit.modifier))
}

/// Returns whether a sign can come next, or the word for one. In most texts none does, and no field for it has to be looked
/// for.
pub(super) fn can_begin<I: Generation>(asm: &mut Asm<'_, '_, I>) -> bool {
    matches!(asm.input.peek(), Some(b'-' | b'|' | b'n' | b'a'))
}

/// Reads registers between their signs.
pub(super) fn read<I: Generation>(
    asm: &mut Asm<'_, '_, I>,
    placing: &'static Placing,
    read: impl Fn(&mut Asm<'_, '_, I>) -> Result<u32, ParseError>,
) -> Result<u32, ParseError> {
    if !can_begin(asm) {
        return read(asm);
    }
    let start = asm.input.at();
    let (code, signs) = around(asm, false, |asm, _| read(asm))?;
    signs.keep(asm, placing, start)?;
    Ok(code)
}

/// Reads the signs of a source, and the source with `read`. `has_literals`: a sign can stand before `lit(…)`, as LLVM
/// prints it.
pub(super) fn around<I: Generation, T>(
    asm: &mut Asm<'_, '_, I>,
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
        let is_named = begins_register(asm.input.rest()) || word == "abs" || word == "lit" && has_literals;
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
