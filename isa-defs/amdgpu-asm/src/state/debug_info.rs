//! What a program says to debuggers. It is only checked.

use std::collections::BTreeMap;
use std::ops::Range;

/// The source files and the call frames that a program describes.
#[derive(Debug, Default)]
pub(crate) struct DebugInfo {
    /// The numbers that `.file` directives give to source files, with the positions of the directives.
    source_files: BTreeMap<u64, Range<usize>>,
    /// Whether call frame information goes to `.debug_frame` only. Otherwise LLVM writes `.eh_frame`, which is loaded.
    is_frame_debug_only: bool,
    /// The position of the `.cfi_startproc` that is open.
    open_frame: Option<Range<usize>>,
}

impl DebugInfo {
    /// Adds the number of a source file. Returns the position of the directive that has given it before; the number 0 may be given
    /// again.
    pub(crate) fn add_source_file(&mut self, number: u64, span: Range<usize>) -> Option<Range<usize>> {
        match self.source_files.get(&number) {
            Some(first) if number != 0 => Some(first.clone()),
            _ => {
                self.source_files.insert(number, span);
                None
            }
        }
    }

    /// Returns whether a source file has a number.
    pub(crate) fn has_source_file(&self, number: u64) -> bool {
        self.source_files.contains_key(&number)
    }

    /// Returns the first number from 1 on that no source file has, and the position of the directive with the next one, if there is
    /// a gap.
    pub(crate) fn missing_source_file(&self) -> Option<(u64, Range<usize>)> {
        let files = self.source_files.iter().filter(|(number, _)| **number != 0);
        let (missing, (_, span)) = (1..).zip(files).find(|(expected, (number, _))| expected != *number)?;
        Some((missing, span.clone()))
    }

    /// Sets whether call frame information goes to `.debug_frame` only.
    pub(crate) fn set_frame_debug_only(&mut self, is_debug_only: bool) {
        self.is_frame_debug_only = is_debug_only;
    }

    /// Returns whether call frame information goes to `.debug_frame` only.
    pub(crate) fn is_frame_debug_only(&self) -> bool {
        self.is_frame_debug_only
    }

    /// Begins a frame. Returns the position of the one that is still open.
    pub(crate) fn begin_frame(&mut self, span: Range<usize>) -> Option<Range<usize>> {
        self.open_frame.replace(span)
    }

    /// Returns whether a frame is open.
    pub(crate) fn is_in_frame(&self) -> bool {
        self.open_frame.is_some()
    }

    /// Ends the frame that is open, and returns where it begins.
    pub(crate) fn end_frame(&mut self) -> Option<Range<usize>> {
        self.open_frame.take()
    }
}
