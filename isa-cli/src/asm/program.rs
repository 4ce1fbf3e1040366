//! The assembler: statements go into sections as they come, for every size is known at once; what depends on
//! addresses waits until all labels are known.

use std::ops::Range;

use isa::DeferredField;

use crate::arch::Reader;
use crate::asm::ahead::{self, Mark, Run};
use crate::asm::blocks::OpenBlock;
use crate::asm::conditions::{Conditions, Word};
use crate::asm::cursor::{Cursor, trim_end};
use crate::asm::expand::{CurrentLine, Includes, OpenBody};
use crate::asm::expansions::Expansions;
use crate::asm::expr::{Expr, Op, Place, Scope};
use crate::asm::fixup::{Fixup, Relocation, Target};
use crate::asm::instr::{self, Pending};
use crate::asm::kernel::{Kernel, SETTINGS};
use crate::asm::macros::Body;
use crate::asm::macros::Macros;
use crate::asm::report::{Diagnostic, Severity};
use crate::asm::section::{LARGEST, Section, TooLarge};
use crate::asm::source::{Lines, Unfinished};
use crate::asm::symbols::{Meaning, Symbol, Symbols};
use crate::asm::target::asks_for_registers;
use crate::asm::text::{PART, Room, Text, Unread};
use crate::turns;

/// A statement that put bytes into a section.
#[derive(Debug)]
pub struct Row {
    /// Where.
    pub place: Place,
    /// How many.
    pub size: u64,
    /// The statement, in the file.
    pub span: Range<usize>,
}

/// A program that is being assembled.
pub struct Program<'a> {
    pub(super) reader: Reader,
    /// Every section; the first is `.text`.
    pub sections: Vec<Section>,
    /// Where statements go.
    pub(super) current: usize,
    pub(super) previous: usize,
    pub(super) stack: Vec<(usize, usize)>,
    pub(super) symbols: Symbols,
    /// Whether a part of the text could not be read.
    unread: bool,
    pub(super) fixups: Vec<Fixup>,
    /// What is left to a linker.
    pub relocations: Vec<Relocation>,
    /// What is wrong, and what else is said.
    pub faults: Vec<Diagnostic>,
    pub(super) macros: Macros,
    /// Whether a macro has the name of an instruction.
    pub(super) shadows: bool,
    pub(super) conditions: Conditions,
    /// The body that is open.
    pub(super) open_body: Option<OpenBody>,
    /// Text that is no part of the file.
    pub expansions: Expansions,
    /// How deep the text that is read stands in others.
    pub(super) depth: usize,
    /// Whether the rest of the text that is read is passed over.
    pub(super) exits: bool,
    /// Whether the innermost expansion is a macro or repetition.
    pub(super) in_macro: bool,
    /// Whether nothing more is assembled: `.end`, or an error that makes the rest meaningless.
    pub(super) ended: bool,
    /// Whether `.altmacro` is in effect.
    pub(super) alternate_macros: bool,
    /// Where files are looked for, if any are read.
    pub(super) includes: Option<&'a Includes>,
    /// Whether the rows are kept.
    pub(super) keeps_rows: bool,
    /// What stands where, for a listing.
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
}

/// What a program can depend on besides its text.
#[derive(Debug, Default)]
pub struct Surroundings {
    /// Symbols with numbers for values.
    pub symbols: Vec<(String, i64)>,
    /// Where files are looked for that it includes; without it none can be.
    pub includes: Option<Includes>,
}

impl<'a> Program<'a> {
    /// Assembles a whole program. `keeps_rows`: for a listing.
    pub fn assemble(text: Text<'a>, reader: Reader, around: &'a Surroundings, keeps_rows: bool) -> Self {
        Self::in_parts(text, reader, around, keeps_rows, PART)
    }

