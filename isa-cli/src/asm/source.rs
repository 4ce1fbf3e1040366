//! The lines of a program and what stands in them apart from comments, with each byte at its own place.

use std::borrow::Cow;
use std::ops::Range;

/// A line of the source.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// Where it begins in the file.
    pub start: usize,
    /// As it stands, without the line end.
    pub raw: &'a str,
    /// With blanks where comments stand, or without the one at its end.
    pub clean: Cow<'a, str>,
}

/// The lines of a file or of a part of it, in order, cleared of comments.
///
/// Comments are `;` and `//` up to the end of the line, `/* … */` over lines, and lines that begin with `#`.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a str,
    /// Where the text begins in the file.
    base: usize,
    /// Where the next line begins in the text.
    at: usize,
    /// Where the block comment begins that is open, in the file.
    open: Option<usize>,
    /// Where the next byte stands in the text that can begin a comment: up to there lines are as they should be.
    comment: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a part of the file, which begins with a line: of `text`, which begins at `base` in the file, from `at` on.
    pub fn new(text: &'a str, base: usize, at: usize) -> Self {
        Self { text, base, at, open: None, comment: 0 }
    }

    /// The same inside of this comment, if any.
    pub fn inside(self, comment: Option<usize>) -> Self {
        Self { open: comment, ..self }
    }

    /// Where the next line begins in the file.
    pub fn at(&self) -> usize {
        self.base + self.at
    }

    /// Whether no line is left.
    pub fn is_over(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Goes on with the line that begins here in the file.
    pub fn go_on(&mut self, at: usize) {
        self.at = at.saturating_sub(self.base);
    }

    /// Where the block comment begins that is open.
    pub fn open_comment(&self) -> Option<usize> {
        self.open
    }

    /// The next line as it stands, and where it begins: comments have no meaning in it.
    #[inline(always)]
    pub fn next_raw(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at();
        let end = memchr::memchr(b'\n', rest.as_bytes());
        self.at += end.map_or(rest.len(), |end| end + 1);
        let line = rest.get(..end.unwrap_or(rest.len()))?;
        Some((start, line.strip_suffix('\r').unwrap_or(line)))
    }

    /// The text from the next line on up to where the next comment may begin; none of it inside of a comment. Where it ends, the
    /// line may go on.
    pub fn bare(&mut self) -> &'a str {
        let end = if self.open.is_some() { self.at } else { self.next_comment(self.at) };
        self.text.get(self.at..end).unwrap_or_default()
    }

    /// Whether this line, the last one that was read, stands outside of comments and surely holds none.
    #[inline(always)]
    pub fn is_plain(&mut self, start: usize, raw: &str) -> bool {
        let within = start - self.base;
        self.open.is_none() && !self.may_have_comment(within..within + raw.len())
    }

    /// Whether a byte stands in this line of the text that can begin a comment. Lines are asked about in their order.
    #[inline]
    fn may_have_comment(&mut self, line: Range<usize>) -> bool {
        line.contains(&self.next_comment(line.start))
    }

    /// Where the next byte stands from here on that can begin a comment.
    #[inline]
    fn next_comment(&mut self, at: usize) -> usize {
        if self.comment < at {
            let rest = self.text.as_bytes().get(at..).unwrap_or_default();
            self.comment = at + memchr::memchr3(b';', b'/', b'#', rest).unwrap_or(rest.len());
        }
        self.comment
    }

    #[inline]
    fn clean(&mut self, start: usize, raw: &'a str) -> Cow<'a, str> {
        if self.is_plain(start, raw) { Cow::Borrowed(raw) } else { self.without_comments(start, raw) }
    }

    /// The same line without what comments say, if it is not plain.
    #[inline(never)]
    pub fn without_comments<'r>(&mut self, start: usize, raw: &'r str) -> Cow<'r, str> {
        // Nearly all comments stand at the end of a line without strings, the only one in it.
        if let Some((before, comment)) = raw.split_at_checked((self.base + self.comment).saturating_sub(start))
            && self.open.is_none()
            && (comment.starts_with(';') || comment.starts_with("//"))
            && !before.contains('"')
        {
            return Cow::Borrowed(before);
        }
        let mut out = String::with_capacity(raw.len());
        let blank = |out: &mut String, text: &str| out.push_str(&" ".repeat(text.len()));
        let mut rest = raw;
        let mut quoted = false;
        if self.open.is_none() && raw.trim_start().starts_with('#') {
            blank(&mut out, raw);
            return Cow::Owned(out);
        }
        while let Some(c) = rest.chars().next() {
            let place = start + out.len();
            let mut taken = c.len_utf8();
            if self.open.is_some() {
                if rest.starts_with("*/") {
                    taken = 2;
                    self.open = None;
                }
                blank(&mut out, rest.get(..taken).unwrap_or_default());
            } else if quoted {
                if c == '\\' {
                    taken += rest.chars().nth(1).map_or(0, char::len_utf8);
                }
                quoted = c != '"';
                out.push_str(rest.get(..taken).unwrap_or_default());
            } else if c == ';' || rest.starts_with("//") {
                blank(&mut out, rest);
                break;
            } else if rest.starts_with("/*") {
                taken = 2;
                self.open = Some(place);
                blank(&mut out, "/*");
            } else {
                quoted = c == '"';
                out.push(c);
            }
            rest = rest.get(taken..).unwrap_or_default();
        }
        Cow::Owned(out)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        let (start, raw) = self.next_raw()?;
        Some(Line { start, raw, clean: self.clean(start, raw) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(source: &str) -> Vec<String> {
        let mut lines = Lines::new(source, 0, 0);
        let cleaned = lines.by_ref().map(|line| {
            assert!(line.raw.len() >= line.clean.len());
            line.clean.trim_end().to_string()
        });
        cleaned.collect()
    }

    #[test]
    fn comments_become_blanks() {
        assert_eq!(clean("a ; b\nc // d\r\n# e\n f"), ["a", "c", "", " f"]);
        assert_eq!(clean("a /* é */ b /* c\nd */ e"), ["a          b", "     e"]);
        assert_eq!(clean(".ascii \"a;\\\"//\" ; b"), [".ascii \"a;\\\"//\""]);
        assert_eq!(clean("a#b"), ["a#b"]);
    }

    #[test]
    fn open_comments_are_told() {
        let mut lines = Lines::new("ab\n c /* d\n", 0, 0);
        lines.by_ref().for_each(drop);
        assert_eq!(lines.open_comment(), Some(6));
    }
}
