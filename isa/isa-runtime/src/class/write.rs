//! Text and values of operands that belong to a class.

use super::{Class, CodeRun, ConstantEncoding, Fit, Half, Meaning, RunKind, Space, Syntax};
use crate::tables::{Cx, Isa};
use crate::{Text, Type};

impl<F: Copy> Space<F> {
    /// Writes the `dwords` registers that begin with a code, or the constant or name of the code. Returns `false` if the code
    /// has no meaning.
    pub fn write<S: Syntax>(&self, code: u32, dwords: u8, ty: Type, literal: u32, out: &mut Text) -> bool {
        let Some(run) = self.run(code) else { return false };
        let nth = code as u16 - run.first;
        match run.kind {
            RunKind::Numbered { prefix, .. } => write_range(prefix, nth.into(), dwords, out),
            RunKind::Names { each, all, .. } => out.push(name(run, each, all, nth, dwords)),
            RunKind::Integers(first, step) => out.signed(i32::from(first) + i32::from(nth) * i32::from(step)),
            RunKind::Floats(all) => {
                if let Some(float) = all.get(usize::from(nth)) {
                    S::write_float(float, ty, out);
                }
            }
            RunKind::Literal => S::write_literal(self.constants, literal, ty, out),
        }
        true
    }

    /// Returns the first code of `dwords` registers with the bits cleared that must be 0 for that number.
    #[must_use]
    pub const fn aligned(&self, code: u32, dwords: u8) -> u32 {
        match self.run(code) {
            Some(run) => code & !(run.alignment(dwords) - 1),
            None => code,
        }
    }
}

/// The name of a register of a run, or of all.
fn name<F>(run: &CodeRun<F>, each: &'static [&'static str], all: &'static str, nth: u16, dwords: u8) -> &'static str {
    let own = each.get(usize::from(nth)).copied().unwrap_or_default();
    if dwords > 1 && nth == 0 && !all.is_empty() && run.fit == Fit::Run { all } else { own }
}

/// Writes a literal as `lit(…)`.
pub fn write_forced(value: u32, out: &mut Text) {
    out.push("lit(");
    out.hex(value);
    out.push_ascii(b')');
}

/// Writes registers with numbers: `s5`, or `s[5:6]` for several.
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

/// An operand that has been found in the space of its class.
#[derive(Clone, Copy, Debug)]
pub struct FoundOperand {
    /// Its code in the space.
    pub code: u32,
    /// How many registers it has.
    pub dwords: u8,
    /// Which half of a register it is, if it is one: whether it is the upper one.
    pub half: Option<bool>,
}

impl<F: Copy> Class<F> {
    /// Writes an operand whose number of registers its type says.
    #[inline]
    pub fn write<I: Isa, S: Syntax>(&self, cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        self.write_dwords::<I, S>(cx, code, self.dwords::<I>(cx.ty, cx.mode), out);
    }

    /// Writes an operand of this many registers; one of 0 is switched off.
    #[inline]
    pub fn write_dwords<I: Isa, S: Syntax>(&self, cx: &Cx<'_, I>, code: u32, dwords: u8, out: &mut Text) {
        if let Some((text, off)) = self.off
            && off.map_or(dwords == 0, |off| off == code)
        {
            return out.push(text);
        }
        self.write_place::<I, S>(cx, &self.place(cx, code, dwords), out);
    }

    /// Writes an operand that has been found.
    #[inline]
    pub fn write_place<I: Isa, S: Syntax>(&self, cx: &Cx<'_, I>, place: &FoundOperand, out: &mut Text) {
        let meaning = self.constants_of(cx);
        let is_literal = |run: &CodeRun<F>| matches!(run.kind, RunKind::Literal);
        match meaning {
            ConstantEncoding::BothHalves if self.space.run(place.code).is_some_and(is_literal) => {
                return S::write_literal_of_halves(self.space.constants, cx.suffix_dword_value(), out);
            }
            // An operand of many elements has no constants.
            ConstantEncoding::Element if self.space.run(place.code).is_some_and(is_literal) => {
                return out.hex(cx.suffix_dword_value());
            }
            _ => {}
        }
        self.space.write::<S>(place.code, place.dwords, meaning.of_type(cx.ty), cx.suffix_dword_value(), out);
        if let Some(high) = place.half {
            out.push(if high { ".h" } else { ".l" });
        }
    }

