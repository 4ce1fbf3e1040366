//! The object file, and checks of the whole program.

pub(crate) mod checks;
pub(crate) mod object;
