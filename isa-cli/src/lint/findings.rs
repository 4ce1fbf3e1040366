//! The findings of a section: its instructions, in ranges of one wave size without data, linted as programs.

use amdgpu_arch::{InstructionSet, Wave, with_rdna_set};
use amdgpu_asm::{SectionStatements, SourceMap};
use amdgpu_dis::{CodeRange, CodeSection, SymbolKind, code_ranges};
use rdna3::lint::{Finding, Program};
use rdna3::{Generation, Instruction};

use super::report::{LintRecord, LintSite, Report};

/// Which findings to report.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Possible findings too.
    pub possible: bool,
    /// Missing padding too.
    pub padding: bool,
    /// The code may be a part of a shader: others may follow.
    pub has_parts: bool,
}

/// Where the instructions of a section come from: the source and the section's statements.
pub type SectionSource<'a> = Option<(&'a SourceMap, &'a SectionStatements)>;

/// Adds the findings of a section to a report.
pub fn of_section(section: &CodeSection<'_>, options: Options, origin: SectionSource<'_>, report: &mut Report) {
    with_rdna_set!(section.arch, S => of_instrs::<S>(section, options, origin, report));
}

/// Adds the findings about the instructions of a set.
fn of_instrs<S: InstructionSet + Generation>(
    section: &CodeSection<'_>,
    options: Options,
    origin: SectionSource<'_>,
    report: &mut Report,
) {
    for range in code_ranges::<S>(section) {
        let parts = if options.has_parts { range.into_parts(section) } else { vec![range] };
        for part in &parts {
            of_range(section, part, options, origin, report);
        }
    }
}

fn of_range<I: Instruction>(
    section: &CodeSection<'_>,
    range: &CodeRange<I>,
    options: Options,
    origin: SectionSource<'_>,
    report: &mut Report,
) {
    let entries = range.entries(section);
    let mut program = Program::with_unresolved(&range.instrs, range.wave, &entries, &range.unresolved);
    if range.is_last && !options.has_parts {
        program = program.whole();
    }
    if range.is_last && options.padding {
        program = program.padded();
    }
    let certain = program.certain();
    for finding in &certain {
        report.add(record(section, range, finding, origin));
    }
    if options.possible {
        let is_new = |f: &&Finding<I>| !certain.iter().any(|c| (c.at, c.rule, c.wait) == (f.at, f.rule, f.wait));
        for finding in program.possible().iter().filter(is_new) {
            report.add(record(section, range, finding, origin));
        }
    }
}

fn record<I: Instruction>(
    section: &CodeSection<'_>,
    range: &CodeRange<I>,
    finding: &Finding<I>,
    origin: SectionSource<'_>,
) -> LintRecord {
    let site = |at: usize, instr: &I| site(section, range, at, instr, finding.wave, origin);
    LintRecord {
        rule: finding.rule,
        certainty: finding.certainty,
        section: section.name.clone(),
        wave: finding.wave,
        registers: finding.registers.map(|registers| registers.to_string()),
        wait: finding.wait,
        help: finding.help().to_string(),
        insert_before: (finding.wait.is_some() || finding.dependency.is_some())
            .then(|| Some(site(finding.insert_at, range.instrs.get(finding.insert_at)?)))
            .flatten(),
        earlier: finding.earlier.map(|(at, instr)| site(at, &instr)),
        here: site(finding.at, &finding.instr),
    }
}

/// The place of an instruction.
fn site<I: Instruction>(
    section: &CodeSection<'_>,
    range: &CodeRange<I>,
    at: usize,
    instr: &I,
    wave: Wave,
    origin: SectionSource<'_>,
) -> LintSite {
    let offset = range.offsets.get(at).copied().unwrap_or_default();
    let before = section.symbols.partition_point(|s| s.offset <= offset);
    let symbol = section.symbols[..before].iter().rev().find(|s| !matches!(s.kind, SymbolKind::Data(_)));
    LintSite {
        address: section.address_of(offset),
        symbol: symbol.map(|symbol| (symbol.name.clone(), offset - symbol.offset)),
        instruction: instr.display_in(wave).to_string(),
        source: origin.and_then(|(source, statements)| Some(source.location(statements.position(offset)?))),
    }
}