    /// Returns whether the text of an operand is a number, so that a sign before it would be part of that.
    #[must_use]
    pub fn is_number<I: Isa, S: Syntax>(&self, cx: &Cx<'_, I>, place: &FoundOperand) -> bool {
        match self.space.run(place.code).map(|run| run.kind) {
            Some(RunKind::Integers(..) | RunKind::Floats(_)) => true,
            Some(RunKind::Literal) => S::is_literal_number(
                self.space.constants,
                cx.suffix_dword_value(),
                self.constants_of(cx).of_type(cx.ty),
            ),
            _ => false,
        }
    }

    /// Returns the meaning of an operand whose number of registers its type says.
    #[inline]
    #[must_use]
    pub fn meaning<I: Isa>(&self, cx: &Cx<'_, I>, code: u32) -> Option<Meaning<F>> {
        self.meaning_dwords(cx, code, self.dwords::<I>(cx.ty, cx.mode))
    }

    /// Returns the meaning of an operand of this many registers; one of 0 is switched off.
    #[inline(always)]
    #[must_use]
    pub fn meaning_dwords<I: Isa>(&self, cx: &Cx<'_, I>, code: u32, dwords: u8) -> Option<Meaning<F>> {
        if let Some((_, off)) = self.off
            && off.map_or(dwords == 0, |off| off == code)
        {
            return Some(Meaning::Off);
        }
        self.meaning_of_place(cx, &self.place(cx, code, dwords))
    }

    /// Returns the meaning of an operand that has been found.
    #[inline(always)]
    #[must_use]
    pub fn meaning_of_place<I: Isa>(&self, cx: &Cx<'_, I>, place: &FoundOperand) -> Option<Meaning<F>> {
        let run = self.space.run(place.code)?;
        match run.meaning(place.code as u16 - run.first, place.dwords) {
            Some(Meaning::Registers { file, first, count, .. }) => {
                Some(Meaning::Registers { file, first, count, half: place.half })
            }
            None => Some(Meaning::Literal(cx.suffix_dword_value())),
            other => other,
        }
    }

    /// Returns the meaning of a code where nothing else of the instruction matters.
    #[must_use]
    pub const fn meaning_alone(&self, code: u32) -> Option<Meaning<F>> {
        if let Some((_, Some(off))) = self.off
            && off == code
        {
            return Some(Meaning::Off);
        }
        let dwords = match self.dwords {
            Some(dwords) => dwords,
            None => 1,
        };
        let code = self.space.aligned(code, dwords);
        self.space.meaning(code, dwords)
    }

    /// Finds an operand of this many registers in the code space.
    #[inline]
    #[must_use]
    pub fn place<I: Isa>(&self, cx: &Cx<'_, I>, code: u32, dwords: u8) -> FoundOperand {
        self.place_with_half(cx, code, dwords, |code| match self.half {
            Half::Bit(bit) => Some((code & !(1 << bit), code >> bit & 1 == 1)),
            Half::None | Half::Elsewhere => None,
        })
    }

    /// Finds an operand in the code space. `half` returns the code without the bit for the half, and which half a 16-bit
    /// operand is, if it is one.
    #[inline]
    #[must_use]
    pub fn place_with_half<I: Isa>(
        &self,
        cx: &Cx<'_, I>,
        code: u32,
        dwords: u8,
        split: impl Fn(u32) -> Option<(u32, bool)>,
    ) -> FoundOperand {
        let map = self.map(cx);
        let mut half = None;
        let mut code = (code << map.shift) + u32::from(map.base);
        if self.half != Half::None
            && cx.ty.total_bits() == 16
            && self.space.run(code).is_some_and(CodeRun::has_halves)
            && let Some((whole, is_high)) = split(code)
        {
            (code, half) = (whole, Some(is_high));
        }
        if map.align {
            code = self.space.aligned(code, dwords);
        }
        FoundOperand { code, dwords, half }
    }
}

impl<F> CodeRun<F> {
    /// Whether registers of 16-bit operands are written with a half.
    pub(super) const fn has_halves(&self) -> bool {
        matches!(self.kind, RunKind::Numbered { halves: true, .. })
    }
}
