//! The sets of codes of the fast decoder while its tables are built.

use super::{SETS_OF_BYTE, SetAt};
use crate::tables::CodeSet;

/// A set of codes, and the width of the field.
#[derive(Clone, Copy)]
pub(super) struct Set {
    /// A hash of the codes: const evaluation of comparisons is slow.
    pub(super) key: u64,
    pub(super) codes: CodeSet,
    pub(super) width: u8,
    pub(super) selector: u16,
    pub(super) suffix_dwords: u16,
}

pub(super) const NO_SET: Set = Set { key: 0, codes: CodeSet::ALL, width: 0, selector: 0, suffix_dwords: 0 };

const fn same_set(a: &Set, b: &Set) -> bool {
    a.width == b.width && a.selector == b.selector && a.suffix_dwords == b.suffix_dwords && a.codes.same(&b.codes)
}

/// The most sets.
pub(super) const MAX_SETS: usize = SETS_OF_BYTE * SetAt::ALL.len();

/// Sets of codes, each once.
pub(super) struct Sets {
    pub(super) all: [Set; MAX_SETS],
    pub(super) count: usize,
    /// The number of sets for which there is room.
    pub(super) most: usize,
    /// The number of a set by the hash of its codes, or 0.
    pub(super) known: [u8; Sets::SIZE],
}

impl Sets {
    /// The size of the hash table: a power of two, and more than twice the most sets.
    pub(super) const SIZE: usize = 256;

    /// Returns the number of a set, which is added if it is new. Set 0 has all codes.
    pub(super) const fn at(&mut self, set: Set) -> Option<u16> {
        let mut at = ((set.key as u128 * 0x9E37_79B9_7F4A_7C15) as u64 >> 56) as usize;
        while self.known[at] != 0 {
            let known = self.known[at];
            let other = &self.all[known as usize];
            if other.key == set.key && same_set(other, &set) {
                return Some(known as u16);
            }
            at = (at + 1) % Sets::SIZE;
        }
        let nth = self.count;
        if nth >= self.most {
            return None;
        }
        self.all[nth] = set;
        self.known[at] = nth as u8;
        self.count += 1;
        Some(nth as u16)
    }
}
