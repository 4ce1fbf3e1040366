//! SARIF 2.1.0, the format of findings that code-scanning services and editors read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::input;

/// Where the format is defined.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/// How serious a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
    Note,
}

/// A position in a source.
#[derive(Debug, Clone)]
pub struct SourcePosition {
    pub file: String,
    pub line: u64,
    pub column: Option<u64>,
}

/// The place of an instruction.
#[derive(Debug, Clone)]
pub struct Location<'a> {
    /// The file that holds the code.
    pub file: &'a str,
    /// Where the instruction is in its source, if that is known.
    pub source: Option<SourcePosition>,
    pub address: u64,
    pub symbol: Option<String>,
}

/// A result, the format's word for a finding.
pub struct Outcome<'a> {
    /// The identifier of the rule.
    pub rule: &'static str,
    /// What the rule looks for.
    pub description: &'static str,
    pub level: Level,
    pub message: String,
    pub location: Location<'a>,
    /// Other instructions, and their parts in the finding.
    pub related: Vec<(Location<'a>, String)>,
    pub is_suppressed: bool,
}

/// Writes a file with the results of one run.
pub fn write(path: &Path, outcomes: &[Outcome<'_>]) -> Result<(), Failure> {
    let text = format!("{:#}\n", document(outcomes));
    let failed = |error| Failure::about(&input::name(path), format_args!("cannot be written: {error}"));
    fs::write(path, text).map_err(failed)
}

fn document(outcomes: &[Outcome<'_>]) -> Value {
    let descriptions: BTreeMap<&str, &str> =
        outcomes.iter().map(|outcome| (outcome.rule, outcome.description)).collect();
    let rules: Vec<Value> = descriptions
        .iter()
        .map(|(id, description)| json!({ "id": id, "shortDescription": { "text": description } }))
        .collect();
    let index = |rule: &str| descriptions.keys().position(|id| *id == rule);
    let results: Vec<Value> = outcomes.iter().map(|outcome| result(outcome, index(outcome.rule))).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "isa", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "results": results,
        }],
    })
}

fn result(outcome: &Outcome<'_>, rule: Option<usize>) -> Value {
    let level = match outcome.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let mut result = json!({
        "ruleId": outcome.rule,
        "ruleIndex": rule,
        "level": level,
        "message": { "text": outcome.message },
        "locations": [location(&outcome.location)],
    });
    if !outcome.related.is_empty() {
        let related = outcome.related.iter().zip(1..).map(|((related, message), id)| {
            let mut value = location(related);
            value["id"] = json!(id);
            value["message"] = json!({ "text": message });
            value
        });
        result["relatedLocations"] = related.collect();
    }
    if outcome.is_suppressed {
        result["suppressions"] = json!([{ "kind": "external" }]);
    }
    result
}

fn location(location: &Location<'_>) -> Value {
    let file = location.source.as_ref().map_or(location.file, |source| &source.file);
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    match &location.source {
        Some(source) => {
            physical["region"] = json!({ "startLine": source.line });
            if let Some(column) = source.column {
                physical["region"]["startColumn"] = column.into();
            }
        }
        None => physical["address"] = json!({ "absoluteAddress": location.address, "kind": "instruction" }),
    }
    let name = location.symbol.as_ref().map(|symbol| json!([{ "fullyQualifiedName": symbol, "kind": "function" }]));
    let mut value = json!({ "physicalLocation": physical });
    if let Some(name) = name {
        value["logicalLocations"] = name;
    }
    value
}

/// The URI of a path: relative like the path, or of the scheme `file`.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte.into()),
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        for (path, expected) in
            [("./k.cl", "k.cl"), ("a b/ü.co", "a%20b/%C3%BC.co"), ("/src/k.cl", "file:///src/k.cl"), ("c:d", "c%3Ad")]
        {
            assert_eq!(uri(path), expected, "{path}");
        }
    }
}
