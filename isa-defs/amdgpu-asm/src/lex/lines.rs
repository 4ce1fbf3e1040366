//! Splits source text into lines and blanks out comments, with the lexical rules of LLVM's `AsmLexer`.
//!
//! A line ends at `\n`, `\r\n` or `\r` outside of strings and block comments, so that a line may contain line ends.

use std::borrow::Cow;
use std::ops::Range;

/// A line of the source, without its line end.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// The position of its first byte in the source.
    pub start: usize,
    /// The text as written.
    pub raw: Cow<'a, str>,
    /// The text without the comment at its end, and with blanks in place of other comments. Every byte keeps its position.
    pub clean: Cow<'a, str>,
}

/// The lexer's state where a text ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Between tokens.
    #[default]
    Code,
    /// In the block comment that begins at this byte of the line.
    Comment(usize),
    /// In the string that begins at this byte of the line.
    Text(usize),
    /// In the character constant that begins at this byte of the line.
    Char(usize),
}

/// A line that the end of a part of the source cuts inside a comment or string.
#[derive(Debug, Clone, Default)]
pub struct Unfinished {
    start: usize,
    text: String,
    scan: Scan,
}

impl Unfinished {
    /// Returns the position and the name of the unclosed comment or string.
    pub fn open(&self) -> (Range<usize>, &'static str) {
        let (at, length, what) = match self.scan.state {
            State::Code => (0, 0, "line"),
            State::Comment(at) => (at, 2, "comment"),
            State::Text(at) => (at, 1, "string"),
            State::Char(at) => (at, 1, "character constant"),
        };
        (self.start + at..self.start + at + length, what)
    }
}

/// The lines of a source or of a part of it, in order.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a str,
    /// The position of the text in the source.
    base: usize,
    /// The offset of the next line in the text.
    at: usize,
    /// The beginning of the next line, if an earlier part of the source ends inside of it.
    unfinished: Option<Unfinished>,
    /// The offset of the first byte after `at` that can begin a comment.
    comment: usize,
    /// The offset of the first quote after `at`.
    quote: usize,
}

impl<'a> Lines<'a> {
    /// The lines from `at` on of `text`, which begins at position `base` of the source. Both are the beginning of a line.
    pub fn new(text: &'a str, base: usize, at: usize) -> Self {
        Self { text, base, at, unfinished: None, comment: 0, quote: 0 }
    }

    /// Continues the line that the previous part of the source left unfinished.
    pub fn after(self, unfinished: Option<Unfinished>) -> Self {
        Self { unfinished, ..self }
    }

    /// The position of the next line in the source.
    pub fn at(&self) -> usize {
        self.base + self.at
    }

    /// Whether no line is left.
    pub fn is_over(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Continues with the line at this position of the source.
    pub fn go_on(&mut self, at: usize) {
        self.at = at.saturating_sub(self.base);
    }

    /// Whether the next line begins here, and not in an earlier part of the source.
    pub fn is_at_line(&self) -> bool {
        self.unfinished.is_none()
    }

    /// The line that the end of the text leaves unfinished.
    pub fn unfinished(self) -> Option<Unfinished> {
        self.unfinished
    }

    /// The next line and its position if it ends at the first line end, whether or not that is in a string or comment.
    #[inline(always)]
    pub fn next_raw(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at();
        let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        self.at += end + line_end(rest.as_bytes(), end);
        Some((start, rest.get(..end)?))
    }

    /// The text from the next line up to the first byte that can begin a comment. It need not end at a line end.
    pub fn bare(&mut self) -> &'a str {
        let end = if self.unfinished.is_some() { self.at } else { self.next_comment(self.at) };
        self.text.get(self.at..end).unwrap_or_default()
    }

