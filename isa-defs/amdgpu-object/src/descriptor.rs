//! Kernel descriptors: the 64 bytes that tell a GPU how to start a kernel.

mod settings;
mod value;

use std::fmt;

pub use settings::{Directive, KernelSettings};
pub use value::{FloatDenormMode, FloatRoundMode, SettingValue};

/// Why a kernel descriptor cannot be made of its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DescriptorError {
    /// A value does not fit its field.
    OutOfRange {
        /// The directive that sets the field.
        directive: Directive,
        /// The value.
        value: i128,
        /// The largest value that is valid.
        max: u64,
    },
    /// The processor has no such field.
    Unsupported {
        /// The directive without `.amdhsa_`.
        directive: &'static str,
        /// Which processors have it.
        reason: &'static str,
    },
    /// No directive of LLVM has this name.
    Unknown {
        /// The directive in the source.
        name: String,
    },
    /// More user SGPRs are enabled than the kernel counts.
    UserSgprCount {
        /// The value of `.amdhsa_user_sgpr_count`.
        count: u32,
        /// The number of enabled user SGPRs.
        enabled: u32,
    },
    /// A kernel of wave size 32 has shared VGPRs.
    SharedVgprsInWave32,
    /// A kernel has more VGPRs than there are, together with the shared ones.
    SharedVgprs {
        /// The value of `.amdhsa_shared_vgpr_count`.
        shared: u32,
        /// The granulated number of VGPRs.
        granulated: u32,
    },
}

impl fmt::Display for DescriptorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange { directive, value, max } => {
                write!(f, "`.amdhsa_{directive}` is {value}, which is not in 0 to {max}")
            }
            Self::Unsupported { directive, reason } => write!(f, "`.amdhsa_{directive}` {reason}"),
            Self::Unknown { name } => write!(f, "`{name}` is not a directive of a kernel descriptor"),
            Self::UserSgprCount { count, enabled } => {
                write!(f, "`.amdhsa_user_sgpr_count` is {count}, and {enabled} user SGPRs are enabled")
            }
            Self::SharedVgprsInWave32 => write!(f, "`.amdhsa_shared_vgpr_count` needs a wave size of 64"),
            Self::SharedVgprs { shared, granulated } => write!(
                f,
                "2 * `.amdhsa_shared_vgpr_count` + granulated VGPRs is 2 * {shared} + {granulated}, which exceeds 63"
            ),
        }
    }
}

impl std::error::Error for DescriptorError {}

/// A word of a kernel descriptor that holds fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Word {
    /// `GROUP_SEGMENT_FIXED_SIZE`, 32 bits at byte 0.
    GroupSegmentSize,
    /// `PRIVATE_SEGMENT_FIXED_SIZE`, 32 bits at byte 4.
    PrivateSegmentSize,
    /// `KERNARG_SIZE`, 32 bits at byte 8.
    KernargSize,
    /// `COMPUTE_PGM_RSRC3`, 32 bits at byte 44.
    Rsrc3,
    /// `COMPUTE_PGM_RSRC1`, 32 bits at byte 48.
    Rsrc1,
    /// `COMPUTE_PGM_RSRC2`, 32 bits at byte 52.
    Rsrc2,
    /// `KERNEL_CODE_PROPERTIES`, 16 bits at byte 56.
    Properties,
}

impl Word {
    /// All words, in the order of their addresses.
    pub const ALL: [Self; 7] = [
        Self::GroupSegmentSize,
        Self::PrivateSegmentSize,
        Self::KernargSize,
        Self::Rsrc3,
        Self::Rsrc1,
        Self::Rsrc2,
        Self::Properties,
    ];

    /// The byte of the descriptor at which the word begins.
    #[must_use]
    pub const fn offset(self) -> usize {
        match self {
            Self::GroupSegmentSize => 0,
            Self::PrivateSegmentSize => 4,
            Self::KernargSize => 8,
            Self::Rsrc3 => 44,
            Self::Rsrc1 => 48,
            Self::Rsrc2 => 52,
            Self::Properties => 56,
        }
    }

    /// Its size in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        if matches!(self, Self::Properties) { 2 } else { 4 }
    }
}

/// The bits of a word that hold a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Field {
    /// The word.
    pub word: Word,
    /// The field's lowest bit.
    pub shift: u32,
    /// Its number of bits, 1 to 32.
    pub width: u32,
}

impl Field {
    /// The bits `shift` to `shift + width - 1` of `word`.
    #[must_use]
    pub const fn new(word: Word, shift: u32, width: u32) -> Self {
        Self { word, shift, width }
    }

    /// The largest value that the field holds.
    #[must_use]
    pub const fn max(self) -> u32 {
        u32::MAX >> (32 - self.width)
    }
}

/// `GRANULATED_WORKITEM_VGPR_COUNT`.
const VGPR_COUNT: Field = Field::new(Word::Rsrc1, 0, 6);

/// `GRANULATED_WAVEFRONT_SGPR_COUNT`: 0 on processors that give each wave all SGPRs.
const SGPR_COUNT: Field = Field::new(Word::Rsrc1, 6, 4);

