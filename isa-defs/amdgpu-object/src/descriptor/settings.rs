//! The table of `.amdhsa_*` directives, and the descriptor that they make.

use std::fmt;

use super::value::{FloatDenormMode, FloatRoundMode, SettingValue};
use super::{DescriptorError, Field, KernelDescriptor, USER_SGPR_COUNT, VGPR_COUNT, Word, vgpr_granule};
use crate::processor::Family;

/// Defines [`Directive`], [`KernelSettings`] and the getters of [`KernelDescriptor`] from the rows of a table.
///
/// A row is: name of the directive without `.amdhsa_`, variant, type, default, largest value, whether the assembler may compute
/// the value after the block, field (if the directive sets one), and documentation.
macro_rules! settings {
    ($($name:ident $variant:ident: $ty:ty = $default:expr, max $max:expr, $deferred:literal
        $(, $word:ident [$shift:literal; $width:literal])? $(, only $family:ident)?; $doc:literal;)+) => {
        /// A directive of an `.amdhsa_kernel` block that gfx11 or gfx12 supports.
        ///
        /// Its text, without `.amdhsa_`, is its [`Display`](fmt::Display).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Directive {
            $(#[doc = concat!("`.amdhsa_", stringify!($name), "`: ", $doc)] $variant,)+
        }

        impl Directive {
            /// All directives that gfx11 or gfx12 supports.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Returns the directive's name without `.amdhsa_`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($name),)+
                }
            }

            /// Returns the only family that supports the directive; `None` if all do.
            #[must_use]
            pub const fn only_family(self) -> Option<Family> {
                match self {
                    $(Self::$variant => {
                        let family: &[Family] = &[$(Family::$family)?];
                        if family.is_empty() { None } else { Some(family[0]) }
                    })+
                }
            }

            /// Returns the field on processors of the first family that has it.
            const fn first_field(self) -> Option<Field> {
                match self {
                    $(Self::$variant => {
                        let field: &[Field] = &[$(Field::new(Word::$word, $shift, $width))?];
                        if field.is_empty() { None } else { Some(field[0]) }
                    })+
                }
            }

            /// Returns the largest valid value on processors of the first family that has the directive.
            const fn first_max(self) -> u64 {
                match self {
                    $(Self::$variant => $max,)+
                }
            }

            /// Returns whether the value may refer to symbols that are defined after the block, as in LLVM.
            #[must_use]
            pub const fn is_deferred(self) -> bool {
                match self {
                    $(Self::$variant => $deferred,)+
                }
            }
        }

        /// The settings of a kernel descriptor: a field for each `.amdhsa_*` directive.
        ///
        /// [`KernelSettings::wave32`] and [`KernelSettings::wave64`] have LLVM's defaults. A setting that the family of the processor
        /// lacks has no effect.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct KernelSettings {
            /// The family of the processor, which decides where the fields are.
            pub family: Family,
            $(#[doc = concat!($doc, "\n\n`.amdhsa_", stringify!($name), "`, at most ", stringify!($max),
                "; the default is `", stringify!($default), "`.")]
            pub $name: $ty,)+
        }

        impl KernelSettings {
            /// The settings of a block without directives in a program of wave size 32.
            const DEFAULT: Self = Self { family: Family::Gfx11, $($name: $default,)+ };

            /// Sets the field of a directive of an `.amdhsa_kernel` block.
            ///
            /// # Errors
            /// [`DescriptorError::OutOfRange`] if the value does not fit the field.
            pub fn set(&mut self, directive: Directive, value: i64) -> Result<(), DescriptorError> {
                let max = directive.max(self.family);
                let error = DescriptorError::OutOfRange { directive, value: value.into(), max };
                match directive {
                    $(Directive::$variant => {
                        let bits = u64::try_from(value).ok().filter(|bits| *bits <= max);
                        let bits = bits.and_then(|bits| u32::try_from(bits).ok());
                        self.$name = bits.and_then(SettingValue::from_bits).ok_or(error)?;
                    })+
                }
                Ok(())
            }

            /// Returns the value of a directive.
            #[must_use]
            pub fn get(&self, directive: Directive) -> u32 {
                match directive {
                    $(Directive::$variant => self.$name.to_bits(),)+
                }
            }
        }

        /// The fields, by the name of the directive that sets each.
        impl KernelDescriptor {
            $($(
                #[doc = concat!($doc, "\n\nBits from ", stringify!($shift), " of [`Word::", stringify!($word), "`], ",
                    stringify!($width), " wide: `.amdhsa_", stringify!($name), "`.")]
                #[must_use]
                pub fn $name(&self) -> $ty {
                    const DEFAULT: $ty = $default;
                    let bits = self.field(Field::new(Word::$word, $shift, $width));
                    SettingValue::from_bits(bits).unwrap_or(DEFAULT)
                }
            )?)+
        }
    };
}

