//! What is wrong with a program, and how it is shown.
//!
//! Shown with `annotate-snippets`, the library of rustc and cargo: it is one small crate on `anstyle`, which this
//! program uses already, shows control characters as pictures of themselves, and shortens long lines to the terminal.
//! `ariadne` and `miette` draw boxes that tools which look for `file:line:column` do not read.

use std::io::{self, IsTerminal, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// One fault and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where, in bytes of the file.
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
        Self { span, message: message.into(), help: None, other: None }
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

/// Shows all faults, in the order of the file. Standard error may be closed: then nobody is told.
pub fn show(name: &str, source: &str, faults: Vec<Diagnostic>) {
    let renderer = if io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let mut out = io::BufWriter::new(anstream::AutoStream::auto(io::stderr()));
    let _ = write(&mut out, name, source, faults, &renderer).and_then(|()| out.flush());
}

/// Writes all faults, in the order of the file, and how many there are.
pub fn write(
    out: &mut impl Write,
    name: &str,
    source: &str,
    mut faults: Vec<Diagnostic>,
    renderer: &Renderer,
) -> io::Result<()> {
    faults.sort_by_key(|fault| (fault.span.start, fault.span.end));
    faults.dedup();
    let starts: Vec<usize> = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
    for fault in &faults {
        writeln!(out, "{}\n", render(renderer, name, source, &starts, fault))?;
    }
    let errors = if faults.len() == 1 { "1 error".into() } else { format!("{} errors", faults.len()) };
    writeln!(out, "{name}: {errors}")
}

fn render(renderer: &Renderer, name: &str, source: &str, starts: &[usize], fault: &Diagnostic) -> String {
    // Only the lines that are shown are handed over: a program can be long and its faults many.
    let snippet = |span: &Range<usize>, kind: AnnotationKind, label: Option<&'static str>| {
        let line = starts.partition_point(|start| *start <= span.start).saturating_sub(1);
        let start = starts.get(line).copied().unwrap_or(0);
        let text = source.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let clamp = |at: usize| {
            let mut at = at.saturating_sub(start).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (from, to) = (clamp(span.start), clamp(span.end));
        let annotation = kind.span(from..to.max(from)).label(label);
        Snippet::source(text).path(name).line_start(line + 1).annotation(annotation)
    };
    let mut group =
        Level::ERROR.primary_title(fault.message.as_str()).element(snippet(&fault.span, AnnotationKind::Primary, None));
    if let Some((span, what)) = &fault.other {
        group = group.element(snippet(span, AnnotationKind::Context, Some(*what)));
    }
    if let Some(help) = &fault.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_line_and_caret_are_shown() {
        let source = "s_nop 0\n\ts_nip 1\nx:\n";
        let starts = [0, 8, 17, 20];
        let fault = Diagnostic::new(9..14, "unknown").other(17..18, "here").help(Some("try s_nop".into()));
        let shown = render(&Renderer::plain(), "a.s", source, &starts, &fault);
        for part in ["error: unknown", "a.s:2:2", "s_nip 1", "^^^^^", "here", "help: try s_nop"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        // Spans at the end of the file and beyond are no reason to fail.
        for span in [19..20, 20..20, 90..95, 9..400] {
            render(&Renderer::plain(), "a.s", source, &starts, &Diagnostic::new(span, "x"));
        }
    }
}
