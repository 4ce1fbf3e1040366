//! The schema of the tables that `isa_set!` generates.
//!
//! A [`Format`] has a [`Component`] for each opcode field: one, or two for dual-issue formats. The opcode selects a [`Slot`], a
//! row as this format encodes it. The slot's [`Shape`] has everything about the row but its name and number, and rows with
//! equal properties share a shape. A shape has an encoding variant ([`EncodingVariant`]) for each [`SuffixDword`], a dword that a code
//! selects, such as a literal.

pub(crate) mod bits;
#[cfg(feature = "inst")]
mod bodies;
pub(crate) mod codes;
pub(crate) mod set;
pub(crate) mod summary;
pub(crate) mod view;

pub use crate::Isa;
use crate::dwords::{Bits96, InstrRest};
pub use crate::tables::bits::{BitRange, FieldBits, LowBitRange};
#[cfg(feature = "inst")]
pub use crate::tables::bodies::{Bodies, BodyEffects, Semantics, semantics};
pub use crate::tables::codes::{
    Case, CodeSet, Literal, Names, PartCodes, UsedFn, ValidCodes, ValidFn, ValueFn, ValueLists, ValueRange, Values,
    WriteCodeFn, WriteFn, WriteLiteralFn,
};
#[cfg(feature = "inst")]
pub use crate::tables::set::InstTables;
#[cfg(feature = "parse")]
pub use crate::tables::set::ParserTables;
pub use crate::tables::set::Tables;
use crate::{Label, Type};
pub use isa_schema::{Access, Bound, FixedBits, MAX_DWORDS, Run, Slot};

/// A field of a format or of a suffix dword.
#[derive(Debug)]
pub struct Field {
    /// The guide's name, such as `VSRC1`.
    pub name: &'static str,
    /// Its bits.
    pub bits: FieldBits,
    /// The index of the suffix dword it belongs to plus one, or 0 for the format's own dwords.
    pub suffix_dword: u8,
}

/// One microcode format.
#[derive(Debug)]
pub struct Format<I: Isa> {
    /// The guide's name.
    pub name: &'static str,
    /// The number of dwords without a suffix dword.
    pub dwords: u8,
    /// The fixed bits of the format.
    pub fixed: FixedBits,
    /// The bits that differ between what newer assemblers and what others write in fields that an instruction does not use.
    pub newer: &'static [u32; MAX_DWORDS],
    /// The fields of the format, and after them those of each suffix dword.
    pub fields: &'static [Field],
    /// The suffix dwords that may follow.
    pub suffix_dwords: &'static [SuffixDword],
    /// The fields whose codes select suffix dwords.
    pub selectors: &'static [Selector],
    /// The components: one, or two for a dual-issue format.
    pub components: &'static [Component<I>],
    /// The separator between the texts of two components.
    pub join: &'static str,
    /// The suffix of mnemonics that several formats encode, such as `_e32`.
    pub suffix: &'static str,
    /// The only mode in which the format exists, or `None` for all modes.
    pub only: Option<I::Mode>,
}

impl<I: Isa> Format<I> {
    /// Returns the format with an index in [`Tables::formats`].
    #[inline(always)]
    pub(crate) fn at(index: u8) -> Option<&'static Self> {
        I::tables().formats.get(usize::from(index))
    }

    /// Returns the component with an index.
    #[inline(always)]
    pub(crate) fn component(&self, index: u8) -> Option<&'static Component<I>> {
        self.components.get(usize::from(index))
    }

    /// Returns whether the format encodes two instructions.
    #[inline(always)]
    pub(crate) const fn is_dual_issue(&self) -> bool {
        self.components.len() > 1
    }

    /// Returns the name of the field with an index.
    pub(crate) fn field_name(&self, index: u8) -> Option<&'static str> {
        self.fields.get(usize::from(index)).map(|field| field.name)
    }

    /// Returns the suffix dword with a number, counted from 1. Returns `None` for 0.
    #[inline]
    #[must_use]
    pub fn suffix_dword(&self, number: u8) -> Option<&'static SuffixDword> {
        self.suffix_dwords.get(usize::from(number.checked_sub(1)?))
    }
}