settings! {
    group_segment_fixed_size GroupSegmentFixedSize: u32 = 0, max 0xffff_ffff, true, GroupSegmentSize[0; 32];
        "The size of the LDS that a work-group has when it starts, in bytes.";
    private_segment_fixed_size PrivateSegmentFixedSize: u32 = 0, max 0xffff_ffff, true, PrivateSegmentSize[0; 32];
        "The size of the scratch memory of a work-item, in bytes.";
    kernarg_size KernargSize: u32 = 0, max 0xffff_ffff, false, KernargSize[0; 32];
        "The size of the memory that holds the arguments of a dispatch, in bytes.";
    user_sgpr_count UserSgprCount: Option<u32> = None, max 31, false;
        "The number of user SGPRs; without it, the number that the other settings enable.";
    user_sgpr_dispatch_ptr UserSgprDispatchPtr: bool = false, max 1, false, Properties[1; 1];
        "Whether two user SGPRs hold the address of the dispatch packet.";
    user_sgpr_queue_ptr UserSgprQueuePtr: bool = false, max 1, false, Properties[2; 1];
        "Whether two user SGPRs hold the address of the queue.";
    user_sgpr_kernarg_segment_ptr UserSgprKernargSegmentPtr: bool = false, max 1, false, Properties[3; 1];
        "Whether two user SGPRs hold the address of the arguments.";
    user_sgpr_dispatch_id UserSgprDispatchId: bool = false, max 1, false, Properties[4; 1];
        "Whether two user SGPRs hold the number of the dispatch.";
    user_sgpr_private_segment_size UserSgprPrivateSegmentSize: bool = false, max 1, false, Properties[6; 1];
        "Whether a user SGPR holds the size of a work-item's scratch memory.";
    wavefront_size32 WavefrontSize32: bool = true, max 1, false, Properties[10; 1];
        "Whether a wave has 32 work-items; otherwise 64.";
    uses_dynamic_stack UsesDynamicStack: bool = false, max 1, true, Properties[11; 1];
        "Whether the size of the stack is unknown, as with recursion and calls of unknown functions.";
    enable_private_segment EnablePrivateSegment: bool = false, max 1, true, Rsrc2[0; 1];
        "Whether scratch memory is set up.";
    system_sgpr_workgroup_id_x SystemSgprWorkgroupIdX: bool = true, max 1, true, Rsrc2[7; 1];
        "Whether an SGPR after the user SGPRs holds the work-group's number in x.";
    system_sgpr_workgroup_id_y SystemSgprWorkgroupIdY: bool = false, max 1, true, Rsrc2[8; 1];
        "Whether an SGPR after it holds the work-group's number in y.";
    system_sgpr_workgroup_id_z SystemSgprWorkgroupIdZ: bool = false, max 1, true, Rsrc2[9; 1];
        "Whether an SGPR after those holds the work-group's number in z.";
    system_sgpr_workgroup_info SystemSgprWorkgroupInfo: bool = false, max 1, true, Rsrc2[10; 1];
        "Whether an SGPR after those describes the wave within its work-group.";
    system_vgpr_workitem_id SystemVgprWorkitemId: u32 = 0, max 3, true, Rsrc2[11; 2];
        "Which of the work-item's numbers v0 holds: 0 only x, 1 x and y, 2 x, y and z; 3 is undefined.";
    next_free_vgpr NextFreeVgpr: u32 = 0, max 512, true;
        "The number of VGPRs that the kernel uses, in wave64 256 at most. The descriptor counts them in fours or eights.";
    next_free_sgpr NextFreeSgpr: u32 = 0, max 0xffff_ffff, true;
        "The number of SGPRs that the kernel uses. The descriptor of gfx11 does not count them.";
    reserve_vcc ReserveVcc: bool = true, max 1, true;
        "Whether the kernel uses VCC. The descriptor of gfx11 does not tell.";
    reserve_xnack_mask ReserveXnackMask: bool = false, max 0, true;
        "Whether the kernel uses the XNACK mask, which gfx11 does not have.";
    float_round_mode_32 FloatRoundMode32: FloatRoundMode = FloatRoundMode::NearEven, max 3, true, Rsrc1[12; 2];
        "How results of 32 bits are rounded.";
    float_round_mode_16_64 FloatRoundMode16_64: FloatRoundMode = FloatRoundMode::NearEven, max 3, true, Rsrc1[14; 2];
        "How results of 16 and 64 bits are rounded.";
    float_denorm_mode_32 FloatDenormMode32: FloatDenormMode = FloatDenormMode::FlushSrcDst, max 3, true, Rsrc1[16; 2];
        "Whether denormal numbers of 32 bits are replaced by zero.";
    float_denorm_mode_16_64 FloatDenormMode16_64: FloatDenormMode = FloatDenormMode::FlushNone, max 3, true, Rsrc1[18; 2];
        "Whether denormal numbers of 16 and 64 bits are replaced by zero.";
    dx10_clamp Dx10Clamp: bool = true, max 1, true, Rsrc1[21; 1], only Gfx11;
        "Whether clamping turns NaN into zero.";
    ieee_mode IeeeMode: bool = true, max 1, true, Rsrc1[23; 1], only Gfx11;
        "Whether signalling NaNs are quieted, as IEEE 754 demands.";
    fp16_overflow Fp16Overflow: bool = false, max 1, true, Rsrc1[26; 1];
        "Whether results of 16 bits that overflow become the largest number instead of infinity.";
    workgroup_processor_mode WorkgroupProcessorMode: bool = true, max 1, true, Rsrc1[29; 1];
        "Whether a work-group runs on both compute units of a work-group processor.";
    memory_ordered MemoryOrdered: bool = true, max 1, true, Rsrc1[30; 1];
        "Whether memory instructions of one type return in order, as waits on counters assume.";
    forward_progress ForwardProgress: bool = true, max 1, true, Rsrc1[31; 1];
        "Whether waves are scheduled so that each makes progress.";
    shared_vgpr_count SharedVgprCount: u32 = 0, max 15, false, Rsrc3[0; 4], only Gfx11;
        "The number of VGPRs that both halves of a wave64 share, in eights.";
    inst_pref_size InstPrefSize: u32 = 0, max 63, true, Rsrc3[4; 6];
        "The number of instruction bytes to prefetch, in units of 128; on gfx12 at most 255, in 8 bits.";
    round_robin_scheduling RoundRobinScheduling: bool = false, max 1, true, Rsrc1[21; 1], only Gfx12;
        "Whether waves of a priority are issued in turns.";
    exception_fp_ieee_invalid_op ExceptionFpIeeeInvalidOp: bool = false, max 1, true, Rsrc2[24; 1];
        "Whether an invalid floating-point operation raises an exception.";
    exception_fp_denorm_src ExceptionFpDenormSrc: bool = false, max 1, true, Rsrc2[25; 1];
        "Whether a denormal source raises an exception.";
    exception_fp_ieee_div_zero ExceptionFpIeeeDivZero: bool = false, max 1, true, Rsrc2[26; 1];
        "Whether a floating-point division by zero raises an exception.";
    exception_fp_ieee_overflow ExceptionFpIeeeOverflow: bool = false, max 1, true, Rsrc2[27; 1];
        "Whether a floating-point overflow raises an exception.";
    exception_fp_ieee_underflow ExceptionFpIeeeUnderflow: bool = false, max 1, true, Rsrc2[28; 1];
        "Whether a floating-point underflow raises an exception.";
    exception_fp_ieee_inexact ExceptionFpIeeeInexact: bool = false, max 1, true, Rsrc2[29; 1];
        "Whether an inexact result raises an exception.";
    exception_int_div_zero ExceptionIntDivZero: bool = false, max 1, true, Rsrc2[30; 1];
        "Whether an integer division by zero raises an exception.";
}

