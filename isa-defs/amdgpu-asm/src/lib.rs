#![doc = include_str!("../README.md")]

mod assembly;
mod diagnostic;
mod directive;
mod driver;
mod emit;
mod expand;
mod expression;
mod include;
mod instruction;
mod layout;
mod lex;
mod options;
mod printable;
mod program;
mod source_map;
mod state;
mod symbol_table;
mod target;
pub mod text_bundle;

pub use assembly::{
    Assembly, ListedRelocation, ListingRow, ObjectError, SectionStatements, assemble, assemble_in_parts,
};
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use include::{Directories, IncludeError, IncludeResolver, IncludedFile};
pub use instruction::symbolic::parse_line;
pub use lex::parts::{MIN_SIZE_IN_PARTS, ReadAt, decode, shared};
pub use options::{Limits, Options, parse_definition};
pub use printable::printable;
pub use source_map::{ExpandedFrom, ExpansionKind, SourceLine, SourceLocation, SourceMap};
pub use target::{Llvm, Target};
