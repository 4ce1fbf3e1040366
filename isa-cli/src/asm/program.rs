//! The assembler: assembles the lines of a program in order, computes addresses, and fills in the fields that depend on them.

use std::ops::Range;

use amdgpu_object::Note;

use crate::arch::{Processor, Reader};
use crate::asm::blocks::OpenBlock;
use crate::asm::conditions::Conditions;
use crate::asm::debug::Frames;
use crate::asm::expand::{CurrentLine, Includes, OpenBody};
use crate::asm::expansions::Expansions;
use crate::asm::expr::Expr;
use crate::asm::fixup::{Field, Fixup, Relocation};
use crate::asm::kernel::Kernel;
use crate::asm::macros::{Body, Macros};
use crate::asm::preparse::{self, Mark, Memo, Run};
use crate::asm::reloc::RelocDirective;
use crate::asm::report::{Diagnostic, Severity};
use crate::asm::section::{Address, Sections};
use crate::asm::source::{Lines, Unfinished};
use crate::asm::symbols::{Definition, Symbols};
use crate::asm::target::ObjectTarget;
use crate::asm::text::{PART, PartBuffer, Text, Unread};
use crate::ordered;

/// The number of diagnostics after which assembly stops: each takes memory.
const MAX_ERRORS: usize = 100_000;

/// The number of fields that may wait for layout, limited for the same reason.
const MAX_FIXUPS: usize = 3_000_000;

/// A statement that put bytes into a section.
#[derive(Debug)]
pub struct Row {
    /// Where the bytes begin.
    pub start: Address,
    /// Where they end.
    pub end: Address,
    /// The statement, in the file.
    pub span: Range<usize>,
}

/// A program that is being assembled.
pub struct Program<'a> {
    pub(super) reader: Reader,
    /// All sections.
    pub sections: Sections,
    pub(super) symbols: Symbols,
    /// Whether a part of the text could not be read.
    unread: bool,
    pub(super) fixups: Vec<Fixup>,
    /// The processor and the operating system, as far as the program names them.
    pub(super) target: ObjectTarget,
    /// The notes of the object file.
    pub(super) notes: Vec<Note>,
    /// The relocations, which a linker resolves.
    pub relocations: Vec<Relocation>,
    /// The `.reloc` directives.
    pub(super) reloc_directives: Vec<RelocDirective>,
    /// The call frame information.
    pub(super) frames: Frames,
    /// Errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    pub(super) macros: Macros,
    /// Whether a macro has the name of an instruction.
    pub(super) shadows: bool,
    pub(super) conditions: Conditions,
    /// The body that is open.
    pub(super) open_body: Option<OpenBody>,
    /// Text that is no part of the file.
    pub expansions: Expansions,
    /// The nesting depth of the current expansion.
    pub(super) depth: usize,
    /// Whether `.exitm` skips the rest of the current expansion.
    pub(super) exits: bool,
    /// Whether the innermost expansion is a macro or repetition.
    pub(super) in_macro: bool,
    /// Whether assembly has ended: at `.end`, or at an error that makes the rest meaningless.
    pub(super) ended: bool,
    /// Whether assembly has ended at such an error.
    pub(super) gave_up: bool,
    /// Whether `.altmacro` is in effect.
    pub(super) alternate_macros: bool,
    /// The directories of included files; `None` if a program may include none.
    pub(super) includes: Option<&'a Includes>,
    /// Whether `rows` is filled.
    pub(super) keeps_rows: bool,
    /// The statements and their addresses, for a listing.
    pub rows: Vec<Row>,
    /// The block that is open.
    pub(super) kernel: Option<Kernel>,
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// The text of `.amdgpu_metadata`.
    pub metadata: Option<Body>,
    /// The text of `.amdgpu_pal_metadata`.
    pub pal_metadata: Option<Body>,
    /// The block of metadata that is open.
    pub(super) open_block: Option<OpenBlock>,
    /// The line that is cut between two parts, in a comment or string.
    pub(super) unfinished: Option<Unfinished>,
    /// The line that is being assembled, as written.
    pub(super) current_line: CurrentLine,
    /// The cache of the pre-parser for expansions.
    pub(super) memo: Memo,
}

