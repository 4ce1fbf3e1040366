//! Instructions whose operands name symbols: the instruction parser reads numbers, so each expression over symbols is
//! replaced by one, and the places of its errors are moved back.

use std::ops::Range;

use isa::ParseError;

use crate::arch::{Bytes, Reader};
use crate::asm::cursor::{Cursor, in_name};
use crate::asm::expr::{Expr, Scope};
use crate::asm::report::Diagnostic;
use crate::asm::symbols::is_numbered;

/// An instruction's bytes, and what is still to be put into them.
#[derive(Debug)]
pub struct Assembled {
    /// The bytes.
    pub bytes: Bytes,
    /// What depends on addresses.
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
    pub hole: Hole,
}

/// Where a value goes.
#[derive(Debug)]
pub enum Hole {
    /// The distance of a branch, as the number between these texts.
    Branch(String, String),
    /// The literal, which is the last dword.
    Literal,
}

/// Text of which parts are replaced.
#[derive(Debug, Default)]
struct Rewritten {
    text: String,
    /// Parts: where in the new text, where in the old.
    parts: Vec<(Range<usize>, Range<usize>)>,
}

impl Rewritten {
    /// Appends `old[from..to]`, then `new` in the place of `old[to..end]`.
    fn replace(&mut self, old: &str, from: usize, part: Range<usize>, new: &str) {
        self.text.push_str(old.get(from..part.start).unwrap_or_default());
        let start = self.text.len();
        self.text.push_str(new);
        self.parts.push((start..self.text.len(), part));
    }

    /// Where a span of the new text stands in the old.
    fn back(&self, span: Range<usize>) -> Range<usize> {
        let place = |at: usize, end: bool| {
            let (mut new, mut old) = (0, 0);
            for (inside, part) in &self.parts {
                if at < inside.start || end && at == inside.start {
                    break;
                }
                if at < inside.end || end && at == inside.end {
                    return if end { part.end } else { part.start };
                }
                (new, old) = (inside.end, part.end);
            }
            at - new + old
        };
        let start = place(span.start, false);
        start..place(span.end, true).max(start)
    }
}

/// What an instruction's operands may name.
pub struct Context<'a> {
    /// Reads instructions.
    pub reader: Reader,
    /// Where the instruction begins, and the symbols defined so far.
    pub scope: Scope<'a>,
    /// Whether a name is defined anywhere in the file.
    pub defined: &'a dyn Fn(&str) -> bool,
    /// Whether others may be defined, by macros, say.
    pub others: &'a dyn Fn() -> bool,
}

