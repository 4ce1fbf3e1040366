//! The assembler: assembles the lines of a program in order, computes addresses, and fills in the fields that depend on them.

use amdgpu_arch::Reader;

use crate::asm::address::Address;
use crate::asm::diagnostic::Diagnostic;
use crate::asm::expr::Expr;
use crate::asm::fixup::{Fixup, FixupField};
use crate::asm::preparse::{self, Mark, Memo, Run};
use crate::asm::program::{Program, StatementBytes, Surroundings};
use crate::asm::source::Lines;
use crate::asm::symbols::Definition;
use crate::asm::text::{PART, PartBuffer, Text, Unread};
use crate::ordered;

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
        self.end_of_kernel_code();
        self.end_of_resource_info();
        self.end_of_frames();
        self.end_of_source_files();
        self.count_remaining_registers();
        self.fill_unused_fields();
        self.add_metadata();
        self.bind_versions();
        self.lay_out();
        self.fill_descriptors();
        self.resolve();
        self.resolve_reloc_directives();
        self.check_sizes();
        self.check_variables();
        self.check_aliases();
        self.check_sections();
    }

    /// Returns whether pre-parsed lines are valid here: no block is open, they fit the section, no macro has the name of an
    /// instruction, and no branch goes to a variable.
    fn takes(&self, run: &Run) -> bool {
        let waits = |(_, mark): &(usize, Mark)| match mark {
            Mark::Label(..) => true,
            Mark::Branch { target, .. } => self.symbols.get(target).is_none_or(|symbol| symbol.variable().is_none()),
        };
        self.kernel.is_none()
            && self.kernel_code.is_none()
            && self.resource_info.is_none()
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
                    self.fixups.push(Fixup { address: behind(at), field: FixupField::Branch, expr, span });
                }
            }
        }
        let ends = run.rows.iter().skip(1).map(|(at, _)| *at).chain([run.bytes.len()]);
        let rows = run.rows.iter().zip(ends);
        self.rows.extend(rows.map(|((at, span), end)| StatementBytes {
            start: behind(*at),
            end: behind(end),
            span: span.clone(),
        }));
    }
}
