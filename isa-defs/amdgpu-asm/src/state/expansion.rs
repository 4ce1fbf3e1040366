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
    pub(crate) macros: Macros,
    /// Whether a macro has the name of an instruction.
    pub(crate) shadows: bool,
    pub(crate) conditions: Conditions,
    /// The body that is open.
    pub(crate) open_body: Option<OpenBody>,
    /// The nesting depth of the current expansion.
    pub(crate) depth: usize,
    /// Whether `.exitm` skips the rest of the current expansion.
    pub(crate) exits: bool,
    /// Whether the innermost expansion is a macro or repetition.
    pub(crate) in_macro: bool,
    /// Whether `.altmacro` is in effect.
    pub(crate) alternate_macros: bool,
    /// Whether names of macros are replaced: `.macros_off` turns it off.
    pub(crate) takes_macros: bool,
    /// Finds included files; `None` if a program may include none.
    pub(crate) includes: Option<&'a dyn IncludeResolver>,
    /// The line that is cut between two parts, in a comment or string.
    pub(crate) unfinished: Option<Unfinished>,
    /// The line that is being assembled, as written.
    pub(crate) current_line: CurrentLine,
    /// The cache of the pre-parser for expansions.
    pub(crate) memo: Memo,
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
}

/// A body whose end has not been read.
#[derive(Debug)]
pub(crate) struct OpenBody {
    /// The directive that begins it.
    pub(crate) heading: Heading,
    /// The position of the heading.
    pub(crate) span: Range<usize>,
    /// The number of open bodies of the same type within this one.
    pub(crate) inside: u32,
    /// The lines so far.
    pub(crate) body: Body,
}

/// The line that is being assembled, as written.
#[derive(Debug, Default)]
pub(crate) struct CurrentLine {
    /// Its position.
    pub(crate) start: usize,
    /// Its text.
    pub(crate) text: String,
}

impl CurrentLine {
    /// Replaces the line.
    pub(crate) fn set(&mut self, line: &Line<'_>) {
        self.start = line.start;
        self.text.clear();
        self.text.push_str(&line.raw);
    }
}
