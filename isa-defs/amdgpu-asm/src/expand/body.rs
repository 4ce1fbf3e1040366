//! Lines that are kept as text: the bodies of macros and repetitions, and what they expand to.

use std::sync::Arc;

use crate::lex::lines::Lines;

/// Lines of the source that are kept as text.
#[derive(Debug, Default)]
pub struct Body {
    /// The lines, each with `\n` at its end.
    pub text: String,
    /// The source position of each line.
    pub starts: Vec<usize>,
}

impl Body {
    /// Appends a line that begins at position `start` of the source. It may contain line ends in strings and comments.
    pub fn push(&mut self, line: &str, start: usize) {
        self.text.push_str(line);
        self.text.push('\n');
        self.starts.push(start);
        self.starts.extend(memchr::memchr_iter(b'\n', line.as_bytes()).map(|end| start + end + 1));
    }

    /// Returns whether the lines have no effect: they are blank, or repetitions of blank lines.
    pub fn is_inert(&self) -> bool {
        !self.text.contains('\\')
            && Lines::new(&self.text, 0, 0).all(|line| {
                let word = line.clean.split_whitespace().next();
                word.is_none_or(|word| matches!(word, ".rept" | ".rep" | ".irp" | ".irpc" | ".endr"))
            })
    }
}

/// The text that a macro or repetition expands to.
#[derive(Debug, Clone)]
pub enum BodyText {
    /// The body, in which nothing is replaced.
    Body(Arc<Body>),
    /// The body after replacements, or the contents of a file.
    Own(Arc<str>),
}

impl std::ops::Deref for BodyText {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Body(body) => &body.text,
            Self::Own(text) => text,
        }
    }
}
