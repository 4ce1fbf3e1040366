//! What the tables are made of: the facts that an operand kind states of its codes, as constants.
//!
//! None of this is kept as it stands: const functions of `pack` take from a [`Kind`] what each table needs, so that a
//! program that only decodes links no function that writes or reads text.

use crate::tables::{Cx, Isa, Reader};
use crate::{Name, Text, Type};

/// A set of operand codes below 512.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeSet([u64; 8]);

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

    /// This set and the codes from `first` to `last`, both included; codes above 511 are left out.
    #[must_use]
    pub const fn with(mut self, first: u32, last: u32) -> Self {
        let (mut i, end) = CodeSet::numbers(first, last);
        while i < end {
            self.0[i] |= CodeSet::run(i, first, last);
            i += 1;
        }
        self
    }

    /// This set without the codes from `first` to `last`.
    #[must_use]
    pub const fn without(mut self, first: u32, last: u32) -> Self {
        let (mut i, end) = CodeSet::numbers(first, last);
        while i < end {
            self.0[i] &= !CodeSet::run(i, first, last);
            i += 1;
        }
        self
    }

    /// The codes without a bit beside these.
    pub(crate) const fn within(bits: u32) -> Self {
        let mut out = CodeSet::NONE;
        out.0[0] = 1;
        let mut bit = 0;
        while bit < 6 {
            if bits >> bit & 1 == 1 {
                out.0[0] |= out.0[0] << (1 << bit);
            }
            bit += 1;
        }
        let mut i = 1;
        while i < out.0.len() {
            if i as u32 & !(bits >> 6) == 0 {
                out.0[i] = out.0[0];
            }
            i += 1;
        }
        out
    }

    /// Which of the numbers have codes from `first` to `last`: the first of them, and where they end.
    const fn numbers(first: u32, last: u32) -> (usize, usize) {
        if first > last {
            return (0, 0);
        }
        (first as usize / 64, if last < 512 { last as usize / 64 + 1 } else { 8 })
    }

    /// The codes from `first` to `last` among the 64 of which the `nth` number, which has some of them, has the bits.
    const fn run(nth: usize, first: u32, last: u32) -> u64 {
        let low = nth as u32 * 64;
        let from = first.saturating_sub(low);
        let to = if last - low < 63 { last - low } else { 63 };
        u64::MAX >> (63 - (to - from)) << from
    }

    /// Leaves out the codes from `size` up. Whether all codes below are there, and a number that differs for most sets.
    pub(crate) const fn cut(&mut self, size: usize) -> (bool, u64) {
        let (mut all, mut key) = (true, 0);
        let mut i = 0;
        while i < self.0.len() {
            let low = i * 64;
            let ones = if size >= low + 64 {
                u64::MAX
            } else if size > low {
                (1 << (size - low)) - 1
            } else {
                0
            };
            let codes = self.0[i] & ones;
            all = all && codes == ones;
            key = key << 7 ^ key >> 9 ^ codes;
            self.0[i] = codes;
            i += 1;
        }
        (all, key)
    }

    /// Whether both sets have the same codes.
    #[must_use]
    pub const fn same(&self, other: &CodeSet) -> bool {
        let mut i = 0;
        while i < self.0.len() {
            if self.0[i] != other.0[i] {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Whether all codes from `first` to `last` are in the set; codes above 511 are none that could be.
    const fn has_all(&self, first: u32, last: u32) -> bool {
        let (mut i, end) = CodeSet::numbers(first, last);
        while i < end {
            let run = CodeSet::run(i, first, last);
            if self.0[i] & run != run {
                return false;
            }
            i += 1;
        }
        true
    }

    /// A bit for each code, the lowest for the first.
    pub(crate) const fn bits(&self) -> &[u64; 8] {
        &self.0
    }

    /// Whether `code` is in the set.
    #[inline]
    #[must_use]
    pub const fn has(&self, code: u32) -> bool {
        code < 512 && self.0[(code >> 6) as usize] >> (code & 63) & 1 == 1
    }
}

/// The codes of an operand kind that surely stand for something, wherever the operand is: see
/// [`Operand::SURE`](crate::Operand::SURE).
#[derive(Clone, Copy, Debug)]
pub enum Sure {
    /// All that fit the field.
    All,
    /// These, and no others.
    Only(&'static CodeSet),
    /// These; others have to be asked for.
    With(&'static CodeSet),
    /// Those without a bit beside these; others have to be asked for.
    Within(u32),
    /// Those whose runs of bits (the lowest bit and the width) are sure each.
    Parts(&'static [(u8, u8, Sure)]),
    /// What the first of these cases says that holds; none where no case holds.
    Cases(&'static [(Case, Sure)]),
}

/// What the codes of a kind can depend on.
#[derive(Clone, Copy, Debug)]
pub enum Case {
    /// A lane mask.
    Mask,
    /// A type of up to so many dwords; a lane mask has one.
    Dwords(u8),
    /// A type of more than so many dwords.
    MoreDwords(u8),
    /// A row with one of these flags.
    Flag(u128),
    /// The mode with this index among those that `isa_set!` names.
    Mode(u8),
    /// Anything else.
    Else,
}

impl Case {
    /// Whether it holds for an operand of this type, in a row with these words, in the mode with this index.
    #[inline]
    #[must_use]
    pub const fn holds(self, ty: Type, words: u128, mode: u8) -> bool {
        match self {
            Case::Mask => matches!(ty.class(), crate::Class::Mask),
            Case::Dwords(n) => ty.dwords() <= n,
            Case::MoreDwords(n) => ty.dwords() > n,
            Case::Flag(word) => words & word != 0,
            Case::Mode(n) => n == mode,
            Case::Else => true,
        }
    }
}

impl Sure {
    /// No code is sure.
    pub const NONE: Sure = Sure::Cases(&[]);

    /// The words that it can depend on, and whether it can depend on the mode.
    pub(crate) const fn depends(&self) -> (u128, bool) {
        let mut all = (0, false);
        if let Sure::Cases(cases) = *self {
            let mut i = 0;
            while i < cases.len() {
                let (words, mode) = cases[i].1.depends();
                all = match cases[i].0 {
                    Case::Flag(word) => (all.0 | words | word, all.1 || mode),
                    Case::Mode(_) => (all.0 | words, true),
                    _ => (all.0 | words, all.1 || mode),
                };
                i += 1;
            }
        }
        all
    }

    /// Whether all codes from `first` to `last` are sure.
    #[must_use]
    pub(crate) const fn covers(self, first: u32, last: u32) -> bool {
        match self {
            Sure::All => true,
            Sure::Only(set) | Sure::With(set) if first == last => set.has(first),
            Sure::Only(set) | Sure::With(set) => last < 512 && set.has_all(first, last),
            Sure::Within(bits) => last <= bits && bits & (bits + 1) == 0 || last == 0,
            Sure::Parts(_) | Sure::Cases(_) => false,
        }
    }

    /// What holds for an operand of this type, in a row with these words, in the mode with this index.
    #[must_use]
    pub const fn of(self, ty: Type, words: u128, mode: u8) -> Sure {
        let mut this = self;
        'deeper: while let Sure::Cases(cases) = this {
            let mut i = 0;
            while i < cases.len() {
                let (case, then) = cases[i];
                if case.holds(ty, words, mode) {
                    this = then;
                    continue 'deeper;
                }
                i += 1;
            }
            return Sure::NONE;
        }
        this
    }
}

/// Texts of a kind's codes that are ready to be copied: see [`Operand::NAMES`](crate::Operand::NAMES).
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Rows with one of these words write the operand by other means.
    pub unless: u128,
    /// The modifiers that change how the operand is written, such as signs, by their names.
    pub altered_by: &'static [&'static str],
    /// The texts by code: for operands of 16 bits in all, and for those of one to four registers.
    pub by_width: [&'static [Name]; 5],
    /// The same for masks, whose width is a matter of the mode, as they are in the first one.
    pub masks: &'static [Name],
    /// What writes any code that has no such text, where the code alone decides it.
    pub alone: Option<fn(u32, &mut Text)>,
    /// What writes the code that stands for the word behind the instruction's own.
    pub literal: Option<Literal<WriteLiteralFn>>,
}

/// What becomes of a code that stands for the word behind the instruction's own, a literal, if one follows.
#[derive(Clone, Copy, Debug)]
pub struct Literal<F> {
    /// The code.
    pub code: u16,
    /// In rows with one of these words the operand is something else.
    pub unless: u128,
    /// What is made of the word for an operand of a type.
    pub make: F,
}

impl Names {
    /// No texts.
    pub const NONE: Names =
        Names { unless: 0, altered_by: &[], by_width: [&[]; 5], masks: &[], alone: None, literal: None };

    /// What writes any code, wherever it stands.
    #[must_use]
    pub const fn alone(write: fn(u32, &mut Text)) -> Names {
        Names { alone: Some(write), ..Names::NONE }
    }

    /// These texts whatever the type of the operand is.
    #[must_use]
    pub const fn of_any_type(names: &'static [Name]) -> Names {
        Names { by_width: [names; 5], masks: names, ..Names::NONE }
    }

    /// Which of [`by_width`](Self::by_width) is for a type that is no mask.
    pub(crate) const fn width(ty: Type) -> u8 {
        if ty.total_bits() == 16 { 0 } else { ty.dwords() }
    }

    /// The texts for a type.
    pub(crate) const fn of(&self, ty: Type) -> &'static [Name] {
        let width = Names::width(ty) as usize;
        match ty.class() {
            crate::Class::Mask => self.masks,
            _ if width < self.by_width.len() => self.by_width[width],
            _ => &[],
        }
    }
}

/// What a kind's codes come to, where that is ready: see [`Operand::VALUES`](crate::Operand::VALUES).
#[derive(Clone, Copy, Debug)]
pub struct Values<V: 'static> {
    /// In rows with one of these words the operand is something else.
    pub unless: u128,
    /// The values by code: for operands of up to 16 bits in all, and for those of one to four registers.
    pub by_width: [&'static [V]; 5],
    /// The code of which nothing is ready all the same, since it stands for a literal, and what that comes to.
    pub literal: Option<Literal<LiteralFn<V>>>,
    /// What any code comes to that has no such value, where the code alone decides it.
    pub alone: Option<fn(u32) -> V>,
}

impl<V> Values<V> {
    /// No values.
    pub const NONE: Self = Values { unless: 0, by_width: [&[]; 5], literal: None, alone: None };

    /// What any code comes to, wherever it stands.
    #[must_use]
    pub const fn alone(value: fn(u32) -> V) -> Self {
        Values { alone: Some(value), ..Values::NONE }
    }

    /// The values for a type; none where a mode decides the width.
    pub(crate) const fn of(&self, ty: Type) -> &'static [V] {
        let width = if ty.total_bits() <= 16 { 0 } else { ty.dwords() as usize };
        match ty.class() {
            crate::Class::Mask => &[],
            _ if width < self.by_width.len() => self.by_width[width],
            _ => &[],
        }
    }
}

/// What an [`Operand`](crate::Operand) type says of itself, for const functions to choose from.
pub struct Kind<I: Isa> {
    /// Whether a code means something here; `None`: every code does.
    pub valid: Option<ValidFn<I>>,
    /// All codes of so many bits mean something.
    pub bits: u8,
    /// Whether a code that is not valid is printed all the same.
    pub printable: ValidFn<I>,
    /// Whether it writes nothing where its code is 0.
    pub silent: bool,
    /// Texts that are ready.
    pub names: Names,
    /// Its text.
    pub write: WriteFn<I>,
    /// Which codes are sure.
    pub sure: Sure,
    /// On which words that depends, and whether on the mode.
    pub depends: (u128, bool),
    /// What texts of it are read at once.
    pub plain: &'static crate::Plain,
    /// Values that are ready.
    pub values: Values<I::Value>,
    /// How it is read from text.
    pub reader: Reader<I>,
    /// How it is placed.
    pub placing: &'static crate::inst::Placing,
    /// See [`Operand::DEPENDENT`](crate::Operand::DEPENDENT).
    pub dependent: Option<crate::inst::Dependent<I>>,
    /// What it comes to; `None` for a modifier.
    pub value: ValueFn<I>,
}

/// See [`Operand::check`](crate::Operand::check).
pub type ValidFn<I> = fn(&Cx<'_, I>, u32) -> bool;
/// See [`Operand::write`](crate::Operand::write).
pub type WriteFn<I> = fn(&Cx<'_, I>, u32, &mut Text);
/// See [`Names::alone`].
pub type WriteCodeFn = fn(u32, &mut Text);
/// See [`Values::literal`].
pub type LiteralFn<V> = fn(u32, Type) -> V;
/// See [`Names::literal`].
pub type WriteLiteralFn = fn(u32, Type, &mut Text);
/// See [`Operand::value`](crate::Operand::value).
pub type ValueFn<I> = fn(&Cx<'_, I>, u32) -> Option<<I as Isa>::Value>;
/// See [`Operand::parse`](crate::Operand::parse).
pub type ParseFn<I> = fn(&mut crate::Asm<'_, '_, I>) -> Result<Option<u32>, crate::ParseError>;
/// See [`Operand::ABSENT`](crate::Operand::ABSENT).
pub type AbsentFn<I> = fn(&mut crate::Asm<'_, '_, I>) -> Option<u32>;

impl<I: Isa> Kind<I> {
    /// What an operand type says.
    #[must_use]
    pub const fn of<O: crate::Operand<I>>() -> Self {
        Kind {
            valid: if O::CHECKED { Some(valid::<I, O>) } else { None },
            bits: O::BITS,
            printable: O::printable,
            silent: O::SILENT,
            names: O::NAMES,
            values: O::VALUES,
            write: O::write,
            sure: O::SURE,
            depends: O::SURE.depends(),
            plain: O::PLAIN,
            reader: Reader { parse: O::parse, is_deferred: O::LATE, default: O::ABSENT },
            placing: O::PLACING,
            dependent: O::DEPENDENT,
            value: O::value,
        }
    }
}

/// One call where an operand kind has two questions: decoding asks every operand.
fn valid<I: Isa, O: crate::Operand<I>>(cx: &Cx<'_, I>, code: u32) -> bool {
    O::codes(cx.ty).is_none_or(|set| set.has(code)) && O::check(cx, code)
}

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

    #[test]
    fn sets_have_the_codes_of_some_bits() {
        for bits in [0, 1, 0b110, 0x3F, 0x40, 0x1C0, 0x155, 0x1FF, u32::MAX] {
            for code in 0..512 {
                assert_eq!(CodeSet::within(bits).has(code), code & !bits == 0, "{code} of {bits:#x}");
            }
        }
    }
}
