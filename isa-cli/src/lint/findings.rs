//! The findings of a section, with their places in the source.

use amdgpu_asm::{SectionStatements, SourceMap};
use amdgpu_dis::{CodeSection, FindingSite, LintOptions};

use super::report::{LintRecord, LintSite, Report};

/// Where the instructions of a section come from: the source and the section's statements.
pub type SectionSource<'a> = Option<(&'a SourceMap, &'a SectionStatements)>;

/// Adds the findings of a section to a report.
pub fn of_section(section: &CodeSection<'_>, options: LintOptions, origin: SectionSource<'_>, report: &mut Report) {
    for finding in section.lint(options) {
        let site = |site: &FindingSite| site_of(section, site, origin);
        report.add(LintRecord {
            section: section.name.clone(),
            insert_before: finding.insert_before.as_ref().map(site),
            here: site(&finding.here),
            earlier: finding.earlier.as_ref().map(site),
            finding,
        });
    }
}

/// The place of an instruction.
fn site_of(section: &CodeSection<'_>, site: &FindingSite, origin: SectionSource<'_>) -> LintSite {
    let symbol = section.symbol_before(site.offset);
    LintSite {
        address: section.address_of(site.offset),
        symbol: symbol.map(|(symbol, distance)| (symbol.name.clone(), distance)),
        instruction: site.instruction.clone(),
        source: origin.and_then(|(source, statements)| Some(source.location(statements.position(site.offset)?))),
    }
}
