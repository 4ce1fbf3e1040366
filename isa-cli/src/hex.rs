//! Bytes as hex digits in memory order, two each, no blanks: the form of the `--hex` lines and the tsv column.

use std::fmt;

/// Appends `bytes` in lower case.
pub fn push(out: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in bytes {
        out.extend_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
}

/// The eight digits of a number in upper case, all at once: a listing has millions of them.
#[inline]
pub fn upper(number: u32) -> [u8; 8] {
    // A digit in the low half of each byte, the highest first in memory.
    let mut digits = u64::from(number.swap_bytes());
    digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff;
    digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff;
    digits = (digits >> 4 | digits << 8) & 0x0f0f_0f0f_0f0f_0f0f;
    // One in each byte whose digit is a letter.
    let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    (digits + 0x3030_3030_3030_3030 + letters * u64::from(b'A' - b'9' - 1)).to_le_bytes()
}

/// Why a line is not a row of bytes.
#[derive(Debug, PartialEq, Eq)]
pub enum HexError {
    /// Nothing but blanks.
    Empty,
    /// An odd number of digits.
    Odd(usize),
    /// Something else than a hex digit, at this column (from 1).
    Digit { column: usize, byte: u8 },
    /// More bytes than asked for.
    Long { bytes: usize, room: usize },
}

impl fmt::Display for HexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => {
                write!(f, "the line is empty; an instruction's bytes in hex belong here")
            }
            Self::Odd(digits) => {
                write!(f, "the line holds {digits} hex digits, and a byte takes two")
            }
            Self::Digit { column, byte } => {
                write!(f, "'{}' in column {column} is not a hex digit", byte.escape_ascii())
            }
            Self::Long { bytes, room } => {
                write!(f, "the line holds {bytes} bytes, and no instruction has more than {room}")
            }
        }
    }
}

/// Reads a line of hex into `room` and says how many bytes it held. Blanks around the digits do not count.
pub fn parse(line: &[u8], room: &mut [u8]) -> Result<usize, HexError> {
    let digits = line.trim_ascii();
    if digits.is_empty() {
        return Err(HexError::Empty);
    }
    let indent = line.len() - line.trim_ascii_start().len();
    let bad = |at: usize| HexError::Digit { column: indent + at + 1, byte: digits[at] };
    if let Some(at) = digits.iter().position(|b| !b.is_ascii_hexdigit()) {
        return Err(bad(at));
    }
    if digits.len() % 2 == 1 {
        return Err(HexError::Odd(digits.len()));
    }
    let bytes = digits.len() / 2;
    if bytes > room.len() {
        return Err(HexError::Long { bytes, room: room.len() });
    }
    for (i, (byte, pair)) in room.iter_mut().zip(digits.chunks_exact(2)).enumerate() {
        let high = value(pair[0]).ok_or_else(|| bad(2 * i))?;
        let low = value(pair[1]).ok_or_else(|| bad(2 * i + 1))?;
        *byte = high << 4 | low;
    }
    Ok(bytes)
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Vec<u8>, HexError> {
        let mut room = [0; 4];
        parse(line.as_bytes(), &mut room).map(|n| room[..n].to_vec())
    }

    #[test]
    fn reads_both_cases_and_outer_blanks() {
        assert_eq!(parsed(" 00Ffa9\r"), Ok(vec![0, 0xff, 0xa9]));
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(parsed(""), Err(HexError::Empty));
        assert_eq!(parsed(" \t"), Err(HexError::Empty));
        assert_eq!(parsed("123"), Err(HexError::Odd(3)));
        assert_eq!(parsed(" 1g"), Err(HexError::Digit { column: 3, byte: b'g' }));
        assert_eq!(parsed("12 34"), Err(HexError::Digit { column: 3, byte: b' ' }));
        assert_eq!(parsed("0000000000"), Err(HexError::Long { bytes: 5, room: 4 }));
        assert!(parsed("0x12").unwrap_err().to_string().contains("'x' in column 2"));
    }

    #[test]
    fn writes_memory_order() {
        let mut out = Vec::new();
        push(&mut out, &[0x00, 0x0f, 0xb0, 0xbf]);
        assert_eq!(out, b"000fb0bf");
    }

    #[test]
    fn digits_at_once() {
        for number in [0, 0x9a, 0x1234_5678, 0x9abc_def0, 0xa0b9_0f99, u32::MAX] {
            assert_eq!(upper(number), *format!("{number:08X}").as_bytes());
        }
    }
}
