//! The diagnostics of a program, and whether they end its assembly.

use crate::diagnostic::{Diagnostic, Severity};

/// How far assembly has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    /// Lines are assembled.
    Running,
    /// No more lines are assembled: after `.end`, or at a limit.
    Ended,
    /// An error makes the rest meaningless, layout included.
    GaveUp,
}

/// The diagnostics so far.
#[derive(Debug)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    progress: Progress,
    /// Whether all of the text could be read.
    is_whole: bool,
}

impl Default for Report {
    fn default() -> Self {
        Self { diagnostics: Vec::new(), progress: Progress::Running, is_whole: true }
    }
}

impl Report {
    /// Adds a diagnostic.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds diagnostics.
    pub(crate) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// Returns the number of diagnostics.
    pub(crate) fn len(&self) -> usize {
        self.diagnostics.len()
    }

    /// Returns the diagnostics in the order in which they were found.
    #[cfg(test)]
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the diagnostics in the order in which they were found.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// Returns whether none of the diagnostics is an error.
    pub(crate) fn is_sound(&self) -> bool {
        self.diagnostics.iter().all(|error| error.severity != Severity::Error)
    }

    /// Ends the assembly of lines.
    pub(crate) fn end(&mut self) {
        self.progress = self.progress.max(Progress::Ended);
    }

    /// Ends the assembly at an error that makes the rest meaningless.
    pub(crate) fn give_up(&mut self) {
        self.progress = Progress::GaveUp;
    }

    /// Returns whether no more lines are assembled.
    pub(crate) fn has_ended(&self) -> bool {
        self.progress != Progress::Running
    }

    /// Returns whether an error makes the rest meaningless.
    pub(crate) fn has_given_up(&self) -> bool {
        self.progress == Progress::GaveUp
    }

    /// Remembers that a part of the text cannot be read, which makes the program meaningless.
    pub(crate) fn lose_text(&mut self) {
        self.is_whole = false;
    }

    /// Returns whether all of the text could be read. Text in memory always can.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }
}
