//! The assembler: statements go into sections as they come, for every size is known at once; what depends on
//! addresses waits until all labels are known.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use crate::arch::Reader;
use crate::asm::ahead::{self, Mark, Run};
use crate::asm::cursor::{Cursor, in_name, is_blank};
use crate::asm::expr::{Expr, Op, Place};
use crate::asm::fixup::{Fixup, Relocation, Target};
use crate::asm::instr::{Context, Hole, Pending};
use crate::asm::kernel::{Kernel, SETTINGS};
use crate::asm::report::Diagnostic;
use crate::asm::section::{LARGEST, Section, TooLarge};
use crate::asm::source::Lines;
use crate::asm::symbols::{Meaning, Symbol, Symbols};
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
    text: Text<'a>,
    /// All names that the file defines somewhere, once an operand names anything; `None` if they cannot be read.
    names: OnceCell<Option<HashSet<String>>>,
    /// Whether a part of the text could not be read.
    unread: bool,
    pub(super) fixups: Vec<Fixup>,
    /// What is left to a linker.
    pub relocations: Vec<Relocation>,
    /// What is wrong.
    pub faults: Vec<Diagnostic>,
    /// Whether the rows are kept.
    keeps_rows: bool,
    /// What stands where, for a listing.
    pub rows: Vec<Row>,
    /// The block that is open.
    pub(super) kernel: Option<Kernel>,
    /// The kernels.
    pub kernels: Vec<Kernel>,
    /// The metadata as they stand in the file.
    pub metadata: Option<Range<usize>>,
    /// The block of metadata that is open.
    open_metadata: Option<OpenMetadata>,
    /// Where the comment begins that is open between two parts.
    open_comment: Option<usize>,
}

/// A block of metadata whose end has not come.
struct OpenMetadata {
    begin: Range<usize>,
    /// Whether its first line that is not blank is `---`, once there is one.
    begins_well: Option<bool>,
}

impl<'a> Program<'a> {
    /// Assembles a whole program. `keeps_rows`: for a listing.
    pub fn assemble(text: Text<'a>, reader: Reader, keeps_rows: bool) -> Self {
        Self::in_parts(text, reader, keeps_rows, PART)
    }

