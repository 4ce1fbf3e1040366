//! Macros, repetitions, included files and conditions.

pub(crate) mod arguments;
pub(crate) mod body;
pub(crate) mod conditions;
pub(crate) mod execute;
pub(crate) mod macros;
pub(crate) mod state;
