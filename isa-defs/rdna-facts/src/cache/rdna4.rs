//! RDNA4's control of caches: scopes and temporal hints (its guide §4.1.1).
//!
//! ```
//! use rdna4::cache::{Reuse, load};
//!
//! // th:TH_LOAD_NT_HT
//! let hint = load(6).unwrap();
//! assert_eq!((hint.near, hint.far), (Reuse::None, Reuse::High));
//! ```

pub use rdna_rows::operands::DEVICE_SCOPE;

/// The threads that see the same value. RDNA4's guide §4.1.1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Coherence {
    /// The vector memory instructions of a compute unit.
    ComputeUnit,
    /// The clients of the cache of a shader engine.
    ShaderEngine,
    /// The device.
    Device,
    /// The system.
    System,
}

impl Coherence {
    /// Returns the scope with a code in SCOPE, of which the two lowest bits count.
    #[must_use]
    pub const fn from_code(code: u8) -> Self {
        match code & 3 {
            0 => Coherence::ComputeUnit,
            1 => Coherence::ShaderEngine,
            2 => Coherence::Device,
            _ => Coherence::System,
        }
    }
}

/// The expected reuse of a line. RDNA4's guide §4.1.1, tables 13 and 14.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reuse {
    /// RT: regular, the default.
    Regular,
    /// NT: none is expected.
    None,
    /// HT: with precedence over regular lines.
    High,
    /// LU: this is the last use. A line that is hit is dropped even if it is dirty.
    Last,
    /// WB: as [`High`](Self::High), and the line stays dirty in the far cache.
    WriteBack,
}

/// The hints for the caches near to the compute unit and far from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CacheHints {
    /// For near caches.
    pub near: Reuse,
    /// For far caches.
    pub far: Reuse,
}

const fn hints(near: Reuse, far: Reuse) -> Option<CacheHints> {
    Some(CacheHints { near, far })
}

/// Returns the hints of a load with a code in TH; `None` for the reserved code 7. Scalar memory has the codes 0 to 3. RDNA4's guide
/// §4.1.1, table 13.
#[must_use]
pub const fn load(th: u8) -> Option<CacheHints> {
    match th {
        3 => hints(Reuse::Last, Reuse::Last),
        7 => None,
        th => store(th),
    }
}

/// Returns the hints of a store with a code in TH, from 0 to 7. RDNA4's guide §4.1.1, table 14.
#[must_use]
pub const fn store(th: u8) -> Option<CacheHints> {
    match th {
        0 => hints(Reuse::Regular, Reuse::Regular),
        1 => hints(Reuse::None, Reuse::None),
        2 => hints(Reuse::High, Reuse::High),
        3 => hints(Reuse::High, Reuse::WriteBack),
        4 => hints(Reuse::None, Reuse::Regular),
        5 => hints(Reuse::Regular, Reuse::None),
        6 => hints(Reuse::None, Reuse::High),
        7 => hints(Reuse::None, Reuse::WriteBack),
        _ => None,
    }
}

/// TH of an atomic. RDNA4's guide §4.1.1, table 15.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AtomicPolicy {
    /// Whether the old value is returned.
    pub returns: bool,
    /// The expected reuse: [`Reuse::Regular`] or [`Reuse::None`].
    pub reuse: Reuse,
    /// Whether the scope takes effect at a later release of this scope or a larger one only, which atomics that return do not have.
    pub is_cascading: bool,
}

/// Returns the policy of an atomic with a code in TH, of which the three lowest bits count. RDNA4's guide §4.1.1, table 15.
#[must_use]
pub const fn atomic(th: u8) -> AtomicPolicy {
    let returns = th & 1 != 0;
    let reuse = if th & 2 != 0 { Reuse::None } else { Reuse::Regular };
    AtomicPolicy { returns, reuse, is_cascading: th & 4 != 0 && !returns }
}

/// The caches that GLOBAL_INV, GLOBAL_WB and GLOBAL_WBINV of a scope act on. RDNA4's guide §4.1.1, table 16.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CachesOfScope {
    /// The cache of the compute unit.
    pub compute_unit: bool,
    /// L2.
    pub l2: bool,
}

/// Returns the caches that an invalidation or a write-back of a scope acts on. RDNA4's guide §4.1.1, table 16.
#[must_use]
pub const fn caches(scope: Coherence) -> CachesOfScope {
    CachesOfScope { compute_unit: !matches!(scope, Coherence::ComputeUnit), l2: matches!(scope, Coherence::System) }
}
