//! Findings of the lint with their places resolved, for all forms of reports.

use std::error::Error;
use std::fmt;

use amdgpu_asm::{SectionStatements, SourceLocation, SourceMap};
use amdgpu_dis::{CodeSection, FindingSite, LintFinding, LintOptions, ObjectError, OpenError, Options, open};
use rdna_facts::lint::{Authority, Certainty};
use serde_json::{Map, Value, json};

use crate::sarif::{Level, Location, Outcome, SourcePosition};

/// The source of the instructions of a section, and the section's statements.
pub type SectionSource<'a> = Option<(&'a SourceMap, &'a SectionStatements)>;

/// An instruction of a finding of the lint, with its place.
#[derive(Debug, Clone)]
pub struct LintSite {
    /// The address, or the offset in the section of a relocatable object.
    pub address: u64,
    /// The symbol before it and the distance from that.
    pub symbol: Option<(String, usize)>,
    /// The text of the instruction.
    pub instruction: String,
    /// Where it is in the source, if that is known.
    pub source: Option<SourceLocation>,
}

/// A finding of the lint with all that a report says of it.
#[derive(Debug, Clone)]
pub struct ResolvedLint {
    /// The finding.
    pub finding: LintFinding,
    /// The name of the section.
    pub section: String,
    /// The instruction before which the missing wait has to be inserted.
    pub insert_before: Option<LintSite>,
    /// The instruction that breaks the rule.
    pub here: LintSite,
    /// The earlier instruction that it conflicts with.
    pub earlier: Option<LintSite>,
}

/// Why a file is not linted.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum LintFileError {
    /// No code object in it is taken.
    Open(OpenError),
    /// A code object cannot be read.
    Object(ObjectError),
}

impl fmt::Display for LintFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => error.fmt(f),
            Self::Object(error) => error.fmt(f),
        }
    }
}

impl Error for LintFileError {}

/// Lints the code of all code objects in the contents of a file. `possible` and `padding` are those of [`LintOptions`].
///
/// # Errors
/// The file has no code object that can be read.
pub fn lint_file(
    bytes: &[u8],
    options: &Options,
    (possible, padding): (bool, bool),
) -> Result<Vec<ResolvedLint>, LintFileError> {
    let mut findings = Vec::new();
    for image in open(bytes, options).images.map_err(LintFileError::Open)? {
        let listing = image.listing(options).map_err(LintFileError::Object)?;
        let options = LintOptions { possible, padding, has_shader_parts: listing.has_shader_parts };
        for section in &listing.sections {
            findings.extend(ResolvedLint::of_section(section, options, None));
        }
    }
    Ok(findings)
}

impl ResolvedLint {
    /// Lints a section.
    #[must_use]
    pub fn of_section(section: &CodeSection<'_>, options: LintOptions, source: SectionSource<'_>) -> Vec<Self> {
        let site = |site: &FindingSite| LintSite::new(section, site, source);
        let resolve = |finding: LintFinding| Self {
            section: section.name.clone(),
            insert_before: finding.insert_before.as_ref().map(site),
            here: site(&finding.here),
            earlier: finding.earlier.as_ref().map(site),
            finding,
        };
        section.lint(options).into_iter().map(resolve).collect()
    }