/// `USER_SGPR_COUNT`.
const USER_SGPR_COUNT: Field = Field::new(Word::Rsrc2, 1, 5);

/// A kernel descriptor of gfx11: 64 bytes at the symbol `NAME.kd` of a kernel `NAME`.
///
/// [`KernelSettings`] makes one, and [`KernelDescriptor::from_bytes`] reads one. A function of the name of each `.amdhsa_*`
/// directive returns its field.
///
/// # Examples
/// ```
/// use amdgpu_object::{KernelDescriptor, KernelSettings};
///
/// let settings = KernelSettings {
///     next_free_vgpr: 17,
///     kernarg_size: 24,
///     user_sgpr_kernarg_segment_ptr: true,
///     ..KernelSettings::wave32()
/// };
/// let mut descriptor = settings.descriptor()?;
/// descriptor.set_entry_offset(0x1000);
/// let bytes = descriptor.to_bytes();
///
/// let read = KernelDescriptor::from_bytes(&bytes);
/// assert_eq!(read.vgpr_count(), 24); // allocated by eights in wave32
/// assert_eq!(read.user_sgpr_count(), 2);
/// assert!(read.wavefront_size32() && read.user_sgpr_kernarg_segment_ptr());
/// # Ok::<(), amdgpu_object::DescriptorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias = "kernel_descriptor_t")]
pub struct KernelDescriptor {
    bytes: [u8; Self::SIZE],
}

impl KernelDescriptor {
    /// The size of a descriptor in bytes.
    pub const SIZE: usize = 64;

    /// The alignment of a descriptor in bytes.
    pub const ALIGN: u64 = 64;

    /// The byte of a descriptor at which the entry's offset begins: `KERNEL_CODE_ENTRY_BYTE_OFFSET`.
    pub const ENTRY_OFFSET: usize = 16;

    /// A descriptor whose bytes are all 0.
    const ZERO: Self = Self { bytes: [0; Self::SIZE] };

    /// Reads a descriptor. Every sequence of 64 bytes is one; reserved bits are kept.
    #[must_use]
    pub const fn from_bytes(bytes: &[u8; Self::SIZE]) -> Self {
        Self { bytes: *bytes }
    }

    /// Returns the bytes of the descriptor.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; Self::SIZE] {
        self.bytes
    }

    /// Returns the distance of the kernel's first instruction from the descriptor, in bytes.
    #[must_use]
    pub fn entry_offset(&self) -> i64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.bytes[Self::ENTRY_OFFSET..][..8]);
        i64::from_le_bytes(bytes)
    }

    /// Sets the distance of the kernel's first instruction from the descriptor, in bytes.
    ///
    /// A relocatable object leaves it 0 and has a relocation of kind
    /// [`Rel64`](crate::RelocationKind::Rel64) at [`ENTRY_OFFSET`](Self::ENTRY_OFFSET), whose addend is that offset.
    pub fn set_entry_offset(&mut self, bytes: i64) {
        self.bytes[Self::ENTRY_OFFSET..][..8].copy_from_slice(&bytes.to_le_bytes());
    }

    /// Returns a whole word.
    #[must_use]
    pub fn word(&self, word: Word) -> u32 {
        let mut bytes = [0; 4];
        bytes[..word.size()].copy_from_slice(&self.bytes[word.offset()..][..word.size()]);
        u32::from_le_bytes(bytes)
    }

    /// Returns the value of a field.
    #[must_use]
    pub fn field(&self, field: Field) -> u32 {
        self.word(field.word) >> field.shift & field.max()
    }

    /// Sets a field to the low bits of `value`.
    fn set_field(&mut self, field: Field, value: u32) {
        let mask = field.max() << field.shift;
        let word = self.word(field.word) & !mask | value << field.shift & mask;
        let size = field.word.size();
        self.bytes[field.word.offset()..][..size].copy_from_slice(&word.to_le_bytes()[..size]);
    }

    /// Returns the number of VGPRs that a wave is allocated: a multiple of 8 in wave32, of 4 in wave64.
    #[must_use]
    pub fn vgpr_count(&self) -> u32 {
        (self.field(VGPR_COUNT) + 1) * vgpr_granule(self.wavefront_size32())
    }

    /// Returns the number of SGPRs that hold pointers and sizes which the settings `user_sgpr_*` enable, from s0.
    #[must_use]
    pub fn user_sgpr_count(&self) -> u32 {
        self.field(USER_SGPR_COUNT)
    }

    /// Returns the granulated number of SGPRs, which is 0 for gfx11: each wave has all SGPRs.
    #[must_use]
    pub fn granulated_sgpr_count(&self) -> u32 {
        self.field(SGPR_COUNT)
    }
}

/// The number of VGPRs that are counted as one in a descriptor, on gfx10 and gfx11.
#[must_use]
pub const fn vgpr_granule(wavefront_size32: bool) -> u32 {
    if wavefront_size32 { 8 } else { 4 }
}

#[cfg(test)]
mod tests;
