//! Why an assembler cannot make an object.

use std::fmt;

use crate::descriptor::DescriptorError;
use crate::model::RelocationKind;

use super::Label;

/// Why [`Assembler::finish`](crate::Assembler::finish) cannot make an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AssembleError {
    /// A label is referred to and not bound, or is another assembler's.
    Unbound {
        /// The label.
        label: Label,
    },
    /// A label is bound twice.
    BoundTwice {
        /// The label.
        label: Label,
    },
    /// A branch or distance refers to a label in another section.
    OtherSection {
        /// The label.
        label: Label,
    },
    /// A branch is out of range and has no far form.
    OutOfRange {
        /// The label that it goes to.
        label: Label,
        /// The distance from the end of the branch in dwords.
        dwords: i64,
    },
    /// A branch goes to a label that is not at a multiple of four bytes.
    Misaligned {
        /// The label.
        label: Label,
    },
    /// A pair of registers cannot hold an address: one of them cannot be written.
    Pair {
        /// The number of the first register.
        first: u8,
    },
    /// An alignment is not a power of two.
    Alignment {
        /// The alignment in bytes.
        align: u64,
    },
    /// A symbol is defined twice.
    DefinedTwice {
        /// Its name.
        name: String,
    },
    /// A fixup refers to a symbol that the assembler does not have.
    NoSymbol {
        /// The symbol's index.
        index: usize,
    },
    /// A relocation cannot fill the last dword of an instruction: it fills another number of bytes, or there are no dwords.
    Literal {
        /// The relocation type.
        kind: RelocationKind,
    },
    /// A function or kernel begins within another one.
    Nested {
        /// Its name.
        name: String,
    },
    /// A function or kernel is not finished.
    Unfinished {
        /// Its name.
        name: String,
    },
    /// A function or kernel ends in another section than it begins in.
    EndsElsewhere {
        /// Its name.
        name: String,
    },
    /// A function or kernel ends that has not begun.
    NotBegun,
    /// The metadata of a kernel names the descriptor of another one, so that no loader finds the kernel.
    MetadataSymbol {
        /// The kernel's name.
        kernel: String,
        /// The symbol in the metadata.
        symbol: String,
    },
    /// The descriptor of a kernel cannot be made.
    Descriptor {
        /// The kernel's name.
        kernel: String,
        /// Why.
        error: DescriptorError,
    },
    /// The code is larger than branches and addresses of RDNA3 reach.
    TooLarge,
}

impl fmt::Display for AssembleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unbound { label: Label(nth) } => write!(f, "label {nth} is not bound"),
            Self::BoundTwice { label: Label(nth) } => write!(f, "label {nth} is bound twice"),
            Self::OtherSection { label: Label(nth) } => write!(f, "label {nth} is in another section"),
            Self::OutOfRange { label: Label(nth), dwords } => {
                write!(f, "the branch to label {nth} goes {dwords} dwords far and has no far form")
            }
            Self::Misaligned { label: Label(nth) } => {
                write!(f, "the branch to label {nth} goes to no multiple of four bytes")
            }
            Self::Pair { first } => write!(f, "the registers {first} and {} cannot hold an address", first + 1),
            Self::Alignment { align } => write!(f, "the alignment {align} is not a power of two"),
            Self::DefinedTwice { name } => write!(f, "the symbol `{name}` is defined twice"),
            Self::NoSymbol { index } => write!(f, "a fixup refers to symbol {index}, which does not exist"),
            Self::Literal { kind } => write!(f, "`{}` does not fill the last dword of an instruction", kind.name()),
            Self::Nested { name } => write!(f, "`{name}` begins within another function"),
            Self::Unfinished { name } => write!(f, "`{name}` does not end"),
            Self::EndsElsewhere { name } => write!(f, "`{name}` ends in another section than it begins in"),
            Self::MetadataSymbol { kernel, symbol } => {
                write!(f, "the metadata of kernel `{kernel}` names the symbol `{symbol}`, not `{kernel}.kd`")
            }
            Self::NotBegun => f.write_str("a function ends that has not begun"),
            Self::Descriptor { kernel, error } => write!(f, "the descriptor of kernel `{kernel}`: {error}"),
            Self::TooLarge => f.write_str("the code is larger than 2 GiB"),
        }
    }
}

impl std::error::Error for AssembleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Descriptor { error, .. } => Some(error),
            _ => None,
        }
    }
}
