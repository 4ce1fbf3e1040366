//! Errors of execution.

use alloc::string::String;
use core::fmt;

/// Where a wave looks for what it waits for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Polled {
    /// Memory, at this address.
    Memory(u64),
    /// LDS.
    Lds,
    /// Nowhere: it reads nothing that another wave could change.
    Nothing,
}

/// Why an instruction could not be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An address that is not mapped.
    Unmapped {
        /// The first byte that is not mapped.
        address: u64,
        /// Whether it was written.
        store: bool,
    },
    /// An access outside the local data share of the work-group.
    Lds {
        /// The address of the access, relative to the work-group's allocation.
        address: u64,
        /// The size of the access in bytes.
        bytes: u32,
        /// The size of the work-group's local data share in bytes.
        size: u32,
    },
    /// An address outside the private memory of a lane.
    Scratch {
        /// The address.
        address: u64,
    },
    /// The program counter is outside the code.
    NoInstruction,
    /// The words are not an instruction.
    Undecodable(String),
    /// The row has no body.
    NoBody,
    /// The instruction uses something that the executor does not have.
    Unsupported(String),
    /// No body describes the instruction's effect, and the machine has nothing like it: the reason.
    External(String),
    /// The program ends itself, or stops for a debugger.
    Trap {
        /// The number of the trap.
        number: u8,
        /// What it means.
        meaning: &'static str,
    },
    /// More instructions were executed than allowed.
    TooManyInstructions(u64),
    /// The wave loops for ever: nothing changes from one iteration to another, and nobody is left to change what it polls.
    Endless {
        /// Where the wave looks for a change.
        polled: Polled,
        /// How many other waves of the work-group wait at a barrier.
        at_barrier: usize,
    },
    /// The wave waits at a barrier that another one has not signaled, and all waves wait or have ended.
    Unsignaled,
    /// An observer ended the run before the instruction.
    Stopped,
}

impl FaultKind {
    /// Returns a short name, such as `unmapped`, for programs that distinguish faults.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Unmapped { .. } => "unmapped",
            Self::Lds { .. } => "lds",
            Self::Scratch { .. } => "scratch",
            Self::NoInstruction => "no-instruction",
            Self::Undecodable(_) => "undecodable",
            Self::NoBody => "no-body",
            Self::Unsupported(_) => "unsupported",
            Self::External(_) => "external",
            Self::Trap { .. } => "trap",
            Self::TooManyInstructions(_) => "too-many-instructions",
            Self::Endless { .. } => "endless",
            Self::Unsignaled => "unsignaled",
            Self::Stopped => "stopped",
        }
    }

    /// Returns the address in global memory that the fault is about.
    #[must_use]
    pub const fn address(&self) -> Option<u64> {
        match self {
            Self::Unmapped { address, .. } | Self::Endless { polled: Polled::Memory(address), .. } => Some(*address),
            _ => None,
        }
    }
}

/// An error of execution: the instruction, the lane, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The address of the instruction.
    pub pc: u64,
    /// The instruction's mnemonic, as the guide spells it; empty if there is none.
    pub instruction: String,
    /// The wave in its work-group.
    pub wave: usize,
    /// The lane, if one is to blame.
    pub lane: Option<usize>,
    /// Why.
    pub kind: FaultKind,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.instruction.is_empty() {
            write!(f, "`{}` ", self.instruction)?;
        }
        write!(f, "at {:#x}", self.pc)?;
        if let Some(lane) = self.lane {
            write!(f, ", lane {lane}")?;
        }
        if self.wave != 0 {
            write!(f, ", wave {}", self.wave)?;
        }
        f.write_str(": ")?;
        match &self.kind {
            FaultKind::Unmapped { address, store: false } => write!(f, "reads {address:#x}, which is not mapped"),
            FaultKind::Unmapped { address, store: true } => write!(f, "writes {address:#x}, which is not mapped"),
            FaultKind::Lds { address, bytes, size } => {
                let plural = if *bytes == 1 { "" } else { "s" };
                write!(
                    f,
                    "accesses {bytes} byte{plural} at {address:#x} of LDS, of which the work-group has {size} bytes"
                )
            }
            FaultKind::Scratch { address } => write!(f, "accesses {address:#x} outside the lane's scratch memory"),
            FaultKind::NoInstruction => f.write_str("no instruction begins here"),
            FaultKind::Undecodable(error) => write!(f, "{error}"),
            FaultKind::NoBody => f.write_str("its row does not say what it computes"),
            FaultKind::Unsupported(error) => write!(f, "{error}"),
            FaultKind::External(reason) => write!(f, "{reason}"),
            FaultKind::Trap { meaning, .. } => f.write_str(meaning),
            FaultKind::Stopped => f.write_str("stopped"),
            FaultKind::Endless { polled, at_barrier } => {
                match polled {
                    Polled::Memory(address) => write!(f, "waits for ever: {address:#x} does not change")?,
                    Polled::Lds => f.write_str("waits for ever: LDS does not change")?,
                    Polled::Nothing => f.write_str("loops for ever: an iteration changes nothing")?,
                }
                match at_barrier {
                    0 => Ok(()),
                    1 => f.write_str(", and 1 wave waits at a barrier for it"),
                    waves => write!(f, ", and {waves} waves wait at a barrier for it"),
                }
            }
            FaultKind::Unsignaled => f.write_str(
                "waits for ever: a wave of the work-group has not signaled the barrier, and no wave goes on",
            ),
            FaultKind::TooManyInstructions(limit) => write!(f, "the limit of {limit} instructions is reached"),
        }
    }
}

impl core::error::Error for Fault {}
