//! How closely bodies describe what an instruction does.

use crate::builtin::Builtin;
use crate::decode::Ops;
use crate::op::Op;

/// How closely a body describes what an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fidelity {
    /// Every bit is defined.
    Exact,
    /// The result of a function may differ from the hardware's within the accuracy that [`Builtin`] states.
    Approximate,
    /// A part is not described: only what it depends on and what it changes.
    External,
}

impl Fidelity {
    /// Returns the fidelity of a body.
    #[must_use]
    pub fn of(body: Ops<'_>) -> Fidelity {
        let of_op = |op: Op| match op {
            Op::Call { builtin: Builtin::External, .. } => Fidelity::External,
            Op::Call { builtin, .. } if builtin.is_approximate() => Fidelity::Approximate,
            _ => Fidelity::Exact,
        };
        body.map(of_op).fold(Fidelity::Exact, |all, one| match (all, one) {
            (Fidelity::External, _) | (_, Fidelity::External) => Fidelity::External,
            (Fidelity::Approximate, _) | (_, Fidelity::Approximate) => Fidelity::Approximate,
            _ => Fidelity::Exact,
        })
    }

    /// Returns a word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fidelity::Exact => "exact",
            Fidelity::Approximate => "approximate",
            Fidelity::External => "external",
        }
    }
}
