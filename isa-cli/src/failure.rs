//! How a run ends when it cannot do what was asked.

use std::io;

/// Why a run stops early.
#[derive(Debug)]
pub enum Failure {
    /// The reader of our output is gone: no error of ours, and nobody to tell.
    ClosedPipe,
    /// One line for the user; exit status 1.
    Message(String),
}

impl Failure {
    /// A failure that names the file it is about.
    pub fn about(file: &str, message: impl std::fmt::Display) -> Self {
        Self::Message(format!("{file}: {message}"))
    }
}

/// Errors of *writing*; a failed read names its file, so it goes through [`Failure::about`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Message(format!("the output cannot be written: {error}"))
        }
    }
}
