//! The text of macros, repetitions and included files, and the way from a position in it back to the lines of the file.
//!
//! Each expansion has its own range of positions, after those of the file and of earlier expansions, so that one number
//! identifies a byte wherever it is.

use std::ops::Range;
use std::sync::Arc;

use crate::asm::body::{Body, BodyText};

/// The size in bytes of all expansions together, at most. A text of this size has at most as many lines, labels and errors as an
/// input file of the same size, so that the memory that it needs is bounded, too.
pub const MAX_BYTES: usize = 1 << 25;

/// The size that is counted for an expansion besides its text: that of its entry. It bounds the number of empty expansions.
const ENTRY_BYTES: usize = 32;

/// How deep macros may be nested: as in LLVM.
pub const MAX_MACRO_DEPTH: usize = 20;

/// How deep macros, repetitions and files may be nested: each level is a recursion of the assembler.
pub const MAX_DEPTH: usize = 64;

/// The source of an expansion.
#[derive(Debug, Clone)]
pub enum ExpansionSource {
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
pub struct Expansions {
    list: Vec<Expansion>,
    /// The position of the next expansion.
    end: usize,
    /// The size of all, counted for [`MAX_BYTES`].
    bytes: usize,
}

/// A line as messages show it. For a line of a macro, the number is that of the line in the macro's definition, and the text
/// that of the expansion.
#[derive(Debug, PartialEq, Eq)]
pub struct ShownLine<'a> {
    /// The included file that it is in, if any.
    pub file: Option<&'a str>,
    /// Its number, from 0.
    pub number: usize,
    /// Its text.
    pub text: &'a str,
    /// The position of its first byte.
    pub start: usize,
    /// The statement that its expansion replaces, and in which way.
    pub called: Option<(Range<usize>, &'static str)>,
}

/// The file that is assembled, and the positions of its lines.
#[derive(Debug)]
pub struct Source<'a> {
    text: &'a str,
    starts: Vec<usize>,
    expansions: &'a Expansions,
}

impl Expansions {
    /// No expansions, of a file of this size.
    pub fn new(size: usize) -> Self {
        Self { list: Vec::new(), end: size.saturating_add(1), bytes: 0 }
    }

    /// The number of expansions.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The size that the next expansion may have.
    pub fn room(&self) -> usize {
        MAX_BYTES.saturating_sub(self.bytes.saturating_add(ENTRY_BYTES))
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
        let behind = self.list.partition_point(|expansion| expansion.start <= place);
        self.list.get(behind.checked_sub(1)?)
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

impl<'a> Source<'a> {
    /// A file and its expansions.
    pub fn new(text: &'a str, expansions: &'a Expansions) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts, expansions }
    }

    /// The text between two positions.
    pub fn text(&self, span: Range<usize>) -> &'a str {
        match self.expansions.at(span.start) {
            None => self.text.get(span),
            Some(Expansion { start, text, .. }) => text.get(span.start - start..span.end.saturating_sub(*start)),
        }
        .unwrap_or_default()
    }

    /// The position in the file of the statement that led to this position.
    pub fn in_file(&self, place: usize) -> usize {
        self.expansions.in_file(place)
    }

    /// The line that a position is in.
    pub fn line(&self, place: usize) -> ShownLine<'a> {
        let Some(expansion) = self.expansions.at(place) else {
            let number = self.starts.partition_point(|start| *start <= place).saturating_sub(1);
            let start = self.starts.get(number).copied().unwrap_or(0);
            return ShownLine { file: None, number, text: first_line(self.text, start), start, called: None };
        };
        let within = (place - expansion.start).min(expansion.text.len());
        let before = expansion.text.as_bytes().get(..within).unwrap_or_default();
        let nth = memchr::memchr_iter(b'\n', before).count();
        let begin = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let text = first_line(&expansion.text, begin);
        let start = expansion.start + begin;
        let (body, what) = match &expansion.origin {
            ExpansionSource::File(name) => {
                let called = Some((expansion.used.clone(), "included here"));
                return ShownLine { file: Some(name), number: nth, text, start, called };
            }
            ExpansionSource::Macro(body) => (body, "in this use"),
            ExpansionSource::Repeat(body) => (body, "repeated here"),
        };
        // Every copy of a body has the same lines.
        let written = body.starts.get(nth % body.starts.len().max(1)).map(|place| self.line(*place));
        let (file, number) = written.map_or((None, 0), |line| (line.file, line.number));
        ShownLine { file, number, text, start, called: Some((expansion.used.clone(), what)) }
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
        let mut expansions = Expansions::new(source.len());
        let first = expansions.push(own(" x\n y\n"), ExpansionSource::Macro(Arc::new(body)), 21..22);
        let second = expansions.push(own("z\n"), ExpansionSource::File("f".into()), first + 4..first + 5);
        let source = Source::new(source, &expansions);
        let called = Some((21..22, "in this use"));
        assert_eq!(source.line(first + 4), ShownLine { file: None, number: 2, text: " y", start: first + 3, called });
        let called = Some((first + 4..first + 5, "included here"));
        assert_eq!(source.line(second), ShownLine { file: Some("f"), number: 0, text: "z", start: second, called });
        assert_eq!((source.in_file(second), source.in_file(3)), (21, 3));
        assert_eq!((source.text(first + 1..first + 2), source.text(21..22)), ("x", "M"));
    }

    #[test]
    fn room_ends_for_long_texts_and_for_many() {
        for text in ["", "\n", &" ".repeat(1 << 20)] {
            let mut expansions = Expansions::new(0);
            let mut count = 0;
            while expansions.room() > text.len() {
                expansions.push(own(text), ExpansionSource::File(String::new()), 0..0);
                count += 1;
            }
            assert_eq!(count, (MAX_BYTES - 1) / (text.len() + ENTRY_BYTES), "{}", text.len());
        }
    }
}
