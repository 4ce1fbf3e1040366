//! What kernels print.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use amdgpu_dispatch::{Printed, Stream};

/// Writes what kernels print to the standard streams, and keeps the first error.
pub struct Printer {
    error: Mutex<Option<io::Error>>,
    is_stdout_reserved: bool,
}

impl Printer {
    /// A printer to both streams, or to standard error alone if standard output is for a document.
    pub fn new(is_stdout_reserved: bool) -> Self {
        Self { error: Mutex::default(), is_stdout_reserved }
    }

    /// Writes what a work-group has printed.
    pub fn print(&self, printed: &[Printed]) {
        let mut error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        if error.is_none() {
            *error = write(printed, self.is_stdout_reserved).err();
        }
    }

    /// Returns the first error.
    ///
    /// # Errors
    /// A text could not be written.
    pub fn finish(self) -> io::Result<()> {
        self.error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// Writes texts in their order, with one system call for each run of texts to the same stream.
fn write(printed: &[Printed], is_stdout_reserved: bool) -> io::Result<()> {
    for texts in printed.chunk_by(|a, b| a.stream == b.stream) {
        let bytes: Vec<u8> = texts.iter().flat_map(|printed| &printed.text).copied().collect();
        match texts.first().map(|printed| printed.stream) {
            Some(Stream::Stdout) if is_stdout_reserved => io::stderr().lock().write_all(&bytes)?,
            Some(Stream::Stderr) => io::stderr().lock().write_all(&bytes)?,
            _ => {
                let mut out = io::stdout().lock();
                out.write_all(&bytes)?;
                out.flush()?;
            }
        }
    }
    Ok(())
}
