//! Hexadecimal floating-point numbers.

/// Returns the bits of the number `digits[.digits]p[±]digits` in a binary format of IEEE 754, correctly rounded; `None` if the text is not
/// such a number. The digits before the `p` are hexadecimal, and `0x` before them is not a part of the text. `mantissa` and `exponent` are the
/// numbers of bits that the format stores.
///
/// ```
/// assert_eq!(isa_runtime::hex_float("1.8p-1", 52, 11).map(f64::from_bits), Some(0.75));
/// ```
#[must_use]
pub fn hex_float(text: &str, mantissa: u32, exponent: u32) -> Option<u64> {
    Format { mantissa, exponent }.parse(text)
}

#[derive(Clone, Copy)]
struct Format {
    mantissa: u32,
    exponent: u32,
}

impl Format {
    fn parse(self, text: &str) -> Option<u64> {
        let (digits, power) = text.split_once(['p', 'P'])?;
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        if whole.is_empty() && part.is_empty() {
            return None;
        }
        // A power beyond this is zero or infinity with any mantissa of an input file.
        let limit = |power: i64| power.clamp(-(1 << 40), 1 << 40);
        let mut exponent = power.parse::<i64>().map(limit).or_else(|_| {
            let digits = power.trim_start_matches(['+', '-']);
            let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            all.then_some(if power.starts_with('-') { -(1 << 40) } else { 1 << 40 }).ok_or(())
        });
        // The first 64 bits from the first digit that is not zero, and whether any bit follows.
        let (mut mantissa, mut rest) = (0u64, false);
        for (digit, behind) in whole.chars().map(|c| (c, false)).chain(part.chars().map(|c| (c, true))) {
            let digit = digit.to_digit(16)?;
            let full = mantissa >> 60 != 0;
            if full {
                rest |= digit != 0;
            } else {
                mantissa = mantissa << 4 | u64::from(digit);
            }
            let change = 4 * (i64::from(full) - i64::from(behind));
            exponent = exponent.map(|exponent| exponent + change);
        }
        Some(self.round(mantissa, rest, exponent.ok()?))
    }

    /// The number nearest to `mantissa · 2^exponent`, ties to even, where `rest` is whether the mantissa has further bits.
    fn round(self, mantissa: u64, rest: bool, exponent: i64) -> u64 {
        if mantissa == 0 {
            return 0;
        }
        let infinity = ((1 << self.exponent) - 1) << self.mantissa;
        let bias = (1i64 << (self.exponent - 1)) - 1;
        // The exponent of the number's leading bit, and that of the last bit that is stored.
        let leading = exponent + 63 - i64::from(mantissa.leading_zeros());
        let last = leading.max(1 - bias) - i64::from(self.mantissa);
        let shift = last - exponent;
        let value = u128::from(mantissa);
        let rounded = if shift <= 0 {
            // Fewer bits than are stored.
            value << shift.unsigned_abs().min(64)
        } else if shift > 65 {
            0
        } else {
            let (kept, cut, half) = (value >> shift, value & ((1 << shift) - 1), 1u128 << (shift - 1));
            let up = cut > half || cut == half && (rest || kept & 1 == 1);
            kept + u128::from(up)
        };
        // A carry out of the mantissa, also from the largest subnormal number, goes into the exponent.
        let field = if leading < 1 - bias { 0 } else { leading + bias - 1 };
        if field >= 1 << self.exponent {
            return infinity;
        }
        let bits = rounded as u64 + ((field as u64) << self.mantissa);
        bits.min(infinity)
    }
}
