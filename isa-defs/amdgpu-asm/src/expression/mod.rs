//! Expressions: trees, their parser, and their values.

pub(crate) mod evaluate;
pub(crate) mod parse;
pub(crate) mod tree;
