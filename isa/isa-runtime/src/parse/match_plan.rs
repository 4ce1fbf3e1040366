//! Tables of the fast parser: they map a mnemonic to the operands to parse.
//!
//! A [`MnemonicEntry`] holds the fixed bits of a row and the index of a [`MatchPlan`], which rows share. A plan lists the
//! operands in the order of the text, and the modifiers. Const functions build the tables from the numbers that the macro
//! generates.

use crate::pack::{Fact, ty};
use crate::parse::asm::Reader;
use crate::parse::fast_syntax::FastSyntax;
use crate::parse::swar::digits_bound;
use crate::tables::codes::Names;
use crate::tables::place::{Place, Run};
use crate::tables::{Bound, EncodingVariant, Isa, Step, ValidCodes};
use crate::{Class, Type};

/// A mnemonic with its suffix, eight characters in each number, the first in the lowest byte, filled up with zeros.
pub type PackedName = [u64; MAX_NAME_LEN / 8];

/// The most characters of a mnemonic with its suffix. The fast parser declines longer ones.
const MAX_NAME_LEN: usize = 24;

/// An entry of a mnemonic: a row in one format and encoding variant.
#[derive(Clone, Copy, Debug)]
pub struct MnemonicEntry {
    /// The fixed bits of the row in the first two dwords. For a second component: the bits to add.
    pub(crate) low: u64,
    /// The mask of the variant bit. If a modifier sets it, the entry [`next`](Self::next) applies.
    pub(crate) variant_bit: u64,
    /// The mnemonic, or zeros if the entry is found by `next` only.
    name: PackedName,
    /// The suffix dword that always follows, as an index plus one, or 0.
    pub(crate) suffix_dword: u8,
    /// The number of dwords without a suffix dword.
    pub(crate) dwords: u8,
    /// The index of the format.
    pub(crate) format: u8,
    /// Whether the row belongs to the second component of a dual-issue format.
    pub(crate) is_second: bool,
    /// The index of the match plan.
    pub(crate) plan: u16,
    /// The index of the row in [`Isa::entries`](crate::Isa::entries).
    pub(crate) row: u16,
    /// The index of the entry for a set variant bit or, in a dual-issue format, of the second component's row with this
    /// mnemonic. `u16::MAX` if there is none.
    pub(crate) next: u16,
    /// Whether the format is a dual-issue format.
    pub(crate) is_pair: bool,
}

/// The operands and modifiers of an encoding variant as text has them.
#[derive(Clone, Copy, Debug)]
pub struct MatchPlan {
    /// The steps of the operands, in the order of the text.
    pub(crate) operands: Run,
    /// The steps of the modifiers, which text has in any order.
    pub(crate) modifiers: Run,
    /// The index of the encoding variant.
    pub(crate) form: u16,
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
pub(crate) struct NumberedCodes {
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

impl NumberedCodes {
    const NONE: NumberedCodes = NumberedCodes { letter: NO_LETTER, base: 0, end: 0 };
}

/// An operand or a modifier to parse.
#[derive(Clone, Copy, Debug)]
pub struct MatchStep {
    /// The index in [`MatchTables::syntaxes`]: an index needs no relocation at program start. 0 is no syntax, for rows whose
    /// flags exclude it and for fields that are not one bit range of the first two dwords.
    syntax: u16,
    /// The registers of operands that have one register in every mode.
    pub(crate) files: [NumberedCodes; MAX_FILES],
    /// The small numbers.
    pub(crate) numbers: NumberedCodes,
    /// The text of a flag, the first character in the lowest byte.
    pub(crate) flag: u64,
    /// The bits of the code.
    pub(crate) place: Place,
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
        files: [NumberedCodes::NONE; MAX_FILES],
        numbers: NumberedCodes::NONE,
        flag: 0,
        place: Place::NONE,
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
    /// The steps of the text after the mnemonic, for each encoding variant.
    pub texts: &'static [&'static [Step]],
    /// The parsers of the carriers of each component.
    pub readers: &'static [&'static [Reader<I>]],
    /// The tables of the fast parser.
    pub fast: MatchTables,
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
    pub(crate) fn find(&self, [a, b, c]: PackedName) -> Option<&'static MnemonicEntry> {
        let mask = self.name_index.len().wrapping_sub(1);
        let mut at = hash([a, b, c]);
        loop {
            let entry = self.entries.get(usize::from(self.name_index.get(at & mask)?.checked_sub(1)?))?;
            let [x, y, z] = entry.name;
            if (a ^ x) | (b ^ y) | (c ^ z) == 0 {
                return Some(entry);
            }
            at = at.wrapping_add(1);
        }
    }
}

