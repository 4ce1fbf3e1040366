//! The microcode formats, a file each.

pub(crate) mod mubuf;
pub(crate) mod smem;
