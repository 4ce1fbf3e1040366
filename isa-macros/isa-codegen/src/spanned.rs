//! Literals and identifiers with their spans.

use std::fmt;
use std::hash::{Hash, Hasher};

use proc_macro2::{Ident, Span};

/// An integer literal with its span.
#[derive(Clone)]
pub struct Number {
    /// The value.
    pub value: u64,
    /// The span of the literal.
    pub span: Span,
}

/// An identifier or a string literal with its span.
///
/// Equality and hashing ignore the span. A comparison of [`Ident`]s would allocate a string for each of them.
#[derive(Clone, Debug)]
pub struct SpannedStr {
    text: String,
    span: Span,
}

impl SpannedStr {
    /// Creates a string with a span.
    #[must_use]
    pub fn new(text: String, span: Span) -> SpannedStr {
        SpannedStr { text, span }
    }

    /// Returns the string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the span.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the string, or the empty string for `None`.
    pub(crate) fn or_empty(text: Option<&SpannedStr>) -> &str {
        text.map_or("", SpannedStr::as_str)
    }
}

impl fmt::Display for SpannedStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for SpannedStr {
    fn eq(&self, other: &SpannedStr) -> bool {
        self.text == other.text
    }
}

impl Eq for SpannedStr {}

impl Hash for SpannedStr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialEq<str> for SpannedStr {
    fn eq(&self, other: &str) -> bool {
        self.text == other
    }
}

impl PartialEq<Ident> for SpannedStr {
    fn eq(&self, other: &Ident) -> bool {
        *other == self.text
    }
}

impl AsRef<str> for SpannedStr {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl PartialEq<String> for SpannedStr {
    fn eq(&self, other: &String) -> bool {
        self.text == *other
    }
}
