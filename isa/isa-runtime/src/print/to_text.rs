//! Values written as assembly text, which are the operands of `instrs!`.

use core::fmt::Write;

use crate::Text;

/// A value that can be an operand of `instrs!`. It writes text that the parser reads.
///
/// ```
/// use isa::{Text, ToText};
/// let mut line = Text::new();
/// 1.0f32.write_to(&mut line);
/// line.push(", ");
/// (-5).write_to(&mut line);
/// assert_eq!(line.as_str(), "1.0, -5");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as an operand",
    note = "operands are registers, integers, `f32`, `f64`, and `&str` with text as an assembler reads it"
)]
pub trait ToText {
    /// Appends the text.
    fn write_to(&self, out: &mut Text);
}

impl<T: ToText + ?Sized> ToText for &T {
    fn write_to(&self, out: &mut Text) {
        (**self).write_to(out);
    }
}

impl ToText for str {
    fn write_to(&self, out: &mut Text) {
        out.push(self);
    }
}

macro_rules! integers {
    ($($narrow:ty as $wide:ty),*) => {$(
        impl ToText for $narrow {
            fn write_to(&self, out: &mut Text) {
                // The buffer drops what does not fit and reports no failure.
                let _ = write!(out, "{}", <$wide>::from(*self));
            }
        }
    )*};
}

integers!(i8 as i64, i16 as i64, i32 as i64, i64 as i64, u8 as u64, u16 as u64, u32 as u64, u64 as u64);

/// Writes the shortest digits that parse to the same number, with a point or an exponent. Infinities and NaNs, which have no
/// digits, are written as their bits, for operands of 32 bits.
impl ToText for f32 {
    fn write_to(&self, out: &mut Text) {
        if !self.is_finite() {
            return out.hex(self.to_bits());
        }
        // The parser reads an `f64` and rounds it, and refuses to lose bits of a subnormal number.
        let mut digits = Text::new();
        let _ = write!(digits, "{self:?}");
        let exact = digits.as_str().parse::<f64>().is_ok_and(|read| (read as f32).to_bits() == self.to_bits());
        if exact && !self.is_subnormal() {
            out.push(digits.as_str());
        } else {
            f64::from(*self).write_to(out);
        }
    }
}

/// As for `f32`.
impl ToText for f64 {
    fn write_to(&self, out: &mut Text) {
        let _ = if self.is_finite() { write!(out, "{self:?}") } else { write!(out, "{:#x}", self.to_bits()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scanner;
    use std::string::{String, ToString};

    fn text(value: impl ToText) -> String {
        let mut out = Text::new();
        value.write_to(&mut out);
        out.as_str().to_string()
    }

    #[test]
    fn integers_read_back() {
        for n in [0, 1, -1, i64::MIN, i64::MAX] {
            assert_eq!(Scanner::new(&text(n)).signed(), Some(n));
        }
        assert_eq!(Scanner::new(&text(u64::MAX)).signed(), Some(-1));
        assert_eq!((text(7u8), text(-7i16), text("v0")), ("7".into(), "-7".into(), "v0".into()));
    }

    #[test]
    fn floats_read_back_bit_for_bit() {
        let read = |text: &str| {
            let (sign, rest) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
            let mut scanner = Scanner::new(rest);
            let value = scanner.float().map(|f| sign * f);
            assert!(scanner.done(), "{text}");
            value
        };
        let mut bits = 0u32;
        for _ in 0..200_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let x = f32::from_bits(bits);
            if x.is_finite() {
                let got = read(&text(x)).map(|f| (f as f32).to_bits());
                assert_eq!(got, Some(bits), "{x:?} as {}", text(x));
            }
        }
        for x in [0.0, -0.0, 1.0, 0.159_154_94, 1e300, f64::MIN_POSITIVE, f64::from(f32::from_bits(1))] {
            assert_eq!(read(&text(x)).map(f64::to_bits), Some(x.to_bits()), "{x}");
        }
        assert_eq!(
            (text(0.5f32), text(0.159_154_94f32), text(f32::INFINITY)),
            ("0.5".into(), "0.15915494".into(), "0x7f800000".into())
        );
    }
}
