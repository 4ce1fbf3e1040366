//! How closely bodies describe what an instruction does.

use core::fmt;

use crate::builtin::Builtin;
use crate::decode::Ops;
use crate::op::Op;
use crate::ulps::Ulps;

/// How closely a body describes what an instruction does. Greater ones describe less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fidelity {
    /// Every bit is defined.
    Exact,
    /// The result may differ from the hardware's within this bound, which the guide states.
    Within(Ulps),
    /// The result may differ from the hardware's, and the guide states no bound: sine, cosine, filters of images.
    Approximate,
    /// A part is not described: only what it depends on and what it changes.
    External,
    /// A source of the body contradicts it.
    Disputed,
}

impl Fidelity {
    /// Returns the fidelity of a body that no source contradicts.
    #[must_use]
    pub fn of(body: Ops<'_>) -> Fidelity {
        let of_op = |op: Op| match op {
            Op::Call { builtin: Builtin::External, .. } => Fidelity::External,
            Op::Call { builtin, ty, .. } if builtin.is_approximate() => {
                builtin.accuracy(ty).map_or(Fidelity::Approximate, Fidelity::Within)
            }
            _ => Fidelity::Exact,
        };
        body.map(of_op).max().unwrap_or(Fidelity::Exact)
    }

    /// Returns a word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fidelity::Exact => "exact",
            Fidelity::Within(_) => "within",
            Fidelity::Approximate => "approximate",
            Fidelity::External => "external",
            Fidelity::Disputed => "disputed",
        }
    }
}

impl fmt::Display for Fidelity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fidelity::Within(ulps) => write!(f, "within {ulps}"),
            other => f.write_str(other.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use super::*;

    #[test]
    fn bounds_are_written_as_the_guide_has_them() {
        let text = |hundredths| Fidelity::Within(Ulps::from_hundredths(hundredths)).to_string();
        assert_eq!([text(51), text(100), text(100 << 29)], ["within 0.51 ULP", "within 1 ULP", "within 2^29 ULP"]);
    }
}
