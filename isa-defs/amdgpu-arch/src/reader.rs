//! Parsing and decoding in a set that is chosen at run time.

use isa::{Deferred, ParseError, Symbols};

use crate::decode::DecodeError;
use crate::instr::{Instr, InstructionSet};
use crate::set::Arch;
use crate::{Wave, with_set};

/// Reads one instruction set in one wave size.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    arch: Arch,
    wave: Wave,
}

impl Reader {
    /// Creates a reader.
    pub fn new(arch: Arch, wave: Wave) -> Self {
        Self { arch, wave }
    }

    /// Parses an instruction.
    pub fn parse(self, text: &str) -> Result<Instr, ParseError> {
        with_set!(self.arch, S => parse::<S>(text, self.wave))
    }

    /// Parses an instruction whose operands may name symbols. Returns it and the field that depends on a symbol.
    pub fn parse_with_symbols(
        self,
        text: &str,
        symbols: &dyn Symbols,
    ) -> Result<(Instr, Option<Deferred>), ParseError> {
        let wave = self.wave;
        with_set!(self.arch, S => isa::parse_with_symbols::<S>(text, S::mode(wave).into(), symbols)
            .map(|(instr, deferred)| (S::wrap(instr, wave), deferred)))
    }

    /// Returns the wave size.
    pub fn wave(self) -> Wave {
        self.wave
    }

    /// Returns the instruction set.
    pub fn arch(self) -> Arch {
        self.arch
    }

    /// Decodes the first instruction of `words`. Returns it and its length in dwords.
    pub fn decode(self, words: &[u32]) -> Result<(Instr, usize), DecodeError> {
        let wave = self.wave;
        with_set!(self.arch, S => match isa::decode::<S>(words, S::mode(wave)) {
            Ok((instr, dwords)) => Ok((S::wrap(instr, wave), dwords)),
            Err(error) => Err(DecodeError::new::<S>(error, words.first().copied().unwrap_or(0), wave)),
        })
    }
}

/// Returns the first two bytes of a branch over this number of dwords, the same for all branches: see [`Instr::branch`].
pub fn branch_bytes(dwords: i16) -> [u8; 2] {
    dwords.to_le_bytes()
}

/// The instruction of the set `S` that `text` holds: see [`Reader::parse`].
#[inline(always)]
pub fn parse<S: InstructionSet>(text: &str, wave: Wave) -> Result<Instr, ParseError> {
    isa::parse::<S>(text, S::mode(wave).into()).map(|instr| S::wrap(instr, wave))
}

/// Parses the first line of `text` with the fast parser. Returns the instruction and the offset of the next line; `None` if the
/// fast parser declines the line, which may still be valid.
#[inline(always)]
pub fn parse_line_fast<S: InstructionSet>(text: &str, wave: Wave) -> Option<(Instr, usize)> {
    isa::parse_line_fast::<S>(text, S::mode(wave).into()).map(|(instr, end)| (S::wrap(instr, wave), end))
}
