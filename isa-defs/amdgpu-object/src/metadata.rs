//! Metadata of code objects: descriptions of kernels and pipelines for a run-time system, as MessagePack in notes.

mod hsa;
mod number;
mod pal;
mod printf;
mod rules;
mod space;
mod value;
mod yaml;

pub use hsa::{Access, AddressSpace, Argument, KernelKind, KernelMetadata, Language, Metadata, NoteError, ValueKind};
pub use pal::{PalMetadata, parse_register};
pub use printf::{PrintfFormat, PrintfKey};
pub use rules::MetadataError;
pub use value::{Key, MessagePackError, Value};
pub use yaml::YamlError;
