//! Operand classes as data: what `values`, `operand`, `number` and `modifier` declarations of `isa!` expand to, and the
//! functions that interpret it.
//!
//! A set has one code space ([`Space`]): a list of runs of codes, each of them registers, constants or names. An operand
//! class ([`Class`]) is a part of it with a linear map into the class's field. Numbers and modifiers ([`Numeric`],
//! [`Named`]) have their own codes. The macro checks all of these, so that the functions here look up and never fail.

mod call;
#[cfg(feature = "parse")]
mod constant;
#[cfg(feature = "parse")]
pub mod expression;
mod list;
mod number;
mod parts;
pub(crate) mod placing;
#[cfg(feature = "parse")]
mod read;
pub mod signs;
mod write;

pub use call::{Argument, Call};
#[cfg(feature = "parse")]
pub use constant::{constant, constant_after_signs, constant_bits, constant_value};
pub use isa_schema::ConstantEncoding;
pub use list::{Cases, List, NumberedCodes};
#[cfg(feature = "parse")]
pub use number::flag;
pub use number::{Digits, Floats, Named, Numeric, is_any_set};
#[cfg(feature = "parse")]
pub use parts::enclosed;
pub use parts::{NARROW_PART, PartLabels, PartOf, Parted};
pub use placing::{
    BitOf, ConstantPlace, Count, CountBase, CountSum, CountTerm, Dependent, HalfPlace, NumberPlace, OpList, Placing,
    RegisterPlace, last_digit, same_registers,
};
#[cfg(feature = "parse")]
pub use read::{Span, names_halves};
pub use write::{FoundOperand, write_forced, write_range};

use isa_schema::register_alignment;

use crate::tables::{Cx, Isa};
#[cfg(feature = "parse")]
use crate::{Asm, ParseError, Symbolic};
use crate::{Case, CodeSet, Constant, InlineFloat, Name, Text, Type, ValidCodes};
#[cfg(feature = "parse")]
use signs::Signs;

/// The meaning of a code: a set makes its operand values from it.
///
/// A set with few needs takes it for its values: `type Value = isa::Meaning<File>;`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning<F> {
    /// Consecutive registers of one file.
    Registers {
        /// The file.
        file: F,
        /// The number of the first register.
        first: u8,
        /// How many registers.
        count: u8,
        /// Which half of the register is meant, if one is: whether it is the upper one.
        half: Option<bool>,
    },
    /// An integer that has its own code.
    Integer(i32),
    /// A floating-point number that has its own code, as the bits of an `f32`.
    Float(u32),
    /// The constant in a suffix dword.
    Literal(u32),
    /// A number in the instruction's own field.
    Number(i32),
    /// Nothing: the operand is switched off.
    Off,
}

impl<F> Meaning<F> {
    /// Returns the meaning itself: what `isa!` calls to make a set's value of a meaning.
    #[must_use]
    pub const fn of(meaning: Meaning<F>) -> Meaning<F>
    where
        F: Copy,
    {
        meaning
    }
}

/// The codes of a set's operands.
#[derive(Debug)]
pub struct Space<F: 'static> {
    /// The runs, by their codes.
    pub runs: &'static [CodeRun<F>],
    /// One more than the index of the run of each code, or 0.
    pub index: &'static [u8],
    /// The constants that have their own codes, and the code of a literal.
    pub constants: &'static crate::Constants,
    /// The error for a register number that no file has.
    pub unknown: &'static str,
    /// The end of the error for a lane mask of a wrong number of registers.
    pub mask: &'static str,
}

/// Consecutive codes of one kind.
#[derive(Clone, Copy, Debug)]
pub struct CodeRun<F: 'static> {
    /// The first code.
    pub first: u16,
    /// How many codes.
    pub count: u16,
    /// How many registers the operands that begin with one of these codes may have.
    pub fit: Fit,
    /// The meaning of the codes.
    pub kind: RunKind<F>,
    /// The error where a register of the run is written for an operand that takes none of it.
    pub rule: &'static str,
}

/// How many registers an operand may have that begins in a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// At most the rest of the run.
    Run,
    /// Any number, and its value has as many as the operand's type.
    Any,
    /// Any number, and its value is one register.
    One,
}

