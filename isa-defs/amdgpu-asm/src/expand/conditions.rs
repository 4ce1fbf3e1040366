//! `.if` and the other directives that select which lines are assembled.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::lex::cursor::Cursor;

/// An open condition.
#[derive(Debug)]
struct Condition {
    /// The position of its `.if`.
    span: Range<usize>,
    /// Whether no further branch is assembled: one was, or the condition cannot be evaluated.
    over: bool,
    /// Whether the lines of the current branch are skipped.
    skips: bool,
    /// Whether `.else` was read.
    last: bool,
}

/// The open conditions, the innermost last.
#[derive(Debug, Default)]
pub struct Conditions(Vec<Condition>);

/// The directives of conditions.
pub const NAMES: [&str; 19] = [
    ".if",
    ".ifeq",
    ".ifne",
    ".iflt",
    ".ifle",
    ".ifgt",
    ".ifge",
    ".ifb",
    ".ifnb",
    ".ifc",
    ".ifnc",
    ".ifeqs",
    ".ifnes",
    ".ifdef",
    ".ifndef",
    ".ifnotdef",
    ".elseif",
    ".else",
    ".endif",
];

/// The role of a directive of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Begins a condition.
    If,
    /// `.elseif`.
    ElseIf,
    /// `.else`.
    Else,
    /// `.endif`.
    EndIf,
}

impl Word {
    /// The condition directive of this name, which may be in capital letters, and its name in small ones.
    pub fn of(word: &str) -> Option<(Self, &'static str)> {
        if !word.starts_with(".i") && !word.starts_with(".e") && !word.starts_with(".I") && !word.starts_with(".E") {
            return None;
        }
        let known = NAMES.iter().find(|known| known.eq_ignore_ascii_case(word))?;
        let kind = match *known {
            ".elseif" => Self::ElseIf,
            ".else" => Self::Else,
            ".endif" => Self::EndIf,
            _ => Self::If,
        };
        Some((kind, known))
    }
}

impl Conditions {
    /// Whether lines are skipped.
    pub fn skip(&self) -> bool {
        self.0.last().is_some_and(|condition| condition.skips)
    }

    /// The number of open conditions.
    pub fn open(&self) -> usize {
        self.0.len()
    }

    /// Closes all but the `open` outermost conditions. Returns the position of the outermost one that is closed.
    pub fn close_to(&mut self, open: usize) -> Option<Range<usize>> {
        let begin = self.0.get(open).map(|condition| condition.span.clone());
        self.0.truncate(open);
        begin
    }

    /// Applies the directive `name`. `holds` evaluates the condition after it, if that matters.
    pub fn go_on(
        &mut self,
        word: Word,
        name: &str,
        span: Range<usize>,
        input: &mut Cursor<'_>,
        holds: impl FnOnce(&mut Cursor<'_>) -> Result<bool, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        if word == Word::If {
            // Conditions in skipped lines are not evaluated.
            let skips = self.skip();
            self.0.push(Condition { span, over: true, skips: true, last: false });
            return if skips { Ok(()) } else { self.branch(input, holds) };
        }
        let open = |condition: &&mut Condition| word == Word::EndIf || !condition.last;
        let Some(condition) = self.0.last_mut().filter(open) else {
            let why = match self.0.is_empty() {
                true => format!("`{name}` without an `.if` before it"),
                false if word == Word::Else => "second `.else` of this condition".into(),
                false => format!("`{name}` after `.else`"),
            };
            return Err(Diagnostic::new(span, why));
        };
        match word {
            Word::EndIf => drop(self.0.pop()),
            Word::ElseIf if condition.over => condition.skips = true,
            Word::ElseIf => return self.branch(input, holds),
            Word::Else | Word::If => {
                condition.last = true;
                condition.skips = condition.over;
                condition.over = true;
            }
        }
        if word == Word::ElseIf { Ok(()) } else { input.finish() }
    }

    /// Begins a branch. If its condition has an error, all branches are skipped.
    fn branch(
        &mut self,
        input: &mut Cursor<'_>,
        holds: impl FnOnce(&mut Cursor<'_>) -> Result<bool, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let read = holds(input);
        if let Some(condition) = self.0.last_mut() {
            condition.skips = read != Ok(true);
            condition.over = read != Ok(false);
        }
        read.map(drop)
    }
}
