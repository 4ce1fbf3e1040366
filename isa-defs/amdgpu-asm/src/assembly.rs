//! The result of an assembly: contents, object files, a listing, relocations.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use amdgpu_arch::Arch;
use amdgpu_object::{LinkError, Note, Object, RelocationKind, WriteError, write_code_object, write_object};

use crate::diagnostic::Diagnostics;
use crate::emit::object::ObjectContents;
use crate::layout::fixup::{Relocation, RelocationTarget};
use crate::layout::section::Sections;
use crate::lex::parts::{ReadAt, Text};
use crate::options::Options;
use crate::program::{Program, StatementBytes};
use crate::source_map::SourceMap;
use crate::state::aliases::Aliases;
use crate::symbol_table::{Symbols, in_object_file};
use crate::target::{ObjectTarget, Target};

/// Directives that pad code: their bytes may be executed.
const PADDING: [&str; 8] = [".p2align", ".balign", ".align", ".fill", ".space", ".skip", ".zero", ".org"];

/// An assembled program without errors.
#[derive(Debug)]
pub struct Assembly {
    sections: Sections,
    symbols: Symbols,
    relocations: Vec<Relocation>,
    aliases: Aliases,
    notes: Vec<Note>,
    target: ObjectTarget,
    rows: Vec<StatementBytes>,
    diagnostics: Diagnostics,
}

/// Assembles the text of a program.
///
/// # Errors
/// The diagnostics of a program with errors, warnings among them.
pub fn assemble(source: &str, options: &Options<'_>) -> Result<Assembly, Diagnostics> {
    let program = Program::assemble(Text::Whole(source), options);
    let is_sound = program.report.is_sound();
    let assembly = Assembly::of(program, source);
    if is_sound { Ok(assembly) } else { Err(assembly.diagnostics) }
}

/// Assembles a program of this size that several threads read in parts: a long file takes less time so than whole.
///
/// Returns `None` if a part cannot be read or is not UTF-8, and if there are diagnostics: [`assemble`] returns them with the lines that
/// they are about.
#[must_use]
pub fn assemble_in_parts(source: &dyn ReadAt, size: usize, options: &Options<'_>) -> Option<Assembly> {
    let options = Options { listing: false, ..options.clone() };
    let program = Program::assemble(Text::File(source, size), &options);
    (program.report.is_whole() && program.report.len() == 0).then(|| Assembly::of(program, ""))
}

/// Why a program has no object file.
#[derive(Debug)]
pub enum ObjectError {
    /// Object files of this instruction set are not written.
    Unsupported(Arch),
    /// A symbol has a version, which code objects lack: its name.
    Version(String),
    /// The object cannot be written.
    Write(WriteError),
    /// The code object cannot be linked.
    Link(LinkError),
}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(arch) => write!(f, "object files of {} are not written", arch.name()),
            Self::Version(name) => write!(f, "`{name}` is a version of a symbol, which code objects lack"),
            Self::Write(error) => error.fmt(f),
            Self::Link(error) => error.fmt(f),
        }
    }
}

impl Error for ObjectError {}

/// A statement of an executable section.
#[derive(Debug, Clone, Copy)]
pub struct ListingRow<'a> {
    /// The name of the section.
    pub section: &'a str,
    /// The index of the section in the program; `.text` is 0.
    pub section_index: usize,
    /// The offset of the bytes in the section.
    pub offset: u64,
    /// The bytes; none of an alignment that needs no padding.
    pub bytes: &'a [u8],
    /// The source.
    pub source: &'a str,
}

/// A value that a linker computes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRelocation<'a> {
    /// The name of the section that the field is in.
    pub section: &'a str,
    /// The offset of the field in the section.
    pub offset: u64,
    /// How the value is computed.
    pub kind: RelocationKind,
    /// The symbol or the section whose address is meant, or `*ABS*`.
    pub target: String,
    /// The number that is added to the address.
    pub addend: i64,
}

/// The statements of an executable section.
#[derive(Debug, Default)]
pub struct SectionStatements {
    /// The offset of each statement that has bytes, and its position in the source; in order.
    rows: Vec<(usize, usize)>,
    /// The ranges of bytes that directives state: data, not code.
    pub data: Vec<Range<usize>>,
}

impl SectionStatements {
    /// Returns the position in the source of the statement at an offset.
    #[must_use]
    pub fn position(&self, offset: usize) -> Option<usize> {
        let next = self.rows.partition_point(|(start, _)| *start <= offset);
        self.rows.get(next.checked_sub(1)?).map(|(_, position)| *position)
    }
}