/// Multiplies without overflow checks. Const evaluation of `wrapping_mul` takes ten times as long as this operator; the
/// machine code is the same.
#[inline(always)]
const fn multiply(word: u64, odd: u64) -> u64 {
    (word as u128 * odd as u128) as u64
}

/// Hashes a mnemonic: the highest bits of three products, which the processor computes in parallel.
#[inline(always)]
const fn hash([a, b, c]: PackedName) -> usize {
    let all =
        multiply(a, 0x9E37_79B9_7F4A_7C15) ^ multiply(b, 0xC2B2_AE3D_27D4_EB4F) ^ multiply(c, 0x1656_67B1_9E37_79F9);
    (all >> 48) as usize
}

/// Builds the hash table. `N` is a power of two greater than the number of entries.
#[must_use]
pub const fn name_index<const N: usize>(entries: &[MnemonicEntry]) -> [u16; N] {
    let mut out = [0; N];
    fill_name_index(&mut out, entries);
    out
}

const fn fill_name_index(index: &mut [u16], entries: &[MnemonicEntry]) {
    let mask = index.len() - 1;
    let mut i = 0;
    while i < entries.len() {
        if entries[i].name[0] != 0 {
            let mut at = hash(entries[i].name) & mask;
            while index[at] != 0 {
                at = (at + 1) & mask;
            }
            index[at] = i as u16 + 1;
        }
        i += 1;
    }
}

/// Builds the entries. `packed` has the match plan, the row, the next entry, the suffix dword that always follows plus one,
/// the format, its dwords, the number of its other components, and the number of the row's component. `bits` has the fixed
/// bits and the variant bit.
#[must_use]
pub const fn mnemonic_entries<const N: usize>(
    packed: &[[u16; 8]],
    bits: &[[u64; 2]],
    names: &[PackedName],
) -> [MnemonicEntry; N] {
    let none = MnemonicEntry {
        low: 0,
        variant_bit: 0,
        name: [0; MAX_NAME_LEN / 8],
        suffix_dword: 0,
        dwords: 0,
        format: 0,
        is_second: false,
        plan: 0,
        row: 0,
        next: u16::MAX,
        is_pair: false,
    };
    let mut out = [none; N];
    fill_entries(&mut out, packed, bits, names);
    out
}

const fn fill_entries(out: &mut [MnemonicEntry], packed: &[[u16; 8]], bits: &[[u64; 2]], names: &[PackedName]) {
    let mut i = 0;
    while i < out.len() {
        let [plan, row, next, suffix_dword, format, dwords, others, component] = packed[i];
        let [low, variant_bit] = bits[i];
        let name = names[i];
        let (is_pair, is_second) = (others != 0, component != 0);
        let (suffix_dword, format, dwords) = (suffix_dword as u8, format as u8, dwords as u8);
        out[i] =
            MnemonicEntry { low, variant_bit, name, suffix_dword, dwords, format, is_second, plan, row, next, is_pair };
        i += 1;
    }
}

/// The facts about all steps that the macro passes.
pub struct StepChecks<'a> {
    /// For each check: its group, the component and the carrier (the lowest eight bits), and the index of the row's flags.
    /// The checks of a group are consecutive and ordered by these numbers, so that equal results are computed once.
    pub checks: &'a [[u16; 3]],
    /// Carriers of the same class and type: an operand in the layout of [`bounds`](crate::pack::bounds), and the
    /// index of the codes that select suffix dwords in the field.
    pub groups: &'a [[u32; 2]],
    /// The codes that select suffix dwords.
    pub selectors: &'a [&'a [u32]],
    /// The flags of rows.
    pub flags: &'a [u128],
}

