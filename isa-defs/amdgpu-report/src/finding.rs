//! Findings of checked runs with their places resolved, for all forms of reports.

mod json;
mod kinds;
mod sarif;
mod suppress;

use amdgpu_dis::SourceLocation;
use amdgpu_dispatch::{CODE_BASE, Side, byte_count, is_null, lane_ranges, register_name};
use isa_exec::check::finding::{self, AccessKind, Bytes, Finding, Kind, MemorySpace, Place, Severity, Unwritten};

use crate::nearby::NearbyMemory;
use crate::places::Places;

pub use kinds::parse_kinds;
pub use suppress::Suppressions;

/// The resolvers of a run: addresses of code, addresses of memory, numbers of work-groups.
#[derive(Clone, Copy)]
pub struct RunContext<'a, 'p> {
    /// Places of the code.
    pub places: &'a Places<'p>,
    /// Finds the memory of the kernel that holds an address or is nearest.
    pub nearest: &'a dyn Fn(u64) -> Option<NearbyMemory>,
    /// Returns the number in x, y and z of a work-group.
    pub group_number: &'a dyn Fn(u64) -> [u32; 3],
    /// The name of the kernel for messages.
    pub kernel: &'a str,
}

/// An instruction, with its place.
#[derive(Debug, Clone)]
pub struct ResolvedSite {
    /// The address where it was executed.
    pub pc: u64,
    /// The address as listings have it.
    pub address: u64,
    /// The symbol and the distance from it.
    pub symbol: Option<String>,
    /// Its text.
    pub text: Option<String>,
    /// Its file and line.
    pub source: Option<SourceLocation>,
}

/// Lanes of a wave that execute an instruction.
#[derive(Debug, Clone)]
pub struct Execution {
    /// The instruction.
    pub site: ResolvedSite,
    /// The work-group, in three dimensions.
    pub group: [u32; 3],
    /// The wave of the work-group.
    pub wave: u32,
    /// The lanes, a bit for each.
    pub lanes: u64,
    /// How it accesses memory, if it does.
    pub access: Option<AccessKind>,
}

/// Where an undefined value came from.
#[derive(Debug, Clone)]
pub struct ResolvedOrigin {
    /// The instruction, if it is not that of the finding.
    pub site: Option<ResolvedSite>,
    /// The register or the memory that nothing has written.
    pub source: Unwritten,
}

/// A finding with all that reports say of it.
#[derive(Debug, Clone)]
pub struct ResolvedFinding {
    /// The kind.
    pub kind: Kind,
    /// Whether it is an error or a note.
    pub severity: Severity,
    /// Who states the rule, if not the guide.
    pub authority: Option<&'static str>,
    /// The first execution that it is about.
    pub here: Execution,
    /// How often it occurred.
    pub count: u64,
    /// The names of the registers that it is about.
    pub registers: Vec<String>,
    /// The memory that it is about.
    pub memory: Option<Bytes>,
    /// The buffer in or near which the memory is.
    pub near: Option<NearbyMemory>,
    /// The execution that it conflicts with.
    pub other: Option<Execution>,
    /// Where an undefined value came from.
    pub origin: Option<ResolvedOrigin>,
    /// What to do about it.
    pub help: String,
    /// Whether a suppression matches the finding.
    pub is_suppressed: bool,
}

impl ResolvedFinding {
    /// Resolves the places of a finding.
    #[must_use]
    pub fn new(finding: Finding, context: &RunContext<'_, '_>, suppressions: &Suppressions) -> Self {
        let origin = finding.origin.map(|finding::Origin { pc, source }| {
            let is_elsewhere = pc != 0 && pc != finding.place.pc;
            ResolvedOrigin { site: is_elsewhere.then(|| ResolvedSite::new(pc, context.places)), source }
        });
        let memory = match (finding.kind, &origin) {
            // What was not written, and not where the instruction that depends on it stores.
            (Kind::UnwrittenMemory, Some(ResolvedOrigin { source: Unwritten::Memory(bytes), .. })) => Some(*bytes),
            _ => finding.memory,
        };
        let near = memory.filter(|memory| !is_on_chip(memory.space));
        let near = near.and_then(|memory| (context.nearest)(memory.at));
        // Other accesses are to memory that the kernel has, if not in an argument: its arguments, for instance.
        let near = near.filter(|memory| finding.kind == Kind::OutOfBounds || memory.near.side == Side::Inside);
        let here = Execution::new(&finding.place, finding.access, context);
        let other = finding.other.map(|other| Execution::new(&other.place, other.access, context));
        let is_suppressed = [Some(&here), other.as_ref()].into_iter().flatten().any(|execution| {
            let site = &execution.site;
            suppressions.matches(finding.kind, context.places.name(site.pc), site.source.as_ref())
        });
        Self {
            kind: finding.kind,
            severity: finding.severity,
            authority: finding.authority,
            here,
            count: finding.count,
            registers: finding.registers.iter().map(|register| register_name(*register).into_owned()).collect(),
            memory,
            near,
            other,
            origin,
            help: finding.help.into_owned(),
            is_suppressed,
        }
    }

