//! The parts of typed builders that all instruction sets share: an [`Inst`] under construction, and the traits that slots
//! require of operand types.
//!
//! A generated function makes an [`InstBuilder`] and has each argument fill its operands. Methods of the set's builder
//! state modifiers. The result is encoded as any [`Inst`] is.

pub mod any;
mod macros;
mod registers;

use core::fmt;

pub use any::Builder;
pub use registers::RegisterError;
#[doc(hidden)]
pub use registers::{check_alignment, check_range};

#[doc(inline)]
pub use crate::{
    __admit as admit, __builder as builder, __constant_range as constant_range, __fill as fill, __flags as flags,
    __markers as markers, __named as named, __numbers as numbers, __operands as operands, __ranges as ranges,
    __slots as slots, __virtual_ranges as virtual_ranges, __written as written,
};

use crate::inst::{NumberPlace, Placing, TOO_WIDE};
use crate::{EncodeError, ErrorKind, Inst, Isa, Modifier, Op, Text, ToText};

/// Formats what text writes, padded as the formatter asks.
///
/// # Errors
/// As the formatter.
#[doc(hidden)]
pub fn pad(value: &impl ToText, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = Text::new();
    value.write_to(&mut text);
    f.pad(text.as_str())
}

/// A type of operands that takes `N` 32-bit registers.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` is not {N} x 32 bits wide",
    label = "registers of {N} x 32 bits",
    note = "8, 16 and 32 bits (`U8`, `F16`, `F16x2`, `B32`) take one register, 64 bits two, 96 three, 128 four",
    note = "ranges have their width in the type: `vgpr!(4)` and `v(4)` are one register, `vgpr!(4..=5)` and `Vgprs::<2>::new(4)?` are two; so are scalar registers"
)]
pub trait Dwords<const N: usize> {}

/// A type of operands of 16 bits, which vector registers hold in either half.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` is not a half of a register",
    label = "half a register, where whole ones are needed",
    note = "only operands of 16 bits are halves: leave `.lo()` or `.hi()` out"
)]
pub trait RegisterHalf {}

/// A type of operands that whole vector registers hold.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` is half a register",
    label = "a whole register, where a half is needed",
    note = "say which half is meant: `v(0).lo()` is bits 15 to 0, `v(0).hi()` bits 31 to 16"
)]
pub trait Whole {}

/// A type of operands that is narrow enough for scalar registers and constants.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` can be in vector registers only",
    label = "no vector registers",
    note = "constants and scalar sources have up to 64 bits: name vector registers, such as `vgpr!(0..=3)`"
)]
pub trait Narrow {}

/// A type of operands that can be a floating-point constant.
#[diagnostic::on_unimplemented(
    message = "an operand of type `{Self}` takes no floating-point constant",
    label = "a floating-point number, where `{Self}` is an integer",
    note = "write an integer; if the bits of the number are meant, `1.0f32.to_bits()`"
)]
pub trait TakesFloat {}

/// No operand.
const NONE: u8 = u8::MAX;

/// A modifier of a row with the numbers that it takes.
#[derive(Clone, Copy, Debug)]
pub struct ModifierRange {
    modifier: Modifier,
    number: Option<NumberPlace>,
}

impl ModifierRange {
    /// A modifier whose operand class places it so.
    #[must_use]
    pub const fn new(modifier: Modifier, placing: &Placing) -> Self {
        ModifierRange { modifier, number: placing.number }
    }

    /// The modifier.
    #[must_use]
    pub const fn modifier(self) -> Modifier {
        self.modifier
    }

    /// The name of the modifier in the rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.modifier.name
    }
}

/// An instruction under construction, which the functions of a set's module `build` fill.
#[derive(Clone, Copy, Debug)]
pub struct InstBuilder<I: Isa> {
    inst: Inst<I>,
    /// The bits of all modifiers that have been stated.
    stated: u64,
    /// The operands that are the sources `s0` to `s2`, or [`NONE`].
    sources: [u8; 3],
    /// The index of the operand with the error, or [`NONE`].
    error_at: u8,
    /// The first rule that an operand or a modifier breaks.
    broken_rule: Option<&'static str>,
}