/// The meaning of the codes of a run.
#[derive(Clone, Copy, Debug)]
pub enum RunKind<F: 'static> {
    /// Registers with numbers.
    Numbered {
        /// The file.
        file: F,
        /// The text before a number: `v` in `v5` and `v[4:5]`.
        prefix: &'static str,
        /// Whether registers of 16-bit operands are written with a half: `v5.l`, `v5.h`.
        halves: bool,
        /// Whether two registers begin with an even one and more with a multiple of four.
        is_aligned: bool,
    },
    /// Registers with names.
    Names {
        /// The file.
        file: F,
        /// The number of the first.
        number: u8,
        /// The name of each.
        each: &'static [&'static str],
        /// The name of all together, if they have one.
        all: &'static str,
        /// Other names that are read: one for each code, or names of the first.
        also: &'static [&'static str],
    },
    /// Integers: the first, and what is added for each code.
    Integers(i16, i8),
    /// Floating-point numbers.
    Floats(&'static [InlineFloat]),
    /// The constant in the suffix dword.
    Literal,
}

impl<F: Copy> Space<F> {
    /// Returns the run that a code belongs to.
    #[inline]
    #[must_use]
    pub const fn run(&self, code: u32) -> Option<&CodeRun<F>> {
        if code as usize >= self.index.len() {
            return None;
        }
        let at = self.index[code as usize] as usize;
        if at == 0 || at > self.runs.len() { None } else { Some(&self.runs[at - 1]) }
    }

    /// Returns the meaning of a code for an operand of this many registers. `None` for a literal, and for a code that has
    /// no meaning.
    #[inline]
    #[must_use]
    pub const fn meaning(&self, code: u32, dwords: u8) -> Option<Meaning<F>> {
        match self.run(code) {
            Some(run) => run.meaning(code as u16 - run.first, dwords),
            None => None,
        }
    }

    /// Returns the name of a register by its code, if it has one.
    #[must_use]
    pub fn register_name(&self, code: u32) -> Option<&'static str> {
        let run = self.run(code)?;
        match run.kind {
            RunKind::Names { each, .. } => each.get((code - u32::from(run.first)) as usize).copied(),
            _ => None,
        }
    }

    /// Returns the meanings of all codes for operands of this many registers. Codes of aligned registers lose the bits that must be 0.
    #[must_use]
    pub const fn meanings<const N: usize>(&self, dwords: u8) -> [Option<Meaning<F>>; N] {
        let (mut all, mut at) = ([None; N], 0);
        while at < self.runs.len() {
            let run = &self.runs[at];
            let (mut nth, alignment) = (0, run.alignment(dwords) as usize);
            while nth < run.count {
                let code = (run.first + nth) as usize;
                let aligned = code & !(alignment - 1);
                all[code] = if aligned < code { all[aligned] } else { run.meaning(nth, dwords) };
                nth += 1;
            }
            at += 1;
        }
        all
    }

    /// Returns the precomputed texts of all codes for operands of this many registers.
    #[must_use]
    pub const fn names<const N: usize>(&self, dwords: u32) -> [Name; N] {
        let (mut all, mut at) = ([Name::NONE; N], 0);
        while at < self.runs.len() {
            self.runs[at].fill_names(&mut all, dwords);
            at += 1;
        }
        all
    }
}

impl<F: Copy> CodeRun<F> {
    /// Returns the meaning of the `nth` code for an operand of this many registers. `None` for a literal.
    #[inline]
    const fn meaning(&self, nth: u16, dwords: u8) -> Option<Meaning<F>> {
        let count = if matches!(self.fit, Fit::One) { 1 } else { dwords };
        Some(match self.kind {
            RunKind::Numbered { file, .. } => Meaning::Registers { file, first: nth as u8, count, half: None },
            RunKind::Names { file, number, .. } => {
                Meaning::Registers { file, first: number + nth as u8, count, half: None }
            }
            RunKind::Integers(first, step) => Meaning::Integer(first as i32 + nth as i32 * step as i32),
            RunKind::Floats(all) if (nth as usize) < all.len() => Meaning::Float(all[nth as usize].f32),
            RunKind::Floats(_) | RunKind::Literal => return None,
        })
    }

    /// Returns the power of two of which the codes of this many registers are multiples.
    const fn alignment(&self, dwords: u8) -> u32 {
        if matches!(self.kind, RunKind::Numbered { is_aligned: true, .. }) {
            register_alignment(dwords) as u32
        } else {
            1
        }
    }

