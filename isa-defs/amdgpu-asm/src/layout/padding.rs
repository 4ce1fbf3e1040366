//! The bytes of fills and alignments.

/// `s_nop 0` of every instruction set here, with which LLVM pads code.
const S_NOP: i64 = 0xbf80_0000;

/// How an alignment is padded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Padding {
    /// With `s_nop 0` in code and zeros elsewhere.
    Default,
    /// With this value of this many bytes.
    Value(i64, usize),
}

/// The size of a padding is not a multiple of the size of its value.
pub const UNEVEN_PADDING: &str = "the size of the padding is not a multiple of the size of its value";

impl Padding {
    /// Checks that a whole number of values fills this many bytes.
    pub fn check(self, bytes: u64) -> Result<(), &'static str> {
        match self {
            Self::Value(_, size) if !bytes.is_multiple_of(size as u64) => Err(UNEVEN_PADDING),
            Self::Value(..) | Self::Default => Ok(()),
        }
    }
}

/// Appends `value`, of `size` bytes, `count` times.
pub fn fill(bytes: &mut Vec<u8>, count: u64, size: usize, value: i64) {
    let added = count as usize * size;
    let end = bytes.len() + added;
    let pattern = value.to_le_bytes();
    if size == 1 || value == 0 {
        bytes.resize(end, pattern[0]);
        return;
    }
    let one = pattern.iter().copied().chain(std::iter::repeat(0)).take(size);
    bytes.reserve(added);
    while bytes.len() < end && size > 0 {
        bytes.extend(one.clone());
    }
}

/// Appends `missing` bytes of padding.
pub fn pad(bytes: &mut Vec<u8>, missing: u64, padding: Padding, is_code: bool) {
    match padding {
        Padding::Value(value, size) => {
            let size = size.max(1) as u64;
            fill(bytes, missing / size, size as usize, value);
            fill(bytes, missing % size, 1, 0);
        }
        Padding::Default if is_code => {
            fill(bytes, missing % 4, 1, 0);
            fill(bytes, missing / 4, 4, S_NOP);
        }
        Padding::Default => fill(bytes, missing, 1, 0),
    }
}
