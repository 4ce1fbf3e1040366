//! The contents of a section before layout.

use crate::fragments::Fragments;
use crate::model::{RelocationKind, SymbolId};

use super::Label;
use super::jump::{Condition, Far};

/// A fragment whose size depends on addresses.
#[derive(Debug)]
pub enum Variable {
    /// Padding up to a multiple of this number of bytes.
    Align(u64),
    /// A branch.
    Branch {
        condition: Option<Condition>,
        to: Label,
        far: Far,
        /// Whether it takes the far form.
        is_far: bool,
    },
}

/// A field of four bytes that is filled in later, or of eight for [`RelocationKind::Abs64`].
#[derive(Debug, Clone, Copy)]
pub enum Fixup {
    /// From the address of a symbol, by a linker.
    Symbol { kind: RelocationKind, symbol: SymbolId, addend: i64 },
    /// The distance of a label from the field.
    Distance { label: Label },
}

/// A position in a section.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    /// The section's index.
    pub section: usize,
    /// The number of the fragment.
    pub fragment: u32,
    /// The number of bytes before it, without variable fragments.
    pub offset: u64,
}

/// A field that is filled in later.
#[derive(Debug)]
pub struct PlacedFixup {
    /// The fragment that it is in.
    pub fragment: u32,
    /// The number of bytes before it, without variable fragments.
    pub offset: u64,
    /// What it is filled with.
    pub fixup: Fixup,
}

/// The contents of a section.
#[derive(Debug, Default)]
pub struct Stream {
    /// The bytes, without variable fragments.
    pub bytes: Vec<u8>,
    /// The fields among them that are filled in later.
    pub fixups: Vec<PlacedFixup>,
    /// The fragments among them whose sizes depend on addresses.
    pub fragments: Fragments<Variable>,
    /// Whether anything has been appended, if only a label.
    pub is_used: bool,
}

impl Stream {
    /// The bytes, to append to.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        self.is_used = true;
        &mut self.bytes
    }

    /// Appends a fragment whose size depends on addresses.
    pub fn push_variable(&mut self, variable: Variable) {
        self.is_used = true;
        self.fragments.push(self.bytes.len() as u64, variable);
    }

    /// Adds a fixup for the field that is appended next.
    pub fn fixups_at_end(&mut self, fixup: Fixup) {
        let (fragment, offset) = (self.fragments.current(), self.bytes.len() as u64);
        self.fixups.push(PlacedFixup { fragment, offset, fixup });
    }

    /// The position after everything.
    pub fn position(&mut self, section: usize) -> Position {
        self.is_used = true;
        Position { section, fragment: self.fragments.current(), offset: self.bytes.len() as u64 }
    }
}