/// A dword that may follow the dwords of a format, such as a literal or the DPP controls.
#[derive(Debug)]
pub struct SuffixDword {
    /// Its name, such as `DPP16`.
    pub name: &'static str,
    /// The mnemonic suffix of instructions with this dword, such as `_dpp`, or an empty string.
    pub suffix: &'static str,
    /// The fields and codes that select it: one of them is enough.
    pub when: &'static [(BitRange, u32)],
}

/// A field whose codes can select a suffix dword.
#[derive(Debug)]
pub struct Selector {
    /// The field.
    pub bits: BitRange,
    /// For each code the suffix dword's index plus one, or 0.
    pub suffix_dwords: &'static [u8],
}

/// A component of a format: its opcode field, rows and operands.
#[derive(Debug)]
pub struct Component<I: Isa> {
    /// Its number among the components of all formats.
    pub nth: u8,
    /// The bits of the opcode.
    pub opcode: FieldBits,
    /// The index of the field in [`Format::fields`]; `u8::MAX` if no field has just these bits.
    pub field: u8,
    /// For each opcode the index of its slot plus one, or 0.
    pub table: &'static [u16],
    /// The rows as this format encodes them.
    pub slots: &'static [Slot],
    /// The carriers of operands and modifiers.
    pub carriers: &'static [Carrier<I>],
    /// The shapes of the slots.
    pub shapes: &'static [Shape<I>],
    /// The bits of the opcode if they are one range of the first two dwords.
    pub place: Option<LowBitRange>,
    /// Whether instructions may not use an operand that they have: see [`uses`](Self::uses).
    pub may_be_unused: bool,
}

impl<I: Isa> Component<I> {
    /// Returns the mnemonic of an opcode number in assembly text without a suffix, or an empty string for an unknown opcode.
    #[must_use]
    pub fn text(&self, number: u16) -> &'static str {
        let opcodes = I::tables().printing.opcodes.get(usize::from(self.nth)).copied().unwrap_or_default();
        let opcode = opcodes.get(usize::from(number)).filter(|_| self.table.get(usize::from(number)) != Some(&0));
        opcode.and_then(|opcode| I::tables().labels.get(usize::from(opcode.label))).map_or("", Label::as_str)
    }

    /// Returns the carrier of an operand or a modifier.
    #[inline(always)]
    pub(crate) fn carrier(&self, bound: &Bound) -> Option<&'static Carrier<I>> {
        self.carriers.get(usize::from(bound.carrier))
    }

    /// Returns whether the instruction uses the operand of a carrier.
    #[must_use]
    pub fn uses(&self, cx: &Cx<'_, I>, carrier: u8) -> bool {
        let usage = I::tables().usages.get(usize::from(self.nth)).and_then(|usages| usages.get(usize::from(carrier)));
        usage.copied().flatten().is_none_or(|is_used| is_used(cx))
    }

    /// Returns the opcode number in these dwords.
    #[inline(always)]
    #[must_use]
    pub(crate) fn number(&self, words: Bits96) -> u32 {
        match self.place {
            Some(place) => place.get(words.low),
            None => self.scattered(words),
        }
    }

    #[cold]
    #[inline(never)]
    fn scattered(&self, words: Bits96) -> u32 {
        self.opcode.get(&words.dwords())
    }
}

