//! The fragments of a section before layout.

use crate::model::{RelocationKind, SymbolId};

use super::Label;
use super::jump::{Condition, Far};

/// A piece of a section.
#[derive(Debug)]
pub enum Fragment {
    /// Bytes, and the fields among them that are filled in later.
    Bytes(Vec<u8>, Vec<(usize, Fixup)>),
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

impl Fragment {
    pub fn branch(condition: Option<Condition>, to: Label, far: Far) -> Self {
        Self::Branch { condition, to, far, is_far: false }
    }
}

/// A field of four bytes that is filled in later, or of eight for [`RelocationKind::Abs64`].
#[derive(Debug, Clone, Copy)]
pub enum Fixup {
    /// From the address of a symbol, by a linker.
    Symbol { kind: RelocationKind, symbol: SymbolId, addend: i64 },
    /// The distance of a label from the field.
    Distance { label: Label },
}

/// A place in a section: an offset in a fragment.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    /// The section's index.
    pub section: usize,
    pub fragment: usize,
    pub offset: usize,
}

/// The fragments of a section.
#[derive(Debug, Default)]
pub struct Stream {
    pub fragments: Vec<Fragment>,
}

impl Stream {
    fn last(&mut self) -> (&mut Vec<u8>, &mut Vec<(usize, Fixup)>) {
        if !matches!(self.fragments.last(), Some(Fragment::Bytes(..))) {
            self.fragments.push(Fragment::Bytes(Vec::new(), Vec::new()));
        }
        match self.fragments.last_mut() {
            Some(Fragment::Bytes(bytes, fixups)) => (bytes, fixups),
            _ => unreachable!("the last fragment holds bytes"),
        }
    }

    /// The bytes at the end, to append to.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        self.last().0
    }

    /// Adds a fixup for the field that is appended next.
    pub fn fixups_at_end(&mut self, fixup: Fixup) {
        let (bytes, fixups) = self.last();
        fixups.push((bytes.len(), fixup));
    }

    /// The place after everything.
    pub fn position(&mut self, section: usize) -> Position {
        let offset = self.last().0.len();
        Position { section, fragment: self.fragments.len() - 1, offset }
    }
}
