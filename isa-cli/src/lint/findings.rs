//! The findings of a section: its instructions, in ranges of one wave size without data, linted as programs.

use std::convert::Infallible;

use rdna3::Instruction;
use rdna3::lint::{Finding, Program};

use crate::arch::{Arch, Instr, Wave};
use crate::asm::expansions::Source;
use crate::asm::origin::{Place, Statements};
use crate::dis::code::{Row, Section};
use crate::dis::symbol::SymbolKind;

use super::report::{Record, Report, Site};

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
pub type Origin<'a> = Option<(&'a Source<'a>, &'a Statements)>;

/// Consecutive instructions of one wave size.
struct CodeRange<I> {
    wave: Wave,
    instrs: Vec<I>,
    offsets: Vec<usize>,
    /// The indices of branches whose targets a linker has yet to fill in.
    unresolved: Vec<usize>,
    /// Whether the section ends after it.
    is_last: bool,
}

/// Adds the findings of a section to a report.
pub fn of_section(section: &Section<'_>, arch: Arch, options: Options, origin: Origin<'_>, report: &mut Report) {
    match arch {
        Arch::Rdna3_5 => of_instrs(section, arch, rdna3_5_instr, options, origin, report),
        _ => of_instrs(section, arch, rdna3_instr, options, origin, report),
    }
}

fn rdna3_instr(instr: &Instr) -> Option<(rdna3::Instr, Wave)> {
    if let Instr::Rdna3(instr, wave) = *instr { Some((instr, wave)) } else { None }
}

fn rdna3_5_instr(instr: &Instr) -> Option<(rdna3_5::Instr, Wave)> {
    if let Instr::Rdna3_5(instr, wave) = *instr { Some((instr, wave)) } else { None }
}

/// Adds the findings about those instructions of a section that `select` returns.
fn of_instrs<I: Instruction>(
    section: &Section<'_>,
    arch: Arch,
    select: fn(&Instr) -> Option<(I, Wave)>,
    options: Options,
    origin: Origin<'_>,
    report: &mut Report,
) {
    for range in code_ranges(section, arch, select) {
        of_range(section, &range, options, origin, report);
    }
}

/// Splits the instructions of a section where something else is between them.
fn code_ranges<I: Instruction>(
    section: &Section<'_>,
    arch: Arch,
    select: fn(&Instr) -> Option<(I, Wave)>,
) -> Vec<CodeRange<I>> {
    let mut ranges: Vec<CodeRange<I>> = Vec::new();
    let mut end = None;
    let Ok(()) = section.rows(arch, |row: Row<'_>| {
        if let Some((instr, wave)) = row.instr().and_then(select) {
            let continues = end == Some(row.offset) && ranges.last().is_some_and(|r| r.wave == wave);
            if !continues {
                let range = CodeRange { wave, instrs: vec![], offsets: vec![], unresolved: vec![], is_last: false };
                ranges.push(range);
            }
            if let Some(range) = ranges.last_mut() {
                let is_relocated = section.relocations.binary_search_by_key(&row.offset, |r| r.offset).is_ok();
                if is_relocated && instr.branch_offset().is_some() {
                    range.unresolved.push(range.instrs.len());
                }
                range.instrs.push(instr);
                range.offsets.push(row.offset);
            }
            end = Some(row.offset + row.bytes.len());
        }
        Ok::<(), Infallible>(())
    });
    if let Some(range) = ranges.last_mut() {
        range.is_last = end == Some(section.bytes.len());
    }
    ranges
}

fn of_range<I: Instruction>(
    section: &Section<'_>,
    range: &CodeRange<I>,
    options: Options,
    origin: Origin<'_>,
    report: &mut Report,
) {
    let starts = section.symbols.iter().filter(|s| matches!(s.kind, SymbolKind::Kernel(..) | SymbolKind::Function(..)));
    let entries: Vec<usize> = starts.filter_map(|s| range.offsets.binary_search(&s.offset).ok()).collect();
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
    section: &Section<'_>,
    range: &CodeRange<I>,
    finding: &Finding<I>,
    origin: Origin<'_>,
) -> Record {
    let site = |at: usize, instr: &I| site(section, range, at, instr, finding.wave, origin);
    Record {
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
    section: &Section<'_>,
    range: &CodeRange<I>,
    at: usize,
    instr: &I,
    wave: Wave,
    origin: Origin<'_>,
) -> Site {
    let offset = range.offsets.get(at).copied().unwrap_or_default();
    let before = section.symbols.partition_point(|s| s.offset <= offset);
    let symbol = section.symbols[..before].iter().rev().find(|s| !matches!(s.kind, SymbolKind::Data(_)));
    Site {
        address: section.address_of(offset),
        symbol: symbol.map(|symbol| (symbol.name.clone(), offset - symbol.offset)),
        instruction: instr.display_in(wave).to_string(),
        source: origin.and_then(|(source, statements)| Some(Place::of(source, statements.position(offset)?))),
    }
}
