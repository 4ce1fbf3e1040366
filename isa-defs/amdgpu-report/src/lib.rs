#![doc = include_str!("../README.md")]

pub mod cases;
pub mod demangle;
mod effects;
mod error;
mod explain;
mod finding;
mod host;
mod kernel_name;
mod lint;
mod nearby;
mod places;
pub mod sarif;
mod statistics;
mod trace;

pub use effects::write_effects;
pub use error::ReportError;
pub use explain::{Explanation, guide_sections};
pub use finding::{Execution, ResolvedFinding, ResolvedOrigin, ResolvedSite, RunContext, Suppressions, parse_kinds};
pub use host::{HostContext, ResolvedFault};
pub use kernel_name::{find_kernel, shown_name};
pub use lint::{LintFileError, LintSite, ResolvedLint, SectionSource, lint_file};
pub use nearby::NearbyMemory;
pub use places::Places;
pub use statistics::{ExecutionCount, InstructionTally, RunStatistics};
pub use trace::{Trace, TraceObserver, TraceOptions};
