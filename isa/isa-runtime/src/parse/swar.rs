//! Parsing of eight bytes of text at a time (SIMD within a register).

use crate::Reg;
use crate::parse::scan::is_in_word;

/// The number 1 in each byte.
const EACH: u64 = 0x0101_0101_0101_0101;

/// Loads eight bytes of a text of at least eight bytes, the first in the lowest byte. Bytes beyond the end are 0. The end of
/// the text causes no branch, because lines differ in length and the branch would be mispredicted.
#[inline(always)]
pub(crate) fn load(text: &[u8], at: usize) -> u64 {
    if at >= text.len() {
        return 0;
    }
    let from = at.min(text.len().wrapping_sub(8));
    let bytes = text.get(from..from.wrapping_add(8)).and_then(|bytes| bytes.first_chunk::<8>());
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes) >> ((8 * (at - from)) & 63))
}

/// Returns the lowest bit of the first byte that is a blank or a control character, or 64.
#[inline(always)]
pub(crate) const fn find_blank(word: u64) -> u32 {
    // A borrow begins at such a byte only, so the lowest one is correct.
    (word.wrapping_sub(EACH * 0x21) & !word & (EACH * 0x80)).trailing_zeros() & !7
}

/// Parses a decimal number of up to seven digits. Returns it and the number of bits of its digits. Returns `None` for a 0
/// before other digits, which makes the number octal.
#[inline(always)]
pub(crate) const fn parse_decimal(word: u64) -> Option<(u32, u32)> {
    let digits = word ^ (EACH * 0x30);
    let bits = non_digits(word).trailing_zeros() & !7;
    if bits == 0 || bits > 56 || bits > 8 && digits & 0xff == 0 {
        return None;
    }
    // Zeros make it eight digits: add pairs, then groups of four, then all.
    let all = digits << (64 - bits);
    let pairs = all.wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
    Some(((fours.wrapping_mul(1 + (10_000 << 32)) >> 32) as u32, bits))
}

/// Parses a decimal number of up to three digits after a letter, if it is below `end`, which [`digits_bound`] returns. Returns
/// the number, and the number of bits of the letter and the digits. A fourth digit is not looked at.
#[inline(always)]
pub(crate) const fn parse_small(word: u32, end: u32) -> Option<(u32, u32)> {
    let digits = (word ^ 0x3030_3000) & 0xffff_ff00;
    let non_digits = (((digits & 0x7f7f_7f00) + 0x7676_7600) | digits) & 0x8080_8000;
    let bits = non_digits.trailing_zeros() & !7;
    if bits == 8 || bits > 16 && digits & 0xff00 == 0 {
        return None;
    }
    // Zeros make it three digits, the first in the lowest byte.
    let all = digits << (bits.wrapping_neg() & 31);
    if all.swap_bytes() >= end {
        return None;
    }
    // The highest byte of the product is the sum of 100 times the first digit, 10 times the second, and the third.
    Some((all.wrapping_mul(1 + (10 << 8) + (100 << 16)) >> 24, bits))
}

/// Returns the three decimal digits of a number, a byte each and the first in the highest byte, plus 1. Numbers up to this one
/// have smaller digits. No number is below 0.
pub(crate) const fn digits_bound(number: u8) -> u32 {
    let number = number as u32;
    let digits = (number % 10) + ((number / 10 % 10) << 8) + ((number / 100) << 16);
    digits + 1
}

/// Parses the hexadecimal digits, at most eight, after `0x`. Returns the number and the number of digits.
#[inline(always)]
pub(crate) fn parse_hex(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let word = load(text, at);
    let other = non_digits(word) & non_letters(word);
    let bits = other.trailing_zeros() & !7;
    let has_more = || text.get(at + 8).is_some_and(u8::is_ascii_hexdigit);
    if bits == 0 || bits == 64 && has_more() {
        return None;
    }
    // Letters have bit 6 and stand for their low four bits plus 9. Zeros make it eight digits, and the byte swap puts the
    // first one in the highest byte: join pairs, then groups of four, then all.
    let digits = (word & (EACH * 0xf)) + (word >> 6 & EACH) * 9;
    let all = (digits << (64 - bits)).swap_bytes();
    let pairs = (all | all >> 4) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
    Some(((fours | fours >> 16) as u32, bits as usize / 8))
}

