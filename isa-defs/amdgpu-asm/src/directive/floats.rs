//! Data of floating-point numbers and of 128 bits, and repeated data: `.float`, `.double`, `.octa`, `.dc`, `.dcb`, `.ds`.

use std::ops::Range;

use isa::hex_float;

use crate::diagnostic::{Diagnostic, Done};
use crate::lex::cursor::Cursor;
use crate::lex::tokens::{Kind, Tokens};
use crate::program::Program;

/// A binary format of IEEE 754.
#[derive(Debug, Clone, Copy)]
struct Format {
    /// The size in bytes.
    size: usize,
    /// The bits of the mantissa that are stored.
    mantissa: u32,
    /// The bits of the exponent.
    exponent: u32,
}

const SINGLE: Format = Format { size: 4, mantissa: 23, exponent: 8 };
const DOUBLE: Format = Format { size: 8, mantissa: 52, exponent: 11 };

/// Bytes that are repeated at once.
const CHUNK: usize = 1 << 16;

impl Program<'_> {
    /// The directives of this module; `None` for others.
    pub(crate) fn wide_data(&mut self, word: &str, span: Range<usize>, input: &mut Cursor<'_>) -> Option<Done> {
        Some(match word {
            ".float" | ".single" | ".dc.s" => self.floats(SINGLE, input),
            ".double" | ".dc.d" => self.floats(DOUBLE, input),
            ".octa" => self.octas(input),
            ".dc.b" => self.data(1, input),
            ".dc" | ".dc.w" => self.data(2, input),
            ".dc.l" => self.data(4, input),
            ".dc.a" => self.data(8, input),
            ".dcb.b" => self.repeated_number(1, input),
            ".dcb" | ".dcb.w" => self.repeated_number(2, input),
            ".dcb.l" => self.repeated_number(4, input),
            ".dcb.s" => self.repeated_float(SINGLE, input),
            ".dcb.d" => self.repeated_float(DOUBLE, input),
            ".ds.b" => self.zeros(1, input),
            ".ds" | ".ds.w" => self.zeros(2, input),
            ".ds.l" | ".ds.s" => self.zeros(4, input),
            ".ds.d" => self.zeros(8, input),
            ".ds.p" | ".ds.x" => self.zeros(12, input),
            ".dc.x" | ".dcb.x" => {
                Err(Diagnostic::new(span, format!("`{word}` is not supported: AMD GPUs have no 80-bit numbers")))
            }
            _ => return None,
        })
    }

    /// Floating-point numbers with commas between them.
    fn floats(&mut self, format: Format, input: &mut Cursor<'_>) -> Done {
        if input.done() {
            return Ok(());
        }
        loop {
            let start = input.place();
            let bits = float(format, input)?;
            self.put(bits.to_le_bytes().get(..format.size).unwrap_or_default(), start..input.end())?;
            if !input.eat(",") {
                return input.finish();
            }
        }
    }

    /// Numbers of 128 bits, which are not expressions.
    fn octas(&mut self, input: &mut Cursor<'_>) -> Done {
        if input.done() {
            return Ok(());
        }
        loop {
            let start = input.place();
            let number = input.large_number().unwrap_or_else(|| Err(input.expected("a number without a sign")))?;
            self.put(&number.to_le_bytes(), start..input.end())?;
            if !input.eat(",") {
                return input.finish();
            }
        }
    }

    /// `count, value` of `size` bytes.
    fn repeated_number(&mut self, size: usize, input: &mut Cursor<'_>) -> Done {
        let count = self.count(input)?;
        let start = input.place();
        let value = self.number(input)?;
        let span = start..input.end();
        let bits = size as u32 * 8;
        if bits < 64 && (value >= 1 << bits || value < -(1 << (bits - 1))) {
            return Err(Diagnostic::new(span, format!("{value} does not fit {bits} bits")));
        }
        input.finish()?;
        self.put_repeated(count, value.to_le_bytes().get(..size).unwrap_or_default(), span)
    }

    /// `count, number` of a format.
    fn repeated_float(&mut self, format: Format, input: &mut Cursor<'_>) -> Done {
        let count = self.count(input)?;
        let start = input.place();
        let bits = float(format, input)?;
        let span = start..input.end();
        input.finish()?;
        self.put_repeated(count, bits.to_le_bytes().get(..format.size).unwrap_or_default(), span)
    }

    /// `count`: writes that many zeros of `size` bytes each.
    fn zeros(&mut self, size: usize, input: &mut Cursor<'_>) -> Done {
        let start = input.place();
        let count = self.number(input)?;
        let span = start..input.end();
        input.finish()?;
        let count = u64::try_from(count).map_err(|_| Diagnostic::new(span.clone(), "the count is negative"))?;
        self.put_repeated(count, &[0; 12][..size.min(12)], span)
    }

    /// A count and a comma.
    fn count(&mut self, input: &mut Cursor<'_>) -> Result<u64, Diagnostic> {
        let start = input.place();
        let count = self.number(input)?;
        let count = u64::try_from(count).map_err(|_| Diagnostic::new(start..input.end(), "the count is negative"))?;
        if input.eat(",") { Ok(count) } else { Err(input.expected("`,` and a value")) }
    }

    fn put_repeated(&mut self, count: u64, bytes: &[u8], span: Range<usize>) -> Done {
        let most = (CHUNK / bytes.len().max(1)) as u64;
        let mut left = count;
        let chunk = bytes.repeat(left.min(most) as usize);
        while left > 0 {
            let times = left.min(most);
            self.put(chunk.get(..times as usize * bytes.len()).unwrap_or_default(), span.clone())?;
            left -= times;
        }
        Ok(())
    }
}

