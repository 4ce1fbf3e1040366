//! `isa run --check`: options, the run, and reports.

mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use amdgpu_dispatch::{CODE_BASE, Checked, Checks, GroupFault, Host, Session};
use isa_exec::check::Omitted;
use isa_exec::check::finding::{Finding, Kinds};

use crate::failure::Failure;
use crate::{input, sarif};
use amdgpu_report::{Places, ResolvedFinding, RunContext, Suppressions, parse_kinds};

/// The arguments of `isa run` that concern checks.
#[derive(clap::Args)]
pub struct CheckArgs {
    /// Report what the hardware need not do as the kernel expects: out-of-bounds, misaligned, read-only-write, unwritten-register,
    /// unwritten-memory, missing-wait, race, barrier-divergence, hazard, no-progress; with kinds, report only these, and with
    /// `-KIND`, all but these
    #[arg(long = "check", value_name = "KIND,…|-KIND,…", value_parser = parse_kinds, requires = "kernel", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "clap's type for an option whose value may be missing")]
    kinds: Option<Option<Kinds>>,
    /// With `--check`: let results of loads and atomics arrive when a wait proves that they are there, and not before, so that a
    /// kernel without a wait that it needs computes what the hardware might
    #[arg(long, requires = "kinds")]
    late: bool,
    /// With `--check`: take the instruction at this address for one that does not wait, and say why the run does not need the wait if
    /// it does not
    #[arg(long, value_name = "ADDRESS", requires = "kinds")]
    without_wait: Option<String>,
    /// Do not report the findings that a file names: lines KIND SYMBOL [SOURCE], in which `*` replaces any characters
    #[arg(long, value_name = "FILE", requires = "kinds")]
    suppress: Vec<PathBuf>,
    /// Write the findings to a file in the format SARIF 2.1.0
    #[arg(long, value_name = "FILE", requires = "kinds")]
    sarif: Option<PathBuf>,
}

/// The part of a run that checks the kernel.
pub struct Check<'a> {
    checks: Checks,
    suppressions: Suppressions,
    sarif: Option<&'a Path>,
}

impl CheckArgs {
    /// Whether the kernel is checked.
    pub const fn is_active(&self) -> bool {
        self.kinds.is_some()
    }

    /// Returns the check that the arguments ask for.
    pub fn check(&self, places: &Places<'_>) -> Result<Option<Check<'_>>, Failure> {
        let Some(kinds) = self.kinds else { return Ok(None) };
        let without_wait = self.without_wait.as_deref().map(|text| places.resolve(text)).transpose();
        let without_wait = without_wait.map_err(|error| Failure::Message(error.to_string()))?;
        Ok(Some(Check {
            checks: Checks { kinds: kinds.unwrap_or(Kinds::ALL), is_late: self.late, without_wait },
            suppressions: suppressions(&self.suppress)?,
            sarif: self.sarif.as_deref(),
        }))
    }
}

/// Reads files of findings that are not reported.
fn suppressions(paths: &[PathBuf]) -> Result<Suppressions, Failure> {
    let mut all = Suppressions::default();
    for path in paths {
        let name = input::name(path);
        let text = String::from_utf8(input::read(path)?).map_err(|_| Failure::about(&name, "it is not text"))?;
        all.add(&name, &text).map_err(|error| Failure::Message(error.to_string()))?;
    }
    Ok(all)
}

/// What a check has found.
#[derive(Default)]
pub struct Found {
    findings: Vec<Finding>,
    /// The wait that was left out.
    omitted: Option<Omitted>,
}

/// Executes a kernel, with a check if one is asked for. Returns what was found and how the run has ended.
pub fn execute<H: Host>(
    check: Option<&Check<'_>>,
    session: &Session<'_>,
    host: &H,
) -> Result<(Found, Result<(), GroupFault>), String> {
    let Some(check) = check else { return Ok((Found::default(), session.run(host))) };
    let checked = session.check(check.checks, host).map_err(|error| error.to_string())?;
    let Checked { findings, omitted, outcome, .. } = checked;
    Ok((Found { findings, omitted }, outcome))
}

impl Check<'_> {
    /// Reports findings: as lines of JSON to standard output or as text to standard error, and in the SARIF file. `file` is the
    /// code object's. Returns whether one of them makes the run fail.
    pub fn report(
        &self,
        Found { findings, omitted }: Found,
        context: &RunContext<'_, '_>,
        file: &Path,
        is_json: bool,
    ) -> Result<bool, Failure> {
        let records: Vec<ResolvedFinding> =
            findings.into_iter().map(|finding| ResolvedFinding::new(finding, context, &self.suppressions)).collect();
        if is_json {
            let mut out = io::BufWriter::new(io::stdout().lock());
            for record in records.iter().filter(|record| !record.is_suppressed) {
                writeln!(out, "{}", record.to_json())?;
            }
            out.flush()?;
        } else {
            text::show(&records, context, file.parent().unwrap_or(Path::new("")));
        }
        if let Some(path) = self.sarif {
            let code = input::name(file);
            let outcomes: Vec<_> = records.iter().map(|record| record.to_sarif(context, &code)).collect();
            sarif::write(path, &outcomes)?;
        }
        let is_wrong = records.iter().any(ResolvedFinding::is_error);
        if let Some(omitted) = omitted.filter(|_| !is_wrong) {
            eprintln!("note: without the wait at {:#x}: {omitted}", omitted.pc.wrapping_sub(CODE_BASE));
        }
        Ok(is_wrong)
    }
}