impl Context<'_> {
    /// Assembles the statement `text`, which begins at `base` in the file.
    pub fn assemble(&self, text: &str, base: usize) -> Result<Assembled, Diagnostic> {
        let refused = match self.reader.parse(text) {
            Ok(instr) => return Ok(Assembled { bytes: instr.bytes(), pending: None }),
            Err(error) => error,
        };
        let fault = |span: Range<usize>, error: ParseError| {
            Diagnostic::new(base + span.start..base + span.end, error.to_string())
        };
        let mut found = self.expressions(text, base, None);
        if found.is_empty() && (self.others)() {
            // What is no operand may be a name that is still to come.
            found = self.expressions(text, base, Some(refused.start));
        }
        if found.is_empty() {
            return self
                .branch_to_nowhere(text, base)
                .unwrap_or_else(|| Err(fault(refused.start..refused.end, refused)));
        }
        // Numbers that are known stand at once; one expression may wait.
        let mut pending = None;
        let mut known = Vec::new();
        for (expr, part) in found {
            let span = base + part.start..base + part.end;
            self.scope.symbols.evaluate(&expr).map_err(|why| Diagnostic::new(span.clone(), why))?;
            match self.scope.symbols.constant(&expr) {
                Some(number) => known.push((part, Some(number))),
                None if pending.is_some() => {
                    return Err(Diagnostic::new(span, "an instruction holds one address at most"));
                }
                None => {
                    pending = Some((expr, span));
                    known.push((part, None));
                }
            }
        }
        let rewrite = |hole: &str| {
            let mut new = Rewritten::default();
            let mut at = 0;
            for (part, number) in &known {
                let number = number.map(|n| n.to_string());
                new.replace(text, at, part.clone(), number.as_deref().unwrap_or(hole));
                at = part.end;
            }
            new.text.push_str(text.get(at..).unwrap_or_default());
            new
        };
        let read = |new: &Rewritten| {
            self.reader.parse(&new.text).map_err(|error| fault(new.back(error.start..error.end), error))
        };
        let plain = rewrite("0");
        let Some((expr, span)) = pending else {
            return read(&plain).map(|instr| Assembled { bytes: instr.bytes(), pending: None });
        };
        if let Ok(instr) = read(&plain)
            && instr.branch().is_some()
        {
            let start = plain.parts.iter().zip(&known).find(|(_, (_, n))| n.is_none()).map(|((new, _), _)| new.start);
            let (before, after) = plain.text.split_at(start.unwrap_or(0));
            let hole = Hole::Branch(before.into(), after.get(1..).unwrap_or_default().into());
            return Ok(Assembled { bytes: instr.bytes(), pending: Some(Pending { expr, span, hole }) });
        }
        // LLVM gives the distance of two labels a literal even where a short constant would do.
        let instr =
            match (read(&rewrite("lit(0x0)")), self.scope.symbols.evaluate(&expr).ok().and_then(|v| v.absolute())) {
                (Err(_), Some(number)) => {
                    let instr = read(&rewrite(&number.to_string()))?;
                    return Ok(Assembled { bytes: instr.bytes(), pending: None });
                }
                (read, _) => read?,
            };
        let bytes = instr.bytes();
        Ok(Assembled { bytes, pending: Some(Pending { expr, span, hole: Hole::Literal }) })
    }

    /// A branch whose one operand names nothing, if that is what the statement is.
    fn branch_to_nowhere(&self, text: &str, base: usize) -> Option<Result<Assembled, Diagnostic>> {
        let name = text.rsplit([' ', '\t', ',']).next().filter(|name| name.bytes().all(in_name))?;
        let start = text.len() - name.len();
        let instr = self.reader.parse(&format!("{}0", text.get(..start)?)).ok()?;
        instr.branch()?;
        let span = base + start..base + text.len();
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            // What is wrong with `1b` that names no label.
            return Some(Err(Expr::parse(&mut Cursor::new(name, span.start), self.scope).err()?));
        }
        Some(Err(self.scope.symbols.fault(name, &span, |name| format!("the label {name} is not defined"))))
    }

    /// The expressions over symbols in the operands, and where they stand in `text`, which begins at `base` in the file. One that
    /// begins at `new` may name symbols that nothing defines.
    fn expressions(&self, text: &str, base: usize, new: Option<usize>) -> Vec<(Expr, Range<usize>)> {
        let mut found = Vec::new();
        let mut at = text.find([' ', '\t']).unwrap_or(text.len());
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let mut input = Cursor::new(rest, base + at);
            if !rest.starts_with([' ', '\t', ','])
                && let Ok(expr) = Expr::parse(&mut input, self.scope)
                && self.wanted(&expr, new == Some(at))
            {
                let end = input.end() - base;
                found.push((expr, at..end));
                at = end;
                continue;
            }
            // On to the next place where an expression may begin: behind a name, or behind any other character.
            let name = rest.bytes().take_while(|b| in_name(*b)).count();
            at += name.max(rest.chars().next().map_or(1, char::len_utf8));
            // The parentheses of `vmcnt(1)` are not those of an expression.
            at += usize::from(name > 0 && rest.as_bytes().get(name) == Some(&b'('));
        }
        found
    }

    fn wanted(&self, expr: &Expr, new: bool) -> bool {
        let (mut any, mut all) = (expr.has_here(), true);
        expr.symbols(&mut |name, kind| {
            let known = new || kind.is_some() || is_numbered(name) || (self.defined)(name);
            any |= known;
            all &= known;
        });
        any && all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_moved_back() {
        let old = "op abc, defg, h";
        let mut new = Rewritten::default();
        new.replace(old, 0, 3..6, "1");
        new.replace(old, 6, 8..12, "lit(0x0)");
        new.text.push_str(&old[12..]);
        assert_eq!(new.text, "op 1, lit(0x0), h");
        assert_eq!(new.back(0..2), 0..2);
        assert_eq!(new.back(3..4), 3..6);
        assert_eq!(new.back(6..9), 8..12);
        assert_eq!(new.back(16..17), 14..15);
        assert_eq!(new.back(4..5), 6..7);
        assert_eq!(new.back(17..17), 15..15);
    }
}
