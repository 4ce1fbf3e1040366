//! Symbols in operands: the interface to an assembler's symbol table, and values that the assembler fills in later.

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