    /// Whether each run that takes some edge of the control flow meets the finding.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.finding.certainty == Certainty::Certain
    }

    /// The registers in parentheses after a blank, or nothing.
    #[must_use]
    pub fn registers_label(&self) -> String {
        self.finding.registers.as_ref().map_or_else(String::new, |registers| format!(" ({registers})"))
    }

    /// Describes the finding in a line: the place, the instruction, the rule, and what to do.
    #[must_use]
    pub fn line(&self) -> String {
        let symbol = self.here.symbol.as_ref().map(|(name, _)| format!(" in {name}")).unwrap_or_default();
        let (here, rule, help) = (&self.here, self.finding.rule.text(), &self.finding.help);
        let registers = self.registers_label();
        format!("{:#x}{symbol}: `{}`: {rule}{registers}; help: {help}", here.address, here.instruction)
    }

    /// Returns the finding as a JSON object. `file` is the name of the file that was linted.
    #[must_use]
    pub fn to_json(&self, file: &str) -> Map<String, Value> {
        let finding = &self.finding;
        let section = if let Authority::Guide(section) = finding.authority { Some(section) } else { None };
        let wait = finding.wait.map(|(counter, most)| json!({"counter": counter.name(), "at_most": most}));
        let site = |site: &Option<LintSite>| json!(site.as_ref().map(|site| site.to_json(file)));
        let mut fields = Map::new();
        let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        set("rule", json!(finding.rule.id()));
        set("severity", json!(if self.is_certain() { "certain" } else { "possible" }));
        set("message", json!(finding.rule.text()));
        set("guide", json!(section));
        set("authority", json!(finding.authority.to_string()));
        set("section", json!(self.section));
        set("wave", json!(amdgpu_arch::lanes(finding.wave)));
        set("registers", json!(finding.registers));
        set("wait", json!(wait));
        set("help", json!(finding.help));
        set("insert_before", site(&self.insert_before));
        for (name, value) in self.here.to_json(file) {
            set(&name, value);
        }
        set("earlier", site(&self.earlier));
        fields
    }

    /// Returns the finding as a result of SARIF. `file` is the name of the file that was linted.
    #[must_use]
    pub fn to_sarif<'a>(&self, file: &'a str) -> Outcome<'a> {
        let (rule, authority) = (self.finding.rule, self.finding.authority);
        let (instruction, help, registers) = (&self.here.instruction, &self.finding.help, self.registers_label());
        let earlier = |site: &LintSite| (site.location(file), format!("earlier: `{}`", site.instruction));
        Outcome {
            rule: rule.id(),
            description: rule.text(),
            level: if self.is_certain() { Level::Error } else { Level::Warning },
            message: format!("`{instruction}`: {}{registers} [{authority}]; help: {help}", rule.text()),
            location: self.here.location(file),
            related: self.earlier.iter().map(earlier).collect(),
            is_suppressed: false,
        }
    }
}

impl LintSite {
    fn new(section: &CodeSection<'_>, site: &FindingSite, source: SectionSource<'_>) -> Self {
        let symbol = section.symbol_before(site.offset);
        Self {
            address: section.address_of(site.offset),
            symbol: symbol.map(|(symbol, distance)| (symbol.name.clone(), distance)),
            instruction: site.instruction.clone(),
            source: source.and_then(|(source, statements)| Some(source.location(statements.position(site.offset)?))),
        }
    }

    /// Describes the place: file, line and column in a source; else the address and the symbol before it.
    #[must_use]
    pub fn place(&self, file: &str) -> String {
        if let Some(place) = &self.source {
            let file = place.file.as_deref().unwrap_or(file);
            let used = place.used_at.map_or_else(String::new, |line| format!(" (from line {line})"));
            return format!("{file}:{}:{}{used}", place.line, place.column);
        }
        match &self.symbol {
            Some((name, distance)) => format!("0x{:x} <{name}+0x{distance:x}>", self.address),
            None => format!("0x{:x}", self.address),
        }
    }

    fn location<'a>(&self, file: &'a str) -> Location<'a> {
        let source = self.source.as_ref().map(|place| SourcePosition {
            file: place.file.as_deref().unwrap_or(file).to_owned(),
            line: place.line as u64,
            column: Some(place.column as u64),
        });
        let symbol = self.symbol.as_ref().map(|(name, _)| name.clone());
        Location { file, source, address: self.address, symbol }
    }

    fn to_json(&self, file: &str) -> Map<String, Value> {
        let source = self.source.as_ref().map(|place| {
            let file = place.file.as_deref().unwrap_or(file);
            json!({"file": file, "line": place.line, "column": place.column, "used_at_line": place.used_at})
        });
        let symbol = self.symbol.as_ref().map(|(name, offset)| json!({"name": name, "offset": offset}));
        let mut fields = Map::new();
        fields.insert("address".into(), json!(self.address));
        fields.insert("symbol".into(), symbol.unwrap_or_default());
        fields.insert("instruction".into(), json!(self.instruction));
        fields.insert("source".into(), source.unwrap_or_default());
        fields
    }
}
