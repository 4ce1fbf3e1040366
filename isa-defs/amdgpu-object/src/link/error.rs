//! Why an object cannot be linked.

use std::fmt;

use crate::error::WriteError;
use crate::model::RelocationKind;

/// Why [`write_code_object`](crate::write_code_object) cannot link an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkError {
    /// The object is not sound.
    Object(WriteError),
    /// Relocations refer to symbols that are not defined.
    Undefined {
        /// Their names, each once, in the order of the object's symbols.
        names: Vec<String>,
    },
    /// Two symbols that are not local have one name.
    Duplicate {
        /// The name.
        name: String,
    },
    /// A relocation cannot be applied.
    Relocation {
        /// The name of the relocated section.
        section: String,
        /// The relocated place, in bytes from the beginning of the section.
        offset: u64,
        /// The type.
        kind: RelocationKind,
        /// The symbol or section that it refers to.
        target: String,
        /// Why it cannot.
        reason: &'static str,
    },
    /// A section cannot be linked.
    Section {
        /// Its name.
        name: String,
        /// Why it cannot.
        reason: &'static str,
    },
    /// The code object would be larger than a file or the address space may be.
    TooLarge {
        /// The message: it names the part that is too large.
        reason: String,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(error) => error.fmt(f),
            Self::Undefined { names } if names.len() == 1 => write!(f, "the symbol `{}` is undefined", names[0]),
            Self::Undefined { names } => write!(f, "the symbols `{}` are undefined", names.join("`, `")),
            Self::Duplicate { name } => write!(f, "the symbol `{name}` is defined twice"),
            Self::Relocation { section, offset, kind, target, reason } => {
                write!(f, "relocation `{}` against `{target}` at `{section}+0x{offset:x}` {reason}", kind.name())
            }
            Self::Section { name, reason } => write!(f, "section `{name}` {reason}"),
            Self::TooLarge { reason } => write!(f, "the code object is too large: {reason}"),
        }
    }
}

impl std::error::Error for LinkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Object(error) => Some(error),
            _ => None,
        }
    }
}
