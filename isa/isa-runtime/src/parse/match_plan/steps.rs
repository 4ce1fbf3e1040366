//! Builds the steps of match plans in const evaluation. Equal results are computed once.

use isa_schema::{MatchStepRow, Rows, StepCheckGroup, StepCheckRow};

use super::{MAX_FILES, MatchStep, NumberedSyntax};
use crate::const_tables::Fact;
use crate::parse::fast_syntax::{FastParts, FastSyntax, NumberKey, NumberedFile};
use crate::parse::swar::digits_bound;
use crate::tables::codes::Names;
use crate::tables::{CodeSet, ValidCodes};
use crate::{Class, Type};

/// The facts about all steps that the macro passes.
pub struct StepChecks<'a> {
    /// The checks. Those of rows with the same flags are consecutive.
    pub checks: Rows<StepCheckRow>,
    /// Consecutive checks of carriers of the same class and type.
    pub groups: Rows<StepCheckGroup>,
    /// The codes that select suffix dwords.
    pub selectors: &'a [&'a [u32]],
    /// The flags of rows.
    pub flags: &'a [u128],
}

/// Builds the steps. `A` is the number of checks.
#[must_use]
pub const fn match_steps<const N: usize, const A: usize>(
    rows: Rows<MatchStepRow>,
    checks: &StepChecks<'_>,
    facts: &[&[Fact]],
) -> [MatchStep; N] {
    let mut all = [StepCheckRow::ZERO; A];
    checks.checks.unpack(&mut all);
    let mut known = [MatchStep::NONE; A];
    fill_checks(&mut known, checks, &all, facts);
    let mut all = [MatchStepRow::ZERO; N];
    rows.unpack(&mut all);
    let mut out = [MatchStep::NONE; N];
    fill_steps(&mut out, &all, &known);
    out
}

const fn fill_checks(out: &mut [MatchStep], checks: &StepChecks<'_>, rows: &[StepCheckRow], facts: &[&[Fact]]) {
    let (mut class, mut is_mask, mut codes) = (u16::MAX, false, SyntaxCodes::NONE);
    let (mut group, mut i, n_groups) = (0, 0, checks.groups.len());
    while group < n_groups {
        let StepCheckGroup { ty, selector, class: of_class, end } = checks.groups.get(group);
        let fact = checks.fact(facts, i);
        let (syntax, dwords) = syntax_of(fact.syntax, ty);
        group += 1;
        let mut step = MatchStep { syntax: group as u16, dwords, is_deferred: fact.is_deferred, ..MatchStep::NONE };
        fill_numbered_codes(&mut step, syntax, ty);
        let of_mask = matches!(ty.class(), Class::Mask);
        if of_class != class || of_mask != is_mask {
            (class, is_mask) = (of_class, of_mask);
            codes = SyntaxCodes::new(syntax, fact.syntax);
        }
        let (unless, depends) = (fact.syntax.unless, fact.depends.0);
        // The flags for which `valid_modes` has been computed.
        let (mut known, mut is_known) = (0, false);
        while i < end as usize {
            let StepCheckRow { component, carrier, flags } = rows[i];
            let flags = checks.flags[flags as usize];
            let fact = &facts[component as usize][carrier as usize];
            match fact.place {
                // A field may be narrower than the code space.
                Some(place) if flags & unless == 0 && codes.highest_register <= place.ones => {
                    let relevant = flags & depends;
                    if !is_known || known != relevant {
                        (known, is_known) = (relevant, true);
                        let selecting = checks.selectors[selector as usize];
                        step.valid_modes = valid_modes(fact, &codes, ty, relevant, selecting);
                    }
                    step.place = place;
                    step.flag = if syntax.flag { fact.flag } else { 0 };
                    out[i] = step;
                }
                _ => out[i].is_deferred = step.is_deferred,
            }
            i += 1;
        }
    }
}

impl StepChecks<'_> {
    /// Returns the facts of the carrier of a check.
    const fn fact<'a>(&self, facts: &[&'a [Fact]], at: usize) -> &'a Fact {
        let StepCheckRow { component, carrier, .. } = self.checks.get(at);
        &facts[component as usize][carrier as usize]
    }
}

const fn fill_steps(out: &mut [MatchStep], rows: &[MatchStepRow], known: &[MatchStep]) {
    let (mut i, count) = (0, out.len());
    while i < count {
        let MatchStepRow { index, separator, check } = rows[i];
        let mut step = known[check as usize];
        step.index = index;
        match separator {
            0 => {}
            1 => (step.separator, step.separator_mask, step.separator_bits) = (b' ' as u16, 0xff, 8),
            _ => (step.separator, step.separator_mask, step.separator_bits) = (COMMA, 0xffff, 16),
        }
        out[i] = step;
        i += 1;
    }
}

/// A comma and a blank.
const COMMA: u16 = u16::from_le_bytes(*b", ");

/// Returns the modes, a bit each, in which all codes of the fast syntax are valid and select no suffix dword.
const fn valid_modes(fact: &Fact, codes: &SyntaxCodes, ty: Type, flags: u128, selecting: &[u32]) -> u8 {
    let first = codes.are_valid(&fact.valid_codes.of(ty, flags, 0), selecting);
    let second = if fact.depends.1 { codes.are_valid(&fact.valid_codes.of(ty, flags, 1), selecting) } else { first };
    first as u8 | (second as u8) << 1
}

