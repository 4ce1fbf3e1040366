//! Tables of the fast parser: they map a mnemonic to the operands to parse.
//!
//! A [`MnemonicEntry`] holds the fixed bits of a row and the index of a [`MatchPlan`], which rows share. A plan lists the
//! operands in the order of the text, and the modifiers. Const functions build match plans from the numbers that the macro
//! generates, and [`steps`] their steps.

mod steps;

use isa_schema::{MatchPlanRow, MnemonicEntry, PackedName, Rows};

use crate::Type;
use crate::const_tables::Fact;
use crate::parse::asm::Reader;
use crate::parse::fast_syntax::FastSyntax;
use crate::tables::LowBitRange;
use crate::tables::{Bound, EncodingVariant, Isa, Run, Step, ValidCodes};
pub use steps::{StepChecks, match_steps, syntaxes};

/// The operands and modifiers of an encoding variant as text has them.
#[derive(Clone, Copy, Debug)]
pub struct MatchPlan {
    /// The steps of the operands, in the order of the text.
    pub(crate) operands: Run,
    /// The steps of the modifiers, which text has in any order.
    pub(crate) modifiers: Run,
    /// The index of the encoding variant.
    pub(crate) variant: u16,
    /// The operands and modifiers that are parsed again when the line has been read, a bit each.
    pub(crate) deferred: u32,
    /// The modifiers that have a default other than 0 or computed by their class, a bit each.
    pub(crate) defaulted: u32,
    /// The operands that text has in a fixed order, a bit each.
    pub(crate) ordered: u32,
    /// The modes, a bit each, in which a line that has fast syntax only is a decodable instruction.
    pub(crate) valid_modes: u8,
}

/// Codes that are written as a letter and a number, such as registers, or as a number alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberedSyntax {
    /// The letter, or 0 for none.
    pub letter: u8,
    /// The code of the number 0.
    pub base: u16,
    /// The first number too large, as [`digits_bound`] returns it. 0 if there are no such codes.
    pub end: u32,
}

/// The most register files that a step tries.
const MAX_FILES: usize = 2;

/// The letter of no register file: a byte that no text contains.
const NO_LETTER: u8 = 0xff;

impl NumberedSyntax {
    const NONE: NumberedSyntax = NumberedSyntax { letter: NO_LETTER, base: 0, end: 0 };
}

/// An operand or a modifier to parse.
#[derive(Clone, Copy, Debug)]
pub struct MatchStep {
    /// The index in [`MatchTables::syntaxes`]: an index needs no relocation at program start. 0 is not a syntax, for rows whose
    /// flags exclude it and for fields that are not one bit range of the first two dwords.
    syntax: u16,
    /// The registers of operands that have one register in every mode.
    pub(crate) files: [NumberedSyntax; MAX_FILES],
    /// The small numbers.
    pub(crate) numbers: NumberedSyntax,
    /// The text of a flag, the first character in the lowest byte.
    pub(crate) flag: u64,
    /// The bits of the code.
    pub(crate) place: LowBitRange,
    /// The number of registers in each mode, 0 for operands that are halves of registers.
    pub(crate) dwords: [u8; 2],
    /// The usual separator before the operand: a blank before the first one, a comma and a blank before others. Bytes that
    /// no text contains if there is none.
    pub(crate) separator: u16,
    /// The mask of the separator's bits.
    pub(crate) separator_mask: u16,
    /// The number of the separator's bits.
    pub(crate) separator_bits: u8,
    /// The index of the operand in its encoding variant.
    pub(crate) index: u8,
    /// Whether the operand is parsed again when the line has been read.
    pub(crate) is_deferred: bool,
    /// The modes, a bit each, in which every code of the fast syntax but a literal is valid.
    valid_modes: u8,
    /// Whether a literal holds the number unchanged.
    pub(crate) takes_literal: bool,
    /// Whether the operand has eight bits.
    pub(crate) is_byte: bool,
}

