//! Directives that put values and strings into a section.

use std::ops::Range;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

use crate::diagnostic::Diagnostic;
use crate::expression::tree::Expr;
use crate::layout::fixup::{Fixup, FixupField};
use crate::layout::fragment::FragmentKind;
use crate::layout::relax::leb128;
use crate::lex::cursor::Cursor;
use crate::program::Program;

/// Base64 as LLVM reads it: padding is required, and the bits that belong to no byte are ignored.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

impl Program<'_> {
    /// `.byte`, `.long` and others: values of `size` bytes each. `.` is the address of the value in which it is written.
    pub(crate) fn data(&mut self, size: usize, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        if input.done() {
            return Ok(());
        }
        loop {
            let start = input.place();
            let expr = self.expression(input)?;
            self.put_value(size, expr, start..input.end())?;
            // Lines are as long as files.
            if let Some(why) = self.limit() {
                return Err(Diagnostic::new(start..input.end(), why));
            }
            if !input.eat(",") {
                return input.finish();
            }
        }
    }

    /// Appends a value of `size` bytes.
    pub(crate) fn put_value(&mut self, size: usize, expr: Expr, span: Range<usize>) -> Result<(), Diagnostic> {
        // A number that is known here is final, also if it is the distance of two addresses.
        if let Some(number) = self.symbols.evaluate(&expr).ok().and_then(|value| value.absolute()) {
            let bits = size as u32 * 8;
            if bits < 64 && (number >= 1 << bits || number < -(1 << (bits - 1))) {
                self.report.push(Diagnostic::new(span.clone(), format!("{number} does not fit {bits} bits")));
            }
            return self.put(number.to_le_bytes().get(..size).unwrap_or_default(), span);
        }
        let address = self.here();
        self.put(&[0; 8][..size.min(8)], span.clone())?;
        self.fixups.push(Fixup { address, field: FixupField::Data(size), expr, span });
        Ok(())
    }

    /// Strings, each with a zero after it or not. Without zeros, blanks can separate them, too.
    pub(crate) fn strings(&mut self, zero: bool, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
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

    /// `.base64`: strings of bytes in Base64.
    pub(crate) fn base64(&mut self, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        if input.done() {
            return Ok(());
        }
        loop {
            let start = input.place();
            if input.peek() != Some(b'"') {
                return Err(input.expected("a string in quotes"));
            }
            let (text, span) = input.raw_name()?;
            if text.is_empty() {
                return Err(Diagnostic::new(span, "the string is empty"));
            }
            let bytes = BASE64.decode(text);
            let bytes = bytes.map_err(|_| Diagnostic::new(span.clone(), "the string is not Base64 with padding"))?;
            self.put(&bytes, start..span.end)?;
            if !input.eat(",") {
                return input.finish();
            }
        }
    }

    /// `.uleb128` and `.sleb128`: numbers in groups of seven bits, the low ones first.
    pub(crate) fn leb128(&mut self, is_signed: bool, input: &mut Cursor<'_>) -> Result<(), Diagnostic> {
        loop {
            let start = input.place();
            let expr = self.expression(input)?;
            let span = start..input.end();
            match self.symbols.evaluate(&expr).map(|value| value.absolute()) {
                Ok(Some(number)) => {
                    let mut bytes = Vec::new();
                    leb128(number, is_signed, 0, &mut bytes);
                    self.put(&bytes, span)?;
                }
                _ => self.sections.push_variable(FragmentKind::Leb128 { value: expr, is_signed }, span),
            }
            if !input.eat(",") {
                return input.finish();
            }
        }
    }
}