/// Directives that LLVM knows and refuses on gfx11 and gfx12, with the reason.
const UNSUPPORTED: [(&str, &str); 9] = [
    ("accum_offset", NEEDS_GFX90A),
    ("named_barrier_count", "needs gfx1250 or later"),
    ("reserve_flat_scratch", ARCHITECTED_FLAT_SCRATCH),
    ("system_sgpr_private_segment_wavefront_offset", ARCHITECTED_FLAT_SCRATCH),
    ("tg_split", NEEDS_GFX90A),
    ("user_sgpr_flat_scratch_init", ARCHITECTED_FLAT_SCRATCH),
    ("user_sgpr_kernarg_preload_length", NEEDS_GFX90A),
    ("user_sgpr_kernarg_preload_offset", NEEDS_GFX90A),
    ("user_sgpr_private_segment_buffer", ARCHITECTED_FLAT_SCRATCH),
];

const NEEDS_GFX90A: &str = "needs gfx90a, gfx942 or gfx950";
const ARCHITECTED_FLAT_SCRATCH: &str = "needs a processor without architected flat scratch, before gfx11";

impl Directive {
    /// The directives that every `.amdhsa_kernel` block has to have.
    pub const REQUIRED: [Self; 2] = [Self::NextFreeVgpr, Self::NextFreeSgpr];

