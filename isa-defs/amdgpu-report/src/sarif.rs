//! SARIF 2.1.0, the format of findings that code-scanning services and editors read.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Where the format is defined.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/// How serious a result is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// What fails a check.
    Error,
    /// What may be wrong.
    Warning,
    /// What is worth knowing.
    Note,
}

/// A position in a source.
#[derive(Debug, Clone)]
pub struct SourcePosition {
    /// The path of the file.
    pub file: String,
    /// The line, which counts from 1.
    pub line: u64,
    /// The column, which counts from 1.
    pub column: Option<u64>,
}

/// The place of an instruction.
#[derive(Debug, Clone)]
pub struct Location<'a> {
    /// The file that holds the code.
    pub file: &'a str,
    /// Where the instruction is in its source, if that is known.
    pub source: Option<SourcePosition>,
    /// The address.
    pub address: u64,
    /// The function that holds the instruction.
    pub symbol: Option<String>,
}

/// A result, the format's word for a finding.
#[derive(Debug, Clone)]
pub struct Outcome<'a> {
    /// The identifier of the rule.
    pub rule: &'static str,
    /// What the rule looks for.
    pub description: &'static str,
    /// How serious it is.
    pub level: Level,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub location: Location<'a>,
    /// Other instructions, and their parts in the finding.
    pub related: Vec<(Location<'a>, String)>,
    /// Whether the user has asked not to see it.
    pub is_suppressed: bool,
}

/// Returns a document with the results of one run. `tool` is the name of the program that made them, with its version.
#[must_use]
pub fn document(tool: (&str, &str), outcomes: &[Outcome<'_>]) -> Value {
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
            "tool": { "driver": { "name": tool.0, "version": tool.1, "rules": rules } },
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
