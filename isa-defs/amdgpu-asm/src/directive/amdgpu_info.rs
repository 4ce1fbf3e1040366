//! `.amdgpu_info` blocks, in which LLVM 23 states what a function uses and calls, for a linker of device code.

use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::lex::cursor::Cursor;
use crate::program::Program;
use crate::state::kernels::KernelBlock;

/// The directives of a block whose value is a number.
const NUMBERS: [&str; 7] = [
    ".amdgpu_flags",
    ".amdgpu_num_vgpr",
    ".amdgpu_num_agpr",
    ".amdgpu_num_sgpr",
    ".amdgpu_private_segment_size",
    ".amdgpu_occupancy",
    ".amdgpu_wave_size",
];
/// The directives whose value is a symbol.
const SYMBOLS: [&str; 2] = [".amdgpu_use", ".amdgpu_call"];
/// The directives whose value is the type of a function, in quotes.
const TYPES: [&str; 2] = [".amdgpu_indirect_call", ".amdgpu_typeid"];

pub(crate) const END: &str = ".end_amdgpu_info";

impl Program<'_> {
    /// The beginning of an `.amdgpu_info` block: the name of the function.
    pub(crate) fn begin_resource_info(&mut self, span: Range<usize>, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        input.name()?;
        input.finish()?;
        self.kernels.begin(KernelBlock::Info(span));
        Ok(())
    }

    /// A line of an `.amdgpu_info` block. It is checked; the section `.amdgpu.info` is not written.
    pub(crate) fn line_of_resource_info(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let start = input.place();
        let word = input.word();
        let span = start..input.end();
        if word == END {
            self.kernels.close();
        } else if NUMBERS.contains(&word) {
            self.number(input)?;
        } else if SYMBOLS.contains(&word) {
            input.name()?;
        } else if TYPES.contains(&word) {
            input.string()?;
        } else {
            let known = [&NUMBERS[..], &SYMBOLS, &TYPES, &[END]].concat().join("`, `");
            let error = Diagnostic::new(span, "unknown in an `.amdgpu_info` block");
            return Err(error.help(Some(format!("there are `{known}`"))));
        }
        input.finish()
    }
}
