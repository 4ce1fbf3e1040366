//! Symbols in operands: what the operand parser asks an assembler's symbol table, and what it leaves to be filled in.

use crate::tables::Isa;
use crate::{Asm, ParseError};

/// An assembler's symbol table and expression syntax, as the operand parser sees them.
///
/// The parser asks only where the grammar of an operand takes an expression, and only after it has found no register,
/// modifier or keyword there.
pub trait Symbols {
    /// Reads the expression that `text` begins with, if it names a symbol. `text` is a suffix of the line that is
    /// parsed. With [`Extent::Primary`], operators between two operands do not belong to the expression.
    ///
    /// Returns `None` for expressions of numbers alone, which the parser reads itself, and for anything else.
    fn resolve(&self, text: &str, extent: Extent) -> Option<Resolved>;
}

/// How much of the text an expression takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// A whole expression.
    Full,
    /// A number, a symbol or an expression in parentheses, with the signs before it.
    Primary,
}

/// An expression over symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Resolved {
    /// Its length in bytes.
    pub length: usize,
    /// What is known of its value.
    pub value: Resolution,
}

/// What an assembler knows of an expression when it reads it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resolution {
    /// The value, which means what the same number would mean.
    Known(i64),
    /// The expression is one symbol whose value is known later: a label, say.
    Symbol,
    /// The expression is any other whose value is known later.
    Expression,
}

/// An expression that has been read from the text of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbolic {
    /// Where it begins, in bytes from the beginning of the line.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What is known of its value.
    pub value: Resolution,
}

/// A value that the caller of the parser has to fill in: zeros stand there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deferred {
    /// Where its expression begins, in bytes from the beginning of the line.
    pub start: usize,
    /// Where the expression ends.
    pub end: usize,
    /// Where the value goes.
    pub field: DeferredField,
}

/// Where a value goes that is known later.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeferredField {
    /// The dword behind the instruction's own, all of it.
    Literal,
    /// The distance of a branch, in the low 16 bits of the first dword.
    Branch,
}

impl<I: Isa> Asm<'_, '_, I> {
    /// Reads the expression over symbols that comes next; `None`, and nothing taken, if anything else does.
    pub fn symbolic(&mut self, extent: Extent) -> Option<Symbolic> {
        let symbols = self.symbols?;
        let start = self.input.at();
        let resolved = symbols.resolve(self.input.rest(), extent)?;
        let end = start + resolved.length;
        self.input.go(end);
        Some(Symbolic { start, end, value: resolved.value })
    }

    /// Whether the line may name symbols.
    #[must_use]
    pub const fn has_symbols(&self) -> bool {
        self.symbols.is_some()
    }

    /// Leaves the dword behind the instruction to be filled in with the value of an expression.
    ///
    /// # Errors
    /// `conflict`, at the operand, if another operand needs that dword.
    pub fn defer_literal(&mut self, symbolic: Symbolic, conflict: &'static str) -> Result<(), ParseError> {
        let deferred = Self::deferring(symbolic, DeferredField::Literal);
        if *self.deferred == Some(deferred) {
            return Ok(());
        }
        if self.suffix_dword_value.is_some() {
            self.input.go(self.start);
            return Err(self.rule(conflict));
        }
        self.set_suffix_dword(0, conflict)?;
        *self.deferred = Some(deferred);
        Ok(())
    }

    /// Leaves the distance of a branch to be filled in with the value of an expression.
    pub fn defer_branch(&mut self, symbolic: Symbolic) {
        *self.deferred = Some(Self::deferring(symbolic, DeferredField::Branch));
    }

    const fn deferring(symbolic: Symbolic, field: DeferredField) -> Deferred {
        Deferred { start: symbolic.start, end: symbolic.end, field }
    }
}
