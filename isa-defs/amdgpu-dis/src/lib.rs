#![doc = include_str!("../README.md")]

// Where to find what:
//
// - `container` opens files and chooses among the code objects in them. `object_file` reads one: its processor, sections and symbols.
// - `file_sections` has all sections of a file while they are analysed, `relocations` their relocations, `entry_points` the wave sizes in
//   metadata.
// - `wave_sizes` finds the wave sizes of functions, and `symbol` has the rules as values.
// - `section` has the rows of a section; `labels`, `code_range`, `instruction_counts`, `lint` and `source_lines` what is known about
//   them besides their text. `listing_text` writes listings.

mod code_range;
mod container;
mod entry_points;
mod error;
mod file_sections;
mod instruction_counts;
mod labels;
mod lint;
mod listing_text;
mod object_file;
mod options;
mod relocations;
mod section;
mod source_lines;
mod symbol;
mod wave_sizes;

pub use code_range::{CodeRange, ListedBlock, code_ranges};
pub use container::{
    Image, Listing, OpenError, Opened, format_name, is_binary, is_container, open, open_each, place, target,
};
pub use error::ObjectError;
pub use file_sections::{ListedRelocation, SectionOffset};
pub use instruction_counts::{CodeCounts, InstructionCounts};
pub use labels::Labels;
pub use lint::{FindingSite, LintFinding, LintOptions};
pub use listing_text::{Shown, TextStyle, symbol_remark, write_text, write_tsv};
pub use object_file::{ObjectFile, check_format};
pub use options::{Limits, Options};
pub use section::{CodeSection, Row, RowContent, RowVisitor, Rows};
pub use source_lines::{SourceLines, SourceLocation};
pub use symbol::{CodeSymbol, SymbolKind, WaveRule, WaveSource};
