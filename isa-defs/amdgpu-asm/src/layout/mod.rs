//! Sections of fragments whose sizes depend on addresses, and the fields that addresses are filled into.

pub(crate) mod address;
pub(crate) mod fixup;
pub(crate) mod fragment;
pub(crate) mod padding;
pub(crate) mod relax;
pub(crate) mod resolve;
pub(crate) mod section;
