//! Findings as text for people.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use amdgpu_dis::SourceLocation;
use amdgpu_dispatch::{CODE_BASE, register_name};
use amdgpu_report::{ResolvedFinding, ResolvedSite, RunContext};
use annotate_snippets::{AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet};
use isa_exec::check::finding::{Severity, Unwritten};

/// How many instructions are shown on each side of that of a finding.
const NEIGHBOURS: usize = 2;

/// The largest source file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// The longest line that is shown, in bytes.
const LONGEST: usize = 1_000;

/// Writes findings and their number to standard error. Does nothing if standard error is closed.
pub fn show(records: &[ResolvedFinding], context: &RunContext<'_, '_>, folder: &Path) {
    let renderer = if io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let mut out = io::BufWriter::new(anstream::AutoStream::auto(io::stderr()));
    let mut text = Text { renderer, context, sources: Sources { folder, files: HashMap::new() } };
    let _ = text.write(records, &mut out).and_then(|()| out.flush());
}

struct Text<'a, 'c, 'p> {
    renderer: Renderer,
    context: &'a RunContext<'c, 'p>,
    sources: Sources<'a>,
}

impl Text<'_, '_, '_> {
    fn write(&mut self, records: &[ResolvedFinding], out: &mut impl Write) -> io::Result<()> {
        let (suppressed, reported): (Vec<_>, Vec<_>) = records.iter().partition(|record| record.is_suppressed);
        for record in &reported {
            let group = self.group(record);
            writeln!(out, "{}\n", self.renderer.render(&[group]))?;
        }
        let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let errors = reported.iter().filter(|record| record.severity == Severity::Error).count();
        write!(out, "{}, {}", plural(errors, "finding"), plural(reported.len() - errors, "note"))?;
        if !suppressed.is_empty() {
            write!(out, ", {} suppressed", suppressed.len())?;
        }
        writeln!(out)
    }

    fn group(&mut self, record: &ResolvedFinding) -> Group<'static> {
        let name = record.kind.name();
        let level = match record.severity {
            Severity::Error => Level::ERROR.with_name(name),
            Severity::Note => Level::NOTE.with_name(format!("note: {name}")),
        };
        let mut marks =
            vec![Mark { site: &record.here.site, kind: AnnotationKind::Primary, label: record.here_label() }];
        let mut add = |site, label| marks.push(Mark { site, kind: AnnotationKind::Context, label });
        if let Some(execution) = &record.other {
            add(&execution.site, execution.other_label());
        }
        let mut origin_without_site = None;
        if let Some(origin) = &record.origin {
            let (what, verb) = match origin.source {
                Unwritten::Register(register) => (format!("{} was never written", register_name(register)), "read"),
                Unwritten::Memory(memory) => (format!("{} were never written", record.described(memory)), "loaded"),
            };
            match &origin.site {
                Some(site) => add(site, format!("origin: {verb} here: {what}")),
                None => origin_without_site = Some(what),
            }
        }
        let mut group = level.primary_title(self.title(record)).elements(None::<Message<'_>>);
        for block in self.blocks(&marks) {
            group = self.block(group, &block);
        }
        if let Some(what) = origin_without_site {
            group = group.element(Level::NOTE.with_name("origin").message(what));
        }
        if let Some(authority) = record.authority {
            group = group.element(Level::NOTE.message(format!("stated by {authority}, not by the guide")));
        }
        group.element(Level::HELP.message(record.help.clone()))
    }

    /// The first line, which begins like that of a fault.
    fn title(&self, record: &ResolvedFinding) -> String {
        let site = &record.here.site;
        let source = site.source.as_ref().map(ToString::to_string);
        let place: Vec<String> = [self.context.places.readable(site.pc), source].into_iter().flatten().collect();
        let place = if place.is_empty() { String::new() } else { format!(" ({})", place.join(", ")) };
        let text = site.text.as_ref().map_or_else(String::new, |text| format!("`{text}` "));
        let (kernel, [x, y, z]) = (self.context.kernel, record.here.group);
        format!("{kernel}: work-group {x},{y},{z}{place}: {text}at {:#x}: {}", site.address, record.message())
    }

    /// The instructions around those that are marked. Marks near each other share a block.
    fn blocks<'m>(&self, marks: &'m [Mark<'m>]) -> Vec<Block<'m>> {
        let mut blocks: Vec<Block<'m>> = Vec::new();
        for mark in marks {
            let lines: BTreeMap<u64, String> =
                self.context.places.around(mark.site.pc, NEIGHBOURS).into_iter().collect();
            match blocks.iter_mut().find(|block| lines.keys().any(|pc| block.lines.contains_key(pc))) {
                Some(block) => {
                    block.lines.extend(lines);
                    block.marks.push(mark);
                }
                None => blocks.push(Block { lines, marks: vec![mark] }),
            }
        }
        blocks
    }

    /// Adds instructions, and the source lines of those that are marked.
    fn block(&mut self, group: Group<'static>, block: &Block<'_>) -> Group<'static> {
        let (mut text, mut annotations) = (String::new(), Vec::new());
        for (pc, instruction) in &block.lines {
            text.push_str(&format!("{:#x}  {instruction}\n", pc.wrapping_sub(CODE_BASE)));
            let end = text.len() - 1;
            let here = block.marks.iter().filter(|mark| mark.site.pc == *pc);
            annotations.extend(here.map(|mark| mark.kind.span(end - instruction.len()..end).label(mark.label.clone())));
        }
        text.pop();
        // The instruction comes first: compilers move and merge instructions, so the line may mislead.
        let mut group = if text.is_empty() {
            group.elements(block.marks.iter().map(|mark| Level::NOTE.no_name().message(mark.label.clone())))
        } else {
            group.element(Snippet::source(text).line_numbering(false).fold(false).annotations(annotations))
        };
        let mut shown = Vec::new();
        for mark in &block.marks {
            let Some(location) = mark.site.source.as_ref().filter(|location| !shown.contains(location)) else {
                continue;
            };
            shown.push(location);
            group = match self.sources.line(location) {
                Some(line) => group.element(source_snippet(location, line, mark.kind)),
                None => group.element(Origin::path(location.file.clone()).line(location.line as usize)),
            };
        }
        group
    }
}

