//! Runs that are checked: what is wrong with a kernel, as values.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use amdgpu_object::Grid;
use isa_exec::check::finding::{Finding, Kinds, Place, Register, Severity};
use isa_exec::check::{Checker, Omitted};

use crate::dispatch::{Dispatch, GroupFault, group_number};
use crate::host::{Host, Status};
use crate::services::Printed;
use crate::space::{AddressSpace, CODE_BASE};

/// The error of a check whose program was not made for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NotChecked;

impl fmt::Display for NotChecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the program is not checked while it runs; help: create it with `Program::checked`")
    }
}

impl std::error::Error for NotChecked {}

/// What a check looks for, and how it executes the kernel. [`Kinds`] convert to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// The kinds of findings.
    pub kinds: Kinds,
    /// Whether results of loads and atomics arrive when a wait proves that they are there, and not before: a kernel without a wait
    /// that it needs computes what the hardware might.
    pub is_late: bool,
    /// The address of a wait that is left out.
    pub without_wait: Option<u64>,
}

impl From<Kinds> for Checks {
    fn from(kinds: Kinds) -> Self {
        Checks { kinds, is_late: false, without_wait: None }
    }
}

/// What a check of a dispatch has found.
///
/// `Display` writes a line for each finding, and the fault.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Checked {
    /// The findings in the order of work-groups, waves and instructions.
    pub findings: Vec<Finding>,
    /// The wait that was left out.
    pub omitted: Option<Omitted>,
    /// The end of the run.
    ///
    /// # Errors
    /// The fault that has ended the run early. The findings are those up to there.
    pub outcome: Result<(), GroupFault>,
    grid: Grid,
}

impl Checked {
    /// Returns the findings that are faults of the kernel: those that are not notes.
    pub fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error)
    }

    /// Returns the number in x, y and z of the work-group of a finding.
    #[must_use]
    pub fn group_number(&self, index: u64) -> [u32; 3] {
        group_number(&self.grid, index)
    }

    /// Whether the kernel has run to its end without a finding, except notes.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.outcome.is_ok() && self.errors().next().is_none()
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |f: &mut fmt::Formatter<'_>, place: &Place| {
            let [x, y, z] = group_number(&self.grid, place.group);
            let (address, wave) = (place.pc.wrapping_sub(CODE_BASE), place.wave);
            write!(f, "{address:#x}, work-group {x},{y},{z}, wave {wave}, lanes {}", lane_ranges(place.lanes))
        };
        for finding in &self.findings {
            let note = if finding.severity == Severity::Note { "note: " } else { "" };
            write!(f, "{note}{} at ", finding.kind.name())?;
            place(f, &finding.place)?;
            if let Some(other) = &finding.other {
                f.write_str("; the other at ")?;
                place(f, &other.place)?;
            }
            let registers: Vec<_> = finding.registers.iter().map(|register| register_name(*register)).collect();
            if !registers.is_empty() {
                write!(f, " ({})", registers.join(", "))?;
            }
            writeln!(f, ": {}", finding.help)?;
        }
        match &self.outcome {
            Ok(()) => Ok(()),
            Err(fault) => writeln!(f, "{fault}"),
        }
    }
}

/// A host whose work-groups a checker follows.
struct Checking<'a, H> {
    host: &'a H,
    checker: &'a Mutex<Checker>,
}

impl<H: Host> Host for Checking<'_, H> {
    type Observer = H::Observer;

    fn observer(&self, group: [u32; 3]) -> Self::Observer {
        self.host.observer(group)
    }

    fn checker(&self) -> Option<&Mutex<Checker>> {
        Some(self.checker)
    }

    fn print(&self, group: [u32; 3], printed: &[Printed]) {
        self.host.print(group, printed);
    }

    fn suspended(&self, status: &Status) {
        self.host.suspended(status);
    }

    const STOP_AFTER: u64 = H::STOP_AFTER;

    fn is_stopped(&self) -> bool {
        self.host.is_stopped()
    }

    fn executed(&self, group: [u32; 3], instructions: u64) {
        self.host.executed(group, instructions);
    }

    fn ended(&self, group: [u32; 3], observer: Self::Observer) {
        self.host.ended(group, observer);
    }
}