impl<I: Isa> InstBuilder<I> {
    /// An instruction without operands yet. `sources` are the indices of `s0` to `s2` among them, 255 where there is none.
    #[inline]
    #[must_use]
    pub const fn new(opcode: I::Opcode, sources: [u8; 3]) -> Self {
        InstBuilder { inst: Inst::new(opcode, []), stated: 0, sources, error_at: NONE, broken_rule: None }
    }

    /// Adds an operand.
    #[inline]
    pub fn push(&mut self, op: Op) {
        self.inst.push(op);
    }

    /// Notes that the next operand has no such value, for [`inst`](Self::inst) to report.
    #[cold]
    pub fn fail_operand(&mut self, rule: &'static str) {
        if self.broken_rule.is_none() {
            self.error_at = self.inst.ops().len() as u8;
            self.broken_rule = Some(rule);
        }
        self.inst.push(Op::NONE);
    }

    /// Notes a rule that the modifiers break, for [`inst`](Self::inst) to report.
    #[cold]
    pub fn fail(&mut self, rule: &'static str) {
        if self.broken_rule.is_none() {
            self.broken_rule = Some(rule);
        }
    }

    /// States a modifier that the opcode has. Stating it twice, or a value with more bits than it has, is an error that
    /// [`inst`](Self::inst) reports.
    #[inline]
    pub fn set(&mut self, modifier: Modifier, value: u32) {
        if u64::from(value) > modifier.ones() {
            return self.fail(TOO_WIDE);
        }
        self.put(modifier, value);
    }

    /// States a modifier with the lowest bits of a value.
    #[inline]
    fn put(&mut self, modifier: Modifier, value: u32) {
        if self.stated & modifier.mask() != 0 {
            return self.fail("a modifier is given twice");
        }
        self.stated |= modifier.mask();
        self.inst = self.inst.with_own(modifier, value);
    }

    /// States a modifier that is a number. A number that it does not take is an error that [`inst`](Self::inst) reports.
    #[inline]
    pub fn set_number(&mut self, field: ModifierRange, value: i64) {
        let ModifierRange { modifier, number } = field;
        if let Some(number) = number
            && !(number.low..=number.high).contains(&value)
        {
            return self.fail(number.rule);
        }
        let fits = if value < 0 { value >> (modifier.width() - 1) == -1 } else { value >> modifier.width() == 0 };
        if !fits {
            return self.fail(TOO_WIDE);
        }
        self.put(modifier, value as u32);
    }

    /// States a modifier by the operand that `fill` adds.
    #[inline]
    pub fn set_operand(&mut self, field: ModifierRange, fill: impl FnOnce(&mut Self)) {
        let mut other = InstBuilder::new(self.inst.opcode(), self.sources);
        fill(&mut other);
        if let Some(rule) = other.broken_rule {
            return self.fail(rule);
        }
        match other.inst.ops().first().map(|op| op.kind()) {
            Some(crate::inst::OpKind::Constant(crate::Constant::Integer(n))) => self.set_number(field, n),
            _ => self.fail("this operand is a number"),
        }
    }

    /// Whether a modifier has been stated.
    #[inline]
    #[must_use]
    pub const fn has_stated(&self, modifier: Modifier) -> bool {
        self.stated & modifier.mask() != 0
    }

    /// Returns the source with this number, and notes an error if there is none.
    fn source(&mut self, n: u8) -> Option<&mut Op> {
        let at = self.sources.get(usize::from(n)).copied().unwrap_or(NONE);
        if at == NONE {
            self.fail("the instruction has no source of this number: `s0` is 0, `s1` is 1, `s2` is 2");
        }
        self.inst.ops_mut().get_mut(usize::from(at))
    }

