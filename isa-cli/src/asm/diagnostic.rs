//! Messages about a program.

use std::ops::Range;

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The program is wrong, and no output is written.
    Error,
    /// A warning: `.warning` asks for it, or a statement has no effect.
    Warning,
    /// A message that the program asks for with `.print`.
    Note,
}

/// A message about a program and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The position in the file or in an expansion.
    pub span: Range<usize>,
    /// The message.
    pub message: String,
    /// The advice.
    pub help: Option<String>,
    /// A related position and its label.
    pub other: Option<(Range<usize>, &'static str)>,
}

impl Diagnostic {
    /// Creates an error.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, span, message: message.into(), help: None, other: None }
    }

    /// Sets the advice.
    pub fn help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Sets the related position.
    pub fn other(mut self, span: Range<usize>, what: &'static str) -> Self {
        self.other = Some((span, what));
        self
    }
}
