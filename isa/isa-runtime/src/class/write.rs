//! Text and values of operands that belong to a class.

use super::{Class, Fit, Half, Meaning, Run, Space, Syntax, What};
use crate::tables::{Cx, Isa};
use crate::{Text, Type};

impl<F: Copy> Space<F> {
    /// Writes `dwords` registers from a code on, or the constant or name that the code stands for. Returns `false` if
    /// it stands for none.
    pub fn write<S: Syntax>(&self, code: u32, dwords: u8, ty: Type, literal: u32, out: &mut Text) -> bool {
        let Some(run) = self.run(code) else { return false };
        let nth = code as u16 - run.first;
        match run.what {
            What::Numbered { prefix, .. } => write_range(prefix, nth.into(), dwords, out),
            What::Names { each, all, .. } => out.push(name(run, each, all, nth, dwords)),
            What::Integers(first, step) => out.signed(i32::from(first) + i32::from(nth) * i32::from(step)),
            What::Floats(all) => {
                if let Some(float) = all.get(usize::from(nth)) {
                    S::write_float(float, ty, out);
                }
            }
            What::Literal => S::write_literal(literal, ty, out),
        }
        true
    }

    /// Returns the first code of `dwords` registers with the bits cleared that must be 0 for so many.
    #[must_use]
    pub const fn aligned(&self, code: u32, dwords: u8) -> u32 {
        match self.run(code) {
            Some(Run { what: What::Numbered { is_aligned: true, .. }, .. }) => match dwords {
                1 => code,
                2 => code & !1,
                _ => code & !3,
            },
            _ => code,
        }
    }
}

/// The name of a register of a run, or of all.
fn name<F>(run: &Run<F>, each: &'static [&'static str], all: &'static str, nth: u16, dwords: u8) -> &'static str {
    let own = each.get(usize::from(nth)).copied().unwrap_or_default();
    if dwords > 1 && nth == 0 && !all.is_empty() && run.fit == Fit::Run { all } else { own }
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

/// An operand's code in the space of its class, its number of registers, and the half that it is.
struct Place {
    code: u32,
    dwords: u8,
    half: Option<bool>,
}

impl<F: Copy> Class<F> {
    /// Writes an operand whose number of registers its type says.
    #[inline]
    pub fn write<I: Isa, S: Syntax>(&self, cx: &Cx<'_, I>, code: u32, out: &mut Text) {
        self.write_dwords::<I, S>(cx, code, self.dwords::<I>(cx.ty, cx.mode), out);
    }

    /// Writes an operand of so many registers; one of 0 is switched off.
    #[inline]
    pub fn write_dwords<I: Isa, S: Syntax>(&self, cx: &Cx<'_, I>, code: u32, dwords: u8, out: &mut Text) {
        if let Some((text, off)) = self.off
            && off.map_or(dwords == 0, |off| off == code)
        {
            return out.push(text);
        }
        let place = self.place(cx, code, dwords);
        let ty = if self.is_dword { super::whole(cx.ty) } else { cx.ty };
        self.space.write::<S>(place.code, place.dwords, ty, cx.suffix_dword_value(), out);
        if let Some(high) = place.half {
            out.push(if high { ".h" } else { ".l" });
        }
    }

    /// Returns the meaning of an operand whose number of registers its type says.
    #[inline]
    #[must_use]
    pub fn meaning<I: Isa>(&self, cx: &Cx<'_, I>, code: u32) -> Option<Meaning<F>> {
        self.meaning_dwords(cx, code, self.dwords::<I>(cx.ty, cx.mode))
    }

    /// Returns the meaning of an operand of so many registers; one of 0 is switched off.
    #[inline]
    #[must_use]
    pub fn meaning_dwords<I: Isa>(&self, cx: &Cx<'_, I>, code: u32, dwords: u8) -> Option<Meaning<F>> {
        if let Some((_, off)) = self.off
            && off.map_or(dwords == 0, |off| off == code)
        {
            return Some(Meaning::Off);
        }
        let place = self.place(cx, code, dwords);
        match self.space.meaning(place.code, place.dwords) {
            Some(Meaning::Registers { file, first, count, .. }) => {
                Some(Meaning::Registers { file, first, count, half: place.half })
            }
            None if self.space.run(place.code).is_some() => Some(Meaning::Literal(cx.suffix_dword_value())),
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

    fn place<I: Isa>(&self, cx: &Cx<'_, I>, code: u32, dwords: u8) -> Place {
        let map = self.map(cx);
        let mut half = None;
        let mut code = (code << map.shift) + u32::from(map.base);
        if let Half::Bit(bit) = self.half
            && cx.ty.total_bits() == 16
            && self.space.run(code).is_some_and(Run::has_halves)
        {
            half = Some(code >> bit & 1 == 1);
            code &= !(1 << bit);
        }
        if map.align {
            code = self.space.aligned(code, dwords);
        }
        Place { code, dwords, half }
    }
}

impl<F> Run<F> {
    /// Whether registers of 16-bit operands are written with a half.
    pub(super) const fn has_halves(&self) -> bool {
        matches!(self.what, What::Numbered { halves: true, .. })
    }
}
