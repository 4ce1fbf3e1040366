//! Blocks of text up to an end directive: the metadata of HSA and PAL code objects.

use crate::diagnostic::Diagnostic;
use crate::instruction::statement::check_utf8;
use crate::lex::lines::Line;
use crate::lex::tokens::Tokens;
use crate::program::Program;
use crate::state::metadata::{Block, OpenBlock};

impl Program<'_> {
    /// A line of an open block. As in LLVM, a comment at its end is not a part of it, but a block comment is.
    pub(crate) fn line_of_block(&mut self, line: &Line<'_>) {
        let Some(open) = &mut self.metadata.open else { return };
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
        let Some(OpenBlock { block, begin, body }) = self.metadata.open.take() else { return };
        let kept = if block == Block::Hsa { &mut self.metadata.hsa } else { &mut self.metadata.pal };
        if kept.is_some() {
            self.report.push(Diagnostic::new(begin, format!("a file has one `{}`", block.begin())));
            return;
        }
        *kept = Some(body);
    }

    /// Reports a block that the end of the text leaves open.
    pub(crate) fn end_of_block(&mut self) {
        if let Some(OpenBlock { block, begin, .. }) = self.metadata.open.take() {
            self.report.push(Diagnostic::new(begin, format!("no `{}` follows", block.end())));
        }
    }
}
