//! Interners: the generated tables store equal values once and refer to them by index.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use proc_macro2::TokenStream;

use crate::ast::OperandClass;

/// The hash function FNV-1a. Macros run unoptimized in debug builds, where the standard library's takes several times as long.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Maps the hash of a value to the indices of the values with this hash.
///
/// The type has no parameter, so that rustc compiles it once for all interners.
#[derive(Default)]
struct HashIndex(HashMap<u64, Vec<usize>, BuildHasherDefault<Fnv>>);

impl HashIndex {
    /// Returns the index of the value that `hash` hashes and for which `is_equal` holds. If there is none, adds the
    /// value with the index `next`.
    fn find_or_add(&mut self, hash: &dyn Fn(&mut Fnv), is_equal: &dyn Fn(usize) -> bool, next: usize) -> usize {
        let mut hasher = Fnv::default();
        hash(&mut hasher);
        let indices = self.0.entry(hasher.finish()).or_default();
        if let Some(index) = indices.iter().find(|index| is_equal(**index)) {
            return *index;
        }
        indices.push(next);
        next
    }
}

/// Stores equal values once.
pub(crate) struct Interner<T> {
    /// The values in the order in which they were added.
    pub(crate) items: Vec<T>,
    index: HashIndex,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { items: Vec::new(), index: HashIndex::default() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// Returns the index of a value, which is added unless an equal one is there.
    pub(crate) fn intern(&mut self, item: &T) -> usize {
        let (items, next) = (&self.items, self.items.len());
        let index = self.index.find_or_add(&|hasher| item.hash(hasher), &|index| items[index] == *item, next);
        if index == next {
            self.items.push(item.clone());
        }
        index
    }
}

/// Stores equal slices once, all of them in one array.
pub(crate) struct SliceInterner<T> {
    /// The concatenated slices.
    pub(crate) items: Vec<T>,
    index: HashIndex,
}

impl<T> Default for SliceInterner<T> {
    fn default() -> Self {
        SliceInterner { items: Vec::new(), index: HashIndex::default() }
    }
}

impl<T: Clone + Eq + Hash> SliceInterner<T> {
    /// Returns the start and the length of a slice, which is added unless an equal one is there.
    pub(crate) fn intern(&mut self, slice: Vec<T>) -> (u32, u32) {
        let (items, next) = (&self.items, self.items.len());
        let is_equal = |start: usize| items.get(start..start + slice.len()) == Some(&slice[..]);
        let start = self.index.find_or_add(&|hasher| slice.hash(hasher), &is_equal, next);
        let len = slice.len() as u32;
        if start == next {
            self.items.extend(slice);
        }
        (start as u32, len)
    }
}

/// Stores the tokens of equal operand classes once.
#[derive(Default)]
pub(crate) struct ClassInterner {
    texts: Interner<String>,
    /// The tokens of the classes.
    pub(crate) tokens: Vec<TokenStream>,
}

impl ClassInterner {
    /// Returns the index of a class, which is added unless it is there.
    pub(crate) fn intern(&mut self, class: &OperandClass) -> usize {
        let index = self.texts.intern(&class.text);
        if index == self.tokens.len() {
            self.tokens.push(class.tokens.clone());
        }
        index
    }
}
