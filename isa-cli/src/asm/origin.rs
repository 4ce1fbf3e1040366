//! An assembled program for other subcommands: its object file, and the line of the source that each instruction is from.

use std::ops::Range;

use amdgpu_arch::Reader;

use crate::asm::expansions::Source;
use crate::asm::program::{Program, StatementBytes, Surroundings};
use crate::asm::report;
use crate::asm::target::Target;
use crate::asm::text::Text;

/// Directives that pad code: their bytes may be executed.
const PADDING: [&str; 8] = [".p2align", ".balign", ".align", ".fill", ".space", ".skip", ".zero", ".org"];

/// A program assembled from text in memory.
pub struct Assembled<'a> {
    program: Program<'a>,
    text: &'a str,
}

/// The statements of an executable section.
#[derive(Debug, Default)]
pub struct Statements {
    /// The offset of each statement that has bytes, and its position in the source; in order.
    rows: Vec<(usize, usize)>,
    /// The bytes that directives state: not code.
    pub data: Vec<Range<usize>>,
}

impl Statements {
    /// The position in the source of the statement at an offset.
    pub fn position(&self, offset: usize) -> Option<usize> {
        let behind = self.rows.partition_point(|(start, _)| *start <= offset);
        self.rows.get(behind.checked_sub(1)?).map(|(_, position)| *position)
    }
}

/// A place in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The included file, if it is not the program's own.
    pub file: Option<String>,
    /// The line, from 1. For a line of a macro it is that of the definition.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The line of the program's own file that led to it, if that is another: the use of a macro.
    pub used_at: Option<usize>,
}

impl<'a> Assembled<'a> {
    /// Assembles a program.
    pub fn new(text: &'a str, reader: Reader, around: &'a Surroundings) -> Self {
        Self { program: Program::assemble(Text::Whole(text), reader, around, true), text }
    }

    /// Whether it has no errors.
    pub fn is_sound(&self) -> bool {
        self.program.is_sound()
    }

    /// Returns the first target that it names.
    pub fn named_target(&self) -> Option<Target> {
        self.program.target.named
    }

    /// Returns the number of its errors and warnings.
    pub fn message_count(&self) -> usize {
        self.program.diagnostics.len()
    }

    /// Shows its errors and warnings.
    pub fn show_messages(&self, name: &str) {
        if !self.program.diagnostics.is_empty() {
            report::show(name, &self.source(), &self.program.diagnostics);
        }
    }

    /// The positions of its lines.
    pub fn source(&self) -> Source<'_> {
        Source::new(self.text, &self.program.expansions)
    }

    /// The object file.
    ///
    /// # Errors
    /// The instruction set has none.
    pub fn object(&self) -> Result<Vec<u8>, String> {
        amdgpu_object::write_object(&self.program.object()?).map_err(|error| error.to_string())
    }

    /// The statements of each executable section, in the order of the object file.
    pub fn statements(&self) -> Vec<Statements> {
        let (sections, source) = (&self.program.sections, self.source());
        let mut found: Vec<Statements> = sections.list().iter().map(|_| Statements::default()).collect();
        for StatementBytes { start, end, span } in &self.program.rows {
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

impl Place {
    /// The place at a position.
    pub fn of(source: &Source<'_>, position: usize) -> Self {
        let line = source.line(position);
        let column = line.text.get(..position.saturating_sub(line.start)).unwrap_or_default().chars().count() + 1;
        let own = source.line(source.in_file(position)).number;
        let used_at = (line.file.is_some() || own != line.number).then_some(own + 1);
        Self { file: line.file.map(str::to_owned), line: line.number + 1, column, used_at }
    }
}
