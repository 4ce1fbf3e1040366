//! The constants of S_WAITCNT, S_WAITCNT_DEPCTR and S_DELAY_ALU (guide §5.6, §5.7).

use isa::Code;

/// A counter in the constant of a wait: the wait ends once it is no higher. All bits set: it is not waited for.
pub use isa::class::PartOf;

/// Two dependencies and the distance between the instructions that have them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DelayAlu {
    /// The dependency of the next instruction: an index in [`DELAY_IDS`](super::DELAY_IDS).
    pub id0: u8,
    /// Which instruction the second dependency belongs to: an index in [`DELAY_SKIPS`](super::DELAY_SKIPS).
    pub skip: u8,
    /// The dependency of the instruction that `skip` selects: an index in [`DELAY_IDS`](super::DELAY_IDS).
    pub id1: u8,
}

impl Code for DelayAlu {
    fn from_code(code: u32) -> Self {
        DelayAlu { id0: (code & 15) as u8, skip: (code >> 4 & 7) as u8, id1: (code >> 7 & 15) as u8 }
    }

    fn into_code(self) -> u32 {
        u32::from(self.id0) & 15 | (u32::from(self.skip) & 7) << 4 | (u32::from(self.id1) & 15) << 7
    }
}
