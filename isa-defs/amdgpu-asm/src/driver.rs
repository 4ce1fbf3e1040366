//! The assembler: assembles the lines of a program in order, computes addresses, and fills in the fields that depend on them.

use crate::diagnostic::Diagnostic;
use crate::expression::tree::Expr;
use crate::instruction::pre_parser::{self, Mark, Memo, Run};
use crate::layout::address::Address;
use crate::layout::fixup::{Fixup, FixupField};
use crate::lex::lines::Lines;
use crate::lex::parts::{PART, PartBuffer, Text, Unread};
use crate::options::Options;
use crate::program::{Program, StatementBytes};
use crate::symbol_table::Definition;

impl<'a> Program<'a> {
    /// Assembles a whole program.
    pub fn assemble(text: Text<'_>, options: &Options<'a>) -> Self {
        Self::in_parts(text, options, PART)
    }

    /// Assembles a program in parts of `size` bytes, which are pre-parsed in parallel.
    pub(crate) fn in_parts(text: Text<'_>, options: &Options<'a>, size: usize) -> Self {
        let mut program = Self::new(text, options);
        let reader = options.reader();
        let outcome = isa_parallel::ordered_map(
            &text.parts(size),
            <(PartBuffer<'_>, Vec<u8>, Memo)>::default,
            |part, (buffer, bytes, memo)| {
                Some(pre_parser::runs(text.read(part, buffer)?, reader, options.listing, bytes, memo))
            },
            |runs, (buffer, bytes, _)| {
                program.part(buffer.lines(), runs.ok_or(Unread)?, bytes);
                Ok(())
            },
        );
        if outcome == Err(Unread) {
            program.report.lose_text();
        }
        program.finish();
        program
    }

    /// Assembles the lines of the next part. `runs` are its pre-parsed lines, and `bytes` their instructions.
    pub(crate) fn part(&mut self, lines: Lines<'_>, runs: Vec<Run>, bytes: &[u8]) {
        let mut lines = lines.after(self.expansion.take_unfinished());
        let mut runs = runs.into_iter().peekable();
        while !lines.is_over() && !self.expansion.exits() && !self.report.has_ended() {
            self.check_limits(lines.at());
            if self.metadata.is_in_block() {
                let Some(line) = lines.next() else { break };
                self.line_of_block(&line);
                continue;
            }
            if self.is_passing() {
                let Some(line) = lines.next() else { break };
                let passed = self.pass(&line);
                self.report.extend(passed.err());
                continue;
            }
            // Drop runs that begin within a block, a comment or a string.
            while runs.next_if(|run| run.lines.start < lines.at()).is_some() {}
            let closed = lines.is_at_line();
            let end = runs.peek().map_or(0, |run| run.lines.end);
            if let Some(run) = runs.next_if(|run| closed && run.lines.start == lines.at() && self.takes(run)) {
                self.take(run, bytes);
                lines.go_on(end);
                continue;
            }
            let Some(line) = lines.next() else { break };
            self.expansion.begin_line(&line);
            if let Err(error) = self.line(&line.clean, line.start) {
                self.report.push(error);
            }
        }
        self.expansion.keep_unfinished(lines.unfinished().filter(|_| !self.report.has_ended()));
    }

    /// Completes the program after its last part: layout, fixups, descriptors and checks.
    pub(crate) fn finish(&mut self) {
        if self.report.has_given_up() {
            return;
        }
        self.end_of_text();
        if let Some(begin) = self.expansion.close_conditions() {
            self.report.push(Diagnostic::new(begin, "no `.endif` follows"));
        }
        self.end_of_kernels();
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
        !self.kernels.is_in_block()
            && !self.expansion.shadows()
            && self.sections.current().has_contents()
            && run.bytes.len() as u64 <= self.sections.room()
            && run.marks.iter().all(waits)
    }

    /// Appends pre-parsed lines, whose instructions are in `bytes`.
    fn take(&mut self, run: Run, bytes: &[u8]) {
        let start = self.here();
        let after = |bytes: usize| Address { offset: start.offset + bytes as u64, ..start };
        self.sections.current_mut().bytes.extend_from_slice(bytes.get(run.bytes.clone()).unwrap_or_default());
        for (at, mark) in run.marks {
            match mark {
                Mark::Label(name, span) => {
                    let defined = self.define(&name, span, Definition::Label(after(at)));
                    self.report.extend(defined.err());
                }
                Mark::Branch { target, span } => {
                    let expr = Expr::Symbol { id: self.symbols.intern(&target), specifier: None, span: span.clone() };
                    self.fixups.push(Fixup { address: after(at), field: FixupField::Branch, expr, span });
                }
            }
        }
        let ends = run.rows.iter().skip(1).map(|(at, _)| *at).chain([run.bytes.len()]);
        let rows = run.rows.iter().zip(ends);
        self.rows.extend(rows.map(|((at, span), end)| StatementBytes {
            start: after(*at),
            end: after(end),
            span: span.clone(),
        }));
    }
}
