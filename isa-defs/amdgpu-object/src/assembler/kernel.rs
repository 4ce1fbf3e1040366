//! Functions and kernels.

use crate::descriptor::{KernelDescriptor, KernelSettings};
use crate::metadata::KernelMetadata;
use crate::model::{RelocationKind, SymbolId, SymbolType};

use super::error::AssembleError;
use super::fragment::Fixup;
use super::{Assembler, Scope, SectionKind, SymbolRange};

/// The alignment of kernels in bytes: the descriptor holds the entry without its low eight bits.
const KERNEL_ALIGN: u64 = 256;

impl Assembler {
    /// Begins a function: defines its symbol at the end of the current section.
    pub fn begin_function(&mut self, name: &str, scope: Scope) -> SymbolId {
        if self.open.is_some() {
            self.fail(AssembleError::Nested { name: name.into() });
        }
        self.align(4);
        let (id, begin) = self.define(name, scope, SymbolType::Function);
        self.open = Some((id, begin));
        id
    }

    /// Ends the function that was begun last, which gives its symbol a size.
    pub fn end_function(&mut self) {
        match self.open.take() {
            Some((id, begin)) => {
                let end = self.bind_new();
                self.definitions.push(SymbolRange { symbol: id, begin, end });
            }
            None => self.fail(AssembleError::NotBegun),
        }
    }

    /// Begins a kernel: switches to [`SectionKind::Text`], aligns the entry to 256 bytes and defines its symbol.
    pub fn begin_kernel(&mut self, name: &str) -> SymbolId {
        self.switch_to(SectionKind::Text);
        self.align(KERNEL_ALIGN);
        self.begin_function(name, Scope::Exported)
    }

    /// Ends the kernel that was begun last: appends its descriptor to [`SectionKind::ReadOnly`] under the name `NAME.kd`, and keeps
    /// the metadata for the note of the object. The metadata has to name that symbol, as [`KernelMetadata::new`] does.
    pub fn end_kernel(&mut self, settings: &KernelSettings, metadata: KernelMetadata) {
        let Some((entry, _)) = self.open else { return self.fail(AssembleError::NotBegun) };
        self.end_function();
        let name = self.object.symbols[entry.0].name.clone();
        let descriptor = match settings.descriptor() {
            Ok(descriptor) => descriptor,
            Err(error) => return self.fail(AssembleError::Descriptor { kernel: name, error }),
        };
        let symbol = format!("{name}.kd");
        if metadata.symbol != symbol {
            return self.fail(AssembleError::MetadataSymbol { kernel: name, symbol: metadata.symbol });
        }
        let before = self.switch_to(SectionKind::ReadOnly);
        self.align(KernelDescriptor::ALIGN);
        let (id, begin) = self.define(&symbol, Scope::Exported, SymbolType::Object);
        let bytes = descriptor.to_bytes();
        let (head, rest) = bytes.split_at(KernelDescriptor::ENTRY_OFFSET);
        self.push_bytes(head);
        let addend = KernelDescriptor::ENTRY_OFFSET as i64;
        self.stream().fixups_at_end(Fixup::Symbol { kind: RelocationKind::Rel64, symbol: entry, addend });
        self.push_bytes(rest);
        let end = self.bind_new();
        self.definitions.push(SymbolRange { symbol: id, begin, end });
        self.switch_to(before);
        self.metadata.kernels.push(metadata);
    }
}
