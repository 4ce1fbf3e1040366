//! Status codes and errors.

use std::ffi::CString;

/// The result of a function.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_status {
    /// Success.
    Ok = 0,
    /// A required pointer is NULL.
    NullPointer = 1,
    /// An argument has a value that it cannot have.
    InvalidArgument = 2,
    /// The size of a struct is not one that this version of the library knows.
    Version = 3,
    /// An index is at or past the end.
    OutOfRange = 4,
    /// The name of a set, a processor or a target is unknown or not supported.
    UnknownTarget = 5,
    /// Words are not an instruction.
    Decode = 6,
    /// A line of text is not an instruction.
    Parse = 7,
    /// An instruction breaks a rule between its operands.
    Illegal = 8,
    /// A program has errors, which its diagnostics describe, or its output cannot be written.
    Assembly = 9,
    /// A file is not what it should be.
    Format = 10,
    /// A file cannot be read.
    Io = 11,
    /// A kernel cannot be launched.
    Launch = 12,
    /// A kernel has ended with a fault.
    Fault = 13,
    /// A kernel has not ended within the timeout.
    Timeout = 14,
    /// The caller has stopped a kernel.
    Stopped = 15,
    /// The library has a bug.
    Internal = 16,
}

/// An error: a status with a message. Free it with `isa_error_free`.
#[derive(Debug)]
pub struct isa_error {
    pub(crate) status: isa_status,
    pub(crate) message: CString,
    pub(crate) help: Option<CString>,
    pub(crate) file: Option<CString>,
    pub(crate) line: u64,
    pub(crate) column: u64,
}

/// Why a function fails: an error before it is given to the caller.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub status: isa_status,
    pub message: String,
    pub help: Option<String>,
    pub file: Option<String>,
    pub line: usize,
    pub column: usize,
}

impl Failure {
    pub fn new(status: isa_status, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), help: None, file: None, line: 0, column: 0 }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(isa_status::InvalidArgument, message)
    }

    pub fn format(error: impl std::fmt::Display) -> Self {
        Self::new(isa_status::Format, error.to_string())
    }

    pub fn into_error(self) -> isa_error {
        isa_error {
            status: self.status,
            message: c_string(self.message),
            help: self.help.map(c_string),
            file: self.file.map(c_string),
            line: self.line as u64,
            column: self.column as u64,
        }
    }
}

/// Converts text for C: bytes that are 0 are replaced by blanks.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> CString {
    let mut bytes = text.into();
    bytes.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
    CString::new(bytes).unwrap_or_default()
}
