//! Findings that are known and shall not be reported: a line `KIND SYMBOL [SOURCE]` for each.

use amdgpu_dis::SourceLocation;
use isa_exec::check::finding::Kind;

use super::kinds;
use crate::demangle;
use crate::error::ReportError;

/// Findings that are not reported.
#[derive(Debug, Default)]
pub struct Suppressions {
    patterns: Vec<Pattern>,
}

/// A line of a text.
#[derive(Debug, PartialEq, Eq)]
struct Pattern {
    /// The kind; `None` for each.
    kind: Option<Kind>,
    symbol: String,
    source: Option<String>,
}

impl Suppressions {
    /// Adds the findings of a text: a line `KIND SYMBOL [SOURCE]` for each, in which `*` replaces any characters and `?` one, and `#`
    /// begins a comment. `file` is the name of the text for errors.
    ///
    /// # Errors
    /// A line has another form.
    pub fn add(&mut self, file: &str, text: &str) -> Result<(), ReportError> {
        for (line, number) in text.lines().zip(1..) {
            let pattern = Pattern::parse(line).map_err(|problem| ReportError::Suppression {
                file: file.to_owned(),
                line: number,
                problem: Box::new(problem),
            })?;
            self.patterns.extend(pattern);
        }
        Ok(())
    }

    /// Whether a finding of a kind is not reported, by the symbol and the source of one of its instructions.
    #[must_use]
    pub fn matches(&self, kind: Kind, symbol: Option<&str>, source: Option<&SourceLocation>) -> bool {
        self.patterns.iter().any(|pattern| pattern.matches(kind, symbol.unwrap_or_default(), source))
    }
}

impl Pattern {
    /// Reads a line; `None` if it is blank or a comment.
    fn parse(line: &str) -> Result<Option<Self>, ReportError> {
        let fields: Vec<&str> = line.split_whitespace().take_while(|field| !field.starts_with('#')).collect();
        let (kind, symbol, source) = match *fields.as_slice() {
            [] => return Ok(None),
            [kind, symbol] => (kind, symbol, None),
            [kind, symbol, source] => (kind, symbol, Some(source)),
            _ => return Err(ReportError::SuppressionFields { count: fields.len() }),
        };
        let kind = if kind == "*" { None } else { Some(kinds::kind(kind)?) };
        Ok(Some(Self { kind, symbol: symbol.into(), source: source.map(str::to_owned) }))
    }

    fn matches(&self, kind: Kind, symbol: &str, source: Option<&SourceLocation>) -> bool {
        self.kind.is_none_or(|only| only == kind)
            && self.source.as_ref().is_none_or(|pattern| source.is_some_and(|source| is_at(pattern, source)))
            && names(symbol).iter().any(|name| is_like(&self.symbol, name))
    }
}

/// The names of a symbol, without blanks: as it is, demangled, and without parameters.
fn names(symbol: &str) -> Vec<String> {
    let spaceless = |text: &str| text.split_whitespace().collect();
    let functions = demangle::function_names(symbol);
    let demangled = demangle::demangled(symbol);
    demangled.iter().chain(&functions).map(|name| spaceless(name)).chain([symbol.to_owned()]).collect()
}

/// Whether a pattern is like the path or the name of a file, with or without the line.
fn is_at(pattern: &str, source: &SourceLocation) -> bool {
    let name = source.file.rsplit(['/', '\\']).next().unwrap_or_default();
    [&*source.file, name]
        .iter()
        .any(|file| is_like(pattern, file) || is_like(pattern, &format!("{file}:{}", source.line)))
}

/// Whether a text is like a pattern, in which `*` replaces any characters and `?` one.
fn is_like(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut at, mut pos) = (0, 0);
    // After the last `*`: the place in the pattern, and how far in the text it reaches.
    let mut star = None;
    while let Some(c) = text.get(pos) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at + 1, pos));
                at += 1;
            }
            Some(wanted) if *wanted == '?' || wanted == c => (at, pos) = (at + 1, pos + 1),
            _ => {
                let Some((after, reach)) = &mut star else { return false };
                *reach += 1;
                (at, pos) = (*after, *reach);
            }
        }
    }
    pattern.iter().skip(at).all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(file: &str, line: u32) -> SourceLocation {
        SourceLocation { file: file.into(), line, column: None }
    }

    #[test]
    fn patterns_replace_characters() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("*b*b", "abab", true),
            ("?b", "ab", true),
            ("?", "", false),
            ("**", "x", true),
        ] {
            assert_eq!(is_like(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn lines_name_a_kind_a_symbol_and_a_source() {
        let pattern = |line: &str| Pattern::parse(line).expect("a pattern").expect("no comment");
        let (here, elsewhere) = (location("/src/k.cl", 7), location("/src/l.cl", 7));
        let race = pattern("race k* k.cl  # known");
        assert!(race.matches(Kind::Race, "kernel", Some(&here)));
        assert!(!race.matches(Kind::Hazard, "kernel", Some(&here)));
        assert!(!race.matches(Kind::Race, "other", Some(&here)));
        assert!(!race.matches(Kind::Race, "kernel", Some(&elsewhere)));
        assert!(!race.matches(Kind::Race, "kernel", None));
        assert!(pattern("* k *.cl:7").matches(Kind::Hazard, "k", Some(&here)));
        assert!(!pattern("* k k.cl:8").matches(Kind::Hazard, "k", Some(&here)));
        for name in ["_ZN2ns4fillEPii", "ns::fill", "ns::fill(int*,int)", "*fill*"] {
            assert!(pattern(&format!("* {name}")).matches(Kind::Race, "_ZN2ns4fillEPii", None), "{name}");
        }
        assert_eq!(Pattern::parse("  # race k"), Ok(None));
        for line in ["race", "rase k", "race k l m", "race,hazard k"] {
            assert!(Pattern::parse(line).is_err(), "{line}");
        }
    }
}
