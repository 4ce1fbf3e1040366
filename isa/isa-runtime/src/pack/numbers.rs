//! Const functions that take apart the lists of numbers that the macro generates.

use crate::operands::class::ClassFacts;
use crate::tables::Isa;

/// Returns numbers as arrays of `K`.
#[must_use]
pub const fn chunks<T, const K: usize>(flat: &'static [T]) -> &'static [[T; K]] {
    flat.as_chunks().0
}

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