/// The lookup of the encoding variant from the dwords of a format with one component.
#[derive(Clone, Copy, Debug)]
// The size is a power of two, so that indexing is a shift.
#[repr(align(64))]
pub struct FormatLookup {
    /// The variants of the opcodes.
    pub(crate) opcodes: &'static [OpcodeLookup],
    /// The suffix dwords that the codes of `selector` select, if they include others than the default one.
    pub(crate) suffix_dwords: &'static [u8],
    /// The bits of the field that can select other suffix dwords than the default one.
    pub(crate) selector: LowBitRange,
    /// The bits of the opcode.
    pub(crate) place: LowBitRange,
    /// The length of instructions without a suffix dword, or 0 if this lookup does not apply.
    pub(crate) dwords: u8,
    /// The component's number.
    pub(crate) component: u8,
    /// The default suffix dword, a literal, as an index plus one, or 0. It follows unless the selector selects another one.
    pub(crate) suffix_dword: u8,
}

impl FormatLookup {
    /// Returns the index of the encoding variant plus one, and the index of the label, of an instruction of this length. Returns
    /// `None`, or 0 for the variant, if the lookup does not apply.
    #[inline(always)]
    pub(crate) fn find(formats: &'static [FormatLookup], low: u64, format: u8, len: u8) -> Option<(u16, u16)> {
        let lookup = formats.get(usize::from(format))?;
        let opcode = lookup.opcodes.get(lookup.place.get(low) as usize)?;
        let variant = if lookup.dwords == len {
            opcode.variant
        } else if lookup.selects_default(low) {
            opcode.variant_with_suffix_dword
        } else {
            0
        };
        Some((variant, opcode.label))
    }

    /// Returns whether the suffix dword of an instruction is the default one.
    #[inline(always)]
    fn selects_default(&self, low: u64) -> bool {
        let other = self.suffix_dwords.get(self.selector.get(low) as usize).copied().unwrap_or(0);
        other == 0 || other == self.suffix_dword
    }

    /// Returns the default suffix dword of an instruction, as an index plus one, and its value. Returns 0 and `None` if the
    /// instruction has no suffix dword.
    #[inline(always)]
    pub(crate) fn suffix_dword(&self, low: u64, rest: InstrRest) -> (u8, Option<u32>) {
        match self.dwords {
            n if n == rest.len() => (0, None),
            // The lookup does not apply.
            0 => (0, None),
            1 => (self.suffix_dword, Some((low >> 32) as u32)),
            _ => (self.suffix_dword, Some(rest.third())),
        }
    }
}

/// The mnemonic of an opcode, and its encoding variants if the opcode alone selects them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpcodeLookup {
    /// The index in [`Tables::labels`].
    pub label: u16,
    /// The index of the variant without a suffix dword in [`Tables::variants`] plus one, or 0 if it depends on a variant bit or has no
    /// precomputed texts and values.
    pub variant: u16,
    /// The index of the variant with the default suffix dword plus one, or 0.
    pub variant_with_suffix_dword: u16,
}

/// The field that holds an operand or a modifier in a component.
#[derive(Debug)]
pub struct Carrier<I: Isa> {
    /// The name of the role (`s0`) or of the modifier (`glc`).
    pub name: &'static str,
    /// The index of the field in [`Format::fields`], or `u8::MAX` for an implied operand.
    pub field: u8,
    /// The bits.
    pub bits: FieldBits,
    /// Whether a code is valid. `None` if every code is.
    pub valid: Option<ValidFn<I>>,
    /// Whether an invalid code is printed.
    pub printable: ValidFn<I>,
}

/// Everything about a row in a format but its name and number.
#[derive(Clone, Copy, Debug)]
pub struct Shape<I: Isa> {
    pub(crate) flags: u16,
    pub(crate) variants: Run,
    /// A one-bit field that selects between two variants, such as atomics with and without a result.
    pub variant_bit: Option<BitRange>,
    /// The index of the suffix dword that always follows plus one, or 0.
    pub always: u8,
    /// A bit for each of [`Format::selectors`]: whether the field holds an operand of the row.
    pub selector_mask: u8,
    /// The only mode in which the row exists, or `None` for all modes.
    pub only: Option<I::Mode>,
}