/// The inputs of a program besides its text.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Symbols with numbers for values.
    pub symbols: Vec<(String, i64)>,
    /// The directories of included files; `None` if a program may include none.
    pub includes: Option<Includes>,
    /// The processor that the program has to be for, if one is required.
    pub processor: Option<&'static Processor>,
}

impl<'a> Program<'a> {
    /// Assembles a whole program. `keeps_rows` records its statements for a listing.
    pub fn assemble(text: Text<'a>, reader: Reader, around: &'a Surroundings, keeps_rows: bool) -> Self {
        Self::in_parts(text, reader, around, keeps_rows, PART)
    }

    /// Assembles a program in parts of `size` bytes, which are pre-parsed in parallel.
    pub(super) fn in_parts(
        text: Text<'a>,
        reader: Reader,
        around: &'a Surroundings,
        keeps_rows: bool,
        size: usize,
    ) -> Self {
        let mut program = Self::new(text, reader, around, keeps_rows);
        let outcome = ordered::map(
            &text.parts(size),
            <(PartBuffer<'_>, Vec<u8>, Memo)>::default,
            |part, (buffer, bytes, memo)| {
                Some(preparse::runs(text.read(part, buffer)?, reader, keeps_rows, bytes, memo))
            },
            |runs, (buffer, bytes, _)| {
                program.part(buffer.lines(), runs.ok_or(Unread)?, bytes);
                Ok(())
            },
        );
        program.unread = outcome == Err(Unread);
        program.finish();
        program
    }

    /// Returns a program without any line.
    pub(super) fn new(text: Text<'a>, reader: Reader, around: &'a Surroundings, keeps_rows: bool) -> Self {
        let mut symbols = Symbols::default();
        for (name, value) in &around.symbols {
            symbols.predefine(name, *value);
        }
        Self {
            reader,
            sections: Sections::new(text.size() / 4),
            symbols,
            unread: false,
            fixups: Vec::new(),
            target: ObjectTarget::new(reader.arch(), around.processor),
            notes: Vec::new(),
            relocations: Vec::new(),
            reloc_directives: Vec::new(),
            frames: Frames::default(),
            diagnostics: Vec::new(),
            macros: Macros::default(),
            shadows: false,
            conditions: Conditions::default(),
            open_body: None,
            expansions: Expansions::new(text.size()),
            depth: 0,
            exits: false,
            in_macro: false,
            ended: false,
            gave_up: false,
            alternate_macros: false,
            includes: around.includes.as_ref(),
            keeps_rows,
            rows: Vec::new(),
            kernel: None,
            kernels: Vec::new(),
            metadata: None,
            pal_metadata: None,
            open_block: None,
            unfinished: None,
            current_line: CurrentLine::default(),
            memo: Memo::default(),
        }
    }

    /// Returns whether all of the text could be read. Otherwise the program is meaningless. Text in memory can always be read.
    pub fn is_whole(&self) -> bool {
        !self.unread
    }

    /// Returns whether the program has no errors.
    pub fn is_sound(&self) -> bool {
        self.diagnostics.iter().all(|error| error.severity != Severity::Error)
    }

    /// Assembles the lines of the next part. `runs` are its pre-parsed lines, and `bytes` their instructions.
    pub(super) fn part(&mut self, lines: Lines<'_>, runs: Vec<Run>, bytes: &[u8]) {
        let mut lines = lines.after(self.unfinished.take());
        let mut runs = runs.into_iter().peekable();
        while !lines.is_over() && !self.exits && !self.ended {
            self.check_limits(lines.at());
            if self.open_block.is_some() {
                let Some(line) = lines.next() else { break };
                self.line_of_block(&line);
                continue;
            }
            if self.is_passing() {
                let Some(line) = lines.next() else { break };
                let passed = self.pass(&line);
                self.diagnostics.extend(passed.err());
                continue;
            }
            // Drop runs that begin within a block, a comment or a string.
            while runs.next_if(|run| run.lines.start < lines.at()).is_some() {}
            let closed = lines.is_at_line();
            let behind = runs.peek().map_or(0, |run| run.lines.end);
            if let Some(run) = runs.next_if(|run| closed && run.lines.start == lines.at() && self.takes(run)) {
                self.take(run, bytes);
                lines.go_on(behind);
                continue;
            }
            let Some(line) = lines.next() else { break };
            self.current_line.set(&line);
            if let Err(error) = self.line(&line.clean, line.start) {
                self.diagnostics.push(error);
            }
        }
        self.unfinished = lines.unfinished().filter(|_| !self.exits && !self.ended);
    }

    /// Ends the assembly if errors or fields that wait for layout would fill the memory.
    fn check_limits(&mut self, at: usize) {
        if let Some(why) = self.limit() {
            self.ended = true;
            self.diagnostics.push(Diagnostic::new(at..at, why));
        }
    }

    /// Returns the limit that the program exceeds.
    pub(super) fn limit(&self) -> Option<&'static str> {
        if self.diagnostics.len() >= MAX_ERRORS {
            Some("after so many errors, the rest is not assembled")
        } else if self.fixups.len() >= MAX_FIXUPS {
            Some("more than 3000000 values depend on addresses that are not known yet")
        } else {
            None
        }
    }