impl Assembly {
    fn of(program: Program<'_>, source: &str) -> Self {
        let is_needed = program.keeps_rows || program.report.len() > 0;
        let source = SourceMap::new(if is_needed { source } else { "" }, program.expansions);
        Self {
            diagnostics: Diagnostics::new(program.report.into_diagnostics(), source, program.target.named),
            sections: program.sections,
            symbols: program.symbols,
            relocations: program.relocations,
            aliases: program.aliases,
            notes: program.metadata.into_notes(),
            target: program.target,
            rows: program.rows,
        }
    }

    /// Returns the bytes of `.text`.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        self.sections.list().first().map_or(&[], |text| &text.bytes)
    }

    /// Returns the warnings, and the notes that the program prints.
    #[must_use]
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Returns the text of the program, for positions in it. It is empty unless [`Options::listing`] is set or there are diagnostics.
    #[must_use]
    pub fn source(&self) -> &SourceMap {
        self.diagnostics.source()
    }

    /// Returns the first target that the program names.
    #[must_use]
    pub fn named_target(&self) -> Option<Target> {
        self.target.named
    }

    /// Returns the contents of the object file: sections, symbols and relocations.
    ///
    /// # Errors
    /// The instruction set has no object files.
    pub fn object(&self) -> Result<Object, ObjectError> {
        let contents = ObjectContents {
            sections: &self.sections,
            symbols: &self.symbols,
            relocations: &self.relocations,
            aliases: &self.aliases,
            notes: &self.notes,
            target: &self.target,
        };
        contents.object().ok_or(ObjectError::Unsupported(self.target.arch))
    }

    /// Returns a relocatable object file, as `llvm-mc -filetype=obj` writes it.
    ///
    /// # Errors
    /// The instruction set has no object files, or the object cannot be written.
    pub fn to_object_file(&self) -> Result<Vec<u8>, ObjectError> {
        write_object(&self.object()?).map_err(ObjectError::Write)
    }

    /// Returns a loadable code object, which is linked.
    ///
    /// # Errors
    /// The instruction set has no object files, or the program refers to symbols that are not defined.
    pub fn to_code_object(&self) -> Result<Vec<u8>, ObjectError> {
        if let Some(version) = self.aliases.first_version() {
            return Err(ObjectError::Version(version.into()));
        }
        write_code_object(&self.object()?).map_err(ObjectError::Link)
    }

    /// Returns the statements that put bytes into executable sections, in the order of their addresses. Needs [`Options::listing`].
    #[must_use]
    pub fn listing(&self) -> Vec<ListingRow<'_>> {
        let rows = self.rows.iter().filter_map(|row| {
            let section_index = self.sections.section_of(row.start.subsection) as usize;
            let section = self.sections.list().get(section_index).filter(|section| section.is_executable())?;
            let (offset, end) = (self.sections.offset(row.start), self.sections.offset(row.end));
            Some(ListingRow {
                section: section.name(),
                section_index,
                offset,
                bytes: section.bytes.get(offset as usize..end as usize).unwrap_or_default(),
                source: self.source().text(row.span.clone()),
            })
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by_key(|row| (row.section_index, row.offset));
        rows
    }

    /// Returns the relocations. Their fields hold zeros, or the distance -1 in a branch.
    pub fn relocations(&self) -> impl Iterator<Item = ListedRelocation<'_>> {
        let name = |at: u32| self.sections.list().get(at as usize).map_or("", |section| section.name());
        self.relocations.iter().map(move |relocation| ListedRelocation {
            section: name(relocation.section),
            offset: relocation.offset,
            kind: relocation.kind,
            target: match relocation.target {
                RelocationTarget::Symbol(id) => in_object_file(&self.symbols.name(id)).to_string(),
                RelocationTarget::Section(at) => name(at).to_string(),
                RelocationTarget::Absolute => "*ABS*".to_string(),
            },
            addend: relocation.addend,
        })
    }

    /// Returns the statements of each executable section with contents, in the order of the object file. Needs [`Options::listing`].
    #[must_use]
    pub fn statements(&self) -> Vec<SectionStatements> {
        let (sections, source) = (&self.sections, self.source());
        let mut found: Vec<_> = sections.list().iter().map(|_| SectionStatements::default()).collect();
        for StatementBytes { start, end, span } in &self.rows {
            let Some(statements) = found.get_mut(sections.section_of(start.subsection) as usize) else { continue };
            let bytes = sections.offset(*start) as usize..sections.offset(*end) as usize;
            let text = source.text(span.clone());
            let word = text.split(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
            if word.starts_with('.') && !PADDING.iter().any(|name| word.starts_with(name)) {
                statements.data.push(bytes.clone());
            }
            statements.rows.push((bytes.start, span.start));
        }
        for statements in &mut found {
            statements.rows.sort_unstable();
            statements.data.sort_unstable_by_key(|range| range.start);
        }
        let is_code = sections.list().iter().map(|section| section.is_executable() && !section.is_nobits());
        found.into_iter().zip(is_code).filter(|(_, is_code)| *is_code).map(|(statements, _)| statements).collect()
    }
}