impl MatchStep {
    /// A step without fast syntax.
    const NONE: MatchStep = MatchStep {
        syntax: 0,
        files: [NumberedSyntax::NONE; MAX_FILES],
        numbers: NumberedSyntax::NONE,
        flag: 0,
        place: LowBitRange::NONE,
        dwords: [0; 2],
        separator: u16::MAX,
        separator_mask: u16::MAX,
        separator_bits: 0,
        index: 0,
        is_deferred: false,
        valid_modes: 0,
        takes_literal: false,
        is_byte: false,
    };

    /// Returns whether a comma precedes the operand.
    #[inline(always)]
    pub(crate) const fn follows_comma(&self) -> bool {
        self.separator_bits == 16
    }
}

/// The tables of the parser.
#[derive(Debug)]
pub struct Reading<I: Isa> {
    /// For each encoding variant the text after the mnemonic, in `steps`.
    pub texts: &'static [Run],
    /// The steps of all texts.
    pub steps: &'static [Step],
    /// The parsers of the carriers of each component.
    pub readers: &'static [&'static [Reader<I>]],
    /// The tables of the fast parser.
    pub fast: MatchTables,
}

impl<I: Isa> Reading<I> {
    /// No mnemonics.
    pub(crate) const NONE: Self = Reading {
        texts: &[],
        steps: &[],
        readers: &[],
        fast: MatchTables { name_index: &[0], entries: &[], plans: &[], steps: &[], syntaxes: &[] },
    };

    /// Returns the text of an encoding variant after the mnemonic.
    pub(crate) fn text(&self, variant: usize) -> &'static [Step] {
        self.texts.get(variant).map_or(&[], |text| text.of(self.steps))
    }
}

/// The tables of the fast parser.
#[derive(Debug)]
pub struct MatchTables {
    /// A hash table with linear probing: the index of an entry plus one, or 0.
    pub name_index: &'static [u16],
    /// The entries.
    pub entries: &'static [MnemonicEntry],
    /// The match plans.
    pub plans: &'static [MatchPlan],
    /// The steps of all match plans.
    pub steps: &'static [MatchStep],
    /// The fast syntax of operand classes. The first one is empty.
    pub syntaxes: &'static [&'static FastSyntax],
}

impl MatchTables {
    /// Returns the fast syntax of an operand or a modifier.
    #[inline(always)]
    pub(crate) fn syntax(&self, step: &MatchStep) -> &'static FastSyntax {
        self.syntaxes.get(usize::from(step.syntax)).copied().unwrap_or(&FastSyntax::NONE)
    }

    /// Returns the entry of a mnemonic.
    #[inline(always)]
    pub(crate) fn find(&self, name: PackedName) -> Option<&'static MnemonicEntry> {
        let mask = self.name_index.len().wrapping_sub(1);
        let PackedName { first: a, second: b, third: c } = name;
        let mut at = name.hash();
        loop {
            let entry = self.entries.get(usize::from(self.name_index.get(at & mask)?.checked_sub(1)?))?;
            let PackedName { first: x, second: y, third: z } = entry.name();
            if (a ^ x) | (b ^ y) | (c ^ z) == 0 {
                return Some(entry);
            }
            at = at.wrapping_add(1);
        }
    }
}

/// Returns the modes, a bit each, in which the code 0 is valid.
const fn modes_with_valid_zero(fact: &Fact, ty: Type, flags: u128) -> u8 {
    let first = fact.valid_codes.of(ty, flags, 0).covers(0, 0);
    let second = if fact.depends.1 { fact.valid_codes.of(ty, flags, 1).covers(0, 0) } else { first };
    first as u8 | (second as u8) << 1
}

/// Builds the match plans.
#[must_use]
pub const fn match_plans<const N: usize>(
    rows: Rows<MatchPlanRow>,
    steps: &[MatchStep],
    flags: &[u128],
    variants: &[EncodingVariant],
    bounds: &crate::const_tables::Bounds<'_>,
    facts: &[&[Fact]],
) -> [MatchPlan; N] {
    let none = MatchPlan {
        operands: Run::NONE,
        modifiers: Run::NONE,
        variant: 0,
        deferred: 0,
        defaulted: 0,
        ordered: 0,
        valid_modes: 0,
    };
    let mut out = [none; N];
    fill_plans(&mut out, rows, steps, flags, variants, bounds, facts);
    out
}

