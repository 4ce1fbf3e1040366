//! Symbols in operands: the interface to an assembler's symbol table, and values that the assembler fills in later.

use crate::tables::Isa;
use crate::{Asm, ParseError};

/// An assembler's symbol table and expression syntax.
///
/// The parser calls it only where the grammar of an operand allows an expression, and only after it has found no register,
/// modifier or keyword.
pub trait Symbols {
    /// Parses the expression at the start of `text` if it names a symbol. `text` is a suffix of the parsed line. With [`Extent::Primary`], operators between two operands do not belong to the expression.
    ///
    /// Returns `None` for expressions of numbers alone, which the parser reads itself, and for anything else.
    fn resolve(&self, text: &str, extent: Extent) -> Option<Resolved>;
}

/// The extent of an expression.
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
    /// Its value.
    pub value: Resolution,
}

/// The value of an expression, as far as the assembler knows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resolution {
    /// The value is this number.
    Known(i64),
    /// The expression is a symbol, such as a label, whose value is not known yet.
    Symbol,
    /// The expression is any other one whose value is not known yet.
    Expression,
}

/// An expression in the text of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbolic {
    /// Its start, in bytes from the start of the line.
    pub start: usize,
    /// Its end.
    pub end: usize,
    /// Its value.
    pub value: Resolution,
}

/// A value that the caller of the parser has to fill in. The field holds 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deferred {
    /// The start of the expression, in bytes from the start of the line.
    pub start: usize,
    /// The end of the expression.
    pub end: usize,
    /// The field that holds the value.
    pub field: DeferredField,
}

/// A field that holds a deferred value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeferredField {
    /// The suffix dword.
    Literal,
    /// The distance of a branch, in the low 16 bits of the first dword.
    Branch,
}

impl<I: Isa> Asm<'_, '_, I> {
    /// Parses the next expression if it names symbols. Otherwise returns `None` and consumes nothing.
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

    /// Defers the suffix dword to the value of an expression.
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

    /// Defers the distance of a branch to the value of an expression.
    pub fn defer_branch(&mut self, symbolic: Symbolic) {
        *self.deferred = Some(Self::deferring(symbolic, DeferredField::Branch));
    }

    const fn deferring(symbolic: Symbolic, field: DeferredField) -> Deferred {
        Deferred { start: symbolic.start, end: symbolic.end, field }
    }
}
