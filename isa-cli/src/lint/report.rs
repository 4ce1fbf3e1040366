//! The forms of the report: text for people, a JSON document for programs, SARIF for code-scanning services.

use std::io::Write;
use std::path::Path;

use amdgpu_report::ResolvedLint;
use amdgpu_report::sarif::Outcome;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::sarif;

/// The findings of a file.
pub struct Report<'a> {
    file: &'a str,
    is_json: bool,
    /// The images that were linted, by their places.
    images: Vec<String>,
    /// The findings, each with the index of its image, if there are images.
    records: Vec<(Option<usize>, ResolvedLint)>,
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

    /// Adds findings.
    pub fn add(&mut self, records: Vec<ResolvedLint>) {
        let image = self.images.len().checked_sub(1);
        self.records.extend(records.into_iter().map(|record| (image, record)));
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
        let outcomes: Vec<Outcome<'_>> = self.records.iter().map(|(_, record)| record.to_sarif(self.file)).collect();
        sarif::write(path, &outcomes)
    }

    fn text(&self, out: &mut impl Write, record: &ResolvedLint) -> Result<(), Failure> {
        let path = if record.is_certain() { "" } else { " (possible)" };
        let (finding, site) = (&record.finding, &record.here);
        let registers = record.registers_label();
        writeln!(out, "{}: {}{registers}{path} [{}]", site.place(self.file), finding.rule.text(), finding.authority)?;
        writeln!(out, "    here:    {}", site.instruction)?;
        if let Some(site) = &record.earlier {
            writeln!(out, "    earlier: {}: {}", site.place(self.file), site.instruction)?;
        }
        writeln!(out, "    help:    {}", finding.help)?;
        if let Some(site) = record.insert_before.as_ref().filter(|site| site.address != record.here.address) {
            writeln!(out, "    before:  {}: {}", site.place(self.file), site.instruction)?;
        }
        Ok(())
    }

    fn json(&self, image: Option<usize>, record: &ResolvedLint) -> Value {
        let mut fields = Map::new();
        if let Some(place) = image.and_then(|image| self.images.get(image)) {
            fields.insert("image".into(), json!(place));
        }
        fields.extend(record.to_json(self.file));
        Value::Object(fields)
    }
}
