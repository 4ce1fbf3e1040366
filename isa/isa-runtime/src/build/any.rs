//! Builders that accept any operand: those of a set whose `build` clause names no module. The encoder decides whether an
//! instruction takes the operands.

use core::fmt;
use core::marker::PhantomData;

use super::InstBuilder;
use crate::{EncodeError, Inst, Isa, Modifier, Op};

/// An operand of a type `T`: an [`Op`], or what becomes one.
pub trait AnyOperand<T> {
    /// Adds the operand to an instruction.
    fn fill<I: Isa>(self, inst: &mut InstBuilder<I>);
}

impl<T, X: Into<Op>> AnyOperand<T> for X {
    #[inline]
    fn fill<I: Isa>(self, inst: &mut InstBuilder<I>) {
        inst.push(self.into());
    }
}

/// An instruction under construction. `M` is the group of rows with the same modifiers.
pub struct Builder<I: Isa, M> {
    inst: InstBuilder<I>,
    group: PhantomData<fn() -> M>,
}

impl<I: Isa, M> Clone for Builder<I, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa, M> Copy for Builder<I, M> {}

impl<I: Isa, M> fmt::Debug for Builder<I, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inst.fmt(f)
    }
}

impl<I: Isa, M> Builder<I, M> {
    /// An instruction with these operands.
    #[inline]
    #[must_use]
    pub const fn new(inst: InstBuilder<I>) -> Self {
        Builder { inst, group: PhantomData }
    }

    /// States a modifier, a constant of the set's module `modifiers`.
    #[must_use]
    pub fn with(mut self, modifier: Modifier, value: u32) -> Self {
        self.inst.set(modifier, value);
        self
    }

    /// Asks for the encodings whose mnemonics have a suffix, such as `_e64`.
    #[must_use]
    pub fn suffix(mut self, suffix: &str) -> Self {
        self.inst.ask_for(suffix);
        self
    }

    /// Returns the operand-level instruction.
    ///
    /// # Errors
    /// A modifier that is stated twice.
    pub fn inst(self) -> Result<Inst<I>, EncodeError> {
        self.inst.inst().copied()
    }

    /// Encodes the instruction in the encoding that the parser would choose, with all rules that assembly text must obey.
    ///
    /// # Errors
    /// The operand or the modifier that no encoding takes, or the rule that they break together.
    pub fn build(self, mode: I::Mode) -> Result<I::Instr, EncodeError> {
        self.inst()?.encode(mode)
    }
}
