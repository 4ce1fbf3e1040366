//! The facts that an operand class states about its codes, as constants.
//!
//! The const functions of `const_tables` copy into each table what the table needs, so a program that only decodes links no function that
//! prints or parses.

use crate::tables::{Cx, Isa};
use crate::{Name, Text, Type};

/// A set of operand codes below 512.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeSet([u64; WORDS]);

/// The number of array elements of a set. Const evaluation of `len` takes longer than the rest of a loop.
const WORDS: usize = 8;

impl CodeSet {
    /// All codes.
    pub const ALL: CodeSet = CodeSet([u64::MAX; 8]);
    /// No code.
    pub const NONE: CodeSet = CodeSet([0; 8]);

    /// The codes whose bits are set, the lowest bit of the first number for the code 0.
    #[must_use]
    pub const fn of_words(words: [u64; 8]) -> Self {
        CodeSet(words)
    }

    /// Adds the codes from `first` to `last`, both included. Codes above 511 are ignored.
    #[must_use]
    pub const fn with(mut self, first: u32, last: u32) -> Self {
        let (mut i, end) = CodeSet::numbers(first, last);
        while i < end {
            self.0[i] |= CodeSet::run(i, first, last);
            i += 1;
        }
        self
    }

    /// Removes the codes from `first` to `last`, both included.
    #[must_use]
    pub const fn without(mut self, first: u32, last: u32) -> Self {
        let (mut i, end) = CodeSet::numbers(first, last);
        while i < end {
            self.0[i] &= !CodeSet::run(i, first, last);
            i += 1;
        }
        self
    }

    /// Returns the range of array elements that hold the codes from `first` to `last`.
    const fn numbers(first: u32, last: u32) -> (usize, usize) {
        if first > last {
            return (0, 0);
        }
        (first as usize / 64, if last < 512 { last as usize / 64 + 1 } else { 8 })
    }

    /// Returns the bits of the codes from `first` to `last` in the array element `nth`, which holds some of them.
    const fn run(nth: usize, first: u32, last: u32) -> u64 {
        let low = nth as u32 * 64;
        let from = first.saturating_sub(low);
        let to = if last - low < 63 { last - low } else { 63 };
        u64::MAX >> (63 - (to - from)) << from
    }