impl<I: Isa> Shape<I> {
    /// Returns the row's flags, a bit each.
    #[inline]
    #[must_use]
    pub fn flags(&self) -> u128 {
        I::tables().flags_of_shapes.get(usize::from(self.flags)).copied().unwrap_or(0)
    }

    /// Returns the encoding variants: for each value of the variant bit the one without a suffix dword and those with each suffix
    /// dword of the format. An index in [`Tables::variants`] plus one, or 0.
    #[inline]
    #[must_use]
    pub fn variants(&self) -> &'static [u16] {
        self.variants.of(I::tables().variants_of_shapes)
    }

    /// Returns the index in [`Tables::variants`] of the encoding variant with a value of the variant bit and a suffix dword of the
    /// format, counted from 1, or 0. Returns `None` if the row has no such variant.
    #[inline(always)]
    #[must_use]
    pub fn variant_index(&self, format: &Format<I>, variant_bit: usize, suffix_dword: usize) -> Option<usize> {
        let at = *self.variants().get(variant_bit * (format.suffix_dwords.len() + 1) + suffix_dword)?;
        usize::from(at).checked_sub(1)
    }

    /// Returns all encoding variants.
    pub fn all_variants(&self, format: &'static Format<I>) -> impl Iterator<Item = SelectedVariant> + use<I> {
        let per_bit = format.suffix_dwords.len() + 1;
        self.variants().iter().enumerate().filter_map(move |(at, index)| {
            let variant = I::tables().variants.get(usize::from(*index).checked_sub(1)?)?;
            Some(SelectedVariant { variant_bit: at / per_bit, suffix_dword: at % per_bit, variant })
        })
    }
}

/// An encoding variant of a shape, and what selects it.
#[derive(Clone, Copy, Debug)]
pub struct SelectedVariant {
    /// The value of the variant bit; 0 if the shape has none.
    pub variant_bit: usize,
    /// The suffix dword of the format, counted from 1, or 0.
    pub suffix_dword: usize,
    /// The encoding variant.
    pub variant: &'static EncodingVariant,
}

/// An encoding variant: a shape with one suffix dword or none.
///
/// The tables of the printer, of the parser and of lists of operands have the same indices.
// There are many variants, so the struct is small, and variants share lists.
#[derive(Clone, Copy, Debug)]
pub struct EncodingVariant {
    pub(crate) fixed: u16,
    pub(crate) operands: Run,
    pub(crate) modifiers: Run,
    /// A bit for each operand and modifier: whether the decoder has to check its code.
    pub checked: u32,
}

/// The bits of an encoding variant that hold neither the opcode nor an operand or modifier of the row.
#[derive(Debug)]
pub struct VariantBits {
    /// The bits and what encoders write in them.
    pub written: FixedBits,
    /// Those of the bits that decoding requires. The instruction does not use the others, and they may have any value.
    pub required: &'static [u32; MAX_DWORDS],
}

impl VariantBits {
    /// The bits of no variant.
    const NONE: VariantBits = VariantBits { written: FixedBits::NONE, required: &[0; MAX_DWORDS] };
}

