//! The place of an image in a file.

use std::fmt;

use crate::method::Method;

/// Something that holds images.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Container {
    /// A section of a host program, library or object.
    Section {
        /// Its name.
        name: String,
    },
    /// A member of an archive.
    Member {
        /// Its name.
        name: String,
    },
    /// An offload bundle of clang.
    Bundle {
        /// Its number in the file or section, from 1; offload binaries are counted, too.
        number: usize,
        /// How it is compressed.
        compression: Option<Compression>,
    },
    /// An offload binary of LLVM.
    OffloadBinary {
        /// Its number in the file or section, from 1; bundles are counted, too.
        number: usize,
        /// The version of its format.
        version: u32,
        /// How it is compressed.
        compression: Option<Compression>,
    },
    /// An entry of a bundle or offload binary that holds a container itself.
    Entry {
        /// Its ID.
        id: String,
    },
}

/// How a container is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compression {
    /// The method.
    pub method: Method,
    /// The version of the format of a compressed bundle; 0 for offload binaries.
    pub version: u16,
    /// The compressed bytes, without the header.
    pub compressed: u64,
    /// The bytes that they expand to.
    pub size: u64,
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Section { name } => write!(f, "section {}", name.escape_debug()),
            Self::Member { name } => write!(f, "member {}", name.escape_debug()),
            Self::Bundle { number, compression: None } => write!(f, "bundle {number}"),
            Self::Bundle { number, .. } => write!(f, "compressed bundle {number}"),
            Self::OffloadBinary { number, compression: None, .. } => write!(f, "offload binary {number}"),
            Self::OffloadBinary { number, .. } => write!(f, "compressed offload binary {number}"),
            Self::Entry { id } => write!(f, "entry {}", id.escape_debug()),
        }
    }
}

/// The containers around an image, from the outermost on. It is empty for a file that is an image itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Path(pub Vec<Container>);

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, container) in self.0.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{container}")?;
        }
        Ok(())
    }
}
