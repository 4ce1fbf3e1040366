//! Instructions: the operand parser asks for symbols where an operand takes an expression, and what it leaves open is
//! filled in once all labels are known.

use std::cell::RefCell;
use std::ops::Range;

use amdgpu_arch::{Bytes, Instr, Reader};
use isa::{DeferredField, ErrorKind, Extent, ParseError, Resolution, Resolved};

use crate::diagnostic::Diagnostic;
use crate::expression::parse::Scope;
use crate::expression::tree::Expr;
use crate::lex::cursor::Cursor;
use crate::lex::lines::closed_without_comments;

/// Parses a line that holds one instruction, and perhaps comments.
///
/// # Errors
/// It does not hold one instruction.
pub fn parse_line(text: &str, reader: Reader) -> Result<Instr, ParseError> {
    match reader.parse(text) {
        // No instruction contains a byte that begins a comment, so only a refused line can have one.
        Err(why) if text.contains([';', '/', '#']) => match closed_without_comments(text) {
            Some(clean) => reader.parse(&clean),
            None => Err(why),
        },
        done => done,
    }
}

/// The bytes of an instruction, and the field that is filled in later.
#[derive(Debug)]
pub struct InstructionBytes {
    /// The bytes.
    pub bytes: Bytes,
    /// The part that depends on addresses.
    pub pending: Option<Pending>,
}

/// The part of an instruction that depends on addresses.
#[derive(Debug)]
pub struct Pending {
    /// The expression.
    pub expr: Expr,
    /// Its place in the file.
    pub span: Range<usize>,
    /// Where the value goes.
    pub field: DeferredField,
}

/// Assembles the statement `text`, which begins at `base` in the file.
///
/// # Errors
/// The statement is wrong. Undefined symbols are found later, when their values are filled in.
pub fn assemble(reader: Reader, scope: Scope<'_>, text: &str, base: usize) -> Result<InstructionBytes, Diagnostic> {
    let symbols = Operands { reader, scope, text, base, refused: RefCell::new(None) };
    let (instr, deferred) = reader.parse_with_symbols(text, &symbols).map_err(|error| symbols.diagnose(error))?;
    let pending = deferred.map(|deferred| {
        let span = base + deferred.start..base + deferred.end;
        let written = text.get(deferred.start..deferred.end).unwrap_or_default();
        let expr = Expr::parse(&mut Cursor::new(written, span.start), scope)?;
        Ok(Pending { expr, span, field: deferred.field })
    });
    Ok(InstructionBytes { bytes: instr.bytes(), pending: pending.transpose()? })
}

/// The symbols that the operands of one statement can name.
struct Operands<'a> {
    reader: Reader,
    scope: Scope<'a>,
    /// The statement.
    text: &'a str,
    /// Where it begins in the file.
    base: usize,
    /// Why the last expression that names symbols has no value, and the part of the statement that an error has to
    /// begin in to have this reason.
    refused: RefCell<Option<(Range<usize>, Diagnostic)>>,
}

impl Operands<'_> {
    /// Explains why the statement is wrong. The error of an expression takes precedence if the parser fails within it.
    fn diagnose(&self, error: ParseError) -> Diagnostic {
        if error.kind == ErrorKind::Later {
            return self.later(self.base + error.start..self.base + error.end, error);
        }
        match self.refused.take() {
            Some((within, diagnostic)) if within.contains(&error.start) => diagnostic,
            _ => Diagnostic::new(self.base + error.start..self.base + error.end, error.to_string()),
        }
    }

    /// Explains why an expression at `span` is not known yet, in an operand that needs its value now.
    fn later(&self, span: Range<usize>, error: ParseError) -> Diagnostic {
        let written = self.text.get(error.start..error.end).unwrap_or_default();
        let Ok(expr) = Expr::parse(&mut Cursor::new(written, span.start), self.scope) else {
            return Diagnostic::new(span, error.to_string());
        };
        let mut missing = None;
        expr.symbols(&mut |id, _| {
            if missing.is_none() && self.scope.symbols.definition(id).is_none() {
                missing = Some(id);
            }
        });
        match missing {
            Some(id) => {
                let diagnostic = self.scope.symbols.undefined(id, span, |name| {
                    format!("{name} is neither an operand nor a number that is defined before this line")
                });
                // Read without symbols, the same text may be like a name that the operand knows.
                match self.reader.parse(self.text) {
                    Err(ParseError { kind: ErrorKind::Name(_, Some(near)), .. }) if diagnostic.help.is_none() => {
                        diagnostic.help(Some(format!("there is `{near}`")))
                    }
                    _ => diagnostic,
                }
            }
            None => Diagnostic::new(span, "expected a number that is known here, and this depends on addresses"),
        }
    }
}

impl isa::Symbols for Operands<'_> {
    fn resolve(&self, text: &str, extent: Extent) -> Option<Resolved> {
        let at = self.text.len() - text.len();
        let start = self.base + at;
        let mut input = Cursor::new(text, start);
        let read = match extent {
            Extent::Full => Expr::parse(&mut input, self.scope),
            Extent::Primary => Expr::parse_primary(&mut input, self.scope),
        };
        let expr = match read {
            Ok(expr) => expr,
            Err(diagnostic) => {
                // The operand parser has a better message for text that does not begin like an expression. A numbered
                // label can only be an expression.
                if diagnostic.span.start > start || Cursor::new(text, start).numbered().is_some() {
                    let end = diagnostic.span.end.saturating_sub(self.base);
                    self.refused.replace(Some((at..end.max(at + 1), diagnostic)));
                }
                return None;
            }
        };
        if !expr.has_names() {
            return None;
        }
        let end = input.end();
        let value = match (&expr, self.scope.symbols.is_open(&expr)) {
            (Expr::Symbol { specifier: None, .. } | Expr::Here(_), true) => Resolution::Symbol,
            (_, true) => Resolution::Expression,
            (_, false) => match self.scope.symbols.evaluate(&expr).map(|value| value.absolute()) {
                Ok(Some(number)) => Resolution::Known(number),
                // A number with a specifier is left to the linker: `k@abs32@lo`.
                Ok(None) => Resolution::Expression,
                Err(why) => {
                    let within = at..end - self.base;
                    self.refused.replace(Some((within, Diagnostic::new(start..end, why))));
                    return None;
                }
            },
        };
        Some(Resolved { length: end - start, value })
    }
}

#[cfg(test)]
mod tests;