    /// Writes the precomputed texts of the run's codes for operands of this many registers. `names` has an element for each code of
    /// the space; codes without a text keep what it has.
    const fn fill_names(&self, names: &mut [Name], dwords: u32) {
        let (mut nth, mut code, end) = (0, self.first as usize, (self.first + self.count) as usize);
        match self.kind {
            RunKind::Numbered { prefix, .. } => {
                let prefix = Name::EMPTY.with(prefix);
                let prefix = if dwords == 1 { prefix } else { prefix.with_byte(b'[') };
                fill_numbered(names, (code, end), prefix, dwords, self.alignment(dwords as u8) as usize);
            }
            _ if dwords > 2 => {}
            RunKind::Names { all, .. } if dwords == 2 && matches!(self.fit, Fit::Run) => {
                if !all.is_empty() {
                    names[code] = Name::EMPTY.with(all);
                }
            }
            RunKind::Names { each, .. } => {
                while code < end {
                    names[code] = Name::EMPTY.with(each[nth]);
                    (nth, code) = (nth + 1, code + 1);
                }
            }
            RunKind::Integers(first, step) => {
                while code < end {
                    let n = first as i32 + nth as i32 * step as i32;
                    let name = if n < 0 { Name::EMPTY.with_byte(b'-') } else { Name::EMPTY };
                    names[code] = name.with_dec(n.unsigned_abs());
                    (nth, code) = (nth + 1, code + 1);
                }
            }
            RunKind::Floats(all) => {
                while code < end {
                    // The text of other numbers depends on the width.
                    if dwords == 1 || all[nth].name.len() <= SHORT_FLOAT {
                        names[code] = Name::EMPTY.with(all[nth].name);
                    }
                    (nth, code) = (nth + 1, code + 1);
                }
            }
            RunKind::Literal => {}
        }
    }
}

/// Writes the texts of registers with numbers, `v5` or `v[4:5]`, for the codes of a range that are multiples of a power of two.
const fn fill_numbered(names: &mut [Name], (first, end): (usize, usize), prefix: Name, dwords: u32, alignment: usize) {
    let mut code = first;
    while code < end {
        if code & (alignment - 1) == 0 {
            let nth = (code - first) as u32;
            let mut name = prefix.with_dec(nth);
            if dwords > 1 {
                name = name.with_byte(b':').with_dec(nth + dwords - 1).with_byte(b']');
            }
            names[code] = name;
        }
        code += 1;
    }
}

/// The longest text of a floating-point number that has the same text in all types: `-0.5`.
const SHORT_FLOAT: usize = 4;

/// An operand class: a part of a code space with a map into a field.
#[derive(Debug)]
#[doc(alias("AsmOperandClass", "RegisterOperand"))]
pub struct Class<F: 'static> {
    /// The code space.
    pub space: &'static Space<F>,
    /// How codes of the field map to codes of the space. The first case that holds applies.
    pub maps: &'static [(Case, Map)],
    /// How many registers a lane mask has in each mode, if that is not what its type says.
    pub mask: Option<[u8; 2]>,
    /// How many registers an operand has, if that is not what its type says.
    pub dwords: Option<u8>,
    /// The types of constants, where they differ from the operand's type. The first case that holds applies.
    pub constants: &'static [(Case, ConstantEncoding)],
    /// The text of an operand that is switched off, and its code. Of a class whose number of registers a function
    /// returns, operands without registers are switched off instead.
    pub off: Option<(&'static str, Option<u32>)>,
    /// Where the half of a register of a 16-bit operand is kept.
    pub half: Half,
    /// The runs that errors call by the same name as those of the class, a bit each.
    pub kin: u64,
    /// The noun phrase for errors: `a scalar register`.
    pub expects: &'static str,
    /// The error for registers of files that the class has none of.
    pub other: &'static str,
    /// The error for registers of the right number that have no code in the class.
    pub rule: &'static str,
}

/// How codes of a field map to codes of a space.
#[derive(Clone, Copy, Debug)]
pub struct Map {
    /// The code of the space for 0.
    pub base: u16,
    /// How many of the lowest bits of a register's code the field leaves out.
    pub shift: u8,
    /// Whether a register's code loses the bits that must be 0 for registers of its number.
    pub align: bool,
}

/// Where the half of a register is kept, for operands of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// Operands of 16 bits take whole registers.
    None,
    /// In this bit of the code.
    Bit(u8),
    /// Where a function of the class says.
    Elsewhere,
}

impl<F: Copy> Class<F> {
    /// Returns the map that applies to an operand.
    #[inline]
    fn map<I: Isa>(&self, cx: &Cx<'_, I>) -> Map {
        map_in(self.maps, cx)
    }

