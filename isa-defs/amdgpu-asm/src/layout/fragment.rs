//! The pieces of a subsection whose sizes only layout knows.

use std::ops::Range;

use crate::expression::tree::Expr;
use crate::layout::padding::Padding;

/// A piece of a subsection whose size only layout knows.
#[derive(Debug)]
pub struct Gap {
    /// Where it begins in the subsection, without other such pieces.
    pub offset: u64,
    /// The fragment that it ends.
    pub fragment: u32,
    /// The directive and its operands.
    pub kind: GapKind,
    /// The directive or its expression in the source.
    pub span: Range<usize>,
    /// Its size in bytes, as the last round of layout computed it.
    pub size: u64,
    /// The size of such pieces before it in the subsection.
    pub before: u64,
    /// The value of its expression, as the last round of layout computed it.
    pub value: i64,
}

/// The directive that makes a piece of unknown size.
#[derive(Debug)]
pub enum GapKind {
    /// An alignment whose padding is unknown since it follows another piece of unknown size.
    Align { align: u64, padding: Padding, most: Option<u64> },
    /// `.fill`, `.skip`: `value`, of `size` bytes, as often as the expression says.
    Fill { count: Expr, size: usize, value: i64 },
    /// `.org`: bytes of this value up to an address of the section.
    Org { target: Expr, value: i64 },
    /// `.uleb128` or `.sleb128`.
    Leb128 { value: Expr, is_signed: bool },
}
