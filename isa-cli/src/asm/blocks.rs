//! Blocks of text up to an end directive: the metadata of HSA and PAL code objects.

use crate::asm::diagnostic::Diagnostic;
use crate::asm::open::{Block, OpenBlock};
use crate::asm::program::Program;
use crate::asm::source::Line;
use crate::asm::statement::check_utf8;
use crate::asm::tokens::Tokens;

impl Program<'_> {
    /// A line of an open block. As in LLVM, a comment at its end is not a part of it, but a block comment is.
    pub(super) fn line_of_block(&mut self, line: &Line<'_>) {
        let Some(open) = &mut self.open_block else { return };
        let text = if line.clean.is_empty() { "" } else { line.raw.get(..line.clean.len()).unwrap_or_default() };
        if Tokens::new(text, 0).token.text != open.block.end() || text.trim_start().starts_with("/*") {
            open.body.push(text, line.start);
            self.diagnostics.extend(check_utf8(text, line.start).err());
            return;
        }
        if text.trim() != open.block.end() {
            let end = line.start + text.len();
            self.diagnostics.push(Diagnostic::new(end - 1..end, "expected the end of the line"));
        }
        let Some(OpenBlock { block, begin, body }) = self.open_block.take() else { return };
        let kept = if block == Block::Hsa { &mut self.metadata } else { &mut self.pal_metadata };
        if kept.is_some() {
            self.diagnostics.push(Diagnostic::new(begin, format!("a file has one `{}`", block.begin())));
            return;
        }
        *kept = Some(body);
    }

    /// Reports a block that the end of the text leaves open.
    pub(super) fn end_of_block(&mut self) {
        if let Some(OpenBlock { block, begin, .. }) = self.open_block.take() {
            self.diagnostics.push(Diagnostic::new(begin, format!("no `{}` follows", block.end())));
        }
    }
}
