//! The error of a run, and notes.

use std::io::{self, Write as _};

/// The reason why a run fails.
#[derive(Debug)]
pub enum Failure {
    /// The reader of the output has closed the pipe: the run ends without a message.
    ClosedPipe,
    /// One line for the user; exit status 1.
    Message(String),
}

impl Failure {
    /// Creates a failure with the name of the file.
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

/// Writes a note on standard error.
pub fn note(text: impl std::fmt::Display) {
    let style = anstyle::AnsiColor::Cyan.on_default().bold();
    // Nobody is left to be told when standard error is closed.
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{style}note:{style:#} {text}");
}

/// Writes an error to standard error.
pub fn show(message: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    // Nobody is left to be told when standard error is closed too.
    let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{style}error:{style:#} {message}");
}
