//! Messages about a program.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use crate::source_map::SourceMap;
use crate::target::Target;
use amdgpu_object::printable;

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

/// A position with a text that says how it is related to a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The position.
    pub span: Range<usize>,
    /// The text.
    pub text: &'static str,
}

/// A message about a program and its position. A [`SourceMap`] maps positions to lines.
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
    /// Related positions.
    pub labels: Vec<Label>,
}

impl Diagnostic {
    /// Creates an error.
    pub(crate) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, span, message: message.into(), help: None, labels: Vec::new() }
    }

    /// Sets the advice.
    pub(crate) fn help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Adds a related position.
    pub(crate) fn label(mut self, span: Range<usize>, text: &'static str) -> Self {
        self.labels.push(Label { span, text });
        self
    }
}

/// The result of a statement.
pub(crate) type Done = Result<(), Diagnostic>;

/// The diagnostics of a program in the order of its file, and the text that they are about.
#[derive(Debug)]
pub struct Diagnostics(Box<Contents>);

/// What [`Diagnostics`] points to, so that results with it are small.
#[derive(Debug)]
struct Contents {
    list: Vec<Diagnostic>,
    source: SourceMap,
    named_target: Option<Target>,
}

impl Diagnostics {
    /// Sorts the diagnostics of a program.
    pub(crate) fn new(mut list: Vec<Diagnostic>, source: SourceMap, named_target: Option<Target>) -> Self {
        list.sort_by_key(|diagnostic| {
            let Range { start, end } = diagnostic.span;
            (source.position_in_file(start), start, end)
        });
        Self(Box::new(Contents { list, source, named_target }))
    }

    /// Returns the diagnostics.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.list.iter()
    }

    /// Returns their number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.list.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.list.is_empty()
    }

    /// Returns the first target that the program names, which can be another than the one that it is assembled for.
    #[must_use]
    pub fn named_target(&self) -> Option<Target> {
        self.0.named_target
    }

    /// Returns the text that they are about.
    #[must_use]
    pub fn source(&self) -> &SourceMap {
        &self.0.source
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The number of diagnostics that [`Diagnostics`] displays.
const MAX_DISPLAYED: usize = 100;

/// Displays a line for each diagnostic: `LINE:COLUMN: error: MESSAGE; help: ADVICE`, with the included file before it, if any.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.list.iter().take(MAX_DISPLAYED).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let location = self.0.source.location(diagnostic.span.start);
            if let Some(file) = &location.file {
                write!(f, "{file}:")?;
            }
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            };
            let message = printable(diagnostic.message.as_bytes());
            write!(f, "{}:{}: {severity}: {message}", location.line, location.column)?;
            if let Some(help) = &diagnostic.help {
                write!(f, "; help: {}", printable(help.as_bytes()))?;
            }
        }
        if self.0.list.len() > MAX_DISPLAYED {
            write!(f, "\n{} more", self.0.list.len() - MAX_DISPLAYED)?;
        }
        Ok(())
    }
}

impl Error for Diagnostics {}
