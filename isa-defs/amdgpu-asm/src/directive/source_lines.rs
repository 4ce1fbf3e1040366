//! `.file`, `.loc` and `.line`, which describe the sources of a program to debuggers. Their sections are not written, but errors in
//! them are reported as LLVM reports them.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Done};
use crate::lex::cursor::Cursor;
use crate::program::Program;

impl Program<'_> {
    /// `.file "NAME"`, or `.file NUMBER ["DIRECTORY"] "NAME" [md5 HASH] [source "TEXT"]`.
    pub(crate) fn source_file(&mut self, word: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let number = input.number().transpose()?.map(i64::cast_unsigned);
        input.string()?;
        if input.rest().starts_with('"') {
            if number.is_none() {
                return Err(input.expected("the end of the line: only files with a number have a directory"));
            }
            input.string()?;
        }
        while number.is_some() && !input.done() {
            let start = input.place();
            match input.word() {
                "md5" => drop(input.large_number().unwrap_or_else(|| Err(input.expected("a number")))?),
                "source" => drop(input.string()?),
                _ => return Err(Diagnostic::new(start..input.end().max(start + 1), "expected `md5` or `source`")),
            }
        }
        input.finish()?;
        let Some(number) = number else { return Ok(()) };
        match self.debug.add_source_file(number, word.clone()) {
            None => Ok(()),
            Some(first) => {
                let error = Diagnostic::new(word, format!("the source file {number} is named twice"));
                Err(error.label(first, "first here"))
            }
        }
    }

    /// `.loc FILE [LINE [COLUMN]]`, with options.
    pub(crate) fn source_location(&mut self, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let file = input.number().unwrap_or_else(|| Err(input.expected("the number of a source file")))?;
        if !self.debug.has_source_file(file.cast_unsigned()) {
            let error =
                Diagnostic::new(start..input.end(), format!("no `.file` directive names the source file {file}"));
            return Err(error);
        }
        if input.number().transpose()?.is_some() {
            input.number().transpose()?;
        }
        while !input.done() {
            let start = input.place();
            match input.word() {
                "basic_block" | "prologue_end" | "epilogue_begin" => {}
                "discriminator" => drop(self.number(input)?),
                "is_stmt" => self.option_of_location(input, 0..=1, "expected 0 or 1")?,
                "isa" => self.option_of_location(input, 0..=i64::MAX, "expected a number that is not negative")?,
                _ => {
                    let help = "there are `basic_block`, `prologue_end`, `epilogue_begin`, `is_stmt`, `isa` and `discriminator`";
                    let error = Diagnostic::new(start..input.end().max(start + 1), "unknown option of `.loc`");
                    return Err(error.help(Some(help.into())));
                }
            }
        }
        Ok(())
    }

    fn option_of_location(
        &mut self,
        input: &mut Cursor<'_>,
        range: std::ops::RangeInclusive<i64>,
        why: &'static str,
    ) -> Done {
        let start = input.place();
        let number = self.number(input)?;
        if range.contains(&number) { Ok(()) } else { Err(Diagnostic::new(start..input.end(), why)) }
    }

    /// Reports a number that no `.file` directive uses, below one that a directive uses.
    pub(crate) fn end_of_source_files(&mut self) {
        if let Some((missing, span)) = self.debug.missing_source_file() {
            let error = Diagnostic::new(span, format!("no `.file` directive names the source file {missing}"));
            self.report.push(error.help(Some("the numbers of source files have no gaps".into())));
        }
    }
}