    /// Negates a source.
    #[inline]
    pub fn negate(&mut self, n: u8) {
        if let Some(op) = self.source(n)
            && !op.is_negated()
        {
            *op = op.neg();
        }
    }

    /// Takes the absolute value of a source. The sign comes after it.
    #[inline]
    pub fn absolute(&mut self, n: u8) {
        if let Some(op) = self.source(n) {
            *op = op.abs();
        }
    }

    /// The indices of the operands that are the sources `s0`, `s1` and `s2`, as many as there are.
    pub fn sources(&self) -> impl Iterator<Item = usize> + use<I> {
        self.sources.into_iter().filter(|at| *at != NONE).map(usize::from)
    }

    /// The operands.
    #[must_use]
    pub fn ops(&self) -> &[Op] {
        self.inst.ops()
    }

    /// The operands for changes.
    pub fn ops_mut(&mut self) -> &mut [Op] {
        self.inst.ops_mut()
    }

    /// Asks for the encodings whose mnemonics have this suffix, such as `_e64`.
    pub fn ask_for(&mut self, suffix: &str) {
        self.inst = self.inst.with_suffix(suffix);
    }

    /// Returns the instruction even if it has an error, for display.
    #[must_use]
    pub const fn unchecked(&self) -> &Inst<I> {
        &self.inst
    }

    /// Returns the operand-level instruction.
    ///
    /// # Errors
    /// An argument that is not a value, or a modifier that is stated twice or has no such value.
    #[inline]
    pub fn inst(&self) -> Result<&Inst<I>, EncodeError> {
        match self.broken_rule {
            None => Ok(&self.inst),
            Some(rule) => Err(self.error(rule)),
        }
    }

    #[cold]
    fn error(&self, rule: &'static str) -> EncodeError {
        let operand = self.inst.operands().nth(usize::from(self.error_at)).map(|(_, row)| row.role);
        EncodeError { operand, kind: ErrorKind::Rule(rule) }
    }

    /// Encodes the instruction without the rules between operands.
    ///
    /// # Errors
    /// As [`inst`](Self::inst) and [`Inst::encode_unchecked`].
    #[inline]
    pub fn encode_unchecked(&self, mode: I::Mode) -> Result<I::Instr, EncodeError> {
        self.inst()?.encode_unchecked(mode)
    }

    /// Encodes the instruction if it obeys the rules that `check` applies.
    ///
    /// # Errors
    /// As [`encode_unchecked`](Self::encode_unchecked), or the rule that it breaks.
    #[inline]
    pub fn build<V>(
        &self,
        mode: I::Mode,
        check: impl Fn(&I::Instr) -> Result<(), V>,
    ) -> Result<I::Instr, BuildError<V>> {
        let inst = self.inst().map_err(BuildError::Operand)?;
        let instr = inst.encode_unchecked(mode).map_err(BuildError::Operand)?;
        let Err(violation) = check(&instr) else { return Ok(instr) };
        // A longer encoding may obey a rule that the shortest one breaks.
        match inst.encode(mode) {
            Ok(instr) if check(&instr).is_ok() => Ok(instr),
            _ => Err(BuildError::Illegal(violation)),
        }
    }
}

/// Why operands and modifiers, each well typed, make no instruction together. `V` is a rule that an instruction breaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BuildError<V> {
    /// An operand or a modifier that no encoding can hold.
    Operand(EncodeError),
    /// The instruction breaks a rule between its operands.
    Illegal(V),
}

impl<V: fmt::Display> fmt::Display for BuildError<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Operand(error) => error.fmt(f),
            BuildError::Illegal(violation) => violation.fmt(f),
        }
    }
}

impl<V: fmt::Debug + fmt::Display> core::error::Error for BuildError<V> {}

impl<V> From<EncodeError> for BuildError<V> {
    fn from(error: EncodeError) -> Self {
        BuildError::Operand(error)
    }
}