    /// The same in parts of so many bytes, each of which is read ahead.
    pub(super) fn in_parts(text: Text<'a>, reader: Reader, keeps_rows: bool, size: usize) -> Self {
        let mut program = Self::new(text, reader, keeps_rows);
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
    pub(super) fn new(text: Text<'a>, reader: Reader, keeps_rows: bool) -> Self {
        let mut code = Section::new(".text", true);
        // Memory that grows is moved. What is asked for in vain costs nothing, and where there is not as much, it may still do.
        let _ = code.bytes.try_reserve(text.size() / 4);
        Self {
            reader,
            sections: vec![code],
            current: 0,
            previous: 0,
            stack: Vec::new(),
            symbols: Symbols::default(),
            text,
            names: OnceCell::new(),
            unread: false,
            fixups: Vec::new(),
            relocations: Vec::new(),
            faults: Vec::new(),
            keeps_rows,
            rows: Vec::new(),
            kernel: None,
            kernels: Vec::new(),
            metadata: None,
            open_metadata: None,
            open_comment: None,
        }
    }

    /// Whether all of the text was read: otherwise nothing that is known of the program counts. Text in memory always is.
    pub fn is_whole(&self) -> bool {
        !self.unread && !matches!(self.names.get(), Some(None))
    }

    /// Goes through the lines of the next part; `runs` are what is known of them, whose instructions are among these bytes.
    pub(super) fn part(&mut self, lines: Lines<'_>, runs: Vec<Run>, bytes: &[u8]) {
        let mut lines = lines.inside(self.open_comment);
        let mut runs = runs.into_iter().peekable();
        while !lines.is_over() {
            if self.open_metadata.is_some() {
                let Some((at, raw)) = lines.next_raw() else { break };
                self.line_of_metadata(raw, at);
                continue;
            }
            // Some begin within what is no code.
            while runs.next_if(|run| run.lines.start < lines.at()).is_some() {}
            let closed = lines.open_comment().is_none();
            let behind = runs.peek().map_or(0, |run| run.lines.end);
            if let Some(run) = runs.next_if(|run| closed && run.lines.start == lines.at() && self.takes(run)) {
                self.take(run, bytes);
                lines.go_on(behind);
                continue;
            }
            let Some(line) = lines.next() else { break };
            // Few lines end so, and few lines have to be looked at from both ends.
            if line.clean.trim_end().ends_with(".amdgpu_metadata") && line.clean.trim() == ".amdgpu_metadata" {
                let begin = line.start..line.start + line.raw.trim_end().len();
                self.open_metadata = Some(OpenMetadata { begin, begins_well: None });
            } else if let Err(fault) = self.line(&line.clean, line.start) {
                self.faults.push(fault);
            }
        }
        self.open_comment = lines.open_comment();
    }

    /// Closes what waits for the end, once all parts are read.
    pub(super) fn finish(&mut self) {
        if let Some(block) = self.open_metadata.take() {
            self.faults.push(Diagnostic::new(block.begin, "the metadata have no `.end_amdgpu_metadata`"));
        }
        if let Some(start) = self.open_comment {
            self.faults.push(Diagnostic::new(start..start + 2, "the comment has no end"));
        }
        if let Some(kernel) = self.kernel.take() {
            self.faults.push(Diagnostic::new(kernel.span, "the block has no `.end_amdhsa_kernel`"));
        }
        self.resolve();
    }

    /// Whether lines come here to what is known of them: nothing is open that they would belong to, there is room, and
    /// branches go to what is no variable, so that nobody can know before the end where that is.
    fn takes(&self, run: &Run) -> bool {
        let waits = |(_, mark): &(usize, Mark)| match mark {
            Mark::Label(..) => true,
            Mark::Branch(_, Pending { expr: Expr::Symbol { name, .. }, .. }) => {
                let variable = self.symbols.get(name).is_some_and(|s| matches!(s.meaning, Meaning::Variable(_)));
                self.is_named(name) && !variable
            }
            Mark::Branch(..) => false,
        };
        self.kernel.is_none() && self.section().room(run.bytes.len() as u64).is_ok() && run.marks.iter().all(waits)
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
        while sign == Some(b':')
            && let Some((name, span)) = label(&mut input)
        {
            self.define(name, span, Meaning::Label(self.here()))?;
            sign = behind_name(input);
        }
        if input.done() {
            return Ok(());
        }
        let begin = input.place();
        let statement = input.rest().trim_end();
        let span = begin..begin + statement.len();
        let place = self.here();
        let done = self.statement(statement, begin, sign == Some(b'='));
        let size = self.sections.get(place.section).map_or(0, Section::len) - place.offset;
        if size > 0 && self.keeps_rows {
            self.rows.push(Row { place, size, span });
        }
        done
    }

    fn statement(&mut self, text: &str, start: usize, may_assign: bool) -> Result<(), Diagnostic> {
        let mut input = Cursor::new(text, start);
        if self.kernel.is_some() {
            return self.setting(&mut input);
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
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && text.as_bytes().get(digits) == Some(&b':') {
            let fault = Diagnostic::new(start..start + digits, "labels that are numbers are not supported");
            return Err(fault.help(Some("give it a name".into())));
        }
        let here = self.here();
        let defined = |name: &str| self.is_named(name);
        let context = Context { reader: self.reader, symbols: &self.symbols, defined: &defined, here };
        let assembled = context.assemble(text, start)?;
        let span = start..start + text.len();
        if let Some(pending) = assembled.pending {
            self.wait(pending, here, assembled.bytes.len() as u64);
        }
        self.put(&assembled.bytes, span)
    }

    /// Has an instruction at `here`, of `size` bytes, wait for what is pending.
    fn wait(&mut self, pending: Pending, here: Place, size: u64) {
        let end = here.offset + size;
        let (place, target) = match pending.hole {
            Hole::Branch(before, after) => (here, Target::Branch { before, after, end }),
            Hole::Literal => (Place { offset: end.saturating_sub(4), ..here }, Target::Literal),
        };
        self.fixups.push(Fixup { place, target, expr: pending.expr, span: pending.span });
    }

    /// Whether the file defines this name anywhere.
    pub(super) fn is_named(&self, name: &str) -> bool {
        let names = self.names.get_or_init(|| names(self.text).ok()).as_ref();
        names.is_some_and(|names| names.contains(name)) || self.symbols.get(name).is_some()
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
        let expr = Expr::parse(input, self.here())?;
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
        let expr = Expr::parse(input, self.here())?;
        let span = start..input.end();
        let value = self.symbols.evaluate(&expr).map_err(|why| Diagnostic::new(span.clone(), why))?;
        value.absolute().ok_or_else(|| match value.undefined() {
            Some((name, at)) => {
                let near = self.symbols.nearest(name).map(|near| format!("there is `{near}`"));
                Diagnostic::new(at.clone(), format!("`{name}` is not known before this line")).help(near)
            }
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
        let expr = Expr::parse(input, self.here())?;
        input.finish()?;
        let Some(kernel) = &mut self.kernel else { return Ok(()) };
        if let Some((.., old)) = kernel.settings.iter().find(|(known, ..)| known == name) {
            return Err(Diagnostic::new(span, "set twice").other(old.clone(), "first here"));
        }
        kernel.settings.push((name, expr, span));
        Ok(())
    }

    /// A line of the metadata, which begins at `at` in the file.
    fn line_of_metadata(&mut self, raw: &str, at: usize) {
        let Some(block) = &mut self.open_metadata else { return };
        let text = raw.trim();
        if text == ".end_amdgpu_metadata" {
            let begin = block.begin.clone();
            let fault = if block.begins_well == Some(false) {
                Some("metadata begin with a line `---`")
            } else if self.metadata.is_some() {
                Some("a file has one `.amdgpu_metadata`")
            } else {
                None
            };
            self.metadata = Some(begin.end..at);
            self.faults.extend(fault.map(|fault| Diagnostic::new(begin, fault)));
            self.open_metadata = None;
            return;
        }
        if text.is_empty() {
            return;
        }
        block.begins_well.get_or_insert(text == "---");
        if let Some(tab) = raw.find(|c: char| c != ' ').filter(|tab| raw[*tab..].starts_with('\t')) {
            let at = at + tab;
            self.faults.push(Diagnostic::new(at..at + 1, "YAML is indented with blanks, not with tabs"));
        }
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

/// The names of all labels and variables; quoted ones are left to be seen when they are defined.
fn names(text: Text<'_>) -> Result<HashSet<String>, Unread> {
    let mut names = HashSet::new();
    turns::in_turn(
        &text.parts(PART),
        Room::default,
        |part, room| text.read(part, room).map(names_of),
        |of_part, _| {
            names.extend(of_part.ok_or(Unread)?);
            Ok(())
        },
    )?;
    Ok(names)
}

/// The same of some lines.
fn names_of<'a>(mut lines: Lines<'a>) -> Vec<String> {
    let past_blanks = |text: &'a str| {
        let blanks = text.bytes().position(|byte| !is_blank(byte)).unwrap_or(text.len());
        text.get(blanks..).unwrap_or_default()
    };
    let mut names = Vec::new();
    while let Some((_, line)) = lines.next_raw() {
        let line = past_blanks(line);
        let end = line.bytes().position(|b| !in_name(b)).unwrap_or(line.len());
        let (word, rest) = line.split_at_checked(end).unwrap_or((line, ""));
        let next = past_blanks(rest);
        if matches!(word, ".set" | ".equ" | ".equiv") {
            let name = next.split(|c: char| c == ',' || c.is_whitespace()).next().unwrap_or_default();
            names.push(name.trim_matches('"').into());
        } else if next.starts_with(':') || next.starts_with('=') {
            names.push(word.into());
        } else if let Some((name, after)) = line.strip_prefix('"').and_then(|line| line.split_once('"'))
            && after.trim_start().starts_with(':')
        {
            names.push(name.into());
        }
    }
    names
}
