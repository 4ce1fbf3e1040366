//! Diagnostics of a program, and how they are printed.
//!
//! `annotate-snippets`, the library of rustc and cargo, renders them. It depends only on `anstyle`, which this program uses
//! already, replaces control characters by visible symbols, and shortens long lines to the width of the terminal. The boxes
//! of `ariadne` and `miette` hide `file:line:column` from tools that look for it.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet};

use crate::asm::diagnostic::{Diagnostic, Severity};
use crate::asm::expansions::{ShownLine, Source};

/// The size in bytes of the longest line that is shown. For a longer one only the position is printed.
const MAX_LINE: usize = 10_000;

/// The number of diagnostics of one severity.
#[derive(Default)]
struct Count {
    written: usize,
    /// Those that are not written.
    others: usize,
    compared: usize,
}

/// Writes all diagnostics to standard error in the order of the file. Does nothing if standard error is closed.
pub fn show(name: &str, source: &Source<'_>, diagnostics: &[Diagnostic]) {
    let renderer = if io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let mut out = io::BufWriter::new(anstream::AutoStream::auto(io::stderr()));
    let _ = write(&mut out, name, source, diagnostics, &renderer).and_then(|()| out.flush());
}

/// The number of errors that are written, and of warnings. The others are only counted.
const MAX_WRITTEN: usize = 100;

/// The number of diagnostics that are compared with those written before, so that repetitions do not repeat them.
const MAX_COMPARED: usize = 1_000;

/// Writes the diagnostics in the order of the file, then the number of errors.
pub fn write(
    out: &mut impl Write,
    name: &str,
    source: &Source<'_>,
    diagnostics: &[Diagnostic],
    renderer: &Renderer,
) -> io::Result<()> {
    let mut diagnostics: Vec<_> = diagnostics.iter().collect();
    diagnostics
        .sort_by_key(|diagnostic| (source.in_file(diagnostic.span.start), diagnostic.span.start, diagnostic.span.end));
    let mut written = HashSet::new();
    let (mut errors, mut warnings) = (Count::default(), Count::default());
    for diagnostic in diagnostics {
        let count = match diagnostic.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut warnings,
            // The program asks for each of them.
            Severity::Note => {
                writeln!(out, "{}\n", render(renderer, name, source, diagnostic))?;
                continue;
            }
        };
        count.compared += 1;
        if count.written == MAX_WRITTEN || count.compared > MAX_COMPARED {
            count.others += 1;
            continue;
        }
        let shown = render(renderer, name, source, diagnostic);
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

fn render(renderer: &Renderer, name: &str, source: &Source<'_>, diagnostic: &Diagnostic) -> String {
    // Only the lines that are shown are passed on: the program can be long and its diagnostics many.
    let show = |group: Group<'static>,
                line: &ShownLine<'_>,
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
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut line = source.line(diagnostic.span.start);
    let group = level.primary_title(diagnostic.message.clone()).elements(None::<Message<'_>>);
    let mut group = show(group, &line, &diagnostic.span, AnnotationKind::Primary, None);
    // From the expansion to the line of the file that it replaces.
    while let Some((span, what)) = line.called {
        line = source.line(span.start);
        group = show(group, &line, &span, AnnotationKind::Context, Some(what));
    }
    if let Some((span, what)) = &diagnostic.other {
        group = show(group, &source.line(span.start), span, AnnotationKind::Context, Some(*what));
    }
    if let Some(help) = &diagnostic.help {
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
        let diagnostic = Diagnostic::new(9..14, "unknown").other(17..18, "here").help(Some("try s_nop".into()));
        let shown = render(&Renderer::plain(), "a.s", &source, &diagnostic);
        for part in ["error: unknown", "a.s:2:2", "s_nip 1", "^^^^^", "here", "help: try s_nop"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        // Spans at the end of the file and beyond must not panic.
        for span in [19..20, 20..20, 90..95, 9..400] {
            render(&Renderer::plain(), "a.s", &source, &Diagnostic::new(span, "x"));
        }
    }
}
