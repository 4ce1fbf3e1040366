//! The operand classes of components.

use crate::operands::class::ClassFacts;
use crate::tables::Isa;

/// Returns the classes of a component's carriers by their indices in `all`.
#[must_use]
pub const fn kinds<I: Isa, const N: usize>(
    all: &'static [ClassFacts<I>],
    indices: &[u64; N],
) -> [&'static ClassFacts<I>; N] {
    let mut out = [&all[0]; N];
    let mut i = 0;
    while i < N {
        out[i] = &all[indices[i] as usize];
        i += 1;
    }
    out
}