    /// Completes the program after its last part: layout, fixups, descriptors and checks.
    pub(super) fn finish(&mut self) {
        if self.gave_up {
            return;
        }
        self.end_of_text();
        if let Some(begin) = self.conditions.close_to(0) {
            self.diagnostics.push(Diagnostic::new(begin, "no `.endif` follows"));
        }
        if let Some(kernel) = self.kernel.take() {
            self.diagnostics.push(Diagnostic::new(kernel.span, "the block has no `.end_amdhsa_kernel`"));
        }
        self.end_of_frames();
        self.count_remaining_registers();
        self.add_metadata();
        self.lay_out();
        self.fill_descriptors();
        self.resolve();
        self.resolve_reloc_directives();
        self.check_sizes();
    }

    /// Returns whether pre-parsed lines are valid here: no block is open, they fit the section, no macro has the name of an
    /// instruction, and no branch goes to a variable.
    fn takes(&self, run: &Run) -> bool {
        let waits = |(_, mark): &(usize, Mark)| match mark {
            Mark::Label(..) => true,
            Mark::Branch { target, .. } => self.symbols.get(target).is_none_or(|symbol| symbol.variable().is_none()),
        };
        self.kernel.is_none()
            && !self.shadows
            && self.sections.current().has_contents()
            && run.bytes.len() as u64 <= self.sections.room()
            && run.marks.iter().all(waits)
    }

    /// Appends pre-parsed lines, whose instructions are in `bytes`.
    fn take(&mut self, run: Run, bytes: &[u8]) {
        let start = self.here();
        let behind = |bytes: usize| Address { offset: start.offset + bytes as u64, ..start };
        self.sections.current_mut().bytes.extend_from_slice(bytes.get(run.bytes.clone()).unwrap_or_default());
        for (at, mark) in run.marks {
            match mark {
                Mark::Label(name, span) => {
                    let defined = self.define(&name, span, Definition::Label(behind(at)));
                    self.diagnostics.extend(defined.err());
                }
                Mark::Branch { target, span } => {
                    let expr = Expr::Symbol { id: self.symbols.intern(&target), specifier: None, span: span.clone() };
                    self.fixups.push(Fixup { address: behind(at), field: Field::Branch, expr, span });
                }
            }
        }
        let ends = run.rows.iter().skip(1).map(|(at, _)| *at).chain([run.bytes.len()]);
        let rows = run.rows.iter().zip(ends);
        self.rows.extend(rows.map(|((at, span), end)| Row {
            start: behind(*at),
            end: behind(end),
            span: span.clone(),
        }));
    }
}

/// Returns the error for sections that are too large.
pub(super) fn too_large(span: Range<usize>) -> Diagnostic {
    Diagnostic::new(span, "the sections would be larger than 256 MiB together")
}
