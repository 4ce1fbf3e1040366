//! Diagnostics of a program, and how they are printed.
//!
//! `annotate-snippets`, the library of rustc and cargo, renders them. It depends only on `anstyle`, which this program uses
//! already, replaces control characters by visible symbols, and shortens long lines to the width of the terminal. The boxes
//! of `ariadne` and `miette` hide `file:line:column` from tools that look for it.

use std::collections::HashSet;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;

use amdgpu_asm::{Diagnostic, Diagnostics, ExpansionKind, Severity, SourceLine, SourceMap};
use annotate_snippets::{AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet};

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

/// Writes all diagnostics, if there are any, to standard error. Does nothing if standard error is closed.
pub fn show(name: &str, diagnostics: &Diagnostics) {
    if diagnostics.is_empty() {
        return;
    }
    let renderer = if io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let mut out = io::BufWriter::new(anstream::AutoStream::auto(io::stderr()));
    let _ = write(&mut out, name, diagnostics, &renderer).and_then(|()| out.flush());
}

/// The number of errors that are written, and of warnings. The others are only counted.
const MAX_WRITTEN: usize = 100;

/// The number of diagnostics that are compared with those written before, so that repetitions do not repeat them.
const MAX_COMPARED: usize = 1_000;

/// Writes the diagnostics in the order of the file, then the number of errors.
pub fn write(out: &mut impl Write, name: &str, diagnostics: &Diagnostics, renderer: &Renderer) -> io::Result<()> {
    let source = diagnostics.source();
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

fn render(renderer: &Renderer, name: &str, source: &SourceMap, diagnostic: &Diagnostic) -> String {
    // Only the lines that are shown are passed on: the program can be long and its diagnostics many.
    let show = |group: Group<'static>,
                line: &SourceLine<'_>,
                span: &Range<usize>,
                kind: AnnotationKind,
                label: Option<&'static str>| {
        let clamp = |at: usize| line.text.floor_char_boundary(at.saturating_sub(line.start));
        let (from, to) = (clamp(span.start), clamp(span.end));
        let path = line.file.unwrap_or(name).to_string();
        if line.text.len() > MAX_LINE {
            let column = line.column(line.start + from);
            return group.element(Origin::path(path).line(line.number).char_column(column));
        }
        let annotation = kind.span(from..to.max(from)).label(label);
        group.element(Snippet::source(line.text.to_string()).path(path).line_start(line.number).annotation(annotation))
    };
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = level.primary_title(diagnostic.message.clone()).elements(None::<Message<'_>>);
    // From the expansion to the line of the file that it replaces.
    let mut kind = None;
    for (span, line) in source.trace(diagnostic.span.clone()) {
        let annotation = if kind.is_some() { AnnotationKind::Context } else { AnnotationKind::Primary };
        group = show(group, &line, &span, annotation, kind.map(label));
        kind = line.expanded_from.as_ref().map(|from| from.kind);
    }
    for label in &diagnostic.labels {
        let line = source.line(label.span.start);
        group = show(group, &line, &label.span, AnnotationKind::Context, Some(label.text));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.clone()));
    }
    renderer.render(&[group])
}

/// The label of a statement that is expanded.
fn label(kind: ExpansionKind) -> &'static str {
    match kind {
        ExpansionKind::Macro => "in this use",
        ExpansionKind::Repetition => "repeated here",
        ExpansionKind::File => "included here",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_line_and_caret_are_shown() {
        let target = amdgpu_asm::Target::parse("rdna3").unwrap();
        let options = amdgpu_asm::Options::new(target, amdgpu_arch::Wave::W32);
        let diagnostics = amdgpu_asm::assemble("s_nop 0\n\ts_nip 1\nx:\n", &options).unwrap_err();
        let diagnostic = Diagnostic {
            labels: vec![amdgpu_asm::Label { span: 17..18, text: "here" }],
            help: Some("try s_nop".into()),
            ..diagnostics.iter().next().unwrap().clone()
        };
        let shown = render(&Renderer::plain(), "a.s", diagnostics.source(), &diagnostic);
        for part in ["error: unknown", "a.s:2:2", "s_nip 1", "^^^^^", "here", "help: try s_nop"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        // Spans at the end of the file and beyond must not panic.
        for span in [19..20, 20..20, 90..95, 9..400] {
            render(&Renderer::plain(), "a.s", diagnostics.source(), &Diagnostic { span, ..diagnostic.clone() });
        }
    }
}
