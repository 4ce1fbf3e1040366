//! Findings in the format SARIF.

use isa_exec::check::finding::{Kind, Severity, Unwritten};

use super::{ResolvedFinding, ResolvedSite, RunContext};
use crate::sarif::{Level, Location, Outcome, SourcePosition};

impl ResolvedFinding {
    /// Returns the finding as a result of SARIF. `code` is the path of the code object.
    #[must_use]
    pub fn to_sarif<'a>(&self, context: &RunContext<'_, '_>, code: &'a str) -> Outcome<'a> {
        outcome(self, context, code)
    }
}

fn outcome<'a>(record: &ResolvedFinding, context: &RunContext<'_, '_>, code: &'a str) -> Outcome<'a> {
    let instruction = |site: &ResolvedSite| site.text.as_ref().map_or_else(String::new, |text| format!("`{text}` "));
    let part =
        |site: &ResolvedSite, label: String| (location(site, context, code), format!("{}{label}", instruction(site)));
    let mut related = vec![part(&record.here.site, record.here_label())];
    related.extend(record.other.iter().map(|other| part(&other.site, other.other_label())));
    if let Some((origin, site)) = record.origin.as_ref().and_then(|origin| Some((origin, origin.site.as_ref()?))) {
        let what = match origin.source {
            Unwritten::Register(_) => "the first use of the register",
            Unwritten::Memory(_) => "the load of the memory",
        };
        related.push(part(site, format!("origin: {what}")));
    }
    Outcome {
        rule: record.kind.name(),
        description: description(record.kind),
        level: match record.severity {
            Severity::Error => Level::Error,
            Severity::Note => Level::Note,
        },
        message: format!("{}: {}; help: {}", context.kernel, record.message(), record.help),
        location: location(&record.here.site, context, code),
        related,
        is_suppressed: record.is_suppressed,
    }
}

fn location<'a>(site: &ResolvedSite, context: &RunContext<'_, '_>, code: &'a str) -> Location<'a> {
    Location {
        file: code,
        source: site.source.as_ref().map(|source| SourcePosition {
            file: source.file.clone(),
            line: source.line.into(),
            column: source.column.map(u64::from),
        }),
        address: site.address,
        symbol: context.places.name(site.pc).map(str::to_owned),
    }
}

/// What findings of a kind are.
const fn description(kind: Kind) -> &'static str {
    match kind {
        Kind::OutOfBounds => "an access outside of the memory that the kernel has",
        Kind::Misaligned => "an access that the hardware does not carry out at its address",
        Kind::ReadOnlyWrite => "a store to memory that may only be read",
        Kind::UnwrittenRegister => "something depends on a register that nothing has written",
        Kind::UnwrittenMemory => "something depends on memory that nothing has written",
        Kind::MissingWait => "a register is used while a load or atomic may still write it",
        Kind::Race => "two waves access the same byte without order",
        Kind::BarrierDivergence => "waves go on together from different barriers",
        Kind::Hazard => "instructions that are too close to each other",
        Kind::NoProgress => "a wait for something that cannot happen",
    }
}
