//! Faults and findings of launches on memory of the host.

use amdgpu_dispatch::{Checked, GroupFault, HostLaunch, Interruption, LoadedObject, is_null};
use amdgpu_object::{Kernel, printable};
use isa_exec::check::finding::Finding;
use isa_exec::fault::FaultKind;

use crate::finding::{ResolvedFinding, ResolvedSite, RunContext, Suppressions, group};
use crate::nearby::NearbyMemory;
use crate::places::Places;

/// The resolver of faults and findings of a launch on memory of the host.
pub struct HostContext<'a> {
    places: Places<'a>,
    kernel: &'a Kernel,
    launch: &'a HostLaunch<'a>,
}

/// A fault of a launch with all that reports say of it.
#[derive(Debug, Clone)]
pub struct ResolvedFault {
    /// The name of the kernel.
    pub kernel: String,
    /// The kind, such as `unmapped`.
    pub kind: &'static str,
    /// The instruction.
    pub site: ResolvedSite,
    /// The work-group, in three dimensions.
    pub group: [u32; 3],
    /// The wave of the work-group.
    pub wave: usize,
    /// The lane, if the fault is that of one lane.
    pub lane: Option<usize>,
    /// The address that the lane accesses, if that is the fault.
    pub address: Option<u64>,
    /// The memory that holds the address or is nearest.
    pub near: Option<NearbyMemory>,
    /// The text that the wave has printed last, if it ended itself: the message of a failed assertion.
    pub printed: Option<String>,
    /// Whether the time of the launch was over.
    pub is_timeout: bool,
    /// What has happened, in a sentence.
    pub reason: String,
}

impl<'a> HostContext<'a> {
    /// Creates the context of a launch of a kernel; `None` if no segment holds its code. `file` is the code object's file.
    #[must_use]
    pub fn new(
        object: &'a LoadedObject,
        kernel: &'a Kernel,
        launch: &'a HostLaunch<'a>,
        file: &'a [u8],
    ) -> Option<Self> {
        let (segment, reader) = object.code(kernel)?;
        Some(Self { places: Places::new(object.object(), segment, reader, file), kernel, launch })
    }

    fn near(&self, address: u64) -> Option<NearbyMemory> {
        NearbyMemory::of_launch(self.launch, self.kernel, address)
    }

    /// Resolves the findings of a check.
    #[must_use]
    pub fn findings(&self, checked: &Checked) -> Vec<ResolvedFinding> {
        let nearest = |address| self.near(address);
        let group_number = |index| checked.group_number(index);
        let context = RunContext {
            places: &self.places,
            nearest: &nearest,
            group_number: &group_number,
            kernel: &self.kernel.name,
        };
        let resolve = |finding: &Finding| ResolvedFinding::new(finding.clone(), &context, &Suppressions::default());
        checked.findings.iter().map(resolve).collect()
    }

    /// Resolves the fault that has ended the launch.
    #[must_use]
    pub fn fault(&self, fault: &GroupFault, interruption: Option<Interruption>) -> ResolvedFault {
        let GroupFault { group, fault, stuck, message } = fault;
        let address = fault.kind.address();
        // A null pointer is not an address near an argument, even where arguments are at low addresses.
        let near = address.filter(|address| !is_null(*address)).and_then(|address| self.near(address));
        let is_timeout = interruption == Some(Interruption::Timeout) && fault.kind == FaultKind::Stopped;
        let mut reason = match &fault.kind {
            _ if is_timeout => {
                let seconds = self.launch.timeout.unwrap_or_default().as_secs_f64();
                format!("has not ended after {seconds} s")
            }
            FaultKind::Unmapped { address, store } => {
                let verb = if *store { "writes" } else { "reads" };
                match &near {
                    _ if is_null(*address) => format!("{verb} {address:#x}, which is a null pointer"),
                    Some(near) => format!("{verb} {address:#x}: {near}"),
                    None => format!("{verb} {address:#x}, which is not mapped"),
                }
            }
            // The text of a fault begins with its place.
            _ => {
                let all = fault.to_string();
                all.split_once(": ").map_or_else(|| all.clone(), |(_, reason)| reason.to_owned())
            }
        };
        if let Some(stuck) = stuck {
            reason += &format!("; {stuck}");
        }
        ResolvedFault {
            kernel: self.kernel.name.clone(),
            kind: fault.kind.name(),
            site: ResolvedSite::new(fault.pc, &self.places),
            group: *group,
            wave: fault.wave,
            lane: fault.lane,
            address,
            near,
            printed: message.as_ref().map(|printed| String::from_utf8_lossy(printed.text.trim_ascii()).into_owned()),
            is_timeout,
            reason,
        }
    }
}

impl ResolvedFault {
    /// Describes the fault in a line: the kernel, the place, who executes the instruction, and what has happened.
    #[must_use]
    pub fn message(&self) -> String {
        let lane = self.lane.map(|lane| format!(", lane {lane}")).unwrap_or_default();
        let source = self.site.source.as_ref().map(|source| format!(", {source}")).unwrap_or_default();
        let mut text = format!("{}: work-group {}, wave {}{lane}", self.kernel, group(self.group), self.wave);
        text += &format!(" ({:#x}{source}): ", self.site.address);
        if let Some(instruction) = &self.site.text {
            text += &format!("`{instruction}` ");
        }
        text += &self.reason;
        if let Some(printed) = &self.printed {
            text += &format!("; it printed: {}", printable(printed.as_bytes()));
        }
        text
    }
}
