//! The lint: missing waits and hazards of code.

use amdgpu_dis::Options;
use amdgpu_report::{LintSite, ResolvedLint, lint_file};
use pyo3::prelude::*;

/// A missing wait or a hazard.
#[derive(Clone)]
#[pyclass(frozen, get_all, module = "amdgpu_isa")]
pub struct LintFinding {
    rule: String,
    message: String,
    help: String,
    is_certain: bool,
    registers: Option<String>,
    address: u64,
    instruction: String,
    symbol: Option<String>,
    earlier_address: Option<u64>,
    earlier_instruction: Option<String>,
    insert_before: Option<u64>,
    /// The finding in a line.
    text: String,
}

impl From<ResolvedLint> for LintFinding {
    fn from(found: ResolvedLint) -> Self {
        let address = |site: &LintSite| site.address;
        Self {
            text: found.line(),
            rule: found.finding.rule.id().into(),
            message: found.finding.rule.text().into(),
            is_certain: found.is_certain(),
            help: found.finding.help,
            registers: found.finding.registers,
            address: found.here.address,
            instruction: found.here.instruction,
            symbol: found.here.symbol.map(|(name, _)| name),
            earlier_address: found.earlier.as_ref().map(address),
            insert_before: found.insert_before.as_ref().map(address),
            earlier_instruction: found.earlier.map(|earlier| earlier.instruction),
        }
    }
}

#[pymethods]
impl LintFinding {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<LintFinding {} at {:#x}>", self.rule, self.address)
    }
}

/// Lints the code of a file.
pub fn linted(data: &[u8], options: &Options, possible: bool, padding: bool) -> Result<Vec<LintFinding>, String> {
    let findings = lint_file(data, options, (possible, padding)).map_err(|error| error.to_string())?;
    Ok(findings.into_iter().map(LintFinding::from).collect())
}
