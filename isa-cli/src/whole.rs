//! Functions over a whole code object in memory, for fuzz targets and tests of damaged files. No interface for others.

use std::io::Write;

use crate::dis;
use crate::failure::Failure;

/// Writes both listings of an ELF file for any processor. Returns whether every word was read.
///
/// # Errors
/// The file cannot be read; the message is one line.
pub fn listings(bytes: &[u8], out: &mut (impl Write + Send)) -> Result<bool, String> {
    dis::listings(bytes, out).map_err(said)
}

fn said(failure: Failure) -> String {
    match failure {
        Failure::Message(message) => message,
        Failure::ClosedPipe => "the output is closed".into(),
    }
}
