#![doc = include_str!("../README.md")]

// Where to find what:
//
// - `driver` assembles the lines of a program in order, computes addresses and fills in the fields that depend on them. `program` is the
//   program meanwhile, in the parts of `state`.
// - `lex` reads a program in parts, splits it into lines, strips comments, and reads the items of a line.
// - `instruction` has statements. Its `pre_parser` parses lines that do not depend on others, in parallel.
// - `expand` executes macros, repetitions, included files (`include`) and conditions. `source_map` maps positions in expanded text
//   to the lines of the file.
// - `directive` has a module for each group of directives; `dispatch` leads to them.
// - `expression` parses and evaluates expressions, whose symbols are in `symbol_table`.
// - `layout` has sections, fragments whose sizes are unknown, fixups and relocations.
// - `emit` makes the contents of an object file and checks the whole program.

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
pub use source_map::{ExpandedFrom, ExpansionKind, SourceLine, SourceLocation, SourceMap};
pub use target::{Llvm, Target};
