//! Directives that put values and strings into a section.

use crate::asm::cursor::Cursor;
use crate::asm::expr::{Expr, Scope};
use crate::asm::fixup::{Fixup, Target};
use crate::asm::program::Program;
use crate::asm::report::Diagnostic;

impl Program<'_> {
    /// Values of `size` bytes each.
    pub(super) fn data(&mut self, size: usize, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        if input.done() {
            return Ok(());
        }
        // `.` is where the statement begins, also behind its first value.
        let here = self.here();
        loop {
            let start = input.place();
            let expr = Expr::parse(input, Scope { here, symbols: &self.symbols })?;
            let span = start..input.end();
            let place = self.here();
            self.put(&[0; 8][..size.min(8)], span.clone())?;
            let now = self.symbols.evaluate(&expr).ok().and_then(|value| value.absolute());
            let expr = now.map_or(expr, Expr::Number);
            self.fixups.push(Fixup { place, target: Target::Data(size), expr, span });
            if !input.eat(",") {
                return input.finish();
            }
        }
    }

    /// Strings, each with a zero behind it or not. Without zeros, blanks can separate them, too.
    pub(super) fn strings(&mut self, zero: bool, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        if input.done() {
            return Ok(());
        }
        loop {
            let start = input.place();
            let mut bytes = input.string()?;
            bytes.extend(zero.then_some(0));
            self.put(&bytes, start..input.end())?;
            if input.rest().starts_with('"') {
                if zero {
                    return Err(input.expected("`,` before the next string"));
                }
            } else if !input.eat(",") {
                return input.finish();
            }
        }
    }

    /// Numbers in groups of seven bits, the low ones first.
    pub(super) fn leb128(&mut self, signed: bool, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        loop {
            let start = input.place();
            let mut value = self.number(input)?;
            let mut bytes = Vec::new();
            loop {
                let low = (value & 0x7f) as u8;
                value = if signed { value >> 7 } else { (value as u64 >> 7) as i64 };
                let sign = signed && low & 0x40 != 0;
                if value == if sign { -1 } else { 0 } {
                    bytes.push(low);
                    break;
                }
                bytes.push(low | 0x80);
            }
            self.put(&bytes, start..input.end())?;
            if !input.eat(",") {
                return input.finish();
            }
        }
    }
}