/// Builds the steps. `packed` has the index of the operand in its variant, from bit 8 up the separator (0: none, 1: a
/// blank, 2: a comma), and from bit 16 up the index of the check.
#[must_use]
pub const fn match_steps<const N: usize, const A: usize>(
    packed: &[u32; N],
    checks: &StepChecks<'_>,
    facts: &[&[Fact]],
) -> [MatchStep; N] {
    let mut known = [MatchStep::NONE; A];
    fill_checks(&mut known, checks, facts);
    let mut out = [MatchStep::NONE; N];
    fill_steps(&mut out, packed, &known);
    out
}

const fn fill_checks(out: &mut [MatchStep], checks: &StepChecks<'_>, facts: &[&[Fact]]) {
    // The results for the group, and the flags for which `step.valid_modes` has been computed.
    let (mut last, mut step, mut syntax, mut known) = (u16::MAX, MatchStep::NONE, &FastSyntax::NONE, None);
    let mut i = 0;
    while i < out.len() {
        let [group, carrier, row] = checks.checks[i];
        let fact = &facts[(carrier >> 8) as usize][carrier as u8 as usize];
        let [operand, selector] = checks.groups[group as usize];
        if group != last {
            (last, known) = (group, None);
            step = MatchStep { is_deferred: fact.is_deferred, ..MatchStep::NONE };
            let dwords;
            (syntax, dwords) = syntax_of(fact.syntax, ty(operand));
            (step.syntax, step.dwords) = (group + 1, dwords);
            fill_numbered_codes(&mut step, syntax, ty(operand));
        }
        let row = checks.flags[row as usize];
        match fact.place {
            Some(place) if fact.syntax.unless & row == 0 && has_room(fact.syntax, place.ones) => {
                let relevant = row & fact.depends.0;
                match known {
                    Some(flags) if flags == relevant => {}
                    _ => {
                        known = Some(relevant);
                        let selecting = checks.selectors[selector as usize];
                        step.valid_modes = valid_modes(fact, syntax, ty(operand), relevant, selecting);
                    }
                }
                out[i] = step;
                out[i].place = place;
                if syntax.flag {
                    out[i].flag = crate::Word::new(fact.name, 0, 1).bytes;
                }
            }
            _ => out[i].is_deferred = fact.is_deferred,
        }
        i += 1;
    }
}

/// Returns whether a field has room for all registers of a class: it may be narrower than the code space.
const fn has_room(syntax: &FastSyntax, ones: u32) -> bool {
    let mut i = 0;
    while i < syntax.files.len() {
        let (_, base, last) = syntax.files[i];
        if (base + last as u32) >> syntax.aligned > ones {
            return false;
        }
        i += 1;
    }
    true
}

const fn fill_steps(out: &mut [MatchStep], packed: &[u32], known: &[MatchStep]) {
    let mut i = 0;
    while i < out.len() {
        let what = packed[i];
        out[i] = known[(what >> 16) as usize];
        let step = &mut out[i];
        step.index = what as u8;
        match what >> 8 & 3 {
            0 => {}
            1 => (step.separator, step.separator_mask, step.separator_bits) = (b' ' as u16, 0xff, 8),
            _ => (step.separator, step.separator_mask, step.separator_bits) = (COMMA, 0xffff, 16),
        }
        i += 1;
    }
}

/// A comma and a blank.
const COMMA: u16 = u16::from_le_bytes(*b", ");

/// Returns the modes, a bit each, in which all codes of the fast syntax are valid and select no suffix dword.
const fn valid_modes(fact: &Fact, syntax: &FastSyntax, ty: Type, flags: u128, selecting: &[u32]) -> u8 {
    let first = are_all_valid(&fact.valid_codes.of(ty, flags, 0), syntax, selecting);
    let second =
        if fact.depends.1 { are_all_valid(&fact.valid_codes.of(ty, flags, 1), syntax, selecting) } else { first };
    first as u8 | (second as u8) << 1
}