impl EncodingVariant {
    /// Returns the bits that hold neither the opcode nor an operand or modifier.
    #[inline]
    #[must_use]
    pub fn fixed<I: Isa>(&self) -> &'static VariantBits {
        I::tables().fixed.get(usize::from(self.fixed)).unwrap_or(&VariantBits::NONE)
    }

    /// Returns the operands and modifiers, the operands first.
    #[inline]
    pub fn bound<I: Isa>(&self) -> impl Iterator<Item = &'static Bound> + Clone {
        let all = self.operands.of(I::tables().bounds).iter().chain(self.modifiers.of(I::tables().bounds));
        all.filter_map(|at| I::tables().distinct_bounds.get(usize::from(*at)))
    }

    /// Returns the operands and modifiers, each with its carrier in the component of the variant.
    #[inline]
    pub(crate) fn carriers<I: Isa>(
        &self,
        component: &'static Component<I>,
    ) -> impl Iterator<Item = (&'static Bound, &'static Carrier<I>)> + Clone {
        self.bound::<I>().filter_map(|bound| Some((bound, component.carrier(bound)?)))
    }

    /// Returns the operands without the modifiers.
    pub(crate) fn operands<I: Isa>(&self) -> impl Iterator<Item = &'static Bound> {
        self.operands.of(I::tables().bounds).iter().filter_map(|at| I::tables().distinct_bounds.get(usize::from(*at)))
    }

    /// Returns the operand or modifier with an index.
    #[inline]
    #[must_use]
    pub fn nth<I: Isa>(&self, at: u8) -> Option<&'static Bound> {
        match at.checked_sub(self.operands.len) {
            None => I::tables().distinct_bounds.get(usize::from(*self.operands.nth(I::tables().bounds, at)?)),
            Some(at) => self.modifier::<I>(at),
        }
    }

    /// Returns the modifier with an index among the modifiers.
    #[inline]
    #[must_use]
    pub fn modifier<I: Isa>(&self, at: u8) -> Option<&'static Bound> {
        I::tables().distinct_bounds.get(usize::from(*self.modifiers.nth(I::tables().bounds, at)?))
    }

    /// Returns the number of operands and modifiers.
    #[must_use]
    pub const fn count(&self) -> u8 {
        self.operands.len + self.modifiers.len
    }
}

/// The operands of all encoding variants.
pub struct Bounds<'a> {
    /// The elements of [`Tables::bounds`].
    pub all: &'a [u16],
    /// The elements of [`Tables::distinct_bounds`].
    pub distinct: &'static [Bound],
}

/// A step of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// This text.
    Literal(&'static str),
    /// The operand with this index in [`EncodingVariant::bound`].
    Operand(u8),
}

/// The context of an operand: its instruction, type and name.
pub struct Cx<'a, I: Isa> {
    /// The instruction's dwords, 0 beyond its length.
    pub words: &'a [u32; MAX_DWORDS],
    /// The mode, such as the wave size.
    pub mode: I::Mode,
    /// The operand's type from the row.
    pub ty: Type,
    /// The role or modifier name.
    pub name: &'static str,
    /// The index of the suffix dword that follows plus one, or 0.
    pub suffix_dword: u8,
    /// The format.
    pub format: &'static Format<I>,
    /// The component of the format: 1 for the second instruction of a dual-issue pair, otherwise 0.
    pub component: u8,
    /// The shape of the row.
    pub shape: &'static Shape<I>,
    /// The encoding variant.
    pub variant: &'static EncodingVariant,
}

impl<I: Isa> Cx<'_, I> {
    /// Returns whether the row has one of these flags.
    #[inline]
    #[must_use]
    pub fn has(&self, flags: u128) -> bool {
        self.shape.flags() & flags != 0
    }

    /// Returns the first two dwords as one number, for the raw layouts of 64-bit formats.
    #[inline]
    #[must_use]
    pub const fn low64(&self) -> u64 {
        self.words[0] as u64 | (self.words[1] as u64) << 32
    }

    /// Returns the name of the suffix dword.
    #[must_use]
    pub fn suffix_dword_name(&self) -> Option<&'static str> {
        self.format.suffix_dword(self.suffix_dword).map(|dword| dword.name)
    }

    /// Returns the value of the suffix dword, or 0.
    #[inline]
    #[must_use]
    pub fn suffix_dword_value(&self) -> u32 {
        self.words.get(usize::from(self.format.dwords)).copied().unwrap_or(0)
    }

    /// Returns the code and the type of another operand or modifier of this component.
    #[must_use]
    pub fn sibling(&self, name: &str) -> Option<(u32, Type)> {
        let mut carriers = self.variant.carriers(self.format.component(self.component)?);
        let (bound, carrier) = carriers.find(|(_, carrier)| carrier.name == name)?;
        Some((carrier.bits.get(self.words), bound.ty))
    }
}