    /// The same in parts of so many bytes, each of which is read ahead.
    pub(super) fn in_parts(
        text: Text<'a>,
        reader: Reader,
        around: &'a Surroundings,
        keeps_rows: bool,
        size: usize,
    ) -> Self {
        let mut program = Self::new(text, reader, around, keeps_rows);
        let outcome = turns::in_turn(
            &text.parts(size),
            <(Room<'_>, Vec<u8>)>::default,
            |part, (room, bytes)| Some(ahead::runs(text.read(part, room)?, reader, keeps_rows, bytes)),
            |runs, (room, bytes)| {
                program.part(room.lines(), runs.ok_or(Unread)?, bytes);
                Ok(())
            },
        );
        program.unread = outcome == Err(Unread);
        program.finish();
        program
    }

    /// A program of which no line is read.
    pub(super) fn new(text: Text<'a>, reader: Reader, around: &'a Surroundings, keeps_rows: bool) -> Self {
        let mut code = Section::new(".text", true);
        // Memory that grows is moved. What is asked for in vain costs nothing, and where there is not as much, it may still do.
        let _ = code.bytes.try_reserve(text.size() / 4);
        let mut symbols = Symbols::default();
        for (name, value) in &around.symbols {
            symbols.set(name.clone(), Symbol { meaning: Meaning::Variable(Expr::Number(*value)), span: 0..0 });
        }
        Self {
            reader,
            sections: vec![code],
            current: 0,
            previous: 0,
            stack: Vec::new(),
            symbols,
            unread: false,
            fixups: Vec::new(),
            relocations: Vec::new(),
            faults: Vec::new(),
            macros: Macros::default(),
            shadows: false,
            conditions: Conditions::default(),
            open_body: None,
            expansions: Expansions::new(text.size()),
            depth: 0,
            exits: false,
            in_macro: false,
            ended: false,
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
        }
    }

    /// Whether all of the text was read: otherwise nothing that is known of the program counts. Text in memory always is.
    pub fn is_whole(&self) -> bool {
        !self.unread
    }

    /// Whether nothing is wrong with it.
    pub fn is_sound(&self) -> bool {
        self.faults.iter().all(|fault| fault.severity != Severity::Error)
    }

    /// Goes through the lines of the next part; `runs` are what is known of them, whose instructions are among these bytes.
    pub(super) fn part(&mut self, lines: Lines<'_>, runs: Vec<Run>, bytes: &[u8]) {
        let mut lines = lines.after(self.unfinished.take());
        let mut runs = runs.into_iter().peekable();
        while !lines.is_over() && !self.exits && !self.ended {
            if self.open_block.is_some() {
                let Some(line) = lines.next() else { break };
                self.line_of_block(&line);
                continue;
            }
            if self.is_passing() {
                let Some(line) = lines.next() else { break };
                let passed = self.pass(&line);
                self.faults.extend(passed.err());
                continue;
            }
            // Some begin within what is no code.
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
            if let Err(fault) = self.line(&line.clean, line.start) {
                self.faults.push(fault);
            }
        }
        self.unfinished = lines.unfinished().filter(|_| !self.exits && !self.ended);
    }

    /// Closes what waits for the end, once all parts are read.
    pub(super) fn finish(&mut self) {
        self.end_of_text();
        if let Some(begin) = self.conditions.close_to(0) {
            self.faults.push(Diagnostic::new(begin, "no `.endif` follows"));
        }
        if let Some(kernel) = self.kernel.take() {
            self.faults.push(Diagnostic::new(kernel.span, "the block has no `.end_amdhsa_kernel`"));
        }
        self.check_kernels();
        self.resolve();
    }

    /// Whether lines come here to what is known of them: nothing is open that they would belong to, there is room, and
    /// branches go to what is no variable, so that nobody can know before the end where that is.
    fn takes(&self, run: &Run) -> bool {
        let waits = |(_, mark): &(usize, Mark)| match mark {
            Mark::Label(..) => true,
            Mark::Branch(_, Pending { expr: Expr::Symbol { name, .. }, .. }) => {
                !self.symbols.get(name).is_some_and(|s| matches!(s.meaning, Meaning::Variable(_)))
            }
            Mark::Branch(..) => false,
        };
        self.kernel.is_none()
            && !self.shadows
            && self.section().room(run.bytes.len() as u64).is_ok()
            && run.marks.iter().all(waits)
    }

    /// Takes what is known of lines, whose instructions are among these bytes.
    fn take(&mut self, run: Run, bytes: &[u8]) {
        let start = self.here();
        let behind = |bytes: usize| Place { offset: start.offset + bytes as u64, ..start };
        self.section_mut().bytes.extend_from_slice(bytes.get(run.bytes.clone()).unwrap_or_default());
        for (at, mark) in run.marks {
            match mark {
                Mark::Label(name, span) => {
                    let defined = self.define(name, span, Meaning::Label(behind(at)));
                    self.faults.extend(defined.err());
                }
                Mark::Branch(size, pending) => self.wait(pending, behind(at), size),
            }
        }
        let ends = run.rows.iter().skip(1).map(|(at, _)| *at).chain([run.bytes.len()]);
        let rows = run.rows.iter().zip(ends);
        self.rows.extend(rows.map(|((at, span), end)| Row {
            place: behind(*at),
            size: (end - at) as u64,
            span: span.clone(),
        }));
    }

    /// Where the next byte goes.
    pub(super) fn here(&self) -> Place {
        Place { section: self.current, offset: self.section().len() }
    }

    pub(super) fn section(&self) -> &Section {
        // The current section is always one of them.
        self.sections.get(self.current).unwrap_or(&self.sections[0])
    }

    pub(super) fn section_mut(&mut self) -> &mut Section {
        let at = if self.current < self.sections.len() { self.current } else { 0 };
        &mut self.sections[at]
    }

    /// Goes on in another section, which may take what room the others leave.
    pub(super) fn enter(&mut self, at: usize) {
        self.current = at;
        let held = |(i, section): (usize, &Section)| if i == at { 0 } else { section.len() };
        let others: u64 = self.sections.iter().enumerate().map(held).sum();
        self.section_mut().limit = LARGEST.saturating_sub(others);
    }

    fn line(&mut self, text: &str, start: usize) -> Result<(), Diagnostic> {
        let mut input = Cursor::new(text, start);
        // What stands behind the first name tells labels and assignments from everything else, before any is copied.
        let mut sign = behind_name(input);
        loop {
            if sign == Some(b':')
                && let Some((name, span)) = label(&mut input)
            {
                self.define(name, span, Meaning::Label(self.here()))?;
            } else if let Some((number, span)) = input.numbered_label() {
                let name = self.symbols.number(number);
                self.define(name, span, Meaning::Label(self.here()))?;
            } else {
                break;
            }
            sign = behind_name(input);
            // A number sign behind a label begins a comment.
            if input.rest().starts_with('#') {
                return Ok(());
            }
        }
        if input.done() {
            return Ok(());
        }
        let begin = input.place();
        let statement = trim_end(input.rest());
        let span = begin..begin + statement.len();
        if asks_for_registers(statement) {
            self.count_registers();
        }
        let place = self.here();
        let texts = self.expansions.count();
        let done = self.statement(statement, begin, sign == Some(b'='));
        let size = self.sections.get(place.section).map_or(0, Section::len) - place.offset;
        // What other lines stand for is theirs.
        if size > 0 && self.expansions.count() == texts {
            if statement.starts_with('.') {
                let start = place.offset as usize;
                self.sections[place.section].data.push(start..start + size as usize);
            }
            if self.keeps_rows {
                self.rows.push(Row { place, size, span });
            }
        }
        done
    }

    fn statement(&mut self, text: &str, start: usize, may_assign: bool) -> Result<(), Diagnostic> {
        let mut input = Cursor::new(text, start);
        if self.kernel.is_some() {
            return self.setting(&mut input);
        }
        let span = start..start + text.len();
        let mut after = input;
        let word = after.word();
        let quoted = if text.starts_with('"') { after.name().ok().map(|(name, _)| name) } else { None };
        let word = quoted.as_deref().unwrap_or(word);
        if let Some((kind, word)) = Word::of(word).filter(|_| quoted.is_none()) {
            return self.condition(kind, word, start..start + word.len(), &mut after);
        }
        if !may_assign && let Some(done) = self.use_macro(word, span.clone(), &mut after) {
            return done;
        }
        let mut after = input;
        if may_assign
            && let Ok((name, span)) = after.name()
            && after.rest().starts_with('=')
            && !after.rest().starts_with("==")
        {
            after.eat("=");
            return self.assign(&mut after, name, span);
        }
        if text.starts_with('.') {
            return self.directive(&mut input);
        }
        let here = self.here();
        let scope = Scope { here, symbols: &self.symbols };
        let assembled = instr::assemble(self.reader, scope, text, start).map_err(|fault| {
            if word == "LOCAL" && self.alternate_macros && fault.span.start == start {
                let fault = Diagnostic::new(fault.span, "LLVM has no `LOCAL`");
                return fault.help(Some("`\\@` in a macro is the number of its use, as in `name\\@`".into()));
            }
            let near = self.macros.nearest(word).filter(|_| fault.span.start == start && fault.help.is_none());
            if near.is_none() { fault } else { fault.help(near.map(|near| format!("there is the macro `{near}`"))) }
        })?;
        if let Some(pending) = assembled.pending {
            self.wait(pending, here, assembled.bytes.len() as u64);
        }
        self.put(&assembled.bytes, span)
    }

    /// Has an instruction at `here`, of `size` bytes, wait for what is pending.
    fn wait(&mut self, pending: Pending, here: Place, size: u64) {
        let end = here.offset + size;
        let (place, target) = match pending.field {
            DeferredField::Branch => (here, Target::Branch { end }),
            DeferredField::Literal => (Place { offset: end.saturating_sub(4), ..here }, Target::Literal),
        };
        self.fixups.push(Fixup { place, target, expr: pending.expr, span: pending.span });
    }

    /// Takes an expression.
    pub(super) fn expression(&self, input: &mut Cursor<'_>) -> Result<Expr, Diagnostic> {
        Expr::parse(input, Scope { here: self.here(), symbols: &self.symbols })
    }

    /// Puts bytes into the current section.
    pub(super) fn put(&mut self, bytes: &[u8], span: Range<usize>) -> Result<(), Diagnostic> {
        self.section().room(bytes.len() as u64).map_err(|TooLarge| too_large(span))?;
        self.section_mut().bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Gives a symbol its meaning: labels once, others again and again.
    pub(super) fn define(&mut self, name: String, span: Range<usize>, meaning: Meaning) -> Result<(), Diagnostic> {
        if let Some(old) = self.symbols.get(&name)
            && matches!((&meaning, &old.meaning), (Meaning::Label(_), _) | (_, Meaning::Label(_)))
        {
            let fault = Diagnostic::new(span, format!("the symbol `{name}` is defined twice"));
            return Err(fault.other(old.span.clone(), "first here"));
        }
        self.symbols.set(name, Symbol { meaning, span });
        Ok(())
    }

    /// `NAME = EXPRESSION`, and `.set`.
    pub(super) fn assign(
        &mut self,
        input: &mut Cursor<'_>,
        name: String,
        span: Range<usize>,
    ) -> Result<(), Diagnostic> {
        if name == "." {
            return Err(Diagnostic::new(span, "the place cannot be set; there is `.org`"));
        }
        let expr = self.expression(input)?;
        input.finish()?;
        // A value that is known now is the one meant, whatever its symbols mean later. One that comes of places is kept
        // as such, for instructions tell it from a constant.
        let here = || Box::new(Expr::Here(self.here()));
        let now = match (self.symbols.constant(&expr), self.symbols.evaluate(&expr).ok().and_then(|v| v.absolute())) {
            (Some(number), _) => Expr::Number(number),
            (None, Some(number)) => {
                let nothing = Expr::Binary(Op::Sub, here(), here());
                Expr::Binary(Op::Add, Box::new(Expr::Number(number)), Box::new(nothing))
            }
            (None, None) => expr,
        };
        self.define(name, span, Meaning::Variable(now))
    }

    /// An expression's number, from what is known so far.
    pub(super) fn number(&mut self, input: &mut Cursor<'_>) -> Result<i64, Diagnostic> {
        let start = input.place();
        let expr = self.expression(input)?;
        let span = start..input.end();
        let value = self.symbols.evaluate(&expr).map_err(|why| Diagnostic::new(span.clone(), why))?;
        value.absolute().ok_or_else(|| match value.undefined() {
            Some((name, at)) => self.symbols.fault(name, at, |name| format!("{name} is not known before this line")),
            None => Diagnostic::new(span, "expected a number, and this is a place in a section"),
        })
    }

    /// A line of an `.amdhsa_kernel` block.
    fn setting(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        let start = input.place();
        let word = input.word();
        let span = start..input.end();
        if word == ".end_amdhsa_kernel" {
            input.finish()?;
            return self.end_kernel(span);
        }
        let known = word.strip_prefix(".amdhsa_").and_then(|name| SETTINGS.iter().find(|known| **known == name));
        let Some(name) = known else {
            return Err(Diagnostic::new(span, "unknown in an `.amdhsa_kernel` block"));
        };
        let expr = self.expression(input)?;
        input.finish()?;
        let Some(kernel) = &mut self.kernel else { return Ok(()) };
        if let Some((.., old)) = kernel.settings.iter().find(|(known, ..)| known == name) {
            return Err(Diagnostic::new(span, "set twice").other(old.clone(), "first here"));
        }
        kernel.settings.push((name, expr, span));
        Ok(())
    }
}

/// The fault of sections that grow beyond all measure.
pub(super) fn too_large(span: Range<usize>) -> Diagnostic {
    Diagnostic::new(span, "the sections would be larger than 256 MiB together")
}

/// The byte behind the name that comes next, past any blanks; `None` where nothing is left or no name comes.
pub(super) fn behind_name(input: Cursor<'_>) -> Option<u8> {
    let mut input = input;
    if input.word().is_empty() {
        if input.peek() != Some(b'"') {
            return None;
        }
        input.string().ok()?;
    }
    input.peek()
}

/// Takes a label and its colon.
pub(super) fn label(input: &mut Cursor<'_>) -> Option<(String, Range<usize>)> {
    let mut ahead = *input;
    let (name, span) = ahead.name().ok()?;
    let colon = ahead.rest().starts_with(':') && !ahead.rest().starts_with("::") && name != ".";
    if !colon {
        return None;
    }
    ahead.eat(":");
    *input = ahead;
    Some((name, span))
}
