//! The metadata of a program: the text of its blocks, and the notes.

use std::ops::Range;

use amdgpu_object::Note;

use crate::expand::body::Body;

/// The metadata of a program.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    /// The text of `.amdgpu_metadata`.
    hsa: Option<Body>,
    /// The text of `.amdgpu_pal_metadata`.
    pal: Option<Body>,
    /// The block that is open.
    open: Option<OpenBlock>,
    /// The notes of the object file.
    notes: Vec<Note>,
}

impl Metadata {
    /// Opens a block, whose directive is at this position.
    pub(crate) fn begin(&mut self, block: Block, begin: Range<usize>) {
        self.open = Some(OpenBlock { block, begin, body: Body::default() });
    }

    /// Returns whether a block is open.
    pub(crate) fn is_in_block(&self) -> bool {
        self.open.is_some()
    }

    /// Returns the block that is open, to add lines to it.
    pub(crate) fn open_mut(&mut self) -> Option<&mut OpenBlock> {
        self.open.as_mut()
    }

    /// Drops the block that is open, and returns it.
    pub(crate) fn abandon(&mut self) -> Option<OpenBlock> {
        self.open.take()
    }

    /// Ends the block that is open, and keeps its text.
    ///
    /// # Errors
    /// The program has another block of the type: the type and the position of the directive that begins this one.
    pub(crate) fn end(&mut self) -> Result<(), (Block, Range<usize>)> {
        let Some(OpenBlock { block, begin, body }) = self.open.take() else { return Ok(()) };
        let kept = if block == Block::Hsa { &mut self.hsa } else { &mut self.pal };
        if kept.is_some() {
            return Err((block, begin));
        }
        *kept = Some(body);
        Ok(())
    }

    /// Returns the text of `.amdgpu_metadata`.
    pub(crate) fn hsa(&self) -> Option<&Body> {
        self.hsa.as_ref()
    }

    /// Returns the text of `.amdgpu_pal_metadata`.
    pub(crate) fn pal(&self) -> Option<&Body> {
        self.pal.as_ref()
    }

    /// Adds notes of the object file.
    pub(crate) fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        self.notes.extend(notes);
    }

    /// Returns the notes of the object file.
    pub(crate) fn into_notes(self) -> Vec<Note> {
        self.notes
    }
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
