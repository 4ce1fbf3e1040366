//! Directives that skip, fill and align.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Done, Severity};
use crate::layout::fragment::FragmentKind;
use crate::layout::padding::Padding;
use crate::layout::section::AppendError;
use crate::lex::cursor::Cursor;
use crate::program::Program;

impl Program<'_> {
    /// `N [, value [, most]]`, where N is the alignment, or its power of two.
    pub(crate) fn align(&mut self, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let number = self.number(input)?;
        let given = start..input.end();
        let align = if word.starts_with(".p2") {
            u32::try_from(number).ok().filter(|n| *n < 32).map(|n| 1u64 << n)
        } else {
            // Alignment to 0 is none.
            u64::try_from(number.max(i64::from(number == 0))).ok().filter(|n| n.is_power_of_two() && *n < 1 << 32)
        };
        let Some(align) = align else {
            return Err(Diagnostic::new(given, "an alignment is a power of two below 2^32"));
        };
        let size = match word.as_bytes().last() {
            Some(b'w') => 2,
            Some(b'l') => 4,
            _ => 1,
        };
        let mut padding = Padding::Default;
        let mut most = None;
        if input.eat(",") {
            if !input.done() && !input.rest().starts_with(',') {
                padding = Padding::Value(self.number(input)?, size);
            }
            if input.eat(",") {
                let start = input.place();
                let number = u64::try_from(self.number(input)?).ok().filter(|number| *number > 0);
                let why = "the padding may have at least one byte";
                most = Some(number.ok_or_else(|| Diagnostic::new(start..input.end(), why))?);
            }
        }
        input.finish()?;
        self.sections.align(align, padding, most, span.clone()).map_err(|why| self.cannot_append(why, span))
    }

    /// `.fill count [, size [, value]]`, or `.skip count [, value]`.
    pub(crate) fn fill(&mut self, is_sized: bool, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let count = self.expression(input)?;
        let counted = start..input.end();
        let (mut size, mut value, mut is_negative) = (1, 0, false);
        if is_sized && input.eat(",") {
            // More than eight bytes are eight, as in LLVM and GNU's assembler.
            let number = self.number(input)?;
            is_negative |= number < 0;
            size = usize::try_from(number.clamp(0, 8)).unwrap_or(0);
        }
        if input.eat(",") {
            value = self.number(input)?;
        }
        input.finish()?;
        // Of a value in a larger unit, four bytes count.
        let value = if size > 4 { value & 0xffff_ffff } else { value };
        let known = self.symbols.evaluate(&count).map_err(|why| Diagnostic::new(counted.clone(), why));
        is_negative |= matches!(&known, Ok(value) if value.absolute().is_some_and(|count| count < 0));
        if is_sized && is_negative {
            // LLVM warns, too.
            let why = "`.fill` with a negative count or size has no effect";
            self.report.push(Diagnostic { severity: Severity::Warning, ..Diagnostic::new(span, why) });
            return Ok(());
        }
        match known.as_ref().map(|value| value.absolute()) {
            Ok(Some(count)) => {
                let count = u64::try_from(count).map_err(|_| Diagnostic::new(counted, "a count is not negative"))?;
                self.sections.fill(count, size, value).map_err(|why| self.cannot_append(why, span))
            }
            _ if value != 0 && !self.sections.current().has_contents() => {
                Err(self.cannot_append(AppendError::NoContents, span))
            }
            _ => {
                self.sections.push_variable(FragmentKind::Fill { count, size, value }, counted);
                Ok(())
            }
        }
    }

    /// `.org address [, value]`.
    pub(crate) fn org(&mut self, span: Range<usize>, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let target = self.expression(input)?;
        let given = start..input.end();
        let value = if input.eat(",") { self.number(input)? } else { 0 };
        input.finish()?;
        let known = self.symbols.evaluate(&target).ok().and_then(|value| value.absolute());
        match known.filter(|_| self.sections.is_offset_known()) {
            Some(target) => {
                let missing = u64::try_from(target).ok().and_then(|to| to.checked_sub(self.here().offset));
                let missing = missing.ok_or_else(|| Diagnostic::new(given, "`.org` cannot go back"))?;
                self.sections.fill(missing, 1, value).map_err(|why| self.cannot_append(why, span))?;
                self.sections.end_fragment();
            }
            None if value != 0 && !self.sections.current().has_contents() => {
                return Err(self.cannot_append(AppendError::NoContents, span));
            }
            None => self.sections.push_variable(FragmentKind::Org { target, value }, given),
        }
        Ok(())
    }
}