/// Returns the highest bit of each byte that is not a decimal digit.
#[inline(always)]
const fn non_digits(word: u64) -> u64 {
    let digits = word ^ (EACH * 0x30);
    (((digits & (EACH * 0x7f)) + EACH * 0x76) | digits) & (EACH * 0x80)
}

/// Returns the highest bit of each byte that is not a letter from `a` to `f` or from `A` to `F`.
#[inline(always)]
const fn non_letters(word: u64) -> u64 {
    // The letters become 1 to 6.
    let letters = (word | (EACH * 0x20)) ^ (EACH * 0x60);
    let low = letters & (EACH * 0x7f);
    ((low + EACH * 0x79) | !(low + EACH * 0x7f) | letters) & (EACH * 0x80)
}

/// Parses the number of a register, `5`, or a range of registers, `[4:5]`, with numbers up to `last`. Returns the first
/// number, the number of registers, and the length of the text. Returns `None` for any other text, also with blanks.
///
/// ```
/// assert_eq!(isa::numbered(b"[4:7], v1", 255), Some((4, 4, 5)));
/// assert_eq!(isa::numbered(b"12, v1", 255), Some((12, 1, 2)));
/// assert_eq!(isa::numbered(b"12.l", 255), None);
/// ```
#[inline]
#[must_use]
pub fn numbered(text: &[u8], last: u8) -> Option<(u8, u8, usize)> {
    let mut room = [0; 16];
    let len = text.len().min(room.len());
    room.get_mut(..len)?.copy_from_slice(text.get(..len)?);
    let (first, count, length) = parse_registers(&room, 0, last)?;
    if text.get(length).is_some_and(|b| is_in_word(*b)) && text.first() != Some(&b'[') {
        return None;
    }
    Some((first, count, length))
}

/// Parses like [`numbered`] from `at` on, and ignores the text after the registers.
#[inline(always)]
pub(crate) fn parse_registers(text: &[u8], at: usize, last: u8) -> Option<(u8, u8, usize)> {
    const END: u32 = digits_bound(u8::MAX);
    let word = load(text, at);
    if word as u8 != b'[' {
        let (first, bits) = parse_small((word << 8) as u32, END)?;
        return (first <= last as u32).then_some((first as u8, 1, bits as usize / 8 - 1));
    }
    // The bracket and the colon take the place of the letter.
    let (first, bits) = parse_small(word as u32, END)?;
    let rest = word >> bits;
    let (end, more) = parse_small(rest as u32, END)?;
    let close = (bits + more) as usize / 8;
    let count = end.checked_sub(first)? + 1;
    let whole = rest as u8 == b':' && text.get(at + close) == Some(&b']');
    (whole && count <= u32::from(Reg::MAX_COUNT) && end <= u32::from(last)).then_some((
        first as u8,
        count as u8,
        close + 1,
    ))
}

/// Returns the first eight bytes of a text, filled up with zeros.
#[cfg(test)]
pub(super) fn first_bytes(text: &str) -> u64 {
    let mut room = [0; 32];
    room[..text.len()].copy_from_slice(text.as_bytes());
    load(&room, 0)
}

#[cfg(test)]
mod tests {
    use super::{digits_bound, find_blank, first_bytes, load, numbered, parse_decimal, parse_hex, parse_small};

