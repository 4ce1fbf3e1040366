//! What the caller decides about a disassembly.

use amdgpu_arch::{TargetSelection, Wave};

/// The options of a disassembly.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The instruction set or the processor. Of a container, the code objects for it are opened; a file that is a code object is read in
    /// this set even if its header names another one. `None`: that of the file.
    pub target: Option<TargetSelection>,
    /// The wave size of all code; `None`: from descriptors, metadata and callers, else wave32.
    pub wave: Option<Wave>,
    /// Limits on what a file takes.
    pub limits: Limits,
}

/// Limits on what a file takes. Besides these, a file whose tables or executable sections overlap is an error, so that the memory for
/// symbols and rows is in proportion to its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Those on containers.
    pub containers: amdgpu_bundle::Limits,
    /// How many times as long as a code object the names of its symbols may be together: names may share their ends, and a small file could
    /// name many places with one long name.
    pub name_factor: usize,
    /// Those on the memory of a code object that is loaded, for [`ObjectFile::kernels`](crate::ObjectFile::kernels).
    pub objects: amdgpu_object::Limits,
}

impl Default for Limits {
    /// Those of `amdgpu_bundle` and `amdgpu_object`, and names that are four times as long as the code object.
    fn default() -> Self {
        Self { containers: amdgpu_bundle::Limits::default(), name_factor: 4, objects: amdgpu_object::Limits::default() }
    }
}
