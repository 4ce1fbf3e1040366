//! Fields whose values depend on addresses, and relocations.

use std::ops::Range;

use amdgpu_arch::branch_bytes;
use amdgpu_object::RelocationKind;

use crate::expression::tree::{Expr, SymbolId};
use crate::layout::address::Address;

/// A field that holds zeros until its value is known.
#[derive(Debug)]
pub struct Fixup {
    /// Where it begins.
    pub address: Address,
    /// The type of the field.
    pub field: FixupField,
    /// The value.
    pub expr: Expr,
    /// Where the expression is in the source.
    pub span: Range<usize>,
}

/// A field that a value is put into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixupField {
    /// The distance of a branch in dwords, counted from the end of its first dword.
    Branch,
    /// The literal of an instruction. An address counts from the literal's own.
    Literal,
    /// Data of this number of bytes.
    Data(usize),
}

/// The fields that wait for layout.
#[derive(Debug, Default)]
pub(crate) struct Fixups {
    /// Fields of instructions and data.
    pending: Vec<Fixup>,
    /// The `.reloc` directives.
    directives: Vec<RelocDirective>,
}

impl Fixups {
    /// Adds a field.
    pub(crate) fn push(&mut self, fixup: Fixup) {
        self.pending.push(fixup);
    }

    /// Adds a `.reloc` directive.
    pub(crate) fn push_directive(&mut self, directive: RelocDirective) {
        self.directives.push(directive);
    }

    /// Returns the number of fields.
    pub(crate) fn len(&self) -> usize {
        self.pending.len()
    }

    /// Removes all fields, which layout resolves in order.
    pub(crate) fn take(&mut self) -> Vec<Fixup> {
        std::mem::take(&mut self.pending)
    }

    /// Removes all directives.
    pub(crate) fn take_directives(&mut self) -> Vec<RelocDirective> {
        std::mem::take(&mut self.directives)
    }
}

/// A `.reloc` directive.
#[derive(Debug)]
pub(crate) struct RelocDirective {
    /// The section of the directive.
    pub(crate) section: u32,
    /// The offset in this section, or an address in any.
    pub(crate) offset: (Expr, Range<usize>),
    /// How the value is computed.
    pub(crate) kind: RelocationKind,
    /// The address that the relocation refers to, or 0.
    pub(crate) target: Option<(Expr, Range<usize>)>,
}

/// A value that a linker computes. The field holds zeros, or the distance -1 in a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    /// The index of the section.
    pub section: u32,
    /// Where the field begins, in bytes from the beginning of the section.
    pub offset: u64,
    /// How the value is computed.
    pub kind: RelocationKind,
    /// From which address it is computed.
    pub target: RelocationTarget,
    /// The number that is added to the address.
    pub addend: i64,
}

/// The address that a relocation refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelocationTarget {
    /// A symbol.
    Symbol(SymbolId),
    /// The beginning of a section.
    Section(u32),
    /// Address 0.
    Absolute,
}

impl FixupField {
    /// Bytes that the value takes.
    pub fn size(self) -> usize {
        match self {
            Self::Branch => branch_bytes(0).len(),
            Self::Literal => 4,
            Self::Data(size) => size.min(8),
        }
    }
}