    /// Returns whether both sets have the same codes.
    #[must_use]
    pub const fn same(&self, other: &CodeSet) -> bool {
        let mut i = 0;
        while i < WORDS {
            if self.0[i] != other.0[i] {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Returns whether the set has all codes of another one.
    pub(crate) const fn includes(&self, other: &CodeSet) -> bool {
        let mut missing = 0;
        let mut i = 0;
        while i < WORDS {
            missing |= other.0[i] & !self.0[i];
            i += 1;
        }
        missing == 0
    }

    /// Returns whether the set has all codes from `first` to `last`, of those below 512.
    const fn has_all(&self, first: u32, last: u32) -> bool {
        if first > last || first > 511 {
            return true;
        }
        let last = if last > 511 { 511 } else { last };
        let (mut i, end) = ((first >> 6) as usize, (last >> 6) as usize);
        // The codes of the first element from `first` up, and later those of the last one up to `last`.
        let mut run = u64::MAX << (first & 63);
        while i < end {
            if self.0[i] & run != run {
                return false;
            }
            run = u64::MAX;
            i += 1;
        }
        run &= u64::MAX >> (63 - (last & 63));
        self.0[i] & run == run
    }

    /// Returns a bit for each code, the lowest of the first element for the code 0.
    pub(crate) const fn bits(&self) -> &[u64; 8] {
        &self.0
    }

    /// Returns whether the set has `code`.
    #[inline]
    #[must_use]
    pub const fn has(&self, code: u32) -> bool {
        code < 512 && self.0[(code >> 6) as usize] >> (code & 63) & 1 == 1
    }
}

/// The codes of an operand class that are valid regardless of the other fields of the instruction. See
/// [`Operand::VALID_CODES`](crate::Operand::VALID_CODES).
#[derive(Clone, Copy, Debug)]
pub enum ValidCodes {
    /// All codes that fit the field.
    All,
    /// These codes. Others are invalid.
    Only(&'static CodeSet),
    /// These codes. Others need a check at run time.
    With(&'static CodeSet),
    /// Codes that have no bits other than these. Others need a check at run time.
    Within(u32),
    /// Codes each of whose parts is valid.
    Parts(&'static [PartCodes]),
    /// The codes of the first case that holds, or none if no case holds.
    Cases(&'static [(Case, ValidCodes)]),
}

/// The valid codes of a part of a code.
#[derive(Clone, Copy, Debug)]
pub struct PartCodes {
    /// The lowest bit of the part.
    pub lo: u8,
    /// The number of bits.
    pub width: u8,
    /// The values of the part that are valid.
    pub codes: ValidCodes,
}

/// A condition on which the valid codes of a class depend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    /// A lane mask.
    Mask,
    /// A type of at most this number of dwords. A lane mask has one.
    Dwords(u8),
    /// A type of more than this number of dwords.
    MoreDwords(u8),
    /// A row with one of these flags.
    Flag(u128),
    /// The mode with this index among those that `isa_set!` names.
    Mode(u8),
    /// Anything else.
    Else,
}

impl Case {
    /// Returns whether it holds for an operand of this type, in a row with these flags, in the mode with this index.
    #[inline]
    #[must_use]
    pub const fn holds(self, ty: Type, flags: u128, mode: u8) -> bool {
        match self {
            Case::Mask => matches!(ty.class(), crate::Class::Mask),
            Case::Dwords(n) => ty.dwords() <= n,
            Case::MoreDwords(n) => ty.dwords() > n,
            Case::Flag(flag) => flags & flag != 0,
            Case::Mode(n) => n == mode,
            Case::Else => true,
        }
    }
}

impl ValidCodes {
    /// No code is valid without a check.
    pub const NONE: ValidCodes = ValidCodes::Cases(&[]);

    /// Returns the flags on which the codes depend, and whether they depend on the mode.
    pub(crate) const fn depends(&self) -> (u128, bool) {
        let mut all = (0, false);
        if let ValidCodes::Cases(cases) = *self {
            let (mut i, count) = (0, cases.len());
            while i < count {
                let (flags, mode) = cases[i].1.depends();
                all = match cases[i].0 {
                    Case::Flag(flag) => (all.0 | flags | flag, all.1 || mode),
                    Case::Mode(_) => (all.0 | flags, true),
                    _ => (all.0 | flags, all.1 || mode),
                };
                i += 1;
            }
        }
        all
    }

    /// Resolves the cases for an operand.
    #[inline]
    pub(crate) fn in_context<I: Isa>(self, cx: &Cx<'_, I>) -> ValidCodes {
        self.of(cx.ty, cx.shape.flags(), I::mode_index(cx.mode) as u8)
    }

    /// Returns whether the codes of a class without parts, whose cases are resolved, include a code. Codes that need a check at run time
    /// do not count.
    #[inline]
    pub(crate) const fn has(self, code: u32) -> bool {
        match self {
            ValidCodes::All => true,
            ValidCodes::Only(set) | ValidCodes::With(set) => set.has(code),
            ValidCodes::Within(bits) => code & !bits == 0,
            ValidCodes::Parts(_) | ValidCodes::Cases(_) => false,
        }
    }

    /// Returns whether all codes from `first` to `last` are valid without a check.
    #[must_use]
    pub(crate) const fn covers(self, first: u32, last: u32) -> bool {
        match self {
            ValidCodes::All => true,
            ValidCodes::Only(set) | ValidCodes::With(set) if first == last => set.has(first),
            ValidCodes::Only(set) | ValidCodes::With(set) => last < 512 && set.has_all(first, last),
            ValidCodes::Within(bits) => last <= bits && bits & (bits + 1) == 0 || last == 0,
            ValidCodes::Parts(_) | ValidCodes::Cases(_) => false,
        }
    }

    /// Resolves the cases for an operand of this type, in a row with these flags, in the mode with this index.
    #[inline]
    #[must_use]
    pub const fn of(self, ty: Type, flags: u128, mode: u8) -> ValidCodes {
        let mut this = self;
        'deeper: while let ValidCodes::Cases(cases) = this {
            let (mut i, count) = (0, cases.len());
            while i < count {
                let (case, then) = cases[i];
                if case.holds(ty, flags, mode) {
                    this = then;
                    continue 'deeper;
                }
                i += 1;
            }
            return ValidCodes::NONE;
        }
        this
    }
}

/// Precomputed texts of a class's codes. See [`Operand::NAMES`](crate::Operand::NAMES).
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The flags of rows that print the operand by other means.
    pub unless: u128,
    /// The names of the modifiers that change the text of the operand, such as signs.
    pub altered_by: &'static [&'static str],
    /// The texts by code, for operands of 16 bits, and for those of one to four registers.
    pub by_width: [&'static [Name]; 5],
    /// The texts of lane masks by code, in the first mode. The mode decides the width of a mask.
    pub masks: &'static [Name],
    /// Prints a code without a precomputed text, if the text depends on the code alone.
    pub context_free: Option<fn(u32, &mut Text)>,
    /// Prints the literal dword, for the code that selects one.
    pub literal: Option<Literal<WriteLiteralFn>>,
}

/// The treatment of the code that selects a literal dword.
#[derive(Clone, Copy, Debug)]
pub struct Literal<F> {
    /// The code.
    pub code: u16,
    /// The flags of rows in which the operand is something else.
    pub unless: u128,
    /// Converts the dword for an operand of a type.
    pub make: F,
}

impl Names {
    /// No precomputed texts.
    pub const NONE: Names =
        Names { unless: 0, altered_by: &[], by_width: [&[]; 5], masks: &[], context_free: None, literal: None };

    /// Texts that a function prints from the code alone.
    #[must_use]
    pub const fn context_free(write: fn(u32, &mut Text)) -> Names {
        Names { context_free: Some(write), ..Names::NONE }
    }

    /// The same texts for operands of all types.
    #[must_use]
    pub const fn of_any_type(names: &'static [Name]) -> Names {
        Names { by_width: [names; 5], masks: names, ..Names::NONE }
    }

    /// Returns the index in [`by_width`](Self::by_width) for a type other than a mask.
    pub(crate) const fn width(ty: Type) -> u8 {
        if ty.total_bits() == 16 { 0 } else { ty.dwords() }
    }

    /// Returns the texts for a type.
    pub(crate) const fn of(&self, ty: Type) -> &'static [Name] {
        let width = Names::width(ty) as usize;
        match ty.class() {
            crate::Class::Mask => self.masks,
            _ if width < self.by_width.len() => self.by_width[width],
            _ => &[],
        }
    }
}

/// Precomputed values of a class's codes. See [`Operand::VALUES`](crate::Operand::VALUES).
#[derive(Clone, Copy, Debug)]
pub struct Values<V: 'static> {
    /// The flags of rows in which the operand is something else.
    pub unless: u128,
    /// The values by code, for operands of up to 16 bits, and for those of one to four registers.
    pub by_width: [ValueRange; 5],
    /// The code that selects a literal dword, and the conversion of the dword. It has no precomputed value.
    pub literal: Option<Literal<LiteralFn<V>>>,
    /// Converts a code without a precomputed value, if the value depends on the code alone.
    pub context_free: Option<fn(u32) -> V>,
}

impl<V> Values<V> {
    /// No precomputed values.
    pub const NONE: Self = Values { unless: 0, by_width: [ValueRange::NONE; 5], literal: None, context_free: None };

    /// Values that a function computes from the code alone.
    #[must_use]
    pub const fn context_free(value: fn(u32) -> V) -> Self {
        Values { context_free: Some(value), ..Values::NONE }
    }

    /// Returns the values for a type, or none if the mode decides its width.
    pub(crate) const fn of(&self, ty: Type) -> ValueRange {
        let width = if ty.total_bits() <= 16 { 0 } else { ty.dwords() as usize };
        match ty.class() {
            crate::Class::Mask => ValueRange::NONE,
            _ if width < self.by_width.len() => self.by_width[width],
            _ => ValueRange::NONE,
        }
    }
}

/// A part of a set's lists of precomputed values, which a constant must not refer to: each evaluation of the constant would check
/// all of the values.
#[derive(Clone, Copy, Debug)]
pub struct ValueRange {
    list: u8,
    first: u16,
    end: u16,
}

/// The lists of precomputed values of a set, by code: for operands of one, two and four registers.
pub type ValueLists<V> = [&'static [V]; 3];

impl ValueRange {
    /// No values.
    pub const NONE: ValueRange = ValueRange { list: 0, first: 0, end: 0 };

    /// Returns the values of the codes from `first` to `end`, excluding `end`, in a list.
    #[must_use]
    pub const fn new(list: u8, first: u16, end: u16) -> Self {
        ValueRange { list, first, end }
    }

    /// Returns the values.
    pub(crate) const fn of<V>(self, lists: &ValueLists<V>) -> &'static [V] {
        let (list, first, end) = (lists[self.list as usize], self.first as usize, self.end as usize);
        let len = list.len();
        if first >= end || end > len {
            return &[];
        }
        let list = if end < len { list.split_at(end).0 } else { list };
        if first > 0 { list.split_at(first).1 } else { list }
    }

    /// Returns whether two ranges are the same.
    pub(crate) const fn same(self, other: ValueRange) -> bool {
        self.list == other.list && self.first == other.first && self.end == other.end
    }
}

/// See [`Operand::check`](crate::Operand::check).
pub type ValidFn<I> = fn(&Cx<'_, I>, u32) -> bool;
/// Returns whether the instruction uses an operand.
pub type UsedFn<I> = fn(&Cx<'_, I>) -> bool;
/// See [`Operand::write`](crate::Operand::write).
pub type WriteFn<I> = fn(&Cx<'_, I>, u32, &mut Text);
/// See [`Names::context_free`].
pub type WriteCodeFn = fn(u32, &mut Text);
/// See [`Values::literal`].
pub type LiteralFn<V> = fn(u32, Type) -> V;
/// See [`Names::literal`].
pub type WriteLiteralFn = fn(u32, Type, &mut Text);
/// See [`Operand::value`](crate::Operand::value).
pub type ValueFn<I> = fn(&Cx<'_, I>, u32) -> Option<<I as Isa>::Value>;

#[cfg(test)]
mod tests {
    use super::CodeSet;

    #[test]
    fn sets_have_the_codes_that_were_put_in() {
        for (first, last) in [(0, 0), (0, 511), (63, 64), (1, 0), (70, 300), (128, 191), (500, 600), (512, 700)] {
            let (with, without) = (CodeSet::NONE.with(first, last), CodeSet::ALL.without(first, last));
            for code in 0..512 {
                assert_eq!(with.has(code), (first..=last).contains(&code), "{code} in {first}..={last}");
                assert_eq!(without.has(code), !with.has(code), "{code} in {first}..={last}");
            }
            assert!(with.has_all(first, last) && CodeSet::ALL.has_all(first, last));
            assert_eq!(without.has_all(first, last), first > last || first > 511);
            assert!(!with.has(512));
        }
    }
}