impl Dispatch<'_> {
    /// Executes all work-groups like [`run`](Self::run), and looks for faults of some kinds.
    ///
    /// `space` is the memory of the dispatch. The run goes on after a finding.
    ///
    /// # Errors
    /// The program was not created with [`Program::checked`](isa_exec::program::Program::checked).
    pub fn check(&self, space: &AddressSpace<'_>, checks: impl Into<Checks>) -> Result<Checked, NotChecked> {
        self.check_hosted(space, checks, &())
    }

    /// Checks all work-groups like [`check`](Self::check), with a host that observes them and gets what they print.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn check_hosted<H: Host>(
        &self,
        space: &AddressSpace<'_>,
        checks: impl Into<Checks>,
        host: &H,
    ) -> Result<Checked, NotChecked> {
        if !self.program().lowering().is_checked() {
            return Err(NotChecked);
        }
        let Checks { kinds, is_late, without_wait } = checks.into();
        let mut checker = Checker::new(kinds, space.extents());
        if is_late {
            checker = checker.with_late_results();
        }
        if let Some(pc) = without_wait {
            checker = checker.without_wait(pc);
        }
        let checker = Mutex::new(checker);
        let outcome = self.run_hosted(space.memory(), &Checking { host, checker: &checker });
        let checker = checker.into_inner().unwrap_or_else(PoisonError::into_inner);
        let omitted = checker.omitted();
        Ok(Checked { findings: checker.finish(), omitted, outcome, grid: *self.grid() })
    }
}

/// Returns the name of a register in RDNA3.
#[must_use]
pub fn register_name(register: Register) -> Cow<'static, str> {
    match register {
        Register::Vector(number) => format!("v{number}").into(),
        Register::Scalar(number @ 0..=105) => format!("s{number}").into(),
        Register::Scalar(106) => "vcc_lo".into(),
        Register::Scalar(107) => "vcc_hi".into(),
        Register::Scalar(number @ 108..=123) => format!("ttmp{}", number - 108).into(),
        Register::Scalar(124) => "null".into(),
        Register::Scalar(125) => "m0".into(),
        Register::Scalar(126) => "exec_lo".into(),
        Register::Scalar(127) => "exec_hi".into(),
        // The only register that has no number.
        Register::Scalar(_) => "scc".into(),
    }
}

/// Returns the lanes of a mask as ranges: `0-3,7`.
#[must_use]
pub fn lane_ranges(mask: u64) -> String {
    let mut ranges = Vec::new();
    let (mut rest, mut at) = (mask, 0);
    while rest != 0 {
        let skipped = rest.trailing_zeros();
        let (first, count) = (at + skipped, (rest >> skipped).trailing_ones());
        ranges.push(if count == 1 { first.to_string() } else { format!("{first}-{}", first + count - 1) });
        at = first + count;
        rest = mask.checked_shr(at).unwrap_or(0);
    }
    ranges.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_ranges() {
        for (mask, text) in [(0, ""), (1, "0"), (0b1000_1111, "0-3,7"), (u64::MAX, "0-63"), (1 << 63 | 6, "1-2,63")] {
            assert_eq!(lane_ranges(mask), text, "{mask:#x}");
        }
    }

    #[test]
    fn registers_have_the_names_of_assembly() {
        let names = [3, 105, 106, 108, 125, 127, 128].map(|number| register_name(Register::Scalar(number)));
        assert_eq!(names, ["s3", "s105", "vcc_lo", "ttmp0", "m0", "exec_hi", "scc"]);
        assert_eq!(register_name(Register::Vector(7)), "v7");
    }
}
