//! What a checker has to know about instructions besides their bodies.

/// Facts about an instruction that its body does not say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {}
