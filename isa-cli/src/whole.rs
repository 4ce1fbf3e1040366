//! Functions over a whole code object or program in memory, for fuzz targets and tests of damaged files. No interface
//! for others.

use std::io::Write;

use amdgpu_arch::{Arch, Reader, Wave};

use crate::asm;
use crate::dis;
use crate::failure::Failure;

/// Writes both listings of an ELF file for any processor. Returns whether every word was read.
///
/// # Errors
/// The file cannot be read; the message is one line.
pub fn listings(bytes: &[u8], out: &mut (impl Write + Send)) -> Result<bool, String> {
    dis::listings(bytes, out).map_err(said)
}

/// Assembles a program for RDNA3 and writes its listing or its diagnostics. Returns whether it has no errors.
///
/// # Errors
/// The output cannot be written.
pub fn program(source: &str, wave64: bool, out: &mut impl Write) -> Result<bool, String> {
    let wave = if wave64 { Wave::W64 } else { Wave::W32 };
    asm::whole(source, Reader::new(Arch::Rdna3, wave), out).map_err(|error| said(error.into()))
}

fn said(failure: Failure) -> String {
    match failure {
        Failure::Message(message) => message,
        Failure::ClosedPipe => "the output is closed".into(),
    }
}
