//! Bytes as hex digits in memory order, two for each byte, without blanks; and instructions in the forms in which other programs print
//! their bytes ([`instr`]).

use std::error::Error;
use std::fmt;

use isa::UnusedField;

use crate::{DecodeError, Instr, MAX_DWORDS, Reader};

/// Appends bytes in lower case.
#[inline]
pub fn push(out: &mut Vec<u8>, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in bytes {
        out.extend_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
}

/// Returns the eight digits of a number in upper case, computed all at once: a listing has millions of them.
#[inline]
#[must_use]
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
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HexError {
    /// Nothing but blanks.
    Empty,
    /// An odd number of digits.
    Odd(usize),
    /// Something else than a hex digit, at this column (from 1).
    Digit {
        /// The column.
        column: usize,
        /// What is there.
        byte: u8,
    },
    /// More bytes than asked for.
    Long {
        /// The number of bytes.
        bytes: usize,
        /// The number of bytes asked for.
        room: usize,
    },
    /// A number that is neither a byte nor a dword, at this column (from 1).
    Width {
        /// The column.
        column: usize,
        /// The number of digits.
        digits: usize,
    },
    /// Bytes and dwords in one line.
    Mixed,
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
            Self::Width { column, digits } => {
                write!(
                    f,
                    "the number in column {column} has {digits} digits; help: separate bytes of 2 digits or dwords of 8, or write \
                     all bytes in memory order without separators"
                )
            }
            Self::Mixed => f.write_str("the line holds bytes and dwords"),
        }
    }
}

impl Error for HexError {}

/// Reads a line of hex into `room`, and returns how many bytes it held. Blanks around the digits do not count.
///
/// # Errors
/// The line has another form, or more bytes than `room`.
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

/// Reads an instruction into `room` and returns its size in bytes. Besides digits without separators it may be written as other
/// programs print it: bytes of two digits, or dwords of eight, with `0x` or not, separated by blanks or commas, in brackets or not,
/// and after the text that a comment begins with (`// 000000001500: BE8800FF 000493E0`, `; encoding: [0x00,0x00,0xb0,0xbf]`).
///
/// # Errors
/// The line has another form, or more bytes than `room`.
pub fn parse_instruction(line: &[u8], room: &mut [u8]) -> Result<usize, HexError> {
    match parse(line, room) {
        Err(HexError::Digit { .. }) => {}
        outcome => return outcome,
    }
    // The address, or `encoding`.
    let begin = line.iter().rposition(|byte| *byte == b':').map_or(0, |colon| colon + 1);
    let outside = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'[' | b']' | b'{' | b'}');
    let first = line[begin..].iter().position(|byte| !outside(byte)).map_or(line.len(), |at| begin + at);
    let end = line.iter().rposition(|byte| !outside(byte) && *byte != b',').map_or(first, |last| last + 1).max(first);
    let (mut size, mut width, mut at) = (0, None, first);
    for number in line[first..end].split(|byte| *byte == b',' || byte.is_ascii_whitespace()) {
        let column = at + 1;
        at += number.len() + 1;
        if number.is_empty() {
            continue;
        }
        let digits = number.strip_prefix(b"0x").or(number.strip_prefix(b"0X")).unwrap_or(number);
        let prefix = number.len() - digits.len();
        if let Some(at) = digits.iter().position(|byte| !byte.is_ascii_hexdigit()) {
            return Err(HexError::Digit { column: column + prefix + at, byte: digits[at] });
        }
        if !matches!(digits.len(), 2 | 8) {
            return Err(HexError::Width { column, digits: digits.len() });
        }
        if *width.get_or_insert(digits.len()) != digits.len() {
            return Err(HexError::Mixed);
        }
        let mut bytes = [0; 4];
        let count = parse(digits, &mut bytes)?;
        // The first byte in memory is the low byte of a dword.
        bytes[..count].reverse();
        if let Some(to) = room.get_mut(size..size + count) {
            to.copy_from_slice(&bytes[..count]);
        }
        size += count;
    }
    match size {
        0 => Err(HexError::Empty),
        _ if size > room.len() => Err(HexError::Long { bytes: size, room: room.len() }),
        _ => Ok(size),
    }
}

/// The instructions that a line of hex may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// Those that encoding writes.
    Canonical,
    /// Those without reserved codes.
    Decodable,
    /// Those with reserved codes, too.
    ReservedCodes,
}

/// Why a line of hex is not an instruction.
#[derive(Debug)]
#[non_exhaustive]
pub enum HexInstrError {
    /// It is not a row of bytes.
    Hex(HexError),
    /// This number of bytes is not one of whole dwords.
    Size(usize),
    /// The bytes are not an instruction.
    Decode(DecodeError),
    /// A field that the instruction does not use holds something else than encoding writes.
    Unused(UnusedField),
    /// Bytes follow the instruction.
    Rest {
        /// The instruction.
        instr: Instr,
        /// The number of bytes of the line.
        size: usize,
    },
}

