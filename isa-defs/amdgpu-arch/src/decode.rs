//! Decoding in loops that know the set, and the error of words that are not an instruction.

use std::error::Error;
use std::fmt;

use isa::MAX_DWORDS;

use crate::Wave;
use crate::instr::{Instr, InstructionSet};

/// Why words are not an instruction of the set.
#[derive(Debug)]
pub enum DecodeError {
    /// They are of the encoding with this name, which the set has and no crate reads.
    Outside(&'static str),
    /// Anything else.
    Wrong {
        /// The reason in words.
        why: Box<dyn Error + Send + Sync>,
        /// The instruction they would be, but for a field that should be unused: LLVM prints it all the same.
        noncanonical: Option<Instr>,
    },
}

impl DecodeError {
    pub(crate) fn new<S: InstructionSet>(error: isa::DecodeError<S>, word: u32, wave: Wave) -> Self {
        // A format that the crate reads speaks for itself.
        if matches!(error, isa::DecodeError::UnknownFormat { .. })
            && let Some((name, _)) = S::encoding(word)
        {
            return Self::Outside(name);
        }
        let noncanonical = error.noncanonical().map(|instr| S::wrap(instr, wave));
        Self::Wrong { why: Box::new(error), noncanonical }
    }

    /// The instruction that the words are, but for a field that should be unused.
    pub fn noncanonical(&self) -> Option<Instr> {
        match self {
            Self::Wrong { noncanonical, .. } => *noncanonical,
            Self::Outside(_) => None,
        }
    }
}

impl Error for DecodeError {}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside(name) => write!(f, "{name} is an encoding that is not read"),
            Self::Wrong { why, .. } => why.fmt(f),
        }
    }
}

/// Decodes the first instruction of `bytes` with the fast decoder. Returns it and its size in bytes; `None` if the fast decoder
/// declines it, or if fewer bytes than the longest instruction has are left.
#[inline(always)]
pub fn decode_fast<S: InstructionSet>(wave: Wave, bytes: &[u8]) -> Option<(Instr, usize)> {
    let bytes: &[u8; 4 * MAX_DWORDS] = bytes.first_chunk()?;
    let (low, third) = (bytes.first_chunk()?, bytes.last_chunk()?);
    let (instr, dwords) = S::decode_fast(u64::from_le_bytes(*low), u32::from_le_bytes(*third), S::mode(wave))?;
    Some((S::wrap(instr, wave), 4 * dwords))
}

/// Decodes the first instruction of `bytes`, which are not empty. Returns it or the error, and the number of bytes to skip: the
/// whole instruction if it is non-canonical or of an encoding outside the crate, else a dword, or what is left of one.
#[inline(never)]
pub fn item<S: InstructionSet>(wave: Wave, bytes: &[u8]) -> (Result<Instr, DecodeError>, usize) {
    let (words, have) = isa::Cursor::new(bytes).peek();
    let (result, dwords) = match isa::decode::<S>(&words[..have], S::mode(wave)) {
        Ok((instr, dwords)) => (Ok(S::wrap(instr, wave)), dwords),
        Err(error) => {
            let dwords = dwords_to_skip::<S>(&error, words[0], wave);
            (Err(DecodeError::new::<S>(error, words[0], wave)), dwords)
        }
    };
    (result, (dwords * 4).min(bytes.len()))
}

/// Returns the dwords of what [`isa::decode`] refuses, which may be more than are left: the whole instruction if it is non-canonical or
/// of an encoding outside the crate, else 1. `word` is the first one.
pub fn dwords_to_skip<S: InstructionSet>(error: &isa::DecodeError<S>, word: u32, wave: Wave) -> usize {
    if let Some(instr) = error.noncanonical() {
        return S::wrap(instr, wave).size() / 4;
    }
    let is_outside = matches!(error, isa::DecodeError::UnknownFormat { .. });
    S::encoding(word).filter(|_| is_outside).map_or(1, |(_, dwords)| dwords)
}
