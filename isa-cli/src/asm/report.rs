//! What is wrong with a program, and how it is shown.
//!
//! Shown with `annotate-snippets`, the library of rustc and cargo: it is one small crate on `anstyle`, which this
//! program uses already, shows control characters as pictures of themselves, and shortens long lines to the terminal.
//! `ariadne` and `miette` draw boxes that tools which look for `file:line:column` do not read.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet};

use crate::asm::expansions::{Shown, Source};

/// How much weight something has that is said of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing comes of the program.
    Error,
    /// Something may be wrong, as the program itself says.
    Warning,
    /// Something that the program says.
    Note,
}

/// One fault and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its weight.
    pub severity: Severity,
    /// Where: a place of the file or of what stands for a line of it.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What may be meant.
    pub help: Option<String>,
    /// Another place that has to do with it, and what stands there.
    pub other: Option<(Range<usize>, &'static str)>,
}

impl Diagnostic {
    /// A fault.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, span, message: message.into(), help: None, other: None }
    }

    /// With advice.
    pub fn help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// With another place.
    pub fn other(mut self, span: Range<usize>, what: &'static str) -> Self {
        self.other = Some((span, what));
        self
    }
}

/// The longest line that is shown, in bytes: of a longer one, only the place is said.
const MAX_LINE: usize = 10_000;

/// How many diagnostics of one severity there are.
#[derive(Default)]
struct Count {
    written: usize,
    /// Those that are only counted.
    others: usize,
    compared: usize,
}

/// Shows all faults, in the order of the file. Standard error may be closed: then nobody is told.
pub fn show(name: &str, source: &Source<'_>, faults: &[Diagnostic]) {
    let renderer = if io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let mut out = io::BufWriter::new(anstream::AutoStream::auto(io::stderr()));
    let _ = write(&mut out, name, source, faults, &renderer).and_then(|()| out.flush());
}

/// Most errors that are written, and most warnings: the others are counted.
const MAX_WRITTEN: usize = 100;

/// Most diagnostics that are compared with those that are written already, to write what repetitions bring again only once.
const MAX_COMPARED: usize = 1_000;

/// Writes the diagnostics in the order of the file, and how many errors there are.
pub fn write(
    out: &mut impl Write,
    name: &str,
    source: &Source<'_>,
    faults: &[Diagnostic],
    renderer: &Renderer,
) -> io::Result<()> {
    let mut faults: Vec<_> = faults.iter().collect();
    faults.sort_by_key(|fault| (source.in_file(fault.span.start), fault.span.start, fault.span.end));
    let mut written = HashSet::new();
    let (mut errors, mut warnings) = (Count::default(), Count::default());
    for fault in faults {
        let count = match fault.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
            // The program asks for them.
            Severity::Note => {
                writeln!(out, "{}\n", render(renderer, name, source, fault))?;
                continue;
            }
        };
        count.compared += 1;
        if count.written == MAX_WRITTEN || count.compared > MAX_COMPARED {
            count.others += 1;
            continue;
        }
        let shown = render(renderer, name, source, fault);
        if written.insert(shown.clone()) {
            count.written += 1;
            writeln!(out, "{shown}\n")?;
        }
    }
    if warnings.others > 0 {
        writeln!(out, "{name}: {} more warnings", warnings.others)?;
    }
    match (errors.written + errors.others, errors.others) {
        (0, _) => Ok(()),
        (1, 0) => writeln!(out, "{name}: 1 error"),
        (all, 0) => writeln!(out, "{name}: {all} errors"),
        (all, _) => writeln!(out, "{name}: {all} errors, of which {} are shown", errors.written),
    }
}

fn render(renderer: &Renderer, name: &str, source: &Source<'_>, fault: &Diagnostic) -> String {
    // Only the lines that are shown are handed over: a program can be long and its faults many.
    let show = |group: Group<'static>,
                line: &Shown<'_>,
                span: &Range<usize>,
                kind: AnnotationKind,
                label: Option<&'static str>| {
        let clamp = |at: usize| {
            let mut at = at.saturating_sub(line.start).min(line.text.len());
            while !line.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (from, to) = (clamp(span.start), clamp(span.end));
        let path = line.file.unwrap_or(name).to_string();
        if line.text.len() > MAX_LINE {
            let column = line.text.get(..from).map_or(0, |before| before.chars().count()) + 1;
            return group.element(Origin::path(path).line(line.number + 1).char_column(column));
        }
        let annotation = kind.span(from..to.max(from)).label(label);
        group.element(
            Snippet::source(line.text.to_string()).path(path).line_start(line.number + 1).annotation(annotation),
        )
    };
    let level = match fault.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut line = source.line(fault.span.start);
    let group = level.primary_title(fault.message.clone()).elements(None::<Message<'_>>);
    let mut group = show(group, &line, &fault.span, AnnotationKind::Primary, None);
    // From the text that a macro wrote out to the line of the file that it stands for.
    while let Some((span, what)) = line.called {
        line = source.line(span.start);
        group = show(group, &line, &span, AnnotationKind::Context, Some(what));
    }
    if let Some((span, what)) = &fault.other {
        group = show(group, &source.line(span.start), span, AnnotationKind::Context, Some(*what));
    }
    if let Some(help) = &fault.help {
        group = group.element(Level::HELP.message(help.clone()));
    }
    renderer.render(&[group])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::expansions::Expansions;

    #[test]
    fn place_line_and_caret_are_shown() {
        let source = "s_nop 0\n\ts_nip 1\nx:\n";
        let expansions = Expansions::new(source.len());
        let source = Source::new(source, &expansions);
        let fault = Diagnostic::new(9..14, "unknown").other(17..18, "here").help(Some("try s_nop".into()));
        let shown = render(&Renderer::plain(), "a.s", &source, &fault);
        for part in ["error: unknown", "a.s:2:2", "s_nip 1", "^^^^^", "here", "help: try s_nop"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        // Spans at the end of the file and beyond are no reason to fail.
        for span in [19..20, 20..20, 90..95, 9..400] {
            render(&Renderer::plain(), "a.s", &source, &Diagnostic::new(span, "x"));
        }
    }
}
