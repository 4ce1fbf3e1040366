//! The arguments of a kernel: checked against its metadata, and placed in memory.

use amdgpu_object::{HiddenArguments, Kernel, ValueKind};

use crate::space::Buffer;

/// An explicit argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// The address of a buffer.
    Buffer(Buffer),
    /// LDS of this many bytes, whose address the kernel gets.
    Lds(u32),
    /// A value: its bytes in memory.
    Value(Vec<u8>),
}

/// Why arguments do not fit a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentError {
    /// Their number.
    Count {
        /// How many there are.
        given: usize,
        /// How many the kernel has.
        expected: usize,
    },
    /// The size of a value.
    Size {
        /// The index of the argument.
        index: usize,
        /// Its size in bytes.
        given: usize,
        /// The size that the kernel expects.
        expected: u32,
    },
    /// The kind of an argument.
    Kind {
        /// The index of the argument.
        index: usize,
        /// The kind that is given.
        given: &'static str,
        /// The kind that the kernel expects, as metadata spells it.
        expected: &'static str,
    },
    /// The metadata places an argument outside of the memory of arguments.
    Outside {
        /// The index of the argument.
        index: usize,
    },
    /// The memory of arguments is too large.
    Large {
        /// Its size in bytes.
        bytes: u32,
    },
    /// The kernel has an argument that nothing here can provide.
    Unsupported {
        /// The index of the argument.
        index: usize,
        /// Its kind, as metadata spells it.
        kind: &'static str,
    },
}

impl std::fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Count { given, expected } => {
                let plural = |n| if n == 1 { "" } else { "s" };
                write!(f, "the kernel has {expected} argument{}, and {given} are given", plural(*expected))
            }
            Self::Size { index, given, expected } => {
                write!(f, "argument {index} has {given} bytes, and the kernel expects {expected}")
            }
            Self::Kind { index, given, expected } => {
                write!(f, "argument {index} is {given}, and the kernel expects `{expected}`")
            }
            Self::Outside { index } => write!(f, "argument {index} is outside of the memory of arguments"),
            Self::Large { bytes } => {
                write!(f, "the arguments have {bytes} bytes; at most {MAX_KERNARG} fit")
            }
            Self::Unsupported { index, kind } => write!(f, "argument {index} is `{kind}`, which is not supported"),
        }
    }
}

impl std::error::Error for ArgumentError {}

/// The memory of the arguments of a dispatch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernarg {
    /// Its contents.
    pub bytes: Vec<u8>,
    /// The size of a work-group's LDS in bytes: the kernel's own, and after it that of arguments and of the dispatch.
    pub lds_bytes: u32,
}

/// The largest memory of arguments in bytes.
const MAX_KERNARG: u32 = 1 << 20;

/// LDS that arguments point to begins at multiples of this.
const LDS_ALIGN: u32 = 16;

/// Places arguments in memory as the kernel's metadata says. Without metadata each is at the next multiple of its size.
///
/// `hidden.dynamic_lds_size` is the size of the LDS that the dispatch adds after that of arguments.
///
/// # Errors
/// The arguments do not fit the kernel.
pub fn place_arguments(
    kernel: &Kernel,
    arguments: &[Argument],
    hidden: &HiddenArguments,
) -> Result<Kernarg, ArgumentError> {
    let size = kernel.metadata.as_ref().map_or(0, |metadata| metadata.kernarg_segment_size);
    let size = size.max(kernel.descriptor.kernarg_size());
    if size > MAX_KERNARG {
        return Err(ArgumentError::Large { bytes: size });
    }
    let mut kernarg =
        Kernarg { bytes: vec![0; size as usize], lds_bytes: kernel.descriptor.group_segment_fixed_size() };
    match &kernel.metadata {
        Some(metadata) => {
            let expected = metadata.explicit_arguments().count();
            if expected != arguments.len() {
                return Err(ArgumentError::Count { given: arguments.len(), expected });
            }
            for (index, (argument, expected)) in arguments.iter().zip(metadata.explicit_arguments()).enumerate() {
                let bytes = kernarg.argument(index, argument, expected)?;
                kernarg.put(index, expected.offset as usize, &bytes)?;
            }
            metadata.write_hidden_arguments(&mut kernarg.bytes, hidden);
        }
        None => {
            let mut next = 0_usize;
            for (index, argument) in arguments.iter().enumerate() {
                let bytes = match argument {
                    Argument::Buffer(buffer) => buffer.address.to_le_bytes().to_vec(),
                    Argument::Lds(size) => kernarg.add_lds(*size, LDS_ALIGN).to_le_bytes().to_vec(),
                    Argument::Value(bytes) => bytes.clone(),
                };
                let start = next.next_multiple_of(bytes.len().next_power_of_two().clamp(1, 16));
                kernarg.put(index, start, &bytes)?;
                next = start + bytes.len();
            }
        }
    }
    kernarg.lds_bytes = kernarg.lds_bytes.saturating_add(hidden.dynamic_lds_size);
    Ok(kernarg)
}

impl Kernarg {
    fn put(&mut self, index: usize, start: usize, bytes: &[u8]) -> Result<(), ArgumentError> {
        let end = start.saturating_add(bytes.len());
        self.bytes.get_mut(start..end).ok_or(ArgumentError::Outside { index })?.copy_from_slice(bytes);
        Ok(())
    }

    /// Adds LDS; returns its address.
    fn add_lds(&mut self, size: u32, align: u32) -> u32 {
        let start = self.lds_bytes.checked_next_multiple_of(align.max(1)).unwrap_or(u32::MAX);
        self.lds_bytes = start.saturating_add(size);
        start
    }

    /// Returns the bytes of an argument that has metadata.
    fn argument(
        &mut self,
        index: usize,
        argument: &Argument,
        expected: &amdgpu_object::Argument,
    ) -> Result<Vec<u8>, ArgumentError> {
        let kind = |given| ArgumentError::Kind { index, given, expected: expected.value_kind.name() };
        // An image or a sampler is the address of its descriptor.
        let value_kind = match expected.value_kind {
            ValueKind::Image | ValueKind::Sampler => ValueKind::GlobalBuffer,
            other => other,
        };
        let bytes = match (argument, value_kind) {
            (Argument::Buffer(buffer), ValueKind::GlobalBuffer) => buffer.address.to_le_bytes().to_vec(),
            (Argument::Lds(size), ValueKind::DynamicSharedPointer) => {
                let align = expected.pointee_align.unwrap_or(LDS_ALIGN).max(LDS_ALIGN);
                self.add_lds(*size, align).to_le_bytes().to_vec()
            }
            (Argument::Value(bytes), ValueKind::ByValue) => bytes.clone(),
            // An address as a number: a null pointer, say.
            (Argument::Value(bytes), ValueKind::GlobalBuffer) if bytes.len() == 8 => bytes.clone(),
            (Argument::Buffer(_), ValueKind::ByValue | ValueKind::DynamicSharedPointer) => {
                return Err(kind("a buffer"));
            }
            (Argument::Lds(_), ValueKind::ByValue | ValueKind::GlobalBuffer) => return Err(kind("local memory")),
            (Argument::Value(_), ValueKind::GlobalBuffer | ValueKind::DynamicSharedPointer) => {
                return Err(kind("a value"));
            }
            (_, other) => return Err(ArgumentError::Unsupported { index, kind: other.name() }),
        };
        let given = bytes.len();
        if given != expected.size as usize {
            return Err(ArgumentError::Size { index, given, expected: expected.size });
        }
        Ok(bytes)
    }
}
