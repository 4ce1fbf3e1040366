//! Words made from the tables: each row in each variant that a format gives it, with random operands.

use isa::tables::{
    Access, Carrier, Component, Cx, EncodingVariant, Field, FixedBits, Format, Isa, MAX_DWORDS, SelectedVariant, Shape,
    Slot,
};

use crate::rng::Rng;

/// A row in a format, with one suffix dword or none and one value of the variant bit.
pub struct RowVariant<I: Isa> {
    /// The format.
    pub format: &'static Format<I>,
    /// The index of the format's component that has the row.
    pub component: usize,
    /// The row.
    pub slot: &'static Slot,
    /// Its shape.
    pub shape: &'static Shape<I>,
    /// The suffix dword's index plus one, or 0.
    pub suffix_dword: usize,
    /// The value of the variant bit, if the row has one.
    pub variant_bit: usize,
}

/// The words of an instruction, zero beyond its length.
pub type Words = [u32; MAX_DWORDS];

/// Every target of every format.
pub fn targets<I: Isa>() -> Vec<RowVariant<I>> {
    let mut out = Vec::new();
    for format in I::tables().formats {
        for (component, c) in format.components.iter().enumerate() {
            for slot in c.slots {
                let Some(shape) = c.shapes.get(usize::from(slot.shape)) else { continue };
                out.extend(shape.all_variants(format).map(|SelectedVariant { variant_bit, suffix_dword, .. }| {
                    RowVariant { format, component, slot, shape, suffix_dword, variant_bit }
                }));
            }
        }
    }
    out
}

impl<I: Isa> RowVariant<I> {
    /// Names that tell it from every other target.
    pub fn names(&self) -> [String; 4] {
        let name = I::tables().mnemonics.get(usize::from(self.slot.opcode)).copied().unwrap_or_default();
        let place = format!("{} {} {}", self.component, self.suffix_dword, self.variant_bit);
        [self.format.name.into(), name.into(), self.slot.number.to_string(), place]
    }

    /// How many dwords its instructions have.
    pub fn len(&self) -> usize {
        usize::from(self.format.dwords) + usize::from(self.suffix_dword != 0)
    }

    /// One instruction. `plain`: all modifiers zero.
    pub fn words(&self, mode: I::Mode, rng: &mut Rng, plain: bool) -> Words {
        let mut words = [0; MAX_DWORDS];
        // Words that select another suffix are drawn again.
        for _ in 0..32 {
            words = self.draw(mode, rng, plain);
            let selects =
                |i: usize| self.format.suffix_dwords[i].when.iter().any(|(part, code)| part.get(&words) == *code);
            if (0..self.format.suffix_dwords.len()).all(|i| i + 1 == self.suffix_dword || !selects(i)) {
                break;
            }
        }
        words
    }

    /// Fills the fields that the instruction does not use with anything.
    pub fn fill_unused(&self, words: &mut Words, mode: I::Mode, rng: &mut Rng) {
        let (format, shape) = (self.format, self.shape);
        let Some(variant) = variant(format, shape, self.suffix_dword, self.variant_bit) else { return };
        let bits = variant.fixed::<I>();
        for (i, word) in words.iter_mut().enumerate() {
            let unused = bits.written.mask[i] & !bits.required[i];
            *word = *word & !unused | rng.word() & unused;
        }
        let Some(component) = format.components.get(self.component) else { return };
        let (given, suffix_dword) = (*words, self.suffix_dword as u8);
        for bound in variant.bound::<I>() {
            let Some(carrier) = component.carriers.get(usize::from(bound.carrier)) else { continue };
            let (ty, name, at) = (bound.ty, carrier.name, self.component as u8);
            let cx = Cx { words: &given, mode, ty, name, suffix_dword, format, component: at, shape, variant };
            if !component.uses(&cx, bound.carrier) {
                carrier.bits.set(words, rng.word() & (u32::MAX >> (32 - carrier.bits.width())));
            }
        }
    }

    /// Whether the row has no operand in a field, but requires a value in it.
    pub fn requires(&self, field: &Field) -> bool {
        let variant = variant(self.format, self.shape, self.suffix_dword, self.variant_bit);
        variant.is_some_and(|variant| field.bits.get(variant.fixed::<I>().required) != 0)
    }

