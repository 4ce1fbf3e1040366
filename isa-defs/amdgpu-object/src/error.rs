//! Why an object cannot be written.

use std::fmt;

/// Why [`write_object`](crate::write_object) cannot write an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// A name holds a NUL byte, which ends names in an ELF file.
    NameWithNul {
        /// The name.
        name: String,
    },
    /// The alignment of a section or a symbol is neither 0 nor a power of two.
    Alignment {
        /// The name of the section or symbol.
        name: String,
        /// Its alignment in bytes.
        align: u64,
    },
    /// The size of a section differs from the length of its contents, or a section of type `SHT_NOBITS` has contents.
    Size {
        /// The section's name.
        section: String,
        /// The size that it declares, in bytes.
        size: u64,
        /// The length of its contents in bytes.
        len: u64,
    },
    /// Something refers to a section that the object does not have.
    NoSection {
        /// The name of the symbol, section or group that refers to it.
        user: String,
        /// The index of the section.
        index: usize,
    },
    /// A relocation refers to a symbol that the object does not have.
    NoSymbol {
        /// The name of the relocated section.
        section: String,
        /// The index of the symbol.
        index: usize,
    },
    /// A section is a member of two groups.
    TwoGroups {
        /// The section's name.
        section: String,
    },
    /// A symbol of type [`SymbolType::File`](crate::SymbolType::File) is not local or not absolute.
    FileSymbol {
        /// The symbol's name.
        name: String,
    },
    /// There are more sections, symbols or bytes of names than ELF can count.
    TooLarge {
        /// The message of the writer of ELF files.
        reason: String,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameWithNul { name } => write!(f, "the name `{}` holds a NUL byte", name.escape_debug()),
            Self::Alignment { name, align } => {
                write!(f, "the alignment of `{name}` is {align}, which is not a power of two")
            }
            Self::Size { section, size, len } => {
                write!(f, "section `{section}` declares {size} bytes and holds {len}")
            }
            Self::NoSection { user, index } => write!(f, "`{user}` refers to section {index}, which does not exist"),
            Self::NoSymbol { section, index } => {
                write!(f, "a relocation in section `{section}` refers to symbol {index}, which does not exist")
            }
            Self::TwoGroups { section } => write!(f, "section `{section}` is a member of two groups"),
            Self::FileSymbol { name } => write!(f, "file symbol `{name}` has to be local and absolute"),
            Self::TooLarge { reason } => write!(f, "the object is too large for an ELF file: {reason}"),
        }
    }
}

impl std::error::Error for WriteError {}
