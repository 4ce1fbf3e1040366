//! What is wrong with a part of a file.

use std::fmt;

use crate::path::Path;

/// Why a part of a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A part ends past the end of what holds it.
    Truncated {
        /// The part.
        part: String,
        /// Where it should end, in bytes from the start of what holds it; `None` if it has no end.
        end: Option<u64>,
        /// Where what holds it ends.
        have: u64,
    },
    /// The version of a format is unknown.
    Version {
        /// The version.
        version: u32,
    },
    /// The method of compression is unknown.
    Method {
        /// The number of the method.
        method: u16,
    },
    /// The header claims more bytes than the compressed ones can expand to.
    Claim {
        /// The claimed number of bytes.
        claimed: u64,
        /// The number of compressed bytes.
        compressed: u64,
    },
    /// The decompressed bytes exceed a limit.
    TooLarge {
        /// The claimed number of bytes.
        claimed: u64,
        /// The limit in bytes: [`Limits::stream_bytes`](crate::Limits::stream_bytes) or what is left of
        /// [`Limits::total_bytes`](crate::Limits::total_bytes).
        limit: u64,
    },
    /// The compressed bytes are damaged.
    Stream {
        /// The message of the decompressor.
        message: String,
    },
    /// The bytes expand to another number of bytes than the header claims.
    Size {
        /// The claimed number of bytes.
        claimed: u64,
        /// How many there are; one more than claimed if there are more.
        found: u64,
    },
    /// Containers are nested more deeply than [`Limits::depth`](crate::Limits::depth).
    Depth {
        /// The limit.
        limit: usize,
    },
    /// The parts of the file are larger together than the file: they overlap. The rest of the file is not read.
    Overlap,
    /// A host program, object or archive is damaged.
    Host {
        /// The message of the reader.
        message: String,
    },
    /// The members of a thin archive are other files.
    ThinArchive,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { part, end: Some(end), have } => {
                write!(f, "{} should end at byte {end}, and there are {have} bytes", part.escape_debug())
            }
            Self::Truncated { part, end: None, have } => {
                write!(f, "{} does not fit into {have} bytes", part.escape_debug())
            }
            Self::Version { version } => write!(f, "version {version} of the format is unknown"),
            Self::Method { method } => write!(f, "compression method {method} is unknown; 0 is zlib, 1 is zstd"),
            Self::Claim { claimed, compressed } => {
                write!(f, "the header claims {claimed} bytes, which {compressed} compressed bytes cannot hold")
            }
            Self::TooLarge { claimed, limit } => write!(f, "{claimed} decompressed bytes exceed the limit of {limit}"),
            Self::Stream { message } => write!(f, "the compressed bytes are damaged: {message}"),
            Self::Size { claimed, found } => {
                write!(
                    f,
                    "the header claims {claimed} bytes, and the compressed bytes expand to {}{found}",
                    if found > claimed { "at least " } else { "" }
                )
            }
            Self::Depth { limit } => write!(f, "containers are nested more than {limit} deep"),
            Self::Overlap => f.write_str("the parts of the file overlap"),
            Self::Host { message } => write!(f, "{message}"),
            Self::ThinArchive => f.write_str("a thin archive, whose members are other files"),
        }
    }
}

impl std::error::Error for Reason {}

/// A part of a file that cannot be read, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// What holds the part.
    pub path: Path,
    /// Where it begins, in bytes from the start of what holds it: of the section or member, of the decompressed bundle, else of the
    /// file.
    pub offset: u64,
    /// What is wrong.
    pub reason: Reason,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.0.is_empty() {
            write!(f, "{} ", self.path)?;
        }
        write!(f, "at byte {}: {}", self.offset, self.reason)
    }
}

impl std::error::Error for Damage {}