impl fmt::Display for HexInstrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hex(error) => error.fmt(f),
            Self::Size(size) => write!(f, "the line holds {size} bytes, and instructions are made of 4-byte words"),
            Self::Decode(error) => error.fmt(f),
            Self::Unused(field) => write!(f, "non-canonical {field}"),
            Self::Rest { instr, size } => {
                write!(f, "`{instr}` ends after {} of the line's {size} bytes", instr.size())
            }
        }
    }
}

impl Error for HexInstrError {}

/// Reads a line of hex, which must consist of one instruction. [`parse_instruction`] lists the forms of it.
///
/// # Errors
/// The line is not one whole instruction of those that `accept` names.
pub fn instr(line: &[u8], reader: Reader, accept: Accept) -> Result<Instr, HexInstrError> {
    let mut bytes = [0; 4 * MAX_DWORDS];
    let size = parse_instruction(line, &mut bytes).map_err(HexInstrError::Hex)?;
    if size % 4 != 0 {
        return Err(HexInstrError::Size(size));
    }
    let mut words = [0; MAX_DWORDS];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let instr = match reader.decode(&words[..size / 4]) {
        Ok((instr, _)) => instr,
        Err(error) => match error.noncanonical() {
            Some(instr) if accept == Accept::ReservedCodes => instr,
            _ => return Err(HexInstrError::Decode(error)),
        },
    };
    if let Some(unused) = instr.unused_field().filter(|_| accept == Accept::Canonical) {
        return Err(HexInstrError::Unused(unused));
    }
    if instr.size() < size {
        return Err(HexInstrError::Rest { instr, size });
    }
    Ok(instr)
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
    use crate::{Arch, Wave};

    fn text(line: &str) -> Result<String, String> {
        let reader = Reader::new(Arch::Rdna3, Wave::W32);
        let instr = instr(line.as_bytes(), reader, Accept::Decodable);
        instr.map(|instr| instr.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_is_one_whole_instruction() {
        assert_eq!(text("0000b0bf").as_deref(), Ok("s_endpgm"));
        assert_eq!(text("00000000").as_deref(), Ok("v_illegal"));
        let error = text("0000b0bf0000b0bf").unwrap_err();
        assert_eq!(error, "`s_endpgm` ends after 4 of the line's 8 bytes");
        assert!(text("000003f4").is_err(), "the second dword is missing");
        assert!(text("0000b0").unwrap_err().contains("3 bytes"));
        assert!(text("").unwrap_err().contains("empty"));
        assert!(text(&"00".repeat(13)).unwrap_err().contains("13 bytes"));
    }

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
    fn instructions_are_read_as_other_programs_print_them() {
        let bytes = Ok(vec![0xff, 0x00, 0x36, 0xd5, 0x01, 0x05, 0x02, 0x00]);
        let parsed = |line: &str| {
            let mut room = [0; 8];
            parse_instruction(line.as_bytes(), &mut room).map(|n| room[..n].to_vec())
        };
        for line in [
            "ff0036d501050200",
            "0xff,0x00,0x36,0xd5,0x01,0x05,0x02,0x00",
            "0xff 0x00 0x36 0xd5 0x01 0x05 0x02 0x00",
            "[0xff,0x00,0x36,0xd5,0x01,0x05,0x02,0x00]",
            "{ 0xFF, 0x00, 0x36, 0xD5, 0x01, 0x05, 0x02, 0x00, },",
            " ff 00 36 d5\t01 05 02 00\r",
            "0xd53600ff, 0x00020501",
            "d53600ff 00020501",
            "// 000000001508: D53600FF 00020501",
            "; encoding: [0xff,0x00,0x36,0xd5,0x01,0x05,0x02,0x00]",
        ] {
            assert_eq!(parsed(line), bytes, "{line}");
        }
        assert_eq!(parsed("0x7f043902"), Ok(vec![0x02, 0x39, 0x04, 0x7f]));
        assert_eq!(parsed("7f043902"), Ok(vec![0x7f, 0x04, 0x39, 0x02]));
        for empty in ["", "[]", "0x0 :", ", ,", "[", "]", ":", "[,"] {
            assert_eq!(parsed(empty), Err(HexError::Empty), "{empty}");
        }
        assert_eq!(parsed("0x7f,0xff,0x1g"), Err(HexError::Digit { column: 14, byte: b'g' }));
        assert_eq!(parsed("[ff -1]"), Err(HexError::Digit { column: 5, byte: b'-' }));
        assert_eq!(parsed("7f04 3902"), Err(HexError::Width { column: 1, digits: 4 }));
        assert_eq!(parsed("0xff 0x"), Err(HexError::Width { column: 6, digits: 0 }));
        assert_eq!(parsed("ff 0x00020501"), Err(HexError::Mixed));
        assert_eq!(parsed("0xd53600ff 0x00020501 0x0"), Err(HexError::Width { column: 23, digits: 1 }));
        assert_eq!(parsed("0xd53600ff 0x00020501 0x00000000"), Err(HexError::Long { bytes: 12, room: 8 }));
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