const fn are_all_valid(codes: &ValidCodes, syntax: &FastSyntax, selecting: &[u32]) -> bool {
    if matches!(codes, ValidCodes::All) && selecting.is_empty() {
        return true;
    }
    let mut all = true;
    let mut i = 0;
    while i < syntax.files.len() && all {
        let (_, base, last) = syntax.files[i];
        all &= are_valid(codes, base >> syntax.aligned, (base + last as u32) >> syntax.aligned, selecting);
        i += 1;
    }
    let mut i = 0;
    while i < syntax.names.len() && all {
        all &= are_valid(codes, syntax.names[i].code, syntax.names[i].code, selecting);
        i += 1;
    }
    if let Some((zero, last)) = syntax.integers {
        all &= are_valid(codes, zero, zero + last as u32, selecting);
    }
    if let Some((zero, last)) = syntax.negative {
        all &= are_valid(codes, zero + 1, zero + last as u32, selecting);
    }
    if let Some(parts) = syntax.parts {
        // Numbers, which are rarer, need a check.
        all &= parts.are_valid(codes);
    } else if let Some(last) = syntax.numbers {
        all &= are_valid(codes, 0, last, selecting);
    }
    if syntax.flag {
        all &= are_valid(codes, 0, 1, selecting);
    }
    // The code of a negative number has as many bits as the field.
    if let Some((_, least, last)) = syntax.key {
        all &= matches!(codes, ValidCodes::All) || least >= 0 && are_valid(codes, 0, last as u32, selecting);
    }
    all
}

/// Returns whether the codes from `first` to `last` are valid and none of them selects a suffix dword.
const fn are_valid(codes: &ValidCodes, first: u32, last: u32, selecting: &[u32]) -> bool {
    let mut i = 0;
    while i < selecting.len() {
        if selecting[i] >= first && selecting[i] <= last {
            return false;
        }
        i += 1;
    }
    codes.covers(first, last)
}

/// Builds the list of syntaxes: an empty one, then that of each group. `N` is the number of groups plus one.
#[must_use]
pub const fn syntaxes<const N: usize>(checks: &StepChecks<'_>, facts: &[&[Fact]]) -> [&'static FastSyntax; N] {
    let mut out = [&FastSyntax::NONE; N];
    let mut i = 0;
    while i < checks.checks.len() {
        let [group, carrier, _] = checks.checks[i];
        if i == 0 || checks.checks[i - 1][0] != group {
            let fact = &facts[(carrier >> 8) as usize][carrier as u8 as usize];
            out[group as usize + 1] = syntax_of(fact.syntax, ty(checks.groups[group as usize][0])).0;
        }
        i += 1;
    }
    out
}

/// Returns the syntax that applies to a type, and the number of registers in each mode.
const fn syntax_of(syntax: &'static FastSyntax, ty: Type) -> (&'static FastSyntax, [u8; 2]) {
    match (ty.class(), syntax.mask) {
        (Class::Mask, Some(mask)) => mask,
        (Class::Mask, None) => (&FastSyntax::NONE, [0; 2]),
        _ if syntax.whole => (syntax, [ty.dwords(); 2]),
        _ => (syntax, [Names::width(ty); 2]),
    }
}

/// Sets the registers and numbers that the step tries first.
const fn fill_numbered_codes(step: &mut MatchStep, syntax: &FastSyntax, ty: Type) {
    step.takes_literal = has_whole_literal(ty);
    step.is_byte = ty.total_bits() == 8;
    // The parser records the position of a deferred operand, which this fast path does not.
    if step.is_deferred {
        return;
    }
    let mut i = 0;
    while syntax.aligned == 0 && i < syntax.files.len() && i < MAX_FILES && matches!(step.dwords, [1, 1]) {
        let (letter, base, last) = syntax.files[i];
        step.files[i] = NumberedCodes { letter, base: base as u16, end: digits_bound(last) };
        i += 1;
    }
    let (base, last) = match (syntax.numbers, syntax.integers) {
        (Some(_), _) if syntax.parts.is_some() => return,
        // Larger numbers are rare.
        (Some(last), _) => (0, if last > 0xff { 0xff } else { last as u8 }),
        (None, Some((zero, last))) => (zero, last),
        (None, None) => return,
    };
    step.numbers = NumberedCodes { letter: 0, base: base as u16, end: digits_bound(last) };
}

