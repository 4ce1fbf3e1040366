//! The constants of S_WAITCNT, S_WAITCNT_DEPCTR and S_DELAY_ALU (guide §5.6, §5.7).

/// A counter in the constant of a wait: the wait ends once it is no higher. All bits set: it is not waited for.
pub use isa::class::PartOf;