/// The codes of a fast syntax, computed once for all rows.
struct SyntaxCodes {
    /// The codes below 512, a bit each.
    set: CodeSet,
    /// The highest code.
    last: u32,
    /// The highest code of a register.
    highest_register: u32,
    /// The parts of a number. Their codes are not in the set.
    parts: Option<&'static FastParts>,
    /// Whether there are negative numbers. Their codes have as many bits as the field.
    is_signed: bool,
}

impl SyntaxCodes {
    const NONE: SyntaxCodes =
        SyntaxCodes { set: CodeSet::NONE, last: 0, highest_register: 0, parts: None, is_signed: false };

    /// Returns the codes of a syntax. `of_registers` is the class's syntax for operands other than lane masks.
    const fn new(syntax: &FastSyntax, of_registers: &FastSyntax) -> Self {
        let mut codes = SyntaxCodes::NONE;
        codes.add_registers(of_registers);
        codes = SyntaxCodes { highest_register: codes.last, parts: syntax.parts, ..SyntaxCodes::NONE };
        codes.add_registers(syntax);
        let (mut i, count) = (0, syntax.names.len());
        while i < count {
            let code = syntax.names[i].code;
            codes.add(code, code);
            i += 1;
        }
        if let Some((zero, last)) = syntax.integers {
            codes.add(zero, zero + last as u32);
        }
        if let Some((zero, last)) = syntax.negative {
            codes.add(zero + 1, zero + last as u32);
        }
        // Numbers are rarer than parts, and need a check.
        if let (Some(last), None) = (syntax.numbers, syntax.parts) {
            codes.add(0, last);
        }
        if syntax.flag {
            codes.add(0, 1);
        }
        if let Some(NumberKey { least, last, .. }) = syntax.key {
            codes.is_signed = least < 0;
            codes.add(0, last as u32);
        }
        codes
    }

    /// Adds the codes of registers with numbers.
    const fn add_registers(&mut self, syntax: &FastSyntax) {
        let (mut i, count) = (0, syntax.files.len());
        while i < count {
            let NumberedFile { base, last, .. } = syntax.files[i];
            self.add(base >> syntax.aligned, (base + last as u32) >> syntax.aligned);
            i += 1;
        }
    }

    /// Adds the codes from `first` to `last`.
    const fn add(&mut self, first: u32, last: u32) {
        if last > self.last {
            self.last = last;
        }
        self.set = self.set.with(first, last);
    }

    /// Returns whether the codes are valid and none of them selects a suffix dword.
    const fn are_valid(&self, codes: &ValidCodes, selecting: &[u32]) -> bool {
        let (mut i, count) = (0, selecting.len());
        while i < count {
            let code = selecting[i];
            if code <= self.last && (code > 511 || self.set.has(code)) {
                return false;
            }
            i += 1;
        }
        if let Some(parts) = self.parts
            && !parts.are_valid(codes)
        {
            return false;
        }
        match *codes {
            ValidCodes::All => true,
            _ if self.is_signed => false,
            ValidCodes::Only(valid) | ValidCodes::With(valid) => self.last < 512 && valid.includes(&self.set),
            ValidCodes::Within(bits) => self.last == 0 || self.last <= bits && bits >> 1 & !bits == 0,
            ValidCodes::Parts(_) | ValidCodes::Cases(_) => self.set.bits()[0] == 0 && self.last == 0,
        }
    }
}

/// Builds the list of syntaxes: an empty one, then that of each group. `N` is the number of groups plus one.
#[must_use]
pub const fn syntaxes<const N: usize>(checks: &StepChecks<'_>, facts: &[&[Fact]]) -> [&'static FastSyntax; N] {
    let mut out = [&FastSyntax::NONE; N];
    let mut i = 1;
    while i < N {
        let StepCheckGroup { ty, end, .. } = checks.groups.get(i - 1);
        out[i] = syntax_of(checks.fact(facts, end as usize - 1).syntax, ty).0;
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
    let (mut i, count) = (0, syntax.files.len());
    while syntax.aligned == 0 && i < count && i < MAX_FILES && matches!(step.dwords, [1, 1]) {
        let NumberedFile { letter, base, last } = syntax.files[i];
        step.files[i] = NumberedSyntax { letter, base: base as u16, end: digits_bound(last) };
        i += 1;
    }
    let (base, last) = match (syntax.numbers, syntax.integers) {
        (Some(_), _) if syntax.parts.is_some() => return,
        // Larger numbers are rare.
        (Some(last), _) => (0, if last > 0xff { 0xff } else { last as u8 }),
        (None, Some((zero, last))) => (zero, last),
        (None, None) => return,
    };
    step.numbers = NumberedSyntax { letter: 0, base: base as u16, end: digits_bound(last) };
}

/// Returns whether a literal of this type holds 32 bits unchanged.
const fn has_whole_literal(ty: Type) -> bool {
    let narrow = matches!(ty.class(), Class::Float | Class::BFloat) && ty.bits() != 32;
    ty.total_bits() == 32 && !narrow && !matches!(ty.class(), Class::Mask)
}
