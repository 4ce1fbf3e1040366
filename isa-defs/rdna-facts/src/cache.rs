//! The effect of GLC, SLC and DLC on each cache (guide §4.1.1), and which cache an instruction invalidates. RDNA4 has scopes and hints
//! instead, which are in [`rdna4`].

use rdna_rows::{Format, Instruction, flags};

pub mod rdna4;

/// The bits of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bits {
    /// The scope of loads; whether atomics return the old value.
    pub glc: bool,
    /// A hint for the caches up to L2. Scalar memory has none: it is 0.
    pub slc: bool,
    /// A hint for the memory-attached last-level cache.
    pub dlc: bool,
}

/// The set of threads that see the same value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// The workgroup.
    Cu,
    /// The device.
    Device,
}

/// The policy of a cache for a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Policy {
    /// The line is replaced in the order of last use.
    Lru,
    /// The line is replaced soon.
    Stream,
    /// A hit is used, and the line is kept.
    HitLru,
    /// A hit is used, and the line is evicted.
    HitEvict,
    /// Every access misses: a matching line is evicted, and the access goes to the next cache.
    MissEvict,
}

/// The effect of the bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The scope of coherence.
    pub scope: Scope,
    /// Whether the last-level cache allocates no line for it.
    pub llc_no_alloc: bool,
    /// L2.
    pub gl2: Policy,
    /// L1 of the graphics block; only loads use it.
    pub gl1: Option<Policy>,
    /// L0, beside the texture unit; only loads use it.
    pub l0: Option<Policy>,
    /// Whether the access is marked as non-temporal in the last-level cache, L2, L1 and L0. `None`: it does not use the cache.
    pub non_temporal: [Option<bool>; 4],
}

/// A cache that shaders invalidate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cache {
    /// L0 of vector memory, beside the texture unit.
    L0,
    /// L1 of the graphics block.
    Gl1,
    /// The cache of scalar memory.
    Scalar,
}

/// Returns the cache that an instruction invalidates.
///
/// ```
/// use rdna3::{Instr, cache::{Cache, invalidated}};
///
/// let instr: Instr = "buffer_gl0_inv".parse()?;
/// assert_eq!(invalidated(&instr), Some(Cache::L0));
/// # Ok::<(), rdna3::isa::ParseError>(())
/// ```
pub fn invalidated<I: Instruction>(instr: &I) -> Option<Cache> {
    let row = instr.flags();
    let cache = match instr.microcode() {
        _ if row & flags::GL1 != 0 => Cache::Gl1,
        Format::Smem => Cache::Scalar,
        _ => Cache::L0,
    };
    (row & flags::INVALIDATES != 0).then_some(cache)
}

/// A load, sample or gather. `llc_noalloc` is the field of the resource; 0 where there is none.
#[must_use]
pub const fn load(bits: Bits, llc_noalloc: u8) -> Outcome {
    let Bits { glc, slc, dlc } = bits;
    Outcome {
        scope: if glc { Scope::Device } else { Scope::Cu },
        llc_no_alloc: dlc || llc_noalloc & 2 != 0,
        gl2: if slc { Policy::Stream } else { Policy::Lru },
        gl1: Some(if glc {
            Policy::MissEvict
        } else if slc {
            Policy::HitEvict
        } else {
            Policy::HitLru
        }),
        l0: Some(if glc { Policy::MissEvict } else { Policy::HitLru }),
        non_temporal: if glc {
            [Some(dlc), Some(slc), None, None]
        } else {
            [Some(dlc), Some(slc), Some(slc), Some(false)]
        },
    }
}

/// A store or an atomic: both see the whole device, and GLC says nothing to caches.
#[must_use]
pub const fn store(bits: Bits, llc_noalloc: u8) -> Outcome {
    let Bits { slc, dlc, .. } = bits;
    let never = llc_noalloc & 1 != 0;
    Outcome {
        scope: Scope::Device,
        llc_no_alloc: dlc || never,
        gl2: if slc { Policy::Stream } else { Policy::Lru },
        gl1: None,
        l0: None,
        non_temporal: [Some(dlc && !never), Some(slc), None, None],
    }
}
