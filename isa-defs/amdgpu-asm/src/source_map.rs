//! The text of macros, repetitions and included files, and the way from a position in it back to the lines of the file.
//!
//! Each expansion has its own range of positions, after those of the file and of earlier expansions, so that one number
//! identifies a byte wherever it is.

use std::ops::Range;
use std::sync::Arc;

use crate::expand::body::{Body, BodyText};

/// The size that is counted for an expansion besides its text: that of its entry. It bounds the number of empty expansions.
const ENTRY_BYTES: usize = 32;

/// How deep macros may be nested: as in LLVM.
pub const MAX_MACRO_DEPTH: usize = 20;

/// How deep macros, repetitions and files may be nested: each level is a recursion of the assembler.
pub const MAX_DEPTH: usize = 64;

/// The source of an expansion.
#[derive(Debug, Clone)]
pub(crate) enum ExpansionSource {
    /// A macro's body.
    Macro(Arc<Body>),
    /// The body of a repetition.
    Repeat(Arc<Body>),
    /// A file of this name.
    File(String),
}

#[derive(Debug)]
struct Expansion {
    /// The position of its first byte.
    start: usize,
    text: BodyText,
    origin: ExpansionSource,
    /// The statement that it replaces.
    used: Range<usize>,
}

/// All expansions of a program.
#[derive(Debug)]
pub(crate) struct Expansions {
    list: Vec<Expansion>,
    /// The position of the next expansion.
    end: usize,
    /// The size of all.
    bytes: usize,
    /// The largest size of all. A text of this size has at most as many lines, labels and errors as a file of this size, so that the
    /// memory that they take is bounded, too.
    limit: usize,
}

/// How text replaces a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpansionKind {
    /// The statement uses a macro.
    Macro,
    /// It is a repetition, such as `.rept`.
    Repetition,
    /// It includes a file.
    File,
}

/// The statement that an expansion replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpandedFrom {
    /// The position of the statement.
    pub span: Range<usize>,
    /// How it is replaced.
    pub kind: ExpansionKind,
}

/// A line of the source. For a line of a macro, the number is that of the line in the definition, and the text that of the
/// expansion.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceLine<'a> {
    /// The included file that it is in, if any.
    pub file: Option<&'a str>,
    /// Its number, from 1.
    pub number: usize,
    /// Its text.
    pub text: &'a str,
    /// The position of its first byte.
    pub start: usize,
    /// For a line of an expansion, the statement that this replaces.
    pub expanded_from: Option<ExpandedFrom>,
}

impl SourceLine<'_> {
    /// Returns the column of a position in the line: the number of characters before it, plus 1.
    #[must_use]
    pub fn column(&self, position: usize) -> usize {
        let end = self.text.floor_char_boundary(position.saturating_sub(self.start));
        self.text.get(..end).map_or(0, |before| before.chars().count()) + 1
    }
}

/// The place of a statement for messages in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// The included file, if it is not the program's own.
    pub file: Option<String>,
    /// The line, from 1. For a line of a macro it is that of the definition.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The line of the program's own file that led to it, if that is another: the use of a macro.
    pub used_at: Option<usize>,
}

/// The text of a program with its expansions: maps positions, which diagnostics have, to lines.
///
/// A position is the offset of a byte in the file, or beyond it, where macros, repetitions and included files have theirs.
#[derive(Debug)]
pub struct SourceMap {
    text: Arc<str>,
    starts: Vec<usize>,
    expansions: Expansions,
}

impl Expansions {
    /// No expansions of a file of this size, with a limit on their size.
    pub fn new(size: usize, limit: usize) -> Self {
        Self { list: Vec::new(), end: size.saturating_add(1), bytes: 0, limit }
    }

    /// The number of expansions.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The size that the next expansion may have.
    pub fn room(&self) -> usize {
        self.limit.saturating_sub(self.bytes.saturating_add(ENTRY_BYTES))
    }

    /// Adds the text that replaces the statement at `used`; the position of its first byte.
    pub fn push(&mut self, text: BodyText, origin: ExpansionSource, used: Range<usize>) -> usize {
        let start = self.end;
        self.bytes = self.bytes.saturating_add(text.len()).saturating_add(ENTRY_BYTES);
        // The position after the last byte belongs to this expansion, too.
        self.end = start.saturating_add(text.len()).saturating_add(1);
        self.list.push(Expansion { start, text, origin, used });
        start
    }

    /// Counts an expansion to nothing, of which there can be as many as of others: each takes time.
    pub fn count_empty(&mut self) {
        self.bytes = self.bytes.saturating_add(ENTRY_BYTES);
    }

    /// The expansion that a position is in, if it is not in the file.
    fn at(&self, place: usize) -> Option<&Expansion> {
        let after = self.list.partition_point(|expansion| expansion.start <= place);
        self.list.get(after.checked_sub(1)?)
    }

    /// The position in the file of the statement that led to this position.
    pub fn in_file(&self, place: usize) -> usize {
        let mut place = place;
        // A statement comes before its expansion, so this ends.
        while let Some(expansion) = self.at(place) {
            place = expansion.used.start;
        }
        place
    }
}