    /// Finds the directive of a name, which may begin with `.amdhsa_`, for processors of a family.
    ///
    /// # Errors
    /// [`DescriptorError::Unsupported`] for directives of other processors, [`DescriptorError::Unknown`] for all other names.
    pub fn parse(name: &str, family: Family) -> Result<Self, DescriptorError> {
        let bare = name.strip_prefix(".amdhsa_").unwrap_or(name);
        if let Some(directive) = Self::ALL.iter().find(|directive| directive.name() == bare) {
            return match directive.only_family() {
                Some(Family::Gfx11) if family == Family::Gfx12 => Err(DescriptorError::Unsupported {
                    directive: directive.name(),
                    reason: "needs a processor before gfx12",
                }),
                Some(Family::Gfx12) if family == Family::Gfx11 => {
                    Err(DescriptorError::Unsupported { directive: directive.name(), reason: "needs gfx12 or later" })
                }
                _ => Ok(*directive),
            };
        }
        match UNSUPPORTED.iter().find(|(name, _)| *name == bare) {
            Some((directive, reason)) => Err(DescriptorError::Unsupported { directive, reason }),
            None => Err(DescriptorError::Unknown { name: name.into() }),
        }
    }

    /// Returns the directive's field on processors of a family; `None` for those from which the assembler computes a field.
    #[must_use]
    pub fn field(self, family: Family) -> Option<Field> {
        if self.only_family().is_some_and(|only| only != family) {
            return None;
        }
        match (self, family) {
            (Self::InstPrefSize, Family::Gfx12) => Some(Field::new(Word::Rsrc3, 4, 8)),
            _ => self.first_field(),
        }
    }

    /// Returns the largest valid value on processors of a family; the smallest is 0. Other settings may leave less room:
    /// [`KernelSettings::descriptor`] checks them together.
    #[must_use]
    pub fn max(self, family: Family) -> u64 {
        match (self, family) {
            (Self::InstPrefSize, Family::Gfx12) => 255,
            _ => self.first_max(),
        }
    }

