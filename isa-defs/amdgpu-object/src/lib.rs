//! Relocatable objects and loadable code objects for AMD GPUs.
//!
//! [`Object`] is the contents of a relocatable ELF object: sections, symbols and relocations.

mod model;

pub use model::{
    Binding, Definition, Object, OsAbi, Relocation, RelocationKind, RelocationTarget, Section, SectionId, Symbol,
    SymbolId, SymbolType, Visibility,
};
