//! What a program says to debuggers. It is only checked.

use std::collections::BTreeMap;
use std::ops::Range;

/// The source files and the call frames that a program describes.
#[derive(Debug, Default)]
pub(crate) struct DebugInfo {
    /// The numbers that `.file` directives give to source files, with the positions of the directives.
    pub(crate) source_files: BTreeMap<u64, Range<usize>>,
    /// The call frame information.
    pub(crate) frames: Frames,
}

/// The call frame information of a program.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    /// Whether it goes to `.debug_frame` only. Otherwise LLVM writes `.eh_frame`, which is loaded.
    pub(crate) is_debug_only: bool,
    /// The position of the `.cfi_startproc` that is open.
    pub(crate) open: Option<Range<usize>>,
}
