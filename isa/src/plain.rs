//! Operands as nearly all texts have them, registers with plain numbers and small integers, read without a call.
//!
//! What is read so need not be right: it may be the wrong registers for the operand. A line that is no legal instruction
//! when some of it was read so is read again without this, by the kinds of its operands, which say what is wrong.

/// What a kind of operand takes in its plainest form, wherever the operand stands in forms without a tail that text
/// chooses.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// Rows with one of these words have something else here.
    pub unless: u128,
    /// Files whose registers have numbers: the letter, the code of the first and the highest number.
    pub files: &'static [(u8, u32, u8)],
    /// The code of 0 and the highest number, where small integers have codes of their own.
    pub integers: Option<(u32, u8)>,
}

impl Plain {
    /// Nothing.
    pub const NONE: Plain = Plain { unless: 0, files: &[], integers: None };

    /// The code of what comes next, and how many bytes it takes; `dwords` is what the operand holds, or 0 where whole
    /// registers are not meant.
    #[inline(always)]
    pub(crate) fn read(&self, text: &[u8], dwords: u8, words: u128) -> Option<(u32, usize)> {
        let (letter, rest) = text.split_first()?;
        if words & self.unless != 0 {
            return None;
        }
        if letter.is_ascii_digit() {
            let (zero, last) = self.integers?;
            let (number, rest) = number(text, last)?;
            // Anything else may go on with the number.
            return matches!(rest, [] | [b',', ..]).then_some((zero + u32::from(number), text.len() - rest.len()));
        }
        let (_, base, last) = self.files.iter().find(|(file, ..)| file == letter)?;
        let (first, count, length) = numbered(rest, *last)?;
        (count == dwords).then_some((base + u32::from(first), 1 + length))
    }
}

/// The most registers that an operand has.
const MOST: u8 = 32;

/// The number of a register, `5`, or a range of them, `[4:5]`, behind the letter of their file, up to `last`: the first,
/// how many, and how many bytes are taken. `None` for everything else, everything wrong, and blanks.
///
/// ```
/// assert_eq!(isa::numbered(b"[4:7], v1", 255), Some((4, 4, 5)));
/// assert_eq!(isa::numbered(b"12, v1", 255), Some((12, 1, 2)));
/// assert_eq!(isa::numbered(b"12.l", 255), None);
/// ```
#[inline]
#[must_use]
pub fn numbered(text: &[u8], last: u8) -> Option<(u8, u8, usize)> {
    let (first, end, rest) = match text {
        [b'[', range @ ..] => {
            let (first, rest) = number(range, last)?;
            let (end, rest) = number(rest.strip_prefix(b":")?, last)?;
            (first, end, rest.strip_prefix(b"]")?)
        }
        one => {
            let (first, rest) = number(one, last)?;
            let goes_on = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$');
            if rest.first().is_some_and(goes_on) {
                return None;
            }
            (first, first, rest)
        }
    };
    let more = end.checked_sub(first).filter(|more| *more < MOST)?;
    Some((first, more + 1, text.len() - rest.len()))
}

/// A number in decimal up to `last`, and what follows it. A zero before other digits would make it octal in places.
#[inline]
fn number(text: &[u8], last: u8) -> Option<(u8, &[u8])> {
    let (mut number, mut rest) = (0, text);
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        number = number * 10 + u16::from(digit - b'0');
        if number > u16::from(last) {
            return None;
        }
        rest = after;
    }
    let digits = text.len() - rest.len();
    (digits == 1 || digits > 1 && text.first() != Some(&b'0')).then_some((number as u8, rest))
}

#[cfg(test)]
mod tests {
    use super::{Plain, numbered};

    #[test]
    fn whatever_is_not_plain_is_left_to_others() {
        for text in ["", "05", "256", "5x", "5_", "[5]", "[5:4]", "[ 4:5]", "[4:5", "[0:32]", "[04:5]", "[4:256]"] {
            assert_eq!(numbered(text.as_bytes(), 255), None, "{text}");
        }
        assert_eq!(numbered(b"[0:31]", 255), Some((0, 32, 6)));
        let plain = Plain { unless: 2, files: &[(b'v', 256, 255), (b's', 0, 105)], integers: Some((128, 64)) };
        for (text, code) in [("v7", 263), ("s105, 1", 105), ("64", 192), ("0, v1", 128)] {
            assert_eq!(plain.read(text.as_bytes(), 1, 1).map(|(code, _)| code), Some(code), "{text}");
            assert_eq!(plain.read(text.as_bytes(), 1, 2), None, "{text}");
        }
        for text in ["s106", "65", "1+2", "1 + 2", "1.0", "0x1", "v[0:1]", "-1", "vcc"] {
            assert_eq!(plain.read(text.as_bytes(), 1, 0), None, "{text}");
        }
        assert_eq!(plain.read(b"v[0:1]", 2, 0), Some((256, 6)));
    }
}