    /// Returns how many registers an operand of a type has in a mode.
    #[inline]
    #[must_use]
    pub fn dwords<I: Isa>(&self, ty: Type, mode: I::Mode) -> u8 {
        dwords_in::<I>(self.mask, self.dwords, ty, mode)
    }

    /// Returns what an operand's constants mean.
    #[must_use]
    pub fn constants_of<I: Isa>(&self, cx: &Cx<'_, I>) -> ConstantEncoding {
        if self.constants.is_empty() {
            return ConstantEncoding::Type;
        }
        constants_in(self.constants, cx.ty, cx.shape.flags(), I::mode_index(cx.mode) as u8)
    }

    /// Returns what [`Alignment::is_valid`] needs of the class.
    #[must_use]
    pub const fn alignment(&self) -> Alignment {
        let mut aligned = CodeSet::NONE;
        let mut at = 0;
        while at < self.space.runs.len() {
            let run = &self.space.runs[at];
            if matches!(run.kind, RunKind::Numbered { is_aligned: true, .. }) {
                aligned = aligned.with(run.first as u32, run.first as u32 + run.count as u32 - 1);
            }
            at += 1;
        }
        let has_masks = !matches!(self.maps, [(Case::Mask, _), ..]);
        Alignment { maps: self.maps, mask: self.mask, dwords: self.dwords, aligned, has_masks }
    }
}

/// Returns the first map whose case holds.
#[inline]
fn map_in<I: Isa>(maps: &[(Case, Map)], cx: &Cx<'_, I>) -> Map {
    if let [(Case::Else, map)] = maps {
        return *map;
    }
    let found = maps.iter().find(|(case, _)| case.holds(cx.ty, cx.shape.flags(), I::mode_index(cx.mode) as u8));
    found.map_or(Map { base: 0, shift: 0, align: false }, |(_, map)| *map)
}

/// Returns how many registers an operand has, of a class with these counts.
#[inline]
fn dwords_in<I: Isa>(mask: Option<[u8; 2]>, dwords: Option<u8>, ty: Type, mode: I::Mode) -> u8 {
    match mask {
        Some(counts) if matches!(ty.class(), crate::Class::Mask) => {
            counts.get(I::mode_index(mode)).copied().unwrap_or(1)
        }
        _ => dwords.unwrap_or(ty.dwords()),
    }
}

/// The alignment of a class's registers, without the code space, so that a program that only decodes links none of its
/// names.
#[derive(Clone, Copy, Debug)]
pub struct Alignment {
    maps: &'static [(Case, Map)],
    mask: Option<[u8; 2]>,
    dwords: Option<u8>,
    /// The codes of the space that are registers of a run with alignment.
    aligned: CodeSet,
    /// Whether lane masks are not a separate case.
    has_masks: bool,
}

impl Alignment {
    /// Returns whether a code becomes valid when its register loses the bits that must be 0.
    #[must_use]
    pub fn is_valid<I: Isa>(&self, codes: ValidCodes, cx: &Cx<'_, I>, code: u32) -> bool {
        let map = map_in(self.maps, cx);
        let code = (code << map.shift) + u32::from(map.base);
        if !self.aligned.has(code) || !self.has_masks && matches!(cx.ty.class(), crate::Class::Mask) {
            return false;
        }
        let dwords = dwords_in::<I>(self.mask, self.dwords, cx.ty, cx.mode);
        let code = code & !(u32::from(register_alignment(dwords)) - 1);
        code >= u32::from(map.base) && is_valid(codes, cx, (code - u32::from(map.base)) >> map.shift)
    }
}

/// Returns what the constants of an operand mean, in a row with these flags: that of the first case that holds.
#[must_use]
pub fn constants_in(cases: &[(Case, ConstantEncoding)], ty: Type, flags: u128, mode: u8) -> ConstantEncoding {
    let found = cases.iter().find(|(case, _)| case.holds(ty, flags, mode));
    found.map_or(ConstantEncoding::Type, |(_, meaning)| *meaning)
}