impl SourceMap {
    /// Creates the map of a file and its expansions.
    pub(crate) fn new(text: &str, expansions: Expansions) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text: text.into(), starts, expansions }
    }

    /// Returns the text between two positions.
    #[must_use]
    pub fn text(&self, span: Range<usize>) -> &str {
        match self.expansions.at(span.start) {
            None => self.text.get(span),
            Some(Expansion { start, text, .. }) => text.get(span.start - start..span.end.saturating_sub(*start)),
        }
        .unwrap_or_default()
    }

    /// Returns the position in the file of the statement that led to this position.
    #[must_use]
    pub fn position_in_file(&self, position: usize) -> usize {
        self.expansions.in_file(position)
    }

    /// Returns the line that a position is in.
    #[must_use]
    pub fn line(&self, position: usize) -> SourceLine<'_> {
        let Some(expansion) = self.expansions.at(position) else {
            let number = self.starts.partition_point(|start| *start <= position).max(1);
            let start = self.starts.get(number - 1).copied().unwrap_or(0);
            return SourceLine { file: None, number, text: first_line(&self.text, start), start, expanded_from: None };
        };
        let within = (position - expansion.start).min(expansion.text.len());
        let before = expansion.text.as_bytes().get(..within).unwrap_or_default();
        let nth = memchr::memchr_iter(b'\n', before).count();
        let begin = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let text = first_line(&expansion.text, begin);
        let start = expansion.start + begin;
        let expanded_from = |kind| Some(ExpandedFrom { span: expansion.used.clone(), kind });
        let (body, kind) = match &expansion.origin {
            ExpansionSource::File(name) => {
                let expanded_from = expanded_from(ExpansionKind::File);
                return SourceLine { file: Some(name), number: nth + 1, text, start, expanded_from };
            }
            ExpansionSource::Macro(body) => (body, ExpansionKind::Macro),
            ExpansionSource::Repeat(body) => (body, ExpansionKind::Repetition),
        };
        // Every copy of a body has the same lines.
        let written = body.starts.get(nth % body.starts.len().max(1)).map(|position| self.line(*position));
        let (file, number) = written.map_or((None, 1), |line| (line.file, line.number));
        SourceLine { file, number, text, start, expanded_from: expanded_from(kind) }
    }

    /// Returns the lines from the one that a position is in to the line of the file that led to it: the use of a macro, a
    /// repetition or an included file follows the line that it expands to. Each has the part of it that is meant.
    pub fn trace(&self, span: Range<usize>) -> impl Iterator<Item = (Range<usize>, SourceLine<'_>)> {
        let mut next = Some(span);
        std::iter::from_fn(move || {
            let span = next.take()?;
            let line = self.line(span.start);
            next = line.expanded_from.as_ref().map(|from| from.span.clone());
            Some((span, line))
        })
    }

    /// Returns the place of a position.
    #[must_use]
    pub fn location(&self, position: usize) -> SourceLocation {
        let line = self.line(position);
        let own = self.line(self.position_in_file(position)).number;
        let used_at = (line.file.is_some() || own != line.number).then_some(own);
        let column = line.column(position);
        SourceLocation { file: line.file.map(str::to_owned), line: line.number, column, used_at }
    }
}

fn first_line(text: &str, start: usize) -> &str {
    text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> BodyText {
        BodyText::Own(text.into())
    }

    #[test]
    fn places_lead_to_lines_and_uses() {
        let source = ".macro M\n a\n b\n.endm\nM\n";
        let mut body = Body::default();
        body.push(" a", 9);
        body.push(" b", 12);
        let mut expansions = Expansions::new(source.len(), 1 << 25);
        let first = expansions.push(own(" x\n y\n"), ExpansionSource::Macro(Arc::new(body)), 21..22);
        let second = expansions.push(own("z\n"), ExpansionSource::File("f".into()), first + 4..first + 5);
        let source = SourceMap::new(source, expansions);
        let expanded_from = Some(ExpandedFrom { span: 21..22, kind: ExpansionKind::Macro });
        assert_eq!(
            source.line(first + 4),
            SourceLine { file: None, number: 3, text: " y", start: first + 3, expanded_from }
        );
        let expanded_from = Some(ExpandedFrom { span: first + 4..first + 5, kind: ExpansionKind::File });
        assert_eq!(
            source.line(second),
            SourceLine { file: Some("f"), number: 1, text: "z", start: second, expanded_from }
        );
        assert_eq!((source.position_in_file(second), source.position_in_file(3)), (21, 3));
        assert_eq!((source.text(first + 1..first + 2), source.text(21..22)), ("x", "M"));
    }

    #[test]
    fn room_ends_for_long_texts_and_for_many() {
        for text in ["", "\n", &" ".repeat(1 << 20)] {
            let mut expansions = Expansions::new(0, 1 << 25);
            let mut count = 0;
            while expansions.room() > text.len() {
                expansions.push(own(text), ExpansionSource::File(String::new()), 0..0);
                count += 1;
            }
            assert_eq!(count, ((1 << 25) - 1) / (text.len() + ENTRY_BYTES), "{}", text.len());
        }
    }
}
