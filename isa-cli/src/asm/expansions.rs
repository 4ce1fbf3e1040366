//! Text that is no part of the file: what macros and repetitions come to, and files that are included.
//!
//! Each such text has places of its own, behind those of the file and of the texts before it, so that a place says where it is
//! wherever it stands. Of a line that a macro wrote, a message shows the text as it came to be, and the number of the line that it
//! was written for.

use std::ops::Range;
use std::sync::Arc;

use crate::asm::macros::Body;

/// Bytes of all such texts together, at most.
pub const MOST: usize = 1 << 25;

/// Bytes that each of them counts for besides its own, so that there is an end to empty ones, too.
const EACH: usize = 1 << 8;

/// How deep they may stand in each other: as in LLVM.
pub const DEEPEST: usize = 20;

/// Where a text comes from.
#[derive(Debug, Clone)]
pub enum Origin {
    /// A macro's body.
    Macro(Arc<Body>),
    /// A body that stands once or more.
    Repeat(Arc<Body>),
    /// A file of this name.
    File(String),
}

#[derive(Debug)]
struct Expansion {
    /// The place of its first byte.
    start: usize,
    text: Arc<str>,
    origin: Origin,
    /// What it stands for.
    called: Range<usize>,
}

/// All such texts.
#[derive(Debug)]
pub struct Expansions {
    list: Vec<Expansion>,
    /// The place of the next one's first byte.
    end: usize,
    /// Bytes of all.
    bytes: usize,
}

/// A line as messages show it.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown<'a> {
    /// The file it stands in, if that is not the one assembled.
    pub file: Option<&'a str>,
    /// Its number, from 0.
    pub number: usize,
    /// Its text.
    pub text: &'a str,
    /// The place of its first byte.
    pub start: usize,
    /// What its text stands for, and as what, if it is no part of the file.
    pub called: Option<(Range<usize>, &'static str)>,
}

/// The file that is assembled, and where its lines begin.
#[derive(Debug)]
pub struct Source<'a> {
    text: &'a str,
    starts: Vec<usize>,
    expansions: &'a Expansions,
}

impl Expansions {
    /// None; the file has so many bytes.
    pub fn new(size: usize) -> Self {
        Self { list: Vec::new(), end: size.saturating_add(1), bytes: 0 }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// How many bytes there is room for.
    pub fn room(&self) -> usize {
        MOST.saturating_sub(self.bytes.saturating_add(EACH))
    }

    /// Adds a text; the place of its first byte.
    pub fn push(&mut self, text: Arc<str>, origin: Origin, called: Range<usize>) -> usize {
        let start = self.end;
        self.bytes = self.bytes.saturating_add(text.len()).saturating_add(EACH);
        // No place behind a text's last byte is one of the next text.
        self.end = start.saturating_add(text.len()).saturating_add(1);
        self.list.push(Expansion { start, text, origin, called });
        start
    }

    /// The text that this place is in, if it is not the file.
    fn at(&self, place: usize) -> Option<&Expansion> {
        let behind = self.list.partition_point(|expansion| expansion.start <= place);
        self.list.get(behind.checked_sub(1)?)
    }

    /// The place in the file that stands for this one.
    pub fn in_file(&self, place: usize) -> usize {
        let mut place = place;
        // What a text stands for was there before it.
        while let Some(expansion) = self.at(place) {
            place = expansion.called.start;
        }
        place
    }
}

impl<'a> Source<'a> {
    /// A file's text and what is no part of it.
    pub fn new(text: &'a str, expansions: &'a Expansions) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts, expansions }
    }

    /// What stands between two places.
    pub fn text(&self, span: Range<usize>) -> &'a str {
        match self.expansions.at(span.start) {
            None => self.text.get(span),
            Some(Expansion { start, text, .. }) => text.get(span.start - start..span.end.saturating_sub(*start)),
        }
        .unwrap_or_default()
    }

    /// The place in the file that stands for this one.
    pub fn in_file(&self, place: usize) -> usize {
        self.expansions.in_file(place)
    }

    /// The line that a place is in.
    pub fn line(&self, place: usize) -> Shown<'a> {
        let Some(expansion) = self.expansions.at(place) else {
            let number = self.starts.partition_point(|start| *start <= place).saturating_sub(1);
            let start = self.starts.get(number).copied().unwrap_or(0);
            return Shown { file: None, number, text: first_line(self.text, start), start, called: None };
        };
        let within = (place - expansion.start).min(expansion.text.len());
        let before = expansion.text.as_bytes().get(..within).unwrap_or_default();
        let nth = memchr::memchr_iter(b'\n', before).count();
        let begin = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let text = first_line(&expansion.text, begin);
        let start = expansion.start + begin;
        let (body, what) = match &expansion.origin {
            Origin::File(name) => {
                let called = Some((expansion.called.clone(), "included here"));
                return Shown { file: Some(name), number: nth, text, start, called };
            }
            Origin::Macro(body) => (body, "in this use"),
            Origin::Repeat(body) => (body, "repeated here"),
        };
        // Each time that a body stands there it has the same lines, and a body has at least one where a text has one.
        let written = body.starts.get(nth % body.starts.len().max(1)).map(|place| self.line(*place));
        let (file, number) = written.map_or((None, 0), |line| (line.file, line.number));
        Shown { file, number, text, start, called: Some((expansion.called.clone(), what)) }
    }
}

fn first_line(text: &str, start: usize) -> &str {
    text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_to_lines_and_uses() {
        let source = ".macro M\n a\n b\n.endm\nM\n";
        let mut body = Body::default();
        body.push(" a", 9);
        body.push(" b", 12);
        let mut expansions = Expansions::new(source.len());
        let first = expansions.push(" x\n y\n".into(), Origin::Macro(Arc::new(body)), 21..22);
        let second = expansions.push("z\n".into(), Origin::File("f".into()), first + 4..first + 5);
        let source = Source::new(source, &expansions);
        let called = Some((21..22, "in this use"));
        assert_eq!(source.line(first + 4), Shown { file: None, number: 2, text: " y", start: first + 3, called });
        let called = Some((first + 4..first + 5, "included here"));
        assert_eq!(source.line(second), Shown { file: Some("f"), number: 0, text: "z", start: second, called });
        assert_eq!((source.in_file(second), source.in_file(3)), (21, 3));
        assert_eq!((source.text(first + 1..first + 2), source.text(21..22)), ("x", "M"));
    }

    #[test]
    fn room_ends_for_long_texts_and_for_many() {
        for text in ["", "\n", &" ".repeat(1 << 20)] {
            let mut expansions = Expansions::new(0);
            let text: Arc<str> = text.into();
            let mut count = 0;
            while expansions.room() > text.len() {
                expansions.push(text.clone(), Origin::File(String::new()), 0..0);
                count += 1;
            }
            assert_eq!(count, (MOST - 1) / (text.len() + EACH), "{}", text.len());
        }
    }
}