    #[test]
    fn other_text_than_registers_is_refused() {
        for text in ["", "05", "256", "5x", "5_", "5@", "[5]", "[5:4]", "[ 4:5]", "[4:5", "[0:32]", "[04:5]", "[4:256]"]
        {
            assert_eq!(numbered(text.as_bytes(), 255), None, "{text}");
        }
        assert_eq!(numbered(b"[0:31]", 255), Some((0, 32, 6)));
        assert_eq!(numbered(b"[224:255]", 255), Some((224, 32, 9)));
        assert_eq!(numbered(b"255", 255), Some((255, 1, 3)));
    }

    #[test]
    fn bytes_beyond_the_end_are_zero() {
        let text = b"0123456789";
        for len in 8..=text.len() {
            for at in 0..14 {
                let mut bytes = [0; 8];
                for (to, from) in bytes.iter_mut().zip(text[..len].iter().skip(at)) {
                    *to = *from;
                }
                assert_eq!(load(&text[..len], at), u64::from_le_bytes(bytes), "{at} of {len}");
            }
        }
    }

    #[test]
    fn numbers_end_where_digits_do() {
        for (text, value) in [
            ("0", Some((0, 8))),
            ("7,", Some((7, 8))),
            ("10]", Some((10, 16))),
            ("255 x", Some((255, 24))),
            ("65535", Some((65535, 40))),
            ("9999999/", Some((9_999_999, 56))),
            ("12345678", None),
            ("01", None),
            ("", None),
            ("x1", None),
            (":1", None),
            ("1\u{80}", Some((1, 8))),
            ("\u{fa}0", None),
        ] {
            assert_eq!(parse_decimal(first_bytes(text)), value, "{text}");
        }
        for n in 0..=999 {
            let text = std::format!("{n},");
            for last in [0, 9, 64, 99, 105, 255] {
                let fits = n <= u32::from(last);
                let parsed = parse_small(first_bytes(&std::format!("v{text}")) as u32, digits_bound(last));
                assert_eq!(parsed, fits.then_some((n, text.len() as u32 * 8)), "{n} up to {last}");
            }
        }
        for text in ["", "v", "v01", "v00", "vx", "v,", "v\u{fa}", "v\u{b1}", "v256", "v999"] {
            assert_eq!(parse_small(first_bytes(text) as u32, digits_bound(255)), None, "{text}");
        }
        assert_eq!(parse_small(first_bytes("v0") as u32, 0), None);
        assert_eq!(parse_small(first_bytes("v1000") as u32, digits_bound(255)), Some((100, 32)));
        for n in 0..10_000_000u32 {
            if n % 997 == 0 {
                let text = std::format!("{n}:");
                assert_eq!(parse_decimal(first_bytes(&text)), Some((n, text.len() as u32 * 8 - 8)));
            }
        }
    }

    #[test]
    fn hexadecimal_digits_are_of_both_cases() {
        for (text, value) in [
            ("1Fg", Some((31, 2))),
            ("ffffffff", Some((u32::MAX, 8))),
            ("100000000", None),
            ("12345678g", Some((0x1234_5678, 8))),
            ("x", None),
            ("", None),
            ("/:@GA`g", None),
        ] {
            assert_eq!(parse_hex(std::format!("0x{text}\0\0\0\0\0\0\0\0").as_bytes(), 2), value, "{text}");
        }
        for byte in 0..=u8::MAX {
            for at in 0..8 {
                let mut text = *b"89abCDeF........";
                text[at] = byte;
                let digits = text[..8].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
                let value =
                    core::str::from_utf8(&text[..digits]).ok().and_then(|text| u32::from_str_radix(text, 16).ok());
                assert_eq!(parse_hex(&text, 0), value.map(|value| (value, digits)), "{byte} at {at}");
            }
        }
    }

    #[test]
    fn blanks_end_words() {
        for (text, at) in [(" ", 0), ("a b", 8), ("v_add_f3", 64), ("abc\tde f", 24), ("a\u{e9} ", 24), ("a!", 16)] {
            assert_eq!(find_blank(first_bytes(text)), at, "{text}");
        }
    }
}