    /// The line that [`next_raw`](Self::next_raw) returned, without comments; `None` if a string or comment continues
    /// after it.
    #[inline(always)]
    pub fn clean<'r>(&mut self, start: usize, raw: &'r str) -> Option<Cow<'r, str>> {
        let within = start - self.base;
        let line = within..within + raw.len();
        if line.contains(&self.next_comment(within)) || line.contains(&self.next_quote(within)) {
            self.without_comments(within, raw)
        } else {
            Some(Cow::Borrowed(raw))
        }
    }

    #[inline(never)]
    fn without_comments<'r>(&self, within: usize, raw: &'r str) -> Option<Cow<'r, str>> {
        // Most comments follow a statement that contains neither quotes nor slashes.
        let comment = self.comment - within.min(self.comment);
        if let Some((before, comment)) = raw.split_at_checked(comment)
            && (comment.starts_with(';') || comment.starts_with("//"))
            && self.quote - within.min(self.quote) >= before.len()
        {
            return Some(Cow::Borrowed(before));
        }
        closed_without_comments(raw)
    }

    /// The offset of the first byte from `at` on that can begin a comment.
    #[inline]
    fn next_comment(&mut self, at: usize) -> usize {
        if self.comment < at {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            self.comment = at + memchr::memchr3(b';', b'/', b'#', rest).unwrap_or(rest.len());
        }
        self.comment
    }

    /// The offset of the first quote from `at` on.
    #[inline]
    fn next_quote(&mut self, at: usize) -> usize {
        if self.quote < at {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            self.quote = at + memchr::memchr2(b'"', b'\'', rest).unwrap_or(rest.len());
        }
        self.quote
    }

    /// The next line, of which a string or comment covers line ends, or which an earlier part began.
    #[inline(never)]
    fn long_line(&mut self) -> Option<Line<'a>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let Some(Unfinished { start, mut text, mut scan }) = self.unfinished.take() else {
            let (start, mut scan) = (self.at(), Scan::default());
            let Some(end) = scan.line(rest) else {
                self.at = self.text.len();
                self.unfinished = Some(Unfinished { start, text: rest.into(), scan });
                return None;
            };
            self.at += end + line_end(rest.as_bytes(), end);
            let raw = rest.get(..end)?;
            return Some(Line { start, raw: Cow::Borrowed(raw), clean: scan.clean(raw) });
        };
        let known = text.len();
        text.push_str(rest);
        let Some(end) = scan.line(&text) else {
            self.at = self.text.len();
            self.unfinished = Some(Unfinished { start, text, scan });
            return None;
        };
        self.at += end + line_end(text.as_bytes(), end) - known;
        text.truncate(end);
        let clean = Cow::Owned(scan.clean(&text).into_owned());
        Some(Line { start, raw: Cow::Owned(text), clean })
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        let at = self.at;
        if self.unfinished.is_none() {
            let (start, raw) = self.next_raw()?;
            if let Some(clean) = self.clean(start, raw) {
                return Some(Line { start, raw: Cow::Borrowed(raw), clean });
            }
        }
        self.at = at;
        self.long_line()
    }
}

/// A line without comments, in which every byte keeps its position.
pub fn without_comments(line: &str) -> Cow<'_, str> {
    let mut scan = Scan::default();
    scan.line(line);
    scan.clean(line)
}

/// A line on its own without comments, in which every byte keeps its position; `None` if a comment or string does not end
/// in it.
pub fn closed_without_comments(line: &str) -> Option<Cow<'_, str>> {
    let mut scan = Scan::default();
    let end = scan.line(line)?;
    (end == line.len()).then(|| scan.clean(line))
}

/// The length of the line end at `at`.
fn line_end(text: &[u8], at: usize) -> usize {
    match text.get(at..) {
        Some([b'\r', b'\n', ..]) => 2,
        Some([_, ..]) => 1,
        _ => 0,
    }
}

/// The state of scanning a line.
#[derive(Debug, Clone, Default)]
struct Scan {
    state: State,
    /// The end of the scanned text.
    at: usize,
    /// Whether a token was found. `#` before the first token begins a comment.
    has_token: bool,
    /// Block comments.
    comments: Vec<Range<usize>>,
    /// Where the comment begins that extends to the end of the line.
    end: Option<usize>,
}

impl Scan {
    /// Scans on to the end of the line that `text` begins with, and returns where that is; `None` if the text ends in a string
    /// or comment.
    fn line(&mut self, text: &str) -> Option<usize> {
        let bytes = text.as_bytes();
        loop {
            let begin = self.at;
            match self.state {
                State::Comment(start) => {
                    let rest = bytes.get(begin..)?;
                    let Some(end) = memchr::memmem::find(rest, b"*/") else {
                        // A `*` at the end of the text may be followed by a slash.
                        self.at = bytes.len().saturating_sub(1).max(begin);
                        return None;
                    };
                    self.at += end + 2;
                    self.comments.push(start..self.at);
                    self.state = State::Code;
                }
                State::Text(_) => {
                    let rest = bytes.get(begin..)?;
                    let end = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
                    self.at += end;
                    match rest.get(end..)? {
                        [b'"', ..] => {
                            self.at += 1;
                            self.state = State::Code;
                        }
                        [_, _, ..] => self.at += 2,
                        _ => return None,
                    }
                }
                State::Char(start) => {
                    // A quote and any two bytes after it, or three if the first is a backslash.
                    let end = start + if bytes.get(start + 1)? == &b'\\' { 4 } else { 3 };
                    // If the last one is a line end, a part of the source may end here, but the line does not.
                    if matches!(bytes.get(end - 1)?, b'\n' | b'\r') {
                        bytes.get(end)?;
                    }
                    self.at = end;
                    self.state = State::Code;
                }
                State::Code => match bytes.get(begin) {
                    None | Some(b'\n' | b'\r') => return Some(begin),
                    Some(b' ' | b'\t') => self.at += 1,
                    Some(b'#') if !self.has_token => return Some(self.comment(bytes)),
                    Some(b';') => return Some(self.comment(bytes)),
                    Some(b'/') if bytes.get(begin + 1) == Some(&b'/') => return Some(self.comment(bytes)),
                    Some(b'/') if bytes.get(begin + 1) == Some(&b'*') => self.begin(State::Comment(begin), 2),
                    Some(b'"') => self.begin(State::Text(begin), 1),
                    Some(b'\'') => self.begin(State::Char(begin), 1),
                    Some(_) => {
                        self.has_token = true;
                        self.at += 1;
                    }
                },
            }
        }
    }

