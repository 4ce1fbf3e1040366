//! Findings of the lint about a section: its instructions, in ranges of one wave size without data, linted as programs.

use amdgpu_arch::{InstructionSet, Wave, with_rdna_set};
use rdna_facts::counter::Counter;
use rdna_facts::lint::{Authority, Certainty, Finding, Program, Rule};
use rdna_rows::{Generation, Instruction};

use crate::code_range::{CodeRange, code_ranges};
use crate::section::CodeSection;
use crate::symbol::{CodeSymbol, SymbolKind};

/// Which findings to return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LintOptions {
    /// Possible findings too: those on some path only, and those that only some sources state.
    pub possible: bool,
    /// Missing padding too.
    pub padding: bool,
    /// The code may be a part of a shader: others may follow. See
    /// [`ObjectFile::has_shader_parts`](crate::ObjectFile::has_shader_parts).
    pub has_shader_parts: bool,
}

/// A missing wait or a hazard.
#[derive(Debug, Clone)]
pub struct LintFinding {
    /// The rule.
    pub rule: Rule,
    /// Who states the rule.
    pub authority: Authority,
    /// How certain it is.
    pub certainty: Certainty,
    /// The wave size of the code.
    pub wave: Wave,
    /// The registers in question.
    pub registers: Option<String>,
    /// The counter to wait for and its value at most.
    pub wait: Option<(Counter, u8)>,
    /// The advice.
    pub help: String,
    /// The instruction before which a missing wait has to be inserted.
    pub insert_before: Option<FindingSite>,
    /// The instruction that breaks the rule.
    pub here: FindingSite,
    /// The earlier instruction that it conflicts with.
    pub earlier: Option<FindingSite>,
}

/// An instruction of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingSite {
    /// The offset in the section.
    pub offset: usize,
    /// The text of the instruction.
    pub instruction: String,
}

impl CodeSection<'_> {
    /// Lints the code. Sets other than generations of RDNA have no findings, since they have no rules.
    #[must_use]
    pub fn lint(&self, options: LintOptions) -> Vec<LintFinding> {
        let mut findings = Vec::new();
        with_rdna_set!(self.arch, S => self.lint_in::<S>(options, &mut findings));
        findings
    }

    fn lint_in<S: InstructionSet + Generation>(&self, options: LintOptions, findings: &mut Vec<LintFinding>) {
        for range in code_ranges::<S>(self) {
            let parts = if options.has_shader_parts { range.into_parts(self) } else { vec![range] };
            parts.iter().for_each(|part| part.add_findings(self, options, findings));
        }
    }

    /// Returns the last symbol at or before an offset that does not name data, and the distance from it.
    #[must_use]
    pub fn symbol_before(&self, offset: usize) -> Option<(&CodeSymbol, usize)> {
        let before = self.symbols.partition_point(|symbol| symbol.offset <= offset);
        let symbols = self.symbols.get(..before).unwrap_or_default();
        let symbol = symbols.iter().rev().find(|symbol| !matches!(symbol.kind, SymbolKind::Data(_)))?;
        Some((symbol, offset - symbol.offset))
    }
}

impl<I: Instruction> CodeRange<I> {
    fn add_findings(&self, section: &CodeSection<'_>, options: LintOptions, findings: &mut Vec<LintFinding>) {
        let entries = self.entries(section);
        let mut program = Program::with_unresolved(&self.instrs, self.wave, &entries, &self.unresolved);
        if self.is_last && !options.has_shader_parts {
            program = program.whole();
        }
        if self.is_last && options.padding {
            program = program.padded();
        }
        let certain = program.certain();
        findings.extend(certain.iter().map(|finding| self.finding(finding)));
        if options.possible {
            let is_new = |f: &&Finding<I>| !certain.iter().any(|c| (c.at, c.rule, c.wait) == (f.at, f.rule, f.wait));
            findings.extend(program.possible().iter().filter(is_new).map(|finding| self.finding(finding)));
        }
    }

    fn finding(&self, finding: &Finding<I>) -> LintFinding {
        let site = |at: usize, instr: &I| FindingSite {
            offset: self.offsets.get(at).copied().unwrap_or_default(),
            instruction: instr.display_in(finding.wave).to_string(),
        };
        let has_wait = finding.wait.is_some() || finding.dependency.is_some();
        let insert_before = self.instrs.get(finding.insert_at).filter(|_| has_wait);
        LintFinding {
            rule: finding.rule,
            authority: finding.authority(),
            certainty: finding.certainty,
            wave: finding.wave,
            registers: finding.registers.map(|registers| registers.to_string()),
            wait: finding.wait,
            help: finding.help().to_string(),
            insert_before: insert_before.map(|instr| site(finding.insert_at, instr)),
            earlier: finding.earlier.map(|(at, instr)| site(at, &instr)),
            here: site(finding.at, &finding.instr),
        }
    }
}
