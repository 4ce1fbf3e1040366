//! Reads and writes object files of AMD GPUs without LLVM: relocatable objects, code objects, kernel descriptors and metadata. Depend
//! on this crate to make kernels that a driver loads.
//!
//! # Getting started
//!
//! A compiler appends instructions to an [`Assembler`], which resolves labels, chooses the forms of branches and collects kernels,
//! and gets an [`Object`]. [`write_code_object`] makes it a file that a run-time system loads:
//!
//! ```
//! use amdgpu_object::{
//!     Argument, Assembler, CodeObjectVersion, KernelMetadata, KernelSettings, Processor, write_code_object,
//! };
//! use rdna3::build::*;
//!
//! let mut code = Assembler::new(Processor::Gfx1100, CodeObjectVersion::V6);
//! code.begin_kernel("store");
//! code.push(&s_load_b64(sgpr!(0..=1), sgpr!(0..=1), NULL, 0).instr()?.encode());
//! code.push(&v_mov_b32(v(1), 42).instr()?.encode());
//! code.push(&s_waitcnt(Waits::NONE.lgkmcnt(0)).instr()?.encode());
//! code.push(&global_store_b32(v(0), v(1), sgpr!(0..=1)).instr()?.encode());
//! code.push(&s_endpgm(0).instr()?.encode());
//!
//! // The address of the arguments is in s[0:1], since no other user SGPR is enabled.
//! let settings = KernelSettings {
//!     next_free_vgpr: 2,
//!     next_free_sgpr: 2,
//!     kernarg_size: 8,
//!     user_sgpr_kernarg_segment_ptr: true,
//!     ..KernelSettings::wave32()
//! };
//! let mut metadata = KernelMetadata::new("store", &settings);
//! metadata.args.push(Argument::global_buffer(0));
//! code.end_kernel(&settings, metadata);
//! let file = write_code_object(&code.finish()?)?;
//! assert_eq!(file[..4], *b"\x7fELF");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The builders are those of the crate `rdna3`. `examples/saxpy.rs` of the repository is a whole kernel.
//!
//! # Contents
//!
//! | Item | Purpose |
//! |---|---|
//! | [`Assembler`] | instructions, labels, data, functions and kernels to an [`Object`] |
//! | [`Object`] | sections, symbols and relocations, apart from their encoding |
//! | [`write_object`], [`read_object`] | relocatable ELF files, as `llvm-mc -filetype=obj` writes them |
//! | [`write_code_object`] | loadable code objects, as `ld.lld -shared` writes them, of objects without undefined symbols |
//! | [`CodeObject`] | a code object as a loader sees it: relocated segments, kernels, symbols |
//! | [`Grid`], [`DispatchPacket`], [`HiddenArguments`], [`InitialSgpr`] | what a kernel finds in registers and memory when it starts |
//! | [`Occupancy`] | how many waves and work-groups of a kernel the hardware holds at once |
//! | [`KernelSettings`], [`KernelDescriptor`] | the `.amdhsa_*` directives, and the 64 bytes that encode them |
//! | [`Metadata`], [`KernelMetadata`] | HSA's metadata of kernels and arguments, code object versions 5 and 6 |
//! | [`Value`], [`Note`], [`PalMetadata`] | metadata as a document: from YAML as LLVM reads it, to notes |
//! | [`printable`] | names in files as text for terminals |
//!
//! Descriptors and processors are those of gfx1100 to gfx1103, gfx1150 to gfx1154, gfx1200 and gfx1201; objects and metadata are of any
//! processor. No input makes a function of this crate panic: invalid objects, texts and files are errors. [`Limits`] bounds the memory
//! that they take.

#[cfg(feature = "assembler")]
mod assembler;
mod check;
mod descriptor;
mod error;
pub mod fragments;
mod launch;
mod limits;
mod link;
mod load;
mod metadata;
mod model;
mod note;
mod occupancy;
mod printable;
mod processor;
mod read;
mod room;
mod write;

#[cfg(feature = "assembler")]
pub use assembler::{AssembleError, Assembler, Condition, Far, Label, Scope, SectionKind};
pub use descriptor::{
    DescriptorError, Directive, Field, FloatDenormMode, FloatRoundMode, KernelDescriptor, KernelSettings, SettingValue,
    Word, vgpr_granule,
};
pub use error::WriteError;
pub use launch::{DispatchPacket, Grid, GridError, HiddenArguments, InitialSgpr, workgroup_info};
pub use limits::Limits;
pub use link::{LinkError, write_code_object, write_code_object_within};
pub use load::{CodeObject, Kernel, LoadError, LoadedSymbol, Segment};
pub use metadata::{
    Access, AddressSpace, Argument, KernelKind, KernelMetadata, Key, Language, MessagePackError, Metadata,
    MetadataError, NoteError, PalMetadata, PrintfFormat, PrintfKey, Value, ValueKind, YamlError, parse_register,
};
pub use model::{
    Binding, Definition, Group, Object, OsAbi, Relocation, RelocationKind, RelocationTarget, Section, SectionId,
    Symbol, SymbolId, SymbolType, Visibility,
};
pub use note::Note;
pub use occupancy::{Occupancy, OccupancyLimit};
pub use printable::printable;
pub use processor::{CodeObjectVersion, Family, Processor};
pub use read::{ReadError, read_object};
pub use write::write_object;