    /// Whether the finding makes the run fail.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error && !self.is_suppressed
    }

    /// Says in one sentence what is wrong.
    #[must_use]
    pub fn message(&self) -> String {
        let registers = self.registers.join(", ");
        let does = self.memory.map(|memory| {
            let verb = match self.here.access {
                Some(AccessKind::Write) => "writes",
                Some(AccessKind::Atomic) => "updates",
                _ => "reads",
            };
            format!("{verb} {}", self.described(memory))
        });
        let does = does.unwrap_or_else(|| "accesses memory".into());
        let conflict = match self.other.as_ref().and_then(|other| other.access) {
            Some(AccessKind::Read) => "reads",
            Some(AccessKind::Atomic) => "updates",
            _ => "writes",
        };
        match self.kind {
            Kind::OutOfBounds => format!("{does}, outside of the memory that the kernel has"),
            Kind::Misaligned => format!("{does}, which is not aligned"),
            Kind::ReadOnlyWrite => format!("{does}, which may only be read"),
            Kind::UnwrittenRegister => format!("depends on {registers}, which nothing has written"),
            Kind::UnwrittenMemory => match self.memory {
                Some(memory) => format!("depends on {}, which nothing has written", self.described(memory)),
                None => "depends on memory that nothing has written".into(),
            },
            Kind::MissingWait => format!("uses {registers} while a load or atomic may still write it"),
            Kind::Race => {
                let other = self.other.as_ref();
                let is_own = other.is_some_and(|other| (other.group, other.wave) == (self.here.group, self.here.wave));
                let who = match other {
                    _ if is_own => "another lane".into(),
                    Some(other) if other.group == self.here.group => format!("wave {}", other.wave),
                    Some(other) => format!("work-group {}", group(other.group)),
                    None => "another wave".into(),
                };
                format!("{does}, which {who} {conflict} without order")
            }
            Kind::BarrierDivergence if self.severity == Severity::Note => {
                "waits for a wave that ends before the barrier".into()
            }
            Kind::BarrierDivergence => "waves go on together from different barriers".into(),
            Kind::Hazard => match self.other.as_ref().and_then(|other| other.site.text.as_ref()) {
                Some(earlier) => format!("comes too soon after `{earlier}`"),
                None => "the hardware does not execute this as written".into(),
            },
            Kind::NoProgress => "waits for something that cannot happen".into(),
        }
    }

    /// Describes the finding in a line: the kernel, the place, who executes the instruction, what is wrong, and what to do.
    #[must_use]
    pub fn line(&self, kernel: &str) -> String {
        let site = |site: &ResolvedSite| {
            let source = site.source.as_ref().map(|source| format!(" ({source})"));
            format!("{:#x}{}", site.address, source.unwrap_or_default())
        };
        let Execution { group: number, wave, lanes, .. } = self.here;
        let mut text = format!("{kernel}: {} at {}", self.kind.name(), site(&self.here.site));
        text += &format!(", work-group {}, wave {wave}", group(number));
        if lanes != 0 {
            text += &format!(", lanes {}", lane_ranges(lanes));
        }
        let instruction = self.here.site.text.as_ref().map(|text| format!("`{text}` "));
        text += &format!(": {}{}", instruction.unwrap_or_default(), self.message());
        if let Some(other) = &self.other {
            let instruction = other.site.text.as_ref().map(|text| format!("`{text}` "));
            text += &format!("; the other: {}at {}", instruction.unwrap_or_default(), site(&other.site));
        }
        text + "; help: " + &self.help
    }

    /// Says who executes the instruction of the finding.
    #[must_use]
    pub fn here_label(&self) -> String {
        // The memory that was not written is read elsewhere.
        let is_elsewhere = matches!(self.kind, Kind::UnwrittenRegister | Kind::UnwrittenMemory);
        label("here", &self.here, self.here.access.filter(|_| !is_elsewhere), self.count)
    }

    /// Describes bytes of memory: how many, where, and in which argument.
    #[must_use]
    pub fn described(&self, memory: Bytes) -> String {
        let (bytes, at) = (byte_count(memory.bytes.into()), memory.at);
        match memory.space {
            MemorySpace::Lds => format!("{bytes} at {at:#x} of LDS"),
            MemorySpace::Scratch => format!("{bytes} at {at:#x} of scratch memory"),
            _ if is_null(at) => format!("{bytes} at {at:#x} (a null pointer)"),
            _ => match &self.near {
                Some(near) => format!("{bytes} at {at:#x} ({near})"),
                None => format!("{bytes} at {at:#x}"),
            },
        }
    }
}

/// Whether addresses are offsets in memory that is not a part of the address space.
fn is_on_chip(space: MemorySpace) -> bool {
    matches!(space, MemorySpace::Lds | MemorySpace::Scratch)
}

/// The number of a work-group as text.
pub(crate) fn group([x, y, z]: [u32; 3]) -> String {
    format!("{x},{y},{z}")
}

/// Says who executes an instruction, and how often.
fn label(name: &str, execution: &Execution, access: Option<AccessKind>, count: u64) -> String {
    let Execution { group: number, wave, lanes, .. } = execution;
    let mut text = format!("{name}: work-group {}, wave {wave}", group(*number));
    if *lanes != 0 {
        let plural = if lanes.is_power_of_two() { "" } else { "s" };
        text.push_str(&format!(", lane{plural} {}", lane_ranges(*lanes)));
    }
    if let Some(access) = access {
        text.push_str(&format!(": {}", access.name()));
    }
    if count > 1 {
        text.push_str(&format!(" ({count} times in all)"));
    }
    text
}

impl Execution {
    /// Says who executes the other instruction of a finding.
    #[must_use]
    pub fn other_label(&self) -> String {
        label("other", self, self.access, 1)
    }

    fn new(place: &Place, access: Option<AccessKind>, context: &RunContext<'_, '_>) -> Self {
        Self {
            site: ResolvedSite::new(place.pc, context.places),
            group: (context.group_number)(place.group),
            wave: place.wave,
            lanes: place.lanes,
            access,
        }
    }
}

impl ResolvedSite {
    pub(crate) fn new(pc: u64, places: &Places<'_>) -> Self {
        Self {
            pc,
            address: pc.wrapping_sub(CODE_BASE),
            symbol: places.symbol(pc),
            text: places.text(pc),
            source: places.location(pc),
        }
    }
}
