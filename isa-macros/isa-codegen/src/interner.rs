//! Interners: the generated tables store equal values once and refer to them by index.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use proc_macro2::TokenStream;
use quote::quote;

use crate::ast::OperandClass;

/// The hash function FNV-1a of words instead of bytes. Macros run unoptimized in debug builds, where the standard library's hash
/// function takes several times as long.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        for byte in rest {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        // The high bits of a product depend on all bits, the low ones do not.
        self.0 = (self.0 ^ word).wrapping_mul(0x100_0000_01B3).rotate_left(23);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Maps the hash of a value to the index of the value. If values have one hash, the next numbers stand for the later ones.
///
/// The type has no parameter, so that rustc compiles it once for all interners.
#[derive(Default)]
struct HashIndex(HashMap<u64, usize, BuildHasherDefault<Fnv>>);

impl HashIndex {
    /// Returns the index of the value that `hash` hashes and for which `is_equal` holds. If there is none, adds the
    /// value with the index `next`.
    fn find_or_add(&mut self, hash: &dyn Fn(&mut Fnv), is_equal: &dyn Fn(usize) -> bool, next: usize) -> usize {
        let mut hasher = Fnv::default();
        hash(&mut hasher);
        let mut hash = hasher.finish();
        loop {
            let index = *self.0.entry(hash).or_insert(next);
            if index == next || is_equal(index) {
                return index;
            }
            hash = hash.wrapping_add(1);
        }
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
            // As accessors name it, so that rustc reports an unknown class once.
            let class = &class.tokens;
            self.tokens.push(quote!(__operand_classes::#class));
        }
        index
    }
}
