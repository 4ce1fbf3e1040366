//! The metadata of a program: the text of its blocks, and the notes.

use std::ops::Range;

use amdgpu_object::Note;

use crate::expand::body::Body;

/// The metadata of a program.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    /// The text of `.amdgpu_metadata`.
    pub(crate) hsa: Option<Body>,
    /// The text of `.amdgpu_pal_metadata`.
    pub(crate) pal: Option<Body>,
    /// The block that is open.
    pub(crate) open: Option<OpenBlock>,
    /// The notes of the object file.
    pub(crate) notes: Vec<Note>,
}

/// The type of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    /// `.amdgpu_metadata`: YAML of the `amdhsa` keys.
    Hsa,
    /// `.amdgpu_pal_metadata`: YAML of the `amdpal` keys.
    Pal,
}

impl Block {
    /// The block that a directive begins.
    pub(crate) fn of(directive: &str) -> Option<Self> {
        [Self::Hsa, Self::Pal].into_iter().find(|block| block.begin() == directive)
    }

    /// The directive at its beginning.
    pub(crate) fn begin(self) -> &'static str {
        match self {
            Self::Hsa => ".amdgpu_metadata",
            Self::Pal => ".amdgpu_pal_metadata",
        }
    }

    /// The directive at its end.
    pub(crate) fn end(self) -> &'static str {
        match self {
            Self::Hsa => ".end_amdgpu_metadata",
            Self::Pal => ".end_amdgpu_pal_metadata",
        }
    }
}

/// A block whose end is not read yet.
#[derive(Debug)]
pub(crate) struct OpenBlock {
    /// Its type.
    pub(crate) block: Block,
    /// The position of the directive that begins it.
    pub(crate) begin: Range<usize>,
    /// The lines so far.
    pub(crate) body: Body,
}

impl OpenBlock {
    /// A block without lines, whose directive is at this position.
    pub(crate) fn new(block: Block, begin: Range<usize>) -> Self {
        Self { block, begin, body: Body::default() }
    }
}
