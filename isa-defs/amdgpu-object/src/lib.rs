//! Relocatable objects and loadable code objects for AMD GPUs.
//!
//! [`Object`] is the contents of a relocatable ELF object: sections, symbols and relocations. [`write_object`] writes it as a file
//! that a linker reads.

mod assembler;
mod check;
mod descriptor;
mod error;
mod link;
mod metadata;
mod model;
mod note;
mod processor;
mod read;
mod write;

pub use assembler::{AssembleError, Assembler, Condition, Far, Label, Scope, SectionKind};
pub use descriptor::{
    DescriptorError, Directive, Field, FloatDenormMode, FloatRoundMode, KernelDescriptor, KernelSettings, SettingValue,
    Word, vgpr_granule,
};
pub use error::WriteError;
pub use link::{LinkError, write_code_object};
pub use metadata::{
    Access, AddressSpace, Argument, KernelKind, KernelMetadata, Key, Language, MessagePackError, Metadata,
    MetadataError, PalMetadata, Value, ValueKind, YamlError, parse_register,
};
pub use model::{
    Binding, Definition, Group, Object, OsAbi, Relocation, RelocationKind, RelocationTarget, Section, SectionId,
    Symbol, SymbolId, SymbolType, Visibility,
};
pub use note::Note;
pub use processor::{CodeObjectVersion, Processor};
pub use read::{ReadError, read_object};
pub use write::write_object;
