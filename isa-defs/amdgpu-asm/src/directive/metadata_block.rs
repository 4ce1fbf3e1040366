//! Blocks of text up to an end directive: the metadata of HSA and PAL code objects.

use crate::diagnostic::Diagnostic;
use crate::instruction::statement::check_utf8;
use crate::lex::lines::Line;
use crate::lex::tokens::Tokens;
use crate::program::Program;
use crate::state::metadata::OpenBlock;

impl Program<'_> {
    /// A line of an open block. As in LLVM, a comment at its end is not a part of it, but a block comment is.
    pub(crate) fn line_of_block(&mut self, line: &Line<'_>) {
        let Some(open) = self.metadata.open_mut() else { return };
        let text = if line.clean.is_empty() { "" } else { line.raw.get(..line.clean.len()).unwrap_or_default() };
        if Tokens::new(text, 0).token.text != open.block.end() || text.trim_start().starts_with("/*") {
            open.body.push(text, line.start);
            self.report.extend(check_utf8(text, line.start).err());
            return;
        }
        if text.trim() != open.block.end() {
            let end = line.start + text.len();
            self.report.push(Diagnostic::new(end - 1..end, "expected the end of the line"));
        }
        if let Err((block, begin)) = self.metadata.end() {
            self.report.push(Diagnostic::new(begin, format!("a file has one `{}`", block.begin())));
        }
    }

    /// Reports a block that the end of the text leaves open.
    pub(crate) fn end_of_block(&mut self) {
        if let Some(OpenBlock { block, begin, .. }) = self.metadata.abandon() {
            self.report.push(Diagnostic::new(begin, format!("no `{}` follows", block.end())));
        }
    }
}