/// Takes a floating-point number: its bits, correctly rounded.
fn float(format: Format, input: &mut Cursor<'_>) -> Result<u64, Diagnostic> {
    let negative = input.eat("-");
    if !negative {
        input.eat("+");
    }
    let start = input.place();
    let token = Tokens::new(input.rest(), 0).token;
    let bits = match token.kind {
        Kind::Name if token.text.eq_ignore_ascii_case("inf") || token.text.eq_ignore_ascii_case("infinity") => {
            Some(format.infinity())
        }
        Kind::Name if token.text.eq_ignore_ascii_case("nan") => Some((1 << (format.size * 8 - 1)) - 1),
        Kind::Other => format.parse(token.text.trim_end_matches(['U', 'L'])),
        _ => None,
    };
    let Some(bits) = bits else {
        let error = Diagnostic::new(start..start + token.text.len().max(1), "expected a floating-point number");
        return Err(error.help(Some("such as `1`, `1.5e-3`, `0x1.8p-3`, `inf` or `nan`".into())));
    };
    input.eat(token.text);
    Ok(if negative { bits ^ 1 << (format.size * 8 - 1) } else { bits })
}

impl Format {
    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    /// The bits of a number without a sign.
    fn parse(self, text: &str) -> Option<u64> {
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            return hex_float(digits, self.mantissa, self.exponent);
        }
        let is_decimal = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
        if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') || !text.chars().all(is_decimal) {
            return None;
        }
        // The standard library rounds correctly to the nearest number, ties to even.
        if self.size == 4 {
            text.parse::<f32>().ok().map(|value| u64::from(value.to_bits()))
        } else {
            text.parse::<f64>().ok().map(f64::to_bits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(format: Format, text: &str) -> Option<u64> {
        let mut input = Cursor::new(text, 0);
        float(format, &mut input).ok().filter(|_| input.done())
    }

    /// As llvm-mc 22 has them.
    #[test]
    fn numbers_are_rounded_as_in_llvm() {
        for (text, single, double) in [
            ("1", 0x3f80_0000, 0x3ff0_0000_0000_0000),
            ("- 2.5", 0xc020_0000, 0xc004_0000_0000_0000),
            ("+010", 0x4120_0000, 0x4024_0000_0000_0000),
            ("5.", 0x40a0_0000, 0x4014_0000_0000_0000),
            (".5e1", 0x40a0_0000, 0x4014_0000_0000_0000),
            ("1e400", 0x7f80_0000, 0x7ff0_0000_0000_0000),
            ("Inf", 0x7f80_0000, 0x7ff0_0000_0000_0000),
            ("-infinity", 0xff80_0000, 0xfff0_0000_0000_0000),
            ("nan", 0x7fff_ffff, 0x7fff_ffff_ffff_ffff),
            ("-NaN", 0xffff_ffff, 0xffff_ffff_ffff_ffff),
            ("0x1p3", 0x4100_0000, 0x4020_0000_0000_0000),
            ("0x0.8p-1", 0x3e80_0000, 0x3fd0_0000_0000_0000),
            ("0x1.000001p0", 0x3f80_0000, 0x3ff0_0000_1000_0000),
            ("0x1.00000100000000001p0", 0x3f80_0001, 0x3ff0_0000_1000_0000),
            ("0x1.000003p0", 0x3f80_0002, 0x3ff0_0000_3000_0000),
            ("0x1p-149", 1, 0x36a0_0000_0000_0000),
            ("0x1p-150", 0, 0x3690_0000_0000_0000),
            ("0x1.8p-150", 1, 0x3698_0000_0000_0000),
            ("0x1.ffffffp-127", 0x0080_0000, 0x380f_ffff_f000_0000),
            ("0x1.ffffffp127", 0x7f80_0000, 0x47ef_ffff_f000_0000),
            ("0x1p99999999999999999999", 0x7f80_0000, 0x7ff0_0000_0000_0000),
            ("0x0p5", 0, 0),
        ] {
            assert_eq!(bits(SINGLE, text), Some(single), "{text}");
            assert_eq!(bits(DOUBLE, text), Some(double), "{text}");
        }
        for text in ["", "0x10", "1.5U", "0b1", "'a'", "x", "1e", "0x1p", "0xp1", "1.5f", "--1", "\"1\""] {
            assert_eq!(bits(SINGLE, text), None, "{text}");
        }
    }

    #[test]
    fn hexadecimal_numbers_are_read_as_printed() {
        let mut random = isa_tests::random::numbers();
        for _ in 0..20_000 {
            let any = (0..4).fold(0u64, |bits, _| bits << 16 | random(1 << 16) as u64);
            let value = f64::from_bits(any & !(1 << 63));
            if !value.is_finite() {
                continue;
            }
            let (mantissa, field) = (any & ((1 << 52) - 1), any >> 52 & 0x7ff);
            let (lead, power) = if field == 0 { (0, -1022) } else { (1, field as i64 - 1023) };
            let text = format!("0x{lead}.{mantissa:013x}p{power}");
            assert_eq!(bits(DOUBLE, &text), Some(value.to_bits()), "{text}");
            assert_eq!(bits(SINGLE, &text), Some(u64::from((value as f32).to_bits())), "{text}");
        }
    }
}