/// Returns whether a generation is one of these.
#[must_use]
pub const fn is_one_of(generation: &str, names: &[&str]) -> bool {
    let mut at = 0;
    while at < names.len() {
        if crate::const_tables::same(generation.as_bytes(), names[at].as_bytes()) {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns whether a code is one of a class's valid codes. A code that selects a suffix dword is, whether or not the
/// dword follows. Not inlined, which saves 2.8 KB of a decoder.
#[inline(never)]
#[must_use]
pub fn is_valid<I: Isa>(codes: ValidCodes, cx: &Cx<'_, I>, code: u32) -> bool {
    codes.in_context(cx).has(code)
}

/// The syntax of numbers and constants in a set's text, which [`Simple`] has as most assemblers do.
pub trait Syntax: Sized {
    /// The error for a second constant in a suffix dword.
    #[cfg(feature = "parse")]
    const CONFLICT: &'static str = "an instruction holds one such constant";
    /// Whether `lit(…)` between the bars of an absolute value is a literal where an inline constant is equal.
    #[cfg(feature = "parse")]
    const FORCES_LITERALS_BETWEEN_BARS: bool = true;

    /// Returns whether text begins with a register or a modifier, so that no symbol of its name can come next.
    #[cfg(feature = "parse")]
    fn begins_operand(_text: &str) -> bool {
        false
    }

    /// Reads an integer between two others, both allowed, and returns its lowest 32 bits.
    ///
    /// # Errors
    /// `rule` if it is outside, or that there is none.
    #[cfg(feature = "parse")]
    fn number<I: Isa>(asm: &mut Asm<'_, '_, I>, low: i64, high: i64, rule: &'static str) -> Result<u32, ParseError> {
        let start = asm.input.at();
        let n = Self::integer(asm, "a number")?;
        expression::in_range(asm, start, n, low, high, rule)
    }

    /// Reads an integer; `what` is the error where there is none.
    ///
    /// # Errors
    /// There is none.
    #[cfg(feature = "parse")]
    fn integer<I: Isa>(asm: &mut Asm<'_, '_, I>, what: &'static str) -> Result<i64, ParseError> {
        expression::integer(asm, what)
    }

    /// Reads a constant after its signs, and whether the text asks for a literal: `lit(…)`. Between bars it is not an expression,
    /// since a bar would be a part of one. Returns `None`, and takes nothing, if something else comes next.
    ///
    /// # Errors
    /// A constant that has no value; `lit(…)` that is not closed.
    #[cfg(feature = "parse")]
    fn constant<I: Isa>(asm: &mut Asm<'_, '_, I>, signs: Signs) -> Result<Option<(Constant, bool)>, ParseError> {
        let start = asm.input.at();
        let is_forced = asm.input.eat_word("lit") && asm.input.eat("(");
        if !is_forced {
            // A symbol may have the name.
            asm.input.go(start);
        }
        constant_after_signs::<I, Self>(asm, signs, is_forced)
    }

    /// Reads an expression whose value is known only later. Returns `None`, and takes nothing, if something else comes next.
    #[cfg(feature = "parse")]
    fn deferred<I: Isa>(_asm: &mut Asm<'_, '_, I>) -> Option<Symbolic> {
        None
    }

    /// Writes a floating-point number that has its own code.
    fn write_float(float: &InlineFloat, _ty: Type, out: &mut Text) {
        out.push(float.name);
    }

    /// Writes the constant in a suffix dword: the number, or `lit(…)` if the parser would read the number alone as other dwords.
    /// `constants` are the set's inline constants.
    fn write_literal(constants: &crate::Constants, value: u32, ty: Type, out: &mut Text) {
        if Self::is_literal_number(constants, value, ty) { out.hex(value) } else { write_forced(value, out) }
    }

    /// Writes the constant in a suffix dword, for operands whose inline constants are in both halves of a register.
    fn write_literal_of_halves(constants: &crate::Constants, value: u32, out: &mut Text) {
        const HALVES: Type = Type::new(crate::Class::Float, 16, 2);
        let number = Constant::Integer((value as i32).into());
        let is_inline = constants.inline_in_both_halves(number, HALVES).is_some();
        if is_inline { write_forced(value, out) } else { out.hex(value) }
    }

    /// Returns whether the text of the constant in a suffix dword begins with a digit.
    fn is_literal_number(constants: &crate::Constants, value: u32, ty: Type) -> bool {
        let encoded = constants.encode(Constant::Integer(value.into()), ty, false);
        encoded.is_some_and(|encoded| encoded.literal == Some(value))
    }
}

/// Numbers as most assemblers have them: decimal, `0x…`, `0b…` and `0o…`, and [expressions](expression) of them. `lit(…)` is a
/// literal even if an inline constant is equal.
#[derive(Clone, Copy, Debug)]
pub struct Simple;

impl Syntax for Simple {}