/// Returns whether a literal of this type holds 32 bits unchanged.
const fn has_whole_literal(ty: Type) -> bool {
    let narrow = matches!(ty.class(), Class::Float | Class::BFloat) && ty.bits() != 32;
    ty.total_bits() == 32 && !narrow && !matches!(ty.class(), Class::Mask)
}

/// Returns the modes, a bit each, in which the code 0 is valid.
const fn modes_with_valid_zero(fact: &Fact, ty: Type, flags: u128) -> u8 {
    let first = fact.valid_codes.of(ty, flags, 0).covers(0, 0);
    let second = if fact.depends.1 { fact.valid_codes.of(ty, flags, 1).covers(0, 0) } else { first };
    first as u8 | (second as u8) << 1
}

/// Builds the match plans. `packed` has the variant, the first step and the number of the operands, the same of the
/// modifiers, the component, the index of the row's flags, and the modes in which the fixed bits are those of an instruction.
#[must_use]
pub const fn match_plans<const N: usize>(
    packed: &[[u16; 8]],
    steps: &[MatchStep],
    flags: &[u128],
    forms: &[EncodingVariant],
    bounds: &crate::pack::Bounds<'_>,
    facts: &[&[Fact]],
) -> [MatchPlan; N] {
    let none = MatchPlan {
        operands: Run::NONE,
        modifiers: Run::NONE,
        form: 0,
        deferred: 0,
        defaulted: 0,
        ordered: 0,
        valid_modes: 0,
    };
    let mut out = [none; N];
    fill_plans(&mut out, packed, steps, flags, forms, bounds, facts);
    out
}

const fn fill_plans(
    out: &mut [MatchPlan],
    packed: &[[u16; 8]],
    steps: &[MatchStep],
    flags: &[u128],
    forms: &[EncodingVariant],
    bounds: &crate::pack::Bounds<'_>,
    facts: &[&[Fact]],
) {
    let mut i = 0;
    while i < out.len() {
        let [form, from, count, more, n_more, component, row, modes] = packed[i];
        let (mut deferred, mut defaulted, mut valid_modes) = (0, 0, modes as u8);
        let (facts, EncodingVariant { operands, modifiers, .. }) = (facts[component as usize], &forms[form as usize]);
        let mut index = 0;
        while index < operands.len {
            let bound = bounds.all[operands.start as usize + index as usize];
            if facts[bounds.distinct[bound as usize].carrier as usize].is_deferred {
                deferred |= 1 << index;
            }
            index += 1;
        }
        let mut nth = 0;
        while nth < modifiers.len {
            let bound = bounds.all[modifiers.start as usize + nth as usize];
            let Bound { carrier, ty, .. } = &bounds.distinct[bound as usize];
            let fact = &facts[*carrier as usize];
            // A modifier that text omits has the code 0, unless its class has another default.
            if fact.has_default {
                defaulted |= 1 << index;
                valid_modes = 0;
            } else {
                valid_modes &= if matches!(fact.valid_codes, ValidCodes::All) {
                    0b11
                } else {
                    modes_with_valid_zero(fact, *ty, flags[row as usize])
                };
            }
            if fact.is_deferred {
                deferred |= 1 << index;
            }
            (index, nth) = (index + 1, nth + 1);
        }
        let mut ordered = 0;
        let mut nth = 0;
        while nth < count + n_more {
            let step = &steps[(if nth < count { from + nth } else { more + nth - count }) as usize];
            ordered |= if nth < count { 1 << step.index } else { 0 };
            valid_modes &= step.valid_modes;
            nth += 1;
        }
        out[i] = MatchPlan {
            operands: Run { start: from, len: count as u8 },
            modifiers: Run { start: more, len: n_more as u8 },
            form,
            deferred,
            defaulted,
            ordered,
            valid_modes,
        };
        i += 1;
    }
}
