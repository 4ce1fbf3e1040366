//! What a checker finds.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// The kind of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// An access with a byte outside the memory that the kernel was given.
    OutOfBounds,
    /// An access that the hardware does not carry out at this address.
    Misaligned,
    /// A store to memory that may only be read.
    ReadOnlyWrite,
    /// A value that depends on a register that nobody wrote decides something.
    UnwrittenRegister,
    /// A value that depends on memory that nobody wrote decides something.
    UnwrittenMemory,
    /// A register is used while a load into it is not proved complete.
    MissingWait,
    /// Two accesses of different waves to the same byte, in no order.
    Race,
    /// Waves are released together from different barriers.
    BarrierDivergence,
    /// Instructions are too close to each other.
    Hazard,
    /// Waves wait for something that cannot happen.
    NoProgress,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 10] = [
        Kind::OutOfBounds,
        Kind::Misaligned,
        Kind::ReadOnlyWrite,
        Kind::UnwrittenRegister,
        Kind::UnwrittenMemory,
        Kind::MissingWait,
        Kind::Race,
        Kind::BarrierDivergence,
        Kind::Hazard,
        Kind::NoProgress,
    ];

    /// Returns the name in reports and options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::OutOfBounds => "out-of-bounds",
            Kind::Misaligned => "misaligned",
            Kind::ReadOnlyWrite => "read-only-write",
            Kind::UnwrittenRegister => "unwritten-register",
            Kind::UnwrittenMemory => "unwritten-memory",
            Kind::MissingWait => "missing-wait",
            Kind::Race => "race",
            Kind::BarrierDivergence => "barrier-divergence",
            Kind::Hazard => "hazard",
            Kind::NoProgress => "no-progress",
        }
    }

    /// Returns the kind with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Kinds(u16);

impl Kinds {
    /// All kinds.
    pub const ALL: Kinds = Kinds((1 << Kind::ALL.len()) - 1);
    /// No kind.
    pub const NONE: Kinds = Kinds(0);

    /// Returns the set with a kind.
    #[must_use]
    pub const fn with(self, kind: Kind) -> Kinds {
        Kinds(self.0 | kind.bit())
    }

    /// Returns the set without a kind.
    #[must_use]
    pub const fn without(self, kind: Kind) -> Kinds {
        Kinds(self.0 & !kind.bit())
    }

    /// Whether a kind is in the set.
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & kind.bit() != 0
    }
}

/// How serious a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// A fault of the kernel.
    Error,
    /// Defined by the hardware, or without effect, but worth a look.
    Note,
}

/// A register of one dword.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Register {
    /// A row of the scalar file: the number of the register's source code in RDNA3.
    Scalar(u16),
    /// A vector register.
    Vector(u16),
}

/// The memory that an access reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemorySpace {
    /// Memory of the device, through FLAT or GLOBAL instructions.
    Global,
    /// The local data share.
    Lds,
    /// The private memory of a work-item.
    Scratch,
    /// Memory of the device, through scalar instructions.
    Scalar,
    /// Memory of the device, through a buffer resource.
    Buffer,
    /// Memory of the device, through an image resource.
    Image,
}

impl MemorySpace {
    /// Returns the name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MemorySpace::Global => "global",
            MemorySpace::Lds => "lds",
            MemorySpace::Scratch => "scratch",
            MemorySpace::Scalar => "scalar",
            MemorySpace::Buffer => "buffer",
            MemorySpace::Image => "image",
        }
    }
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AccessKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It reads and writes in one step.
    Atomic,
}

impl AccessKind {
    /// Returns the name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic",
        }
    }
}

/// Bytes of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bytes {
    /// The space.
    pub space: MemorySpace,
    /// The address; in LDS and scratch memory the offset.
    pub at: u64,
    /// How many bytes one lane accesses.
    pub bytes: u32,
}

/// An instruction that a wave executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The address of the instruction.
    pub pc: u64,
    /// The index of the work-group.
    pub group: u64,
    /// The number of the wave in its work-group.
    pub wave: u32,
    /// The lanes.
    pub lanes: u64,
}

/// The other side of a finding: the second access of a race, the load in flight, the other barrier, the earlier instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Other {
    /// Where.
    pub place: Place,
    /// What it does to memory.
    pub access: Option<AccessKind>,
}

/// Where an undefined value came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    /// The first instruction that read the register, or the load; 0 if it is the one of the finding.
    pub pc: u64,
    /// What was not written.
    pub source: Unwritten,
}

/// What nobody wrote.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unwritten {
    /// A register.
    Register(Register),
    /// Memory.
    Memory(Bytes),
}

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The kind.
    pub kind: Kind,
    /// How serious it is.
    pub severity: Severity,
    /// Who requires it, where that is not the guide.
    pub authority: Option<&'static str>,
    /// Where it was found first.
    pub place: Place,
    /// How many accesses of lanes were found.
    pub count: u64,
    /// The registers that are undefined or in flight.
    pub registers: Vec<Register>,
    /// The memory that is accessed.
    pub memory: Option<Bytes>,
    /// What the access does.
    pub access: Option<AccessKind>,
    /// The other side.
    pub other: Option<Other>,
    /// Where an undefined value came from.
    pub origin: Option<Origin>,
    /// What to do.
    pub help: Cow<'static, str>,
}

impl Finding {
    /// A finding at a place, without details.
    #[must_use]
    pub const fn new(kind: Kind, place: Place, help: Cow<'static, str>) -> Self {
        Finding {
            kind,
            severity: Severity::Error,
            authority: None,
            place,
            count: 1,
            registers: Vec::new(),
            memory: None,
            access: None,
            other: None,
            origin: None,
            help,
        }
    }

    /// What merged findings have in common; the order of two addresses of a race does not matter.
    fn key(&self) -> MergeKey {
        let other = self.other.map_or(0, |other| other.place.pc);
        let addresses = match self.kind {
            Kind::Race | Kind::BarrierDivergence => [self.place.pc.min(other), self.place.pc.max(other)],
            Kind::Hazard => [self.place.pc, other],
            _ => [self.place.pc, 0],
        };
        MergeKey { kind: self.kind, severity: self.severity, addresses }
    }
}

/// What merged findings have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct MergeKey {
    kind: Kind,
    severity: Severity,
    /// The instruction, and for some kinds another one.
    addresses: [u64; 2],
}

/// Findings, merged by kind and instruction.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    all: BTreeMap<MergeKey, Finding>,
}

impl Findings {
    /// Adds a finding: to an earlier one of the same kind and instruction, if there is one. The details are those of the first in
    /// the order of work-groups and waves.
    pub fn add(&mut self, finding: Finding) {
        match self.all.get_mut(&finding.key()) {
            Some(first) => {
                let count = first.count.saturating_add(finding.count);
                if (finding.place.group, finding.place.wave) < (first.place.group, first.place.wave) {
                    *first = finding;
                }
                first.count = count;
            }
            None => {
                self.all.insert(finding.key(), finding);
            }
        }
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The findings in the order of work-groups, waves and instructions.
    #[must_use]
    pub fn into_sorted(self) -> Vec<Finding> {
        let mut all: Vec<Finding> = self.all.into_values().collect();
        all.sort_by_key(|finding| (finding.place.group, finding.place.wave, finding.place.pc));
        all
    }
}
