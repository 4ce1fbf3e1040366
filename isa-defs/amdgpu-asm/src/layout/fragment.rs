//! The fragments of a subsection whose sizes only layout knows.

use std::ops::Range;

use crate::expression::tree::Expr;
use crate::layout::padding::Padding;

/// What a fragment of unknown size holds.
#[derive(Debug)]
pub struct FragmentContents {
    /// The directive and its operands.
    pub kind: FragmentKind,
    /// The directive or its expression in the source.
    pub span: Range<usize>,
    /// The value of its expression, as the last round of layout computed it.
    pub value: i64,
}

/// The directive that makes a fragment of unknown size.
#[derive(Debug)]
pub enum FragmentKind {
    /// An alignment whose padding is unknown since it follows another fragment of unknown size.
    Align { align: u64, padding: Padding, most: Option<u64> },
    /// `.fill`, `.skip`: `value`, of `size` bytes, as often as the expression says.
    Fill { count: Expr, size: usize, value: i64 },
    /// `.org`: bytes of this value up to an address of the section.
    Org { target: Expr, value: i64 },
    /// `.uleb128` or `.sleb128`.
    Leb128 { value: Expr, is_signed: bool },
}