const fn fill_plans(
    out: &mut [MatchPlan],
    rows: Rows<MatchPlanRow>,
    steps: &[MatchStep],
    flags: &[u128],
    variants: &[EncodingVariant],
    bounds: &crate::const_tables::Bounds<'_>,
    facts: &[&[Fact]],
) {
    let mut cache = [OmittedModifiers::NONE; OmittedModifiers::CACHE];
    let (mut i, n_plans) = (0, out.len());
    while i < n_plans {
        let row = rows.get(i);
        let EncodingVariant { operands, modifiers, .. } = variants[row.variant as usize];
        let of = [row.component as u16, modifiers.start, modifiers.len as u16, row.flags];
        let omitted = &mut cache[(modifiers.start ^ row.flags << 3) as usize % OmittedModifiers::CACHE];
        if omitted.of[0] != of[0] || omitted.of[1] != of[1] || omitted.of[2] != of[2] || omitted.of[3] != of[3] {
            *omitted = OmittedModifiers::new(of, flags[row.flags as usize], bounds, facts[row.component as usize]);
        }
        let (mut deferred, defaulted) = (omitted.deferred << operands.len, omitted.defaulted << operands.len);
        let (mut ordered, mut valid_modes) = (0, row.complete_modes & omitted.valid_modes);
        let facts = facts[row.component as usize];
        let (mut index, first) = (0, operands.start as usize);
        while index < operands.len {
            let bound = bounds.all[first + index as usize];
            if facts[bounds.distinct[bound as usize].carrier as usize].is_deferred {
                deferred |= 1 << index;
            }
            index += 1;
        }
        let (mut nth, end) = (row.operands.start as usize, row.operands.end());
        while nth < end {
            let step = &steps[nth];
            ordered |= 1 << step.index;
            valid_modes &= step.valid_modes;
            nth += 1;
        }
        let (mut nth, end) = (row.modifiers.start as usize, row.modifiers.end());
        while nth < end && valid_modes != 0 {
            valid_modes &= steps[nth].valid_modes;
            nth += 1;
        }
        out[i] = MatchPlan {
            operands: row.operands,
            modifiers: row.modifiers,
            variant: row.variant,
            deferred,
            defaulted,
            ordered,
            valid_modes,
        };
        i += 1;
    }
}

/// The modifiers of a variant that a line may omit, and their values then, for rows with the same flags.
#[derive(Clone, Copy)]
struct OmittedModifiers {
    /// The component, the start and the number of the modifiers, and the index of the row's flags.
    of: [u16; 4],
    /// See [`MatchPlan`], with bit 0 for the first modifier.
    deferred: u32,
    defaulted: u32,
    valid_modes: u8,
}

impl OmittedModifiers {
    /// The size of the cache: a power of two.
    const CACHE: usize = 256;

    const NONE: OmittedModifiers = OmittedModifiers { of: [u16::MAX; 4], deferred: 0, defaulted: 0, valid_modes: 0 };

    const fn new(of: [u16; 4], flags: u128, bounds: &crate::const_tables::Bounds<'_>, facts: &[Fact]) -> Self {
        let [_, start, len, _] = of;
        let mut omitted = OmittedModifiers { of, deferred: 0, defaulted: 0, valid_modes: 0b11 };
        let mut nth = 0;
        while nth < len {
            let Bound { carrier, ty, .. } = &bounds.distinct[bounds.all[(start + nth) as usize] as usize];
            let fact = &facts[*carrier as usize];
            // A modifier that text omits has the code 0, unless its class has another default.
            if fact.has_default {
                omitted.defaulted |= 1 << nth;
                omitted.valid_modes = 0;
            } else if !matches!(fact.valid_codes, ValidCodes::All) {
                omitted.valid_modes &= modes_with_valid_zero(fact, *ty, flags);
            }
            if fact.is_deferred {
                omitted.deferred |= 1 << nth;
            }
            nth += 1;
        }
        omitted
    }
}
