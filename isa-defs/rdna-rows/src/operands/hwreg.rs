//! Hardware registers as S_GETREG and S_SETREG name them (guide §3.4), and the version word of S_VERSION.

use amdgpu_operands::Llvm;
#[cfg(feature = "parse")]
use isa::class::constant_bits;
#[cfg(feature = "parse")]
use isa::class::expression::{in_range, with_names};
#[cfg(feature = "parse")]
use isa::{Asm, ParseError};
use isa::{Code, Cx, Text};

use super::{__CALL_HWREGISTER, __CALL_RDNA4HWREGISTER, CODE_VERSION_BITS, CODE_VERSIONS, HwRegister, Rdna4HwRegister};
use crate::Generation;

/// Registers that can only be read: the bases of the memory apertures and where the wave runs.
pub(crate) const READ_ONLY: [u8; 3] = [15, 23, 24];

/// As [`READ_ONLY`], of RDNA4: the status, snapshots of the performance, where the wave runs, and its clock.
pub(crate) const RDNA4_READ_ONLY: [u8; 11] = [2, 10, 11, 12, 15, 16, 23, 24, 28, 29, 30];

/// The register that can only be written: it empties the instruction buffers.
const WRITE_ONLY: u8 = 14;

impl HwRegister {
    /// Whether reading it gives something.
    #[must_use]
    pub const fn can_be_read(self) -> bool {
        self.id != WRITE_ONLY
    }

    /// Whether some program, a trap handler at least, can write it.
    #[must_use]
    pub fn can_be_written(self) -> bool {
        !READ_ONLY.contains(&self.id)
    }

    /// The register's name, if it has one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        __CALL_HWREGISTER.name_of(self.into_code())
    }
}

impl Rdna4HwRegister {
    /// Whether some program, a trap handler at least, can write it.
    #[must_use]
    pub fn can_be_written(self) -> bool {
        !RDNA4_READ_ONLY.contains(&self.id)
    }

    /// The register's name, if it has one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        __CALL_RDNA4HWREGISTER.name_of(self.into_code())
    }
}

/// Writes a version: a generation in the low byte and flags at the top.
pub(super) fn write_version<I: Generation>(_: &Cx<'_, I>, code: u32, out: &mut Text) {
    let is_set = |bit: u16| code & u32::from(bit) != 0;
    let known = CODE_VERSION_BITS.iter().fold(0xff, |all, (bit, _)| all | u32::from(*bit));
    if code & !known != 0 {
        return out.hex(code);
    }
    // Each `|` but the last is closed in parentheses with the terms before it.
    let bits = CODE_VERSION_BITS.iter().filter(|(bit, _)| is_set(*bit)).count();
    for _ in 1..bits {
        out.push_ascii(b'(');
    }
    match CODE_VERSIONS.iter().find(|(version, _)| u32::from(*version) == code & 0xff) {
        Some((_, name)) => out.push(name),
        None => out.dec(code & 0xff),
    }
    for (nth, (_, name)) in CODE_VERSION_BITS.iter().filter(|(bit, _)| is_set(*bit)).enumerate() {
        out.push_ascii(b'|');
        out.push(name);
        if nth + 1 < bits {
            out.push_ascii(b')');
        }
    }
}

/// Reads a version: an expression that may have the names of generations and of flags.
#[cfg(feature = "parse")]
pub(super) fn read_version<I: Generation>(asm: &mut Asm<'_, '_, I>) -> Result<Option<u32>, ParseError> {
    let start = asm.input.at();
    let forced = asm.input.peek_word().starts_with("lit");
    let value = if forced { constant_bits::<I, Llvm>(asm)? } else { with_names(asm, version_bits)? };
    in_range(asm, start, value, -0x8000, 0xffff, "the version has 16 bits").map(Some)
}

/// The bits that a name of a generation or of a flag stands for.
fn version_bits(name: &str) -> Option<i64> {
    let version = CODE_VERSIONS.iter().find(|(_, n)| *n == name).map(|(version, _)| i64::from(*version));
    version.or_else(|| CODE_VERSION_BITS.iter().find(|(_, n)| *n == name).map(|(bit, _)| i64::from(*bit)))
}
