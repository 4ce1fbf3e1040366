//! Statements and instructions.

pub(crate) mod pre_parser;
pub(crate) mod statement;
pub(crate) mod symbolic;
