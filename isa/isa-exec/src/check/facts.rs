//! What a checker has to know about instructions besides their bodies: registers, counters of outstanding work, rules about
//! sequences.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt::Debug;

use crate::check::finding::Register;
pub use crate::layout::COUNTERS;

/// Facts about an instruction that its body does not say.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The work that it issues, which continues after it. Of two, the second is that of an access that reaches the local data share.
    pub issues: Vec<Issue>,
    /// For each counter: the most work that is outstanding when the instruction has waited; `None`: it does not wait.
    pub waits: [Option<u8>; COUNTERS],
    /// The registers that it reads.
    pub reads: Registers,
    /// The registers that it writes, at once or when its work is done.
    pub writes: Registers,
    /// What the rules about sequences have to know.
    pub sequenced: Option<Arc<dyn Sequenced>>,
    /// Whether a load gets the value that the whole device sees, as atomic loads do.
    pub is_coherent: bool,
    /// The cache that it invalidates.
    pub invalidates: Option<CacheLevel>,
}

/// A cache of vector loads that does not see the stores of others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CacheLevel {
    /// The cache of a compute unit: the waves of a work-group share it if they share a compute unit.
    ComputeUnit,
    /// The cache of several compute units, which the waves of a work-group share.
    Shared,
}

/// Work that an instruction issues.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Issue {
    /// The number of the counter that it increments.
    pub counter: u8,
    /// By how much.
    pub by: u8,
    /// The part of the counter that is certain to remain while the work is not done.
    pub least: u8,
    /// The queue of this kind of work: work of one queue ends in the order in which it was issued. `None`: in any order.
    pub queue: Option<u8>,
    /// The number of the kind of work: different kinds that increment one counter end in any order.
    pub kind: u8,
}

/// A set of registers: scalar ones, and halves of vector registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Registers {
    /// A bit for each scalar register, those of the first 128.
    scalars: u128,
    /// A bit for each low half of a vector register and for each high half, those of the first 256.
    vectors: [[u64; 4]; 2],
}

impl Registers {
    /// Adds a scalar register.
    pub fn add_scalar(&mut self, register: u16) {
        self.scalars |= 1u128.checked_shl(register.into()).unwrap_or(0);
    }

    /// Adds the low half of a vector register, the high half, or both.
    pub fn add_vector(&mut self, register: u16, halves: [bool; 2]) {
        for (all, is_in) in self.vectors.iter_mut().zip(halves) {
            if let Some(word) = all.get_mut(usize::from(register / 64)) {
                *word |= u64::from(is_in) << (register % 64);
            }
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scalars == 0 && !self.has_vectors()
    }

    /// Whether a register is in both sets.
    #[inline]
    pub(crate) fn overlaps(&self, other: &Registers) -> bool {
        let both = |a: &[u64; 4], b: &[u64; 4]| a.iter().zip(b).fold(0, |all, (a, b)| all | a & b);
        let [low, high] = [0, 1].map(|half| both(&self.vectors[half], &other.vectors[half]));
        self.scalars & other.scalars != 0 || low | high != 0
    }

    /// Whether there are vector registers.
    pub(crate) fn has_vectors(&self) -> bool {
        self.vectors.as_flattened().iter().fold(0, |all, word| all | word) != 0
    }

    /// The scalar ones.
    pub(crate) fn scalars(self) -> Registers {
        Registers { vectors: [[0; 4]; 2], ..self }
    }

    /// The vector ones.
    pub(crate) fn vectors(self) -> Registers {
        Registers { scalars: 0, ..self }
    }

    /// Adds those of another set.
    #[inline]
    pub(crate) fn add(&mut self, other: &Registers) {
        self.scalars |= other.scalars;
        let words = self.vectors.as_flattened_mut().iter_mut();
        words.zip(other.vectors.as_flattened()).for_each(|(word, other)| *word |= other);
    }

    fn with(self, other: Registers, scalar: fn(u128, u128) -> u128, vector: fn(u64, u64) -> u64) -> Registers {
        let words = |half: usize| core::array::from_fn(|n| vector(self.vectors[half][n], other.vectors[half][n]));
        Registers { scalars: scalar(self.scalars, other.scalars), vectors: [words(0), words(1)] }
    }

    /// Those that are in one of two sets.
    #[must_use]
    pub fn or(self, other: Registers) -> Registers {
        self.with(other, |a, b| a | b, |a, b| a | b)
    }

    /// Those that are in both.
    #[must_use]
    pub fn and(self, other: Registers) -> Registers {
        self.with(other, |a, b| a & b, |a, b| a & b)
    }

    /// Those that are not in the other.
    #[must_use]
    pub fn without(self, other: Registers) -> Registers {
        self.with(other, |a, b| a & !b, |a, b| a & !b)
    }

    /// Whether each half of a vector register is in the set.
    pub(crate) fn halves(&self, register: u16) -> [bool; 2] {
        let word = |all: [u64; 4]| all.get(usize::from(register / 64)).map_or(0, |word| word >> (register % 64));
        self.vectors.map(|all| word(all) & 1 != 0)
    }

    /// The registers of which a part is in the set.
    #[must_use]
    pub fn list(&self) -> Vec<Register> {
        let scalars = (0..128).filter(|n| self.scalars >> n & 1 != 0).map(Register::Scalar);
        let has = |n: &u16| self.halves(*n) != [false; 2];
        scalars.chain((0..256).filter(has).map(Register::Vector)).collect()
    }
}

/// How many instructions a rule looks at, at most: those of a clause with its first instruction.
pub const LONGEST_SEQUENCE: usize = 64;

/// An instruction as rules about sequences of instructions see it.
pub trait Sequenced: Any + Debug + Send + Sync {
    /// Returns the rules that instructions certainly break when a wave executes them after each other: those from the index `first`
    /// on, of which this is the last. `begins`: the wave has executed nothing before the sequence.
    fn check(&self, sequence: &[&dyn Sequenced], first: usize, begins: bool) -> Vec<Broken>;
}

/// A rule about sequences of instructions that a wave has broken. Instructions have their index among those that were executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The instruction that breaks it.
    pub at: usize,
    /// The earlier one, if there is one.
    pub earlier: Option<usize>,
    /// The registers in question.
    pub registers: Registers,
    /// Who requires it, where that is not the guide.
    pub authority: Option<&'static str>,
    /// What is wrong, and what to do.
    pub help: Cow<'static, str>,
}

/// How an access takes part in synchronisation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) enum Polling {
    /// It does not, or as an atomic only.
    #[default]
    None,
    /// A load of the value that a compare-and-swap expects first: it may race with atomics.
    Expects,
    /// It waits for a value that another wave stores.
    Polls,
}

/// Fibonacci hashing: 2 to the power of 64 divided by the golden ratio.
pub(crate) const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Adds an instruction to the hash of a path.
#[inline]
pub(crate) const fn next_hash(hash: u64, pc: u64) -> u64 {
    hash << 1 ^ pc.wrapping_mul(MULTIPLIER)
}
