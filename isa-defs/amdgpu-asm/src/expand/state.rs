//! The state of macros, repetitions, included files and conditions.

use std::ops::Range;

use crate::expand::body::Body;
use crate::expand::conditions::Conditions;
use crate::expand::macros::{Heading, Macros};
use crate::include::IncludeResolver;
use crate::instruction::pre_parser::Memo;
use crate::lex::lines::{Line, Unfinished};

/// The state of the text that is being assembled: the file, or an expansion within it.
pub(crate) struct ExpansionState<'a> {
    pub(super) macros: Macros,
    /// Whether a macro has the name of an instruction.
    pub(super) shadows: bool,
    pub(super) conditions: Conditions,
    /// The body that is open.
    pub(super) open_body: Option<OpenBody>,
    /// The nesting depth of the current expansion.
    pub(super) depth: usize,
    /// Whether `.exitm` skips the rest of the current expansion.
    pub(super) exits: bool,
    /// Whether the innermost expansion is a macro or repetition.
    pub(super) in_macro: bool,
    /// Whether `.altmacro` is in effect.
    pub(super) alternate_macros: bool,
    /// Whether names of macros are replaced: `.macros_off` turns it off.
    pub(super) takes_macros: bool,
    /// Finds included files; `None` if a program may include none.
    pub(super) includes: Option<&'a dyn IncludeResolver>,
    /// The line that is cut between two parts, in a comment or string.
    pub(super) unfinished: Option<Unfinished>,
    /// The line that is being assembled, as written.
    pub(super) current_line: CurrentLine,
    /// The cache of the pre-parser for expansions.
    pub(super) memo: Memo,
}

impl<'a> ExpansionState<'a> {
    /// Returns the state at the beginning of a program.
    pub(crate) fn new(includes: Option<&'a dyn IncludeResolver>) -> Self {
        Self {
            macros: Macros::default(),
            shadows: false,
            conditions: Conditions::default(),
            open_body: None,
            depth: 0,
            exits: false,
            in_macro: false,
            alternate_macros: false,
            takes_macros: true,
            includes,
            unfinished: None,
            current_line: CurrentLine::default(),
            memo: Memo::default(),
        }
    }

    /// Returns the line that is cut between two parts, which the next part completes.
    pub(crate) fn take_unfinished(&mut self) -> Option<Unfinished> {
        self.unfinished.take()
    }

    /// Keeps the line at the end of a part, unless the rest of the text is skipped.
    pub(crate) fn keep_unfinished(&mut self, unfinished: Option<Unfinished>) {
        self.unfinished = unfinished.filter(|_| !self.exits);
    }

    /// Returns whether `.exitm` skips the rest of the current expansion.
    pub(crate) fn exits(&self) -> bool {
        self.exits
    }

    /// Begins a line, as written.
    pub(crate) fn begin_line(&mut self, line: &Line<'_>) {
        self.current_line.set(line);
    }

    /// Closes all conditions. Returns the position of the first one that is open.
    pub(crate) fn close_conditions(&mut self) -> Option<Range<usize>> {
        self.conditions.close_to(0)
    }

    /// Returns whether a macro has the name of an instruction.
    pub(crate) fn shadows(&self) -> bool {
        self.shadows
    }

    /// Returns whether `.altmacro` is in effect.
    pub(crate) fn uses_alternate_macros(&self) -> bool {
        self.alternate_macros
    }

    /// Sets whether names of macros are replaced.
    pub(crate) fn set_takes_macros(&mut self, takes_macros: bool) {
        self.takes_macros = takes_macros;
    }

    /// Returns the name of a macro that is similar to a word.
    pub(crate) fn nearest_macro(&self, word: &str) -> Option<&str> {
        self.macros.nearest(word)
    }
}

/// A body whose end has not been read.
#[derive(Debug)]
pub(crate) struct OpenBody {
    /// The directive that begins it.
    pub(super) heading: Heading,
    /// The position of the heading.
    pub(super) span: Range<usize>,
    /// The number of open bodies of the same type within this one.
    pub(super) inside: u32,
    /// The lines so far.
    pub(super) body: Body,
}

/// The line that is being assembled, as written.
#[derive(Debug, Default)]
pub(crate) struct CurrentLine {
    /// Its position.
    pub(super) start: usize,
    /// Its text.
    pub(super) text: String,
}

impl CurrentLine {
    /// Replaces the line.
    fn set(&mut self, line: &Line<'_>) {
        self.start = line.start;
        self.text.clear();
        self.text.push_str(&line.raw);
    }
}
