//! The state of a program that is being assembled, in parts.

pub(crate) mod aliases;
pub(crate) mod debug_info;
pub(crate) mod kernels;
pub(crate) mod metadata;
pub(crate) mod report;