    /// The names of all directives that LLVM knows, without `.amdhsa_`: those that gfx11 or gfx12 supports, and the others.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|directive| directive.name()).chain(UNSUPPORTED.iter().map(|(name, _)| *name))
    }

    /// Returns the number of user SGPRs that the setting enables.
    const fn user_sgprs(self) -> u32 {
        match self {
            Self::UserSgprDispatchPtr
            | Self::UserSgprQueuePtr
            | Self::UserSgprKernargSegmentPtr
            | Self::UserSgprDispatchId => 2,
            Self::UserSgprPrivateSegmentSize => 1,
            _ => 0,
        }
    }
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl KernelSettings {
    /// Returns LLVM's defaults for a program of wave size 32.
    #[must_use]
    pub const fn wave32() -> Self {
        Self::DEFAULT
    }

    /// Returns LLVM's defaults for a program of wave size 64.
    #[must_use]
    pub const fn wave64() -> Self {
        Self { wavefront_size32: false, ..Self::DEFAULT }
    }

    /// Returns the same settings for a processor of another family.
    #[must_use]
    pub const fn of(self, family: Family) -> Self {
        Self { family, ..self }
    }

    /// Returns the number of user SGPRs that the settings enable, without [`user_sgpr_count`](Self::user_sgpr_count).
    ///
    /// The pointers and sizes are in this order, from s0: dispatch packet, queue, arguments, number of the dispatch, size of
    /// scratch memory.
    #[must_use]
    pub fn enabled_user_sgprs(&self) -> u32 {
        Directive::ALL
            .iter()
            .filter(|directive| self.get(**directive) != 0)
            .map(|directive| directive.user_sgprs())
            .sum()
    }

    /// Returns the first SGPR that holds the value which a `user_sgpr_*` setting enables; `None` if it is off.
    #[must_use]
    pub fn user_sgpr(&self, directive: Directive) -> Option<u32> {
        if directive.user_sgprs() == 0 || self.get(directive) == 0 {
            return None;
        }
        let before = Directive::ALL.iter().take_while(|other| **other != directive);
        Some(before.filter(|other| self.get(**other) != 0).map(|other| other.user_sgprs()).sum())
    }

    /// Makes the descriptor. Its [`entry_offset`](KernelDescriptor::entry_offset) is 0.
    ///
    /// # Errors
    /// A value that its field cannot hold, more VGPRs than a wave of this size has, shared VGPRs in wave32, fewer user SGPRs than
    /// are enabled.
    pub fn descriptor(&self) -> Result<KernelDescriptor, DescriptorError> {
        let mut descriptor = KernelDescriptor::ZERO;
        for directive in Directive::ALL {
            let value = self.get(*directive);
            let max = directive.max(self.family);
            if u64::from(value) > max {
                return Err(out_of_range(*directive, value, max));
            }
            if let Some(field) = directive.field(self.family) {
                descriptor.set_field(field, value);
            }
        }
        let granule = vgpr_granule(self.wavefront_size32);
        let granulated = self.next_free_vgpr.max(1).div_ceil(granule) - 1;
        if granulated > VGPR_COUNT.max() {
            let max = granule * (VGPR_COUNT.max() + 1);
            return Err(out_of_range(Directive::NextFreeVgpr, self.next_free_vgpr, max.into()));
        }
        descriptor.set_field(VGPR_COUNT, granulated);
        let enabled = self.enabled_user_sgprs();
        let count = self.user_sgpr_count.unwrap_or(enabled);
        if count < enabled {
            return Err(DescriptorError::UserSgprCount { count, enabled });
        }
        descriptor.set_field(USER_SGPR_COUNT, count);
        if self.family == Family::Gfx12 {
            return Ok(descriptor);
        }
        if self.shared_vgpr_count != 0 && self.wavefront_size32 {
            return Err(DescriptorError::SharedVgprsInWave32);
        }
        if self.shared_vgpr_count * 2 + granulated > VGPR_COUNT.max() {
            return Err(DescriptorError::SharedVgprs { shared: self.shared_vgpr_count, granulated });
        }
        Ok(descriptor)
    }
}

fn out_of_range(directive: Directive, value: u32, max: u64) -> DescriptorError {
    DescriptorError::OutOfRange { directive, value: value.into(), max }
}
