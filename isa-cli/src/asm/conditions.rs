//! `.if` and its kin: which lines are read.

use std::ops::Range;

use crate::asm::cursor::Cursor;
use crate::asm::report::Diagnostic;

/// A condition that is open.
#[derive(Debug)]
struct Condition {
    /// Where it begins.
    span: Range<usize>,
    /// Whether a branch was read, or none is to be.
    over: bool,
    /// Whether the lines of this branch are passed over.
    skips: bool,
    /// Whether `.else` has come.
    last: bool,
}

/// The conditions that are open.
#[derive(Debug, Default)]
pub struct Conditions(Vec<Condition>);

/// What a directive has to do with conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// It begins one.
    If,
    /// `.elseif`.
    ElseIf,
    /// `.else`.
    Else,
    /// `.endif`.
    EndIf,
}

impl Word {
    /// What a line begins with, if that is one of them.
    pub fn of(word: &str) -> Option<Self> {
        Some(match word {
            ".if" | ".ifeq" | ".ifne" | ".iflt" | ".ifle" | ".ifgt" | ".ifge" | ".ifb" | ".ifnb" | ".ifc" | ".ifnc"
            | ".ifeqs" | ".ifnes" | ".ifdef" | ".ifndef" | ".ifnotdef" => Self::If,
            ".elseif" => Self::ElseIf,
            ".else" => Self::Else,
            ".endif" => Self::EndIf,
            _ => return None,
        })
    }
}

impl Conditions {
    /// Whether lines are passed over.
    pub fn skip(&self) -> bool {
        self.0.last().is_some_and(|condition| condition.skips)
    }

    /// How many are open.
    pub fn open(&self) -> usize {
        self.0.len()
    }

    /// Closes all but so many, the innermost first; where the outermost of these begins.
    pub fn close_to(&mut self, open: usize) -> Option<Range<usize>> {
        let begin = self.0.get(open).map(|condition| condition.span.clone());
        self.0.truncate(open);
        begin
    }

    /// Goes on behind a directive, which is called `name`. `holds` tells whether what stands behind it holds, and is asked only where that matters.
    pub fn go_on(
        &mut self,
        word: Word,
        name: &str,
        span: Range<usize>,
        input: &mut Cursor<'_>,
        holds: impl FnOnce(&mut Cursor<'_>) -> Result<bool, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        if word == Word::If {
            // Inside of what is passed over, nothing is read or asked.
            let skips = self.skip();
            self.0.push(Condition { span, over: true, skips: true, last: false });
            return if skips { Ok(()) } else { self.branch(input, holds) };
        }
        let open = |condition: &&mut Condition| word == Word::EndIf || !condition.last;
        let Some(condition) = self.0.last_mut().filter(open) else {
            let why = if self.0.is_empty() { "no `.if` stands before" } else { "`.else` has come before" };
            return Err(Diagnostic::new(span, format!("{why} this `{name}`")));
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

    /// Reads the branch that begins here if its condition holds. Where that cannot be told, no branch is read.
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