    fn draw(&self, mode: I::Mode, rng: &mut Rng, plain: bool) -> Words {
        let mut words = [0; MAX_DWORDS];
        put(&mut words, &self.format.fixed);
        if self.suffix_dword != 0
            && let Some(word) = words.get_mut(usize::from(self.format.dwords))
        {
            *word = number(rng);
        }
        for (i, component) in self.format.components.iter().enumerate() {
            let (slot, shape, variant_bit) = if i == self.component {
                (self.slot, self.shape, self.variant_bit)
            } else {
                let Some(partner) = self.partner(component, rng) else { continue };
                partner
            };
            let Some(variant) = variant(self.format, shape, self.suffix_dword, variant_bit) else { continue };
            put(&mut words, &variant.fixed::<I>().written);
            component.opcode.set(&mut words, u32::from(slot.number));
            let (format, suffix_dword, component_at) = (self.format, self.suffix_dword as u8, i as u8);
            for bound in variant.bound::<I>() {
                let Some(carrier) = component.carriers.get(usize::from(bound.carrier)) else { continue };
                let (ty, name) = (bound.ty, carrier.name);
                let zero = bound.access == Access::Modifier && (plain || rng.once_in(2));
                let code = if zero { Some(0) } else { None };
                fill(carrier, &mut words, code, rng, |words, code| {
                    let cx =
                        Cx { words, mode, ty, name, suffix_dword, format, component: component_at, shape, variant };
                    carrier.valid.is_none_or(|valid| valid(&cx, code))
                        && (code == 0 || component.uses(&cx, bound.carrier))
                });
            }
            if let Some(bit) = shape.variant_bit {
                bit.set(&mut words, variant_bit as u32);
            }
        }
        if self.suffix_dword != 0 && usize::from(self.shape.always) != self.suffix_dword {
            let when = self.format.suffix_dwords[self.suffix_dword - 1].when;
            if let Some((part, code)) = when.get(rng.below(when.len())) {
                part.set(&mut words, *code);
            }
        }
        words
    }

    /// A row for the other half of a pair that goes with this suffix dword.
    fn partner(
        &self,
        component: &'static Component<I>,
        rng: &mut Rng,
    ) -> Option<(&'static Slot, &'static Shape<I>, usize)> {
        for _ in 0..64 {
            let slot = component.slots.get(rng.below(component.slots.len()))?;
            let shape = component.shapes.get(usize::from(slot.shape))?;
            if variant(self.format, shape, self.suffix_dword, 0).is_some() {
                return Some((slot, shape, 0));
            }
        }
        None
    }
}

fn variant<I: Isa>(
    format: &Format<I>,
    shape: &Shape<I>,
    suffix_dword: usize,
    variant_bit: usize,
) -> Option<&'static EncodingVariant> {
    I::tables().variants.get(shape.variant_index(format, variant_bit, suffix_dword)?)
}

fn put(words: &mut Words, FixedBits { mask, value }: &FixedBits) {
    for (i, word) in words.iter_mut().enumerate() {
        *word = *word & !mask[i] | value[i];
    }
}

/// A dword such as programs have: small, all ones, a round float, or anything.
fn number(rng: &mut Rng) -> u32 {
    match rng.below(6) {
        0 => rng.below(80) as u32,
        1 => (rng.below(40) as u32).wrapping_neg(),
        2 => (rng.word() as i8 as f32).to_bits(),
        3 => rng.word() >> rng.below(32),
        _ => rng.word(),
    }
}

/// Fills a carrier's bits with `code` or a random one that its kind takes.
fn fill<I: Isa>(
    carrier: &Carrier<I>,
    words: &mut Words,
    code: Option<u32>,
    rng: &mut Rng,
    valid: impl Fn(&Words, u32) -> bool,
) {
    let width = carrier.bits.width();
    let all = u32::MAX.checked_shr(32_u32.saturating_sub(width)).unwrap_or(0);
    let mut takes = |code: u32| {
        carrier.bits.set(words, code);
        valid(words, code)
    };
    if code.is_some_and(&mut takes) || (0..16).any(|_| takes(draw_code(width, rng) & all)) {
        return;
    }
    if width <= 9 && (0..=all).any(&mut takes) {
        return;
    }
    takes(0);
}

/// A code of this many bits. Of a source's codes the lower half is many kinds of things, the upper half registers alone.
fn draw_code(width: u32, rng: &mut Rng) -> u32 {
    match rng.below(8) {
        0 => u32::MAX,
        1 => rng.word() & rng.word() & rng.word(),
        2..5 if width == 9 => rng.word() >> 24,
        _ => rng.word(),
    }
}

/// The index of the format that these words belong to if only fixed bits are asked: the most specific one.
pub fn space<I: Isa>(words: &Words) -> Option<usize> {
    let fits = |f: &Format<I>| words[0] & f.fixed.mask[0] == f.fixed.value[0];
    let fixed = |f: &Format<I>| f.fixed.mask.iter().map(|m| m.count_ones()).sum::<u32>();
    let mut best = None;
    for (i, format) in I::tables().formats.iter().enumerate().filter(|(_, f)| fits(f)) {
        if best.is_none_or(|b: usize| fixed(&I::tables().formats[b]) < fixed(format)) {
            best = Some(i);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use isa_tests::rv32i::{Instr, Mode, Rv32i};

    use super::*;

    #[test]
    fn every_row_is_generated_and_decodes_to_itself() {
        let all = targets::<Rv32i>();
        assert_eq!(all.len(), Rv32i::tables().mnemonics.len());
        for target in all {
            for nth in 0..50 {
                let mut rng = Rng::named(nth, target.names().iter().map(String::as_str));
                let words = target.words(Mode::Rv32, &mut rng, false);
                let (instr, _) = Instr::decode(&words[..target.len()], Mode::Rv32).unwrap();
                assert_eq!(instr.opcode() as u16, target.slot.opcode);
            }
        }
    }
}
