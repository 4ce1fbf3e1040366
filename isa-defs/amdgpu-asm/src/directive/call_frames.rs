//! Directives for debuggers, but for those of [`line_table`](super::line_table). The sections that they describe are not written;
//! those that would change others are refused.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Done};
use crate::lex::cursor::Cursor;
use crate::program::Program;

/// The directives between `.cfi_startproc` and `.cfi_endproc`.
const FRAME: [&str; 24] = [
    ".cfi_adjust_cfa_offset",
    ".cfi_def_cfa",
    ".cfi_def_cfa_offset",
    ".cfi_def_cfa_register",
    ".cfi_endproc",
    ".cfi_escape",
    ".cfi_label",
    ".cfi_llvm_def_aspace_cfa",
    ".cfi_llvm_register_pair",
    ".cfi_llvm_vector_offset",
    ".cfi_llvm_vector_register_mask",
    ".cfi_llvm_vector_registers",
    ".cfi_offset",
    ".cfi_register",
    ".cfi_rel_offset",
    ".cfi_remember_state",
    ".cfi_restore",
    ".cfi_restore_state",
    ".cfi_return_column",
    ".cfi_same_value",
    ".cfi_signal_frame",
    ".cfi_undefined",
    ".cfi_val_offset",
    ".cfi_window_save",
];

/// Directives that LLVM has and that add sections, symbols or bytes which are not written here.
const UNSUPPORTED: [&str; 20] = [
    ".align32",
    ".cfi_lsda",
    ".cfi_personality",
    ".cv_def_range",
    ".cv_file",
    ".cv_filechecksumoffset",
    ".cv_filechecksums",
    ".cv_fpo_data",
    ".cv_func_id",
    ".cv_inline_linetable",
    ".cv_inline_site_id",
    ".cv_linetable",
    ".cv_loc",
    ".cv_string",
    ".cv_stringtable",
    ".loc_label",
    ".lto_discard",
    ".lto_set_conditional",
    ".pseudoprobe",
    ".version",
];

impl Program<'_> {
    /// The directives of this module; `None` for others.
    pub(crate) fn debug_directive(&mut self, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Option<Done> {
        Some(match word {
            ".file" => self.source_file(span, input),
            ".loc" => self.source_location(input),
            ".line" => input.number().transpose().and_then(|_| input.finish()),
            ".ident" => input.string().and_then(|_| input.finish()),
            ".macros_on" | ".macros_off" => {
                self.expansion.set_takes_macros(word == ".macros_on");
                input.finish()
            }
            ".cfi_sections" => self.frame_sections(input),
            ".cfi_startproc" => self.begin_frame(span),
            _ if FRAME.contains(&word) => self.frame_directive(word, span),
            _ if UNSUPPORTED.contains(&word) => {
                Err(Diagnostic::new(span, format!("the directive `{word}` is not supported")))
            }
            _ => return None,
        })
    }

    /// `.cfi_sections NAME [, NAME]`.
    fn frame_sections(&mut self, input: &mut Cursor<'_>) -> Done {
        let mut eh_frame = false;
        loop {
            let (name, span) = input.name()?;
            match name.as_str() {
                ".eh_frame" => eh_frame = true,
                ".debug_frame" => {}
                _ => return Err(Diagnostic::new(span, "expected `.debug_frame`")),
            }
            if !input.eat(",") {
                break;
            }
        }
        self.debug.set_frame_debug_only(!eh_frame);
        input.finish()
    }

    fn begin_frame(&mut self, span: Range<usize>) -> Done {
        if let Some(open) = self.debug.begin_frame(span.clone()) {
            return Err(Diagnostic::new(span, "no `.cfi_endproc` precedes this").label(open, "of this frame"));
        }
        if self.debug.is_frame_debug_only() {
            return Ok(());
        }
        let help = "`.cfi_sections .debug_frame` before it asks for information that is not loaded";
        Err(Diagnostic::new(span, "the section `.eh_frame` is not supported").help(Some(help.into())))
    }

    fn frame_directive(&mut self, word: &str, span: Range<usize>) -> Done {
        if !self.debug.is_in_frame() {
            return Err(Diagnostic::new(span, format!("`{word}` without a `.cfi_startproc` before it")));
        }
        if word == ".cfi_endproc" {
            self.debug.end_frame();
        }
        Ok(())
    }

    /// Reports a frame that the end of the program leaves open.
    pub(crate) fn end_of_frames(&mut self) {
        let open = self.debug.end_frame();
        self.report.extend(open.map(|open| Diagnostic::new(open, "no `.cfi_endproc` follows")));
    }
}
