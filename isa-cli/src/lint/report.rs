//! The forms of the report: text for people, a JSON document for programs, SARIF for code-scanning services.

use std::io::Write;
use std::path::Path;

use amdgpu_arch::lanes;
use amdgpu_asm::SourceLocation;
use amdgpu_dis::LintFinding;
use rdna3::lint::{Authority, Certainty};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::sarif;
use amdgpu_report::sarif::{Level, Location, Outcome, SourcePosition};

/// The place of an instruction.
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

/// A finding with all that a report says of it.
pub struct LintRecord {
    pub finding: LintFinding,
    pub section: String,
    /// The instruction before which the missing wait has to be inserted.
    pub insert_before: Option<LintSite>,
    pub here: LintSite,
    /// The earlier instruction that it conflicts with.
    pub earlier: Option<LintSite>,
}

/// The findings of a file.
pub struct Report<'a> {
    file: &'a str,
    is_json: bool,
    /// The images that were linted, by their places.
    images: Vec<String>,
    /// The findings, each with the index of its image, if there are images.
    records: Vec<(Option<usize>, LintRecord)>,
}

impl<'a> Report<'a> {
    /// An empty report.
    pub fn new(file: &'a str, is_json: bool) -> Self {
        Self { file, is_json, images: Vec::new(), records: Vec::new() }
    }

    /// Begins the findings of an image at a place in the file; the place is empty if the image is the file.
    pub fn begin_image(&mut self, place: &str) {
        if !place.is_empty() {
            self.images.push(place.into());
        }
    }

    /// Adds a finding.
    pub fn add(&mut self, record: LintRecord) {
        self.records.push((self.images.len().checked_sub(1), record));
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Writes all findings and their number.
    pub fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
        if self.is_json {
            let findings: Vec<Value> = self.records.iter().map(|(image, record)| self.json(*image, record)).collect();
            let document = json!({"file": self.file, "count": self.records.len(), "findings": findings});
            writeln!(out, "{document:#}")?;
            return Ok(());
        }
        let mut last = None;
        for (image, record) in &self.records {
            if *image != last
                && let Some(place) = image.and_then(|image| self.images.get(image))
            {
                writeln!(out, "{}: {place}", self.file)?;
            }
            last = *image;
            self.text(out, record)?;
        }
        let count = self.records.len();
        writeln!(out, "{count} finding{}", if count == 1 { "" } else { "s" })?;
        Ok(())
    }

    /// Writes all findings to a file in the format SARIF.
    pub fn write_sarif(&self, path: &Path) -> Result<(), Failure> {
        let outcomes: Vec<Outcome<'_>> = self.records.iter().map(|(_, record)| self.outcome(record)).collect();
        sarif::write(path, &outcomes)
    }

    fn outcome(&self, record: &LintRecord) -> Outcome<'_> {
        let (rule, authority) = (record.finding.rule, record.finding.authority);
        let registers =
            record.finding.registers.as_ref().map_or_else(String::new, |registers| format!(" ({registers})"));
        let (here, help) = (&record.here, &record.finding.help);
        let earlier =
            record.earlier.as_ref().map(|site| (self.location(site), format!("earlier: `{}`", site.instruction)));
        Outcome {
            rule: rule.id(),
            description: rule.text(),
            level: if record.finding.certainty == Certainty::Certain { Level::Error } else { Level::Warning },
            message: format!("`{}`: {}{registers} [{authority}]; help: {help}", here.instruction, rule.text()),
            location: self.location(here),
            related: earlier.into_iter().collect(),
            is_suppressed: false,
        }
    }

    fn location(&self, site: &LintSite) -> Location<'_> {
        let source = site.source.as_ref().map(|place| SourcePosition {
            file: place.file.as_deref().unwrap_or(self.file).to_owned(),
            line: place.line as u64,
            column: Some(place.column as u64),
        });
        let symbol = site.symbol.as_ref().map(|(name, _)| name.clone());
        Location { file: self.file, source, address: site.address, symbol }
    }

    fn text(&self, out: &mut impl Write, record: &LintRecord) -> Result<(), Failure> {
        let registers =
            record.finding.registers.as_ref().map_or_else(String::new, |registers| format!(" ({registers})"));
        let path = if record.finding.certainty == Certainty::Possible { " (possible)" } else { "" };
        let (rule, site) = (record.finding.rule, &record.here);
        writeln!(out, "{}: {}{registers}{path} [{}]", self.place(site), rule.text(), record.finding.authority)?;
        writeln!(out, "    here:    {}", site.instruction)?;
        if let Some(site) = &record.earlier {
            writeln!(out, "    earlier: {}: {}", self.place(site), site.instruction)?;
        }
        writeln!(out, "    help:    {}", record.finding.help)?;
        if let Some(site) = record.insert_before.as_ref().filter(|site| site.address != record.here.address) {
            writeln!(out, "    before:  {}: {}", self.place(site), site.instruction)?;
        }
        Ok(())
    }

    /// File, line and column in a source; else the address and the symbol before it.
    fn place(&self, site: &LintSite) -> String {
        if let Some(place) = &site.source {
            let file = place.file.as_deref().unwrap_or(self.file);
            let used = place.used_at.map_or_else(String::new, |line| format!(" (from line {line})"));
            return format!("{file}:{}:{}{used}", place.line, place.column);
        }
        match &site.symbol {
            Some((name, distance)) => format!("0x{:x} <{name}+0x{distance:x}>", site.address),
            None => format!("0x{:x}", site.address),
        }
    }

    fn json(&self, image: Option<usize>, record: &LintRecord) -> Value {
        let mut out = Map::new();
        let mut set = |name: &str, value: Value| out.insert(name.to_owned(), value);
        if let Some(place) = image.and_then(|image| self.images.get(image)) {
            set("image", json!(place));
        }
        set("rule", json!(record.finding.rule.id()));
        set("severity", json!(if record.finding.certainty == Certainty::Certain { "certain" } else { "possible" }));
        set("message", json!(record.finding.rule.text()));
        let authority = record.finding.authority;
        let section = if let Authority::Guide(section) = authority { Some(section) } else { None };
        set("guide", json!(section));
        set("authority", json!(authority.to_string()));
        set("section", json!(record.section));
        set("wave", json!(lanes(record.finding.wave)));
        set("registers", json!(record.finding.registers));
        set(
            "wait",
            record
                .finding
                .wait
                .map_or(Value::Null, |(counter, most)| json!({"counter": counter.name(), "at_most": most})),
        );
        set("help", json!(record.finding.help));
        set(
            "insert_before",
            record.insert_before.as_ref().map_or(Value::Null, |site| Value::Object(self.json_site(site))),
        );
        for (name, value) in self.json_site(&record.here) {
            set(&name, value);
        }
        set("earlier", record.earlier.as_ref().map_or(Value::Null, |site| Value::Object(self.json_site(site))));
        Value::Object(out)
    }

    fn json_site(&self, site: &LintSite) -> Map<String, Value> {
        let source = site.source.as_ref().map(|place| {
            let file = place.file.as_deref().unwrap_or(self.file);
            json!({"file": file, "line": place.line, "column": place.column, "used_at_line": place.used_at})
        });
        let symbol = site.symbol.as_ref().map(|(name, offset)| json!({"name": name, "offset": offset}));
        let mut out = Map::new();
        out.insert("address".into(), json!(site.address));
        out.insert("symbol".into(), symbol.unwrap_or_default());
        out.insert("instruction".into(), json!(site.instruction));
        out.insert("source".into(), source.unwrap_or_default());
        out
    }
}
