//! Reading text: parts of a file, lines, and the items of a line.

pub(crate) mod cursor;
pub(crate) mod lines;
pub(crate) mod parts;
pub(crate) mod tokens;