/// An instruction of a finding, and its part in it.
struct Mark<'r> {
    site: &'r ResolvedSite,
    kind: AnnotationKind,
    label: String,
}

/// Instructions that follow each other, some of them marked.
struct Block<'m> {
    lines: BTreeMap<u64, String>,
    marks: Vec<&'m Mark<'m>>,
}

/// A line of a source, the text from the column on marked.
fn source_snippet(
    location: &SourceLocation,
    line: &str,
    kind: AnnotationKind,
) -> Snippet<'static, annotate_snippets::Annotation<'static>> {
    let blank = line.len() - line.trim_start().len();
    let column = location.column.map_or(blank, |column| column as usize - 1);
    let start = if line.is_char_boundary(column) && column < line.len() { column } else { blank };
    let rest = line.get(start..).unwrap_or_default();
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len()).max(rest.chars().next().map_or(0, char::len_utf8));
    let end = if location.column.is_some() { start + word } else { line.trim_end().len() };
    Snippet::source(line.to_owned())
        .path(location.file.clone())
        .line_start(location.line as usize)
        .annotation(kind.span(start..end.max(start)))
}

/// The source files of line tables.
struct Sources<'a> {
    /// Where relative paths begin, if not in the current directory.
    folder: &'a Path,
    files: HashMap<String, Option<String>>,
}

impl Sources<'_> {
    /// Returns a line, if its file can be read.
    fn line(&mut self, location: &SourceLocation) -> Option<&str> {
        let path = PathBuf::from(&location.file);
        let folder = self.folder;
        let file = self
            .files
            .entry(location.file.clone())
            .or_insert_with(|| read(&path).or_else(|| read(&folder.join(&path))));
        let line = file.as_ref()?.lines().nth((location.line as usize).checked_sub(1)?)?;
        Some(line).filter(|line| line.len() <= LONGEST && !line.trim().is_empty())
    }
}

/// Reads a file unless it is large or something else than a file.
fn read(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    let is_small = metadata.is_file() && metadata.len() <= LARGEST;
    is_small.then(|| fs::read(path).ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
