//! The lint: missing waits and hazards of code.

use amdgpu_dis::{LintOptions, Options, open};
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
}

#[pymethods]
impl LintFinding {
    fn __str__(&self) -> String {
        let symbol = self.symbol.as_ref().map(|symbol| format!(" in {symbol}")).unwrap_or_default();
        format!("{:#x}{symbol}: `{}`: {}; help: {}", self.address, self.instruction, self.message, self.help)
    }

    fn __repr__(&self) -> String {
        format!("<LintFinding {} at {:#x}>", self.rule, self.address)
    }
}

/// Lints the code of a file.
pub fn linted(data: &[u8], options: &Options, possible: bool, padding: bool) -> Result<Vec<LintFinding>, String> {
    let mut findings = Vec::new();
    for image in open(data, options).images.map_err(|error| error.to_string())? {
        let listing = image.listing(options).map_err(|error| error.to_string())?;
        let lint_options = LintOptions { possible, padding, has_shader_parts: listing.has_shader_parts };
        for section in &listing.sections {
            findings.extend(section.lint(lint_options).into_iter().map(|finding| LintFinding {
                rule: finding.rule.id().into(),
                message: finding.rule.text().into(),
                help: finding.help,
                is_certain: finding.certainty == rdna_facts::lint::Certainty::Certain,
                registers: finding.registers,
                address: section.address_of(finding.here.offset),
                symbol: section.symbol_before(finding.here.offset).map(|(symbol, _)| symbol.name.clone()),
                instruction: finding.here.instruction,
                earlier_address: finding.earlier.as_ref().map(|earlier| section.address_of(earlier.offset)),
                earlier_instruction: finding.earlier.map(|earlier| earlier.instruction),
                insert_before: finding.insert_before.map(|site| section.address_of(site.offset)),
            }));
        }
    }
    Ok(findings)
}