    fn begin(&mut self, state: State, length: usize) {
        self.has_token = true;
        self.state = state;
        self.at += length;
    }

    /// Scans a comment that extends to the end of the line, and returns where that is.
    fn comment(&mut self, bytes: &[u8]) -> usize {
        let rest = bytes.get(self.at..).unwrap_or_default();
        self.end = Some(self.at);
        self.at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
    }

    /// The line without its comments.
    fn clean<'r>(&self, raw: &'r str) -> Cow<'r, str> {
        let raw = self.end.and_then(|end| raw.get(..end)).unwrap_or(raw);
        if self.comments.is_empty() {
            return Cow::Borrowed(raw);
        }
        let mut clean = String::with_capacity(raw.len());
        for comment in &self.comments {
            clean.push_str(raw.get(clean.len()..comment.start).unwrap_or_default());
            clean.extend(std::iter::repeat_n(' ', comment.end - clean.len()));
        }
        clean.push_str(raw.get(clean.len()..).unwrap_or_default());
        Cow::Owned(clean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(source: &str) -> Vec<String> {
        let mut lines = Lines::new(source, 0, 0);
        let cleaned = lines.by_ref().map(|line| {
            assert_eq!(source.get(line.start..line.start + line.raw.len()), Some(&*line.raw));
            assert!(line.raw.len() >= line.clean.len());
            line.clean.trim_end().to_string()
        });
        cleaned.collect()
    }

    #[test]
    fn comments_become_blanks() {
        assert_eq!(clean("a ; b\nc // d\r\n# e\n f"), ["a", "c", "", " f"]);
        assert_eq!(clean("a /* é */ b /* c\nd */ e\nf"), ["a          b           e", "f"]);
        assert_eq!(clean(".ascii \"a;\\\"//\" ; b"), [".ascii \"a;\\\"//\""]);
        assert_eq!(clean("a#b"), ["a#b"]);
        assert_eq!(clean("/*/ a */b/**/c"), ["        b    c"]);
    }

    #[test]
    fn lines_end_as_in_llvm() {
        assert_eq!(clean("a\rb\r\nc\n\r\nd"), ["a", "b", "c", "", "d"]);
        assert_eq!(clean(".ascii \"a\nb\\\"\" ; c\nd"), [".ascii \"a\nb\\\"\"", "d"]);
        assert_eq!(clean(".byte ';', '\"', '/', '\\'' ; a\nb"), [".byte ';', '\"', '/', '\\''", "b"]);
        // A quote takes two more bytes.
        assert_eq!(clean("don't do\nit'\nb"), ["don't do", "it'\nb"]);
        assert_eq!(clean("a ; it's\nb"), ["a", "b"]);
    }

    #[test]
    fn number_signs_begin_comments_before_the_first_token() {
        assert_eq!(clean(" # \"a\n/**/# \"b\"\n"), ["", "    # \"b\""]);
    }

    #[test]
    fn unclosed_text_is_found() {
        for (source, at, what) in [
            ("ab\n c /* d\n", 6..8, "comment"),
            ("ab\n c /* *", 6..8, "comment"),
            ("a \"b\n;c", 2..3, "string"),
            ("a \"b\\", 2..3, "string"),
            ("a '", 2..3, "character constant"),
            ("a '\\n", 2..3, "character constant"),
        ] {
            let mut lines = Lines::new(source, 0, 0);
            lines.by_ref().for_each(drop);
            assert_eq!(lines.unfinished().map(|line| line.open()), Some((at, what)), "{source}");
        }
    }

    #[test]
    fn parts_give_the_lines_of_the_whole() {
        const PARTS: &[&str] = &[
            "a\n", " ; b\n", "/*", "*/", "*", "/", "\"", "\\", "'", "\n", "\n", "\r\n", "#", "c d\n", "é\n", "// e\n",
        ];
        let mut random = isa_tests::random::numbers();
        for _ in 0..3000 {
            let source: String = (0..random(20)).map(|_| PARTS[random(PARTS.len())]).collect();
            let whole = Lines::new(&source, 0, 0).map(|line| (line.start, line.clean.into_owned())).collect::<Vec<_>>();
            let (mut parts, mut unfinished, mut base) = (Vec::new(), None, 0);
            for part in source.split_inclusive('\n') {
                let mut lines = Lines::new(part, base, 0).after(unfinished);
                parts.extend(lines.by_ref().map(|line| (line.start, line.clean.into_owned())));
                unfinished = lines.unfinished();
                base += part.len();
            }
            assert_eq!(parts, whole, "{source:?}");
        }
    }
}
