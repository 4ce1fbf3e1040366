//! How a kernel starts: the registers that it finds set, its arguments and the packet that dispatches it.

use amdgpu_operands::files;
use isa_runtime::Reg;
use isa_runtime::inst::File;

use crate::descriptor::{Field, KernelDescriptor, Word};
use crate::metadata::{KernelMetadata, ValueKind};
use crate::processor::Family;

/// A value that a kernel finds in SGPRs, in the order of the registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InitialSgpr {
    /// The address of the [`DispatchPacket`].
    DispatchPtr,
    /// The address of the queue.
    QueuePtr,
    /// The address of the arguments.
    KernargSegmentPtr,
    /// The number of the dispatch in its queue.
    DispatchId,
    /// The size of a work-item's scratch memory in bytes.
    PrivateSegmentSize,
    /// The work-group's number in x.
    WorkgroupIdX,
    /// The work-group's number in y.
    WorkgroupIdY,
    /// The work-group's number in z.
    WorkgroupIdZ,
    /// [`workgroup_info`].
    WorkgroupInfo,
}

impl InitialSgpr {
    /// Returns the number of registers that hold it.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Self::DispatchPtr | Self::QueuePtr | Self::KernargSegmentPtr | Self::DispatchId => 2,
            _ => 1,
        }
    }
}

/// Returns the SGPR that describes a wave in its work-group: whether it is the first, its number, and how many waves there are.
#[must_use]
pub const fn workgroup_info(wave: u32, waves: u32) -> u32 {
    ((wave == 0) as u32) << 31 | (wave & 31) << 20 | waves & 63
}

/// The bits of a work-item's number in each dimension, in v0.
const WORK_ITEM_BITS: u32 = 10;

impl KernelDescriptor {
    /// Returns the values that SGPRs hold when the kernel starts, each with its first register.
    ///
    /// Values that do not fit into the user SGPRs that the descriptor counts are left out. In [`Family::Gfx12`] no SGPR holds a number
    /// of the work-group: ttmp9, ttmp7 and ttmp8 do.
    #[must_use]
    pub fn initial_sgprs(&self, family: Family) -> Vec<(InitialSgpr, u8)> {
        let user = [
            (InitialSgpr::DispatchPtr, self.user_sgpr_dispatch_ptr()),
            (InitialSgpr::QueuePtr, self.user_sgpr_queue_ptr()),
            (InitialSgpr::KernargSegmentPtr, self.user_sgpr_kernarg_segment_ptr()),
            (InitialSgpr::DispatchId, self.user_sgpr_dispatch_id()),
            (InitialSgpr::PrivateSegmentSize, self.user_sgpr_private_segment_size()),
        ];
        let system = [
            (InitialSgpr::WorkgroupIdX, self.system_sgpr_workgroup_id_x()),
            (InitialSgpr::WorkgroupIdY, self.system_sgpr_workgroup_id_y()),
            (InitialSgpr::WorkgroupIdZ, self.system_sgpr_workgroup_id_z()),
            (InitialSgpr::WorkgroupInfo, self.system_sgpr_workgroup_info()),
        ];
        let mut found = Vec::new();
        let users = self.user_sgpr_count() as u8;
        let mut next = 0;
        for (value, _) in user.into_iter().filter(|(_, enabled)| *enabled) {
            if next + value.count() <= users {
                found.push((value, next));
            }
            next += value.count();
        }
        next = users;
        if family == Family::Gfx12 {
            return found;
        }
        for (value, _) in system.into_iter().filter(|(_, enabled)| *enabled) {
            found.push((value, next));
            next += value.count();
        }
        found
    }

    /// Returns the SGPRs that hold a value when the kernel starts, for operands of instructions.
    #[must_use]
    pub fn initial_sgpr(&self, value: InitialSgpr, family: Family) -> Option<Reg> {
        let (_, first) = self.initial_sgprs(family).into_iter().find(|(known, _)| *known == value)?;
        Some(Reg::new(File(files::SGPR), first.into(), value.count()))
    }

    /// Returns the number of SGPRs that hold values when the kernel starts, counted from s0.
    #[must_use]
    pub fn initial_sgpr_count(&self, family: Family) -> u8 {
        self.initial_sgprs(family).iter().map(|(value, first)| first + value.count()).max().unwrap_or(0)
    }

    /// Returns v0 of a work-item: its numbers in the dimensions that the descriptor enables, ten bits each from x on.
    #[must_use]
    pub fn initial_v0(&self, [x, y, z]: [u32; 3]) -> u32 {
        let dimensions = self.system_vgpr_workitem_id();
        let y = if dimensions >= 1 { y << WORK_ITEM_BITS } else { 0 };
        let z = if dimensions >= 2 { z << (2 * WORK_ITEM_BITS) } else { 0 };
        x | y | z
    }

    /// Returns the MODE register: rounding, denormal numbers, clamping, IEEE behaviour, enabled exceptions, overflow to the
    /// largest f16. [`Family::Gfx12`] always clamps NaN to 0 and has IEEE behaviour.
    #[must_use]
    pub fn initial_mode(&self, family: Family) -> u32 {
        let field = |word, shift, width| self.field(Field::new(word, shift, width));
        let behaviour = match family {
            Family::Gfx11 => field(Word::Rsrc1, 21, 1) | field(Word::Rsrc1, 23, 1) << 1,
            Family::Gfx12 => 0b11,
        };
        field(Word::Rsrc1, 12, 8) | behaviour << 8 | field(Word::Rsrc2, 24, 7) << 12 | field(Word::Rsrc1, 26, 1) << 23
    }
}

/// Why a grid cannot be dispatched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// A size is 0.
    Empty,
    /// The grid and the work-group have different numbers of dimensions, or not 1 to 3.
    Dimensions {
        /// The number of the grid's dimensions.
        grid: usize,
        /// The number of the work-group's dimensions.
        group: usize,
    },
    /// A work-group has more than [`Grid::MAX_GROUP`] work-items.
    LargeGroup {
        /// The number of its work-items.
        items: u64,
    },
}

impl std::fmt::Display for GridError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("the sizes of a grid and of its work-groups are at least 1"),
            Self::Dimensions { grid, group } => {
                write!(f, "the grid has {grid} dimensions and its work-groups {group}; both need 1 to 3, and the same")
            }
            Self::LargeGroup { items } => {
                write!(f, "a work-group of {items} work-items is too large; at most {} fit", Grid::MAX_GROUP)
            }
        }
    }
}

impl std::error::Error for GridError {}

/// The work-items of a dispatch: a grid of work-groups, of which the last in each dimension may be partial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    /// The number of work-items in x, y and z.
    global: [u32; 3],
    /// The size of whole work-groups in x, y and z.
    local: [u32; 3],
    dimensions: u8,
}

impl Grid {
    /// The largest number of work-items in a work-group.
    pub const MAX_GROUP: u32 = 1024;

    /// Creates a grid of 1 to 3 dimensions, all of them counted in work-items.
    ///
    /// # Errors
    /// A size is 0, a work-group is too large, or the numbers of dimensions differ.
    pub fn new(global: &[u32], local: &[u32]) -> Result<Self, GridError> {
        if global.len() != local.len() || !(1..=3).contains(&global.len()) {
            return Err(GridError::Dimensions { grid: global.len(), group: local.len() });
        }
        if global.contains(&0) || local.contains(&0) {
            return Err(GridError::Empty);
        }
        let items = local.iter().fold(1, |items: u64, size| items.saturating_mul((*size).into()));
        if items > Self::MAX_GROUP.into() {
            return Err(GridError::LargeGroup { items });
        }
        let all = |sizes: &[u32]| core::array::from_fn(|at| sizes.get(at).copied().unwrap_or(1));
        Ok(Self { global: all(global), local: all(local), dimensions: global.len() as u8 })
    }

    /// Returns the number of dimensions.
    #[must_use]
    pub const fn dimensions(&self) -> u8 {
        self.dimensions
    }

    /// Returns the number of work-items in x, y and z.
    #[must_use]
    pub const fn global(&self) -> [u32; 3] {
        self.global
    }

    /// Returns the size of whole work-groups in x, y and z.
    #[must_use]
    pub const fn local(&self) -> [u32; 3] {
        self.local
    }

    /// Returns the number of work-groups in x, y and z, the partial ones included.
    #[must_use]
    pub fn groups(&self) -> [u32; 3] {
        core::array::from_fn(|at| self.global[at].div_ceil(self.local[at]))
    }

    /// Returns the number of whole work-groups in x, y and z.
    #[must_use]
    pub fn whole_groups(&self) -> [u32; 3] {
        core::array::from_fn(|at| self.global[at] / self.local[at])
    }

    /// Returns the size of the partial work-groups in x, y and z; 0 where there are none.
    #[must_use]
    pub fn remainders(&self) -> [u32; 3] {
        core::array::from_fn(|at| self.global[at] % self.local[at])
    }

    /// Returns the size of the work-group of this number in x, y and z.
    #[must_use]
    pub fn size_of_group(&self, group: [u32; 3]) -> [u32; 3] {
        core::array::from_fn(|at| {
            let start = u64::from(group[at]) * u64::from(self.local[at]);
            let rest = u64::from(self.global[at]).saturating_sub(start);
            rest.min(self.local[at].into()) as u32
        })
    }
}

/// The packet that dispatches a kernel: HSA's `hsa_kernel_dispatch_packet_t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias = "hsa_kernel_dispatch_packet_t")]
pub struct DispatchPacket {
    /// The work-items.
    pub grid: Grid,
    /// The size of a work-item's scratch memory in bytes.
    pub private_segment_size: u32,
    /// The size of a work-group's LDS in bytes.
    pub group_segment_size: u32,
    /// The address of the kernel's descriptor.
    pub kernel_object: u64,
    /// The address of the arguments.
    pub kernarg_address: u64,
    /// The address of the signal that is decremented when the kernel has ended; 0: there is none.
    pub completion_signal: u64,
}

impl DispatchPacket {
    /// The size of a packet in bytes.
    pub const SIZE: usize = 64;

    /// Returns the packet's bytes in memory.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        /// The type of a kernel dispatch, with fences of system scope.
        const HEADER: u16 = 2 | 2 << 9 | 2 << 11;
        let mut bytes = [0; Self::SIZE];
        let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
        put(0, &HEADER.to_le_bytes());
        put(2, &u16::from(self.grid.dimensions).to_le_bytes());
        for at in 0..3 {
            put(4 + 2 * at, &(self.grid.local[at] as u16).to_le_bytes());
            put(12 + 4 * at, &self.grid.global[at].to_le_bytes());
        }
        put(24, &self.private_segment_size.to_le_bytes());
        put(28, &self.group_segment_size.to_le_bytes());
        put(32, &self.kernel_object.to_le_bytes());
        put(40, &self.kernarg_address.to_le_bytes());
        put(56, &self.completion_signal.to_le_bytes());
        bytes
    }
}

/// The values of hidden arguments; see [`ValueKind`]. An address of 0 stands for something that a dispatch does without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HiddenArguments {
    /// The work-items.
    pub grid: Grid,
    /// The size of the LDS that the dispatch adds, in bytes.
    pub dynamic_lds_size: u32,
    /// The high half of flat addresses of scratch memory.
    pub private_base: u32,
    /// The high half of flat addresses of LDS.
    pub shared_base: u32,
    /// The address of the queue.
    pub queue: u64,
    /// The address of the buffer of `printf`.
    pub printf_buffer: u64,
    /// The address of the buffer of calls of the host.
    pub hostcall_buffer: u64,
    /// The address of the heap of the device.
    pub heap: u64,
    /// The address of the default device queue.
    pub default_queue: u64,
    /// The address of the action at the end of a kernel.
    pub completion_action: u64,
}

impl HiddenArguments {
    /// Returns the value of a hidden argument, `None` for an explicit one.
    #[must_use]
    pub fn value(&self, kind: ValueKind) -> Option<u64> {
        let [blocks, sizes, remainders] = [self.grid.whole_groups(), self.grid.local, self.grid.remainders()];
        Some(match kind {
            ValueKind::HiddenBlockCountX => blocks[0].into(),
            ValueKind::HiddenBlockCountY => blocks[1].into(),
            ValueKind::HiddenBlockCountZ => blocks[2].into(),
            ValueKind::HiddenGroupSizeX => sizes[0].into(),
            ValueKind::HiddenGroupSizeY => sizes[1].into(),
            ValueKind::HiddenGroupSizeZ => sizes[2].into(),
            ValueKind::HiddenRemainderX => remainders[0].into(),
            ValueKind::HiddenRemainderY => remainders[1].into(),
            ValueKind::HiddenRemainderZ => remainders[2].into(),
            ValueKind::HiddenGridDims => self.grid.dimensions.into(),
            ValueKind::HiddenDynamicLdsSize => self.dynamic_lds_size.into(),
            ValueKind::HiddenPrivateBase => self.private_base.into(),
            ValueKind::HiddenSharedBase => self.shared_base.into(),
            ValueKind::HiddenQueuePtr => self.queue,
            ValueKind::HiddenPrintfBuffer => self.printf_buffer,
            ValueKind::HiddenHostcallBuffer => self.hostcall_buffer,
            ValueKind::HiddenHeapV1 => self.heap,
            ValueKind::HiddenDefaultQueue => self.default_queue,
            ValueKind::HiddenCompletionAction => self.completion_action,
            kind if kind.is_hidden() => 0,
            _ => return None,
        })
    }
}

impl ValueKind {
    /// Returns whether the run-time system passes the argument, not the program.
    #[must_use]
    pub const fn is_hidden(self) -> bool {
        !matches!(
            self,
            Self::ByValue
                | Self::GlobalBuffer
                | Self::DynamicSharedPointer
                | Self::Sampler
                | Self::Image
                | Self::Pipe
                | Self::Queue
        )
    }
}

impl KernelMetadata {
    /// Returns the arguments that a program passes, in the order of their offsets.
    pub fn explicit_arguments(&self) -> impl Iterator<Item = &crate::Argument> {
        self.args.iter().filter(|argument| !argument.value_kind.is_hidden())
    }

    /// Writes the hidden arguments to the memory of the arguments. Parts past its end are dropped.
    pub fn write_hidden_arguments(&self, kernarg: &mut [u8], hidden: &HiddenArguments) {
        for argument in &self.args {
            let Some(value) = hidden.value(argument.value_kind) else { continue };
            let to = kernarg.iter_mut().skip(argument.offset as usize).take(argument.size as usize);
            for (to, from) in to.zip(value.to_le_bytes()) {
                *to = from;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KernelSettings;

    #[test]
    fn user_values_precede_the_group_s_numbers() {
        let settings = KernelSettings {
            user_sgpr_count: Some(15),
            user_sgpr_dispatch_ptr: true,
            user_sgpr_kernarg_segment_ptr: true,
            system_sgpr_workgroup_id_y: true,
            system_vgpr_workitem_id: 1,
            next_free_vgpr: 1,
            ..KernelSettings::wave32()
        };
        let descriptor = settings.descriptor().expect("valid settings");
        let expected = [
            (InitialSgpr::DispatchPtr, 0),
            (InitialSgpr::KernargSegmentPtr, 2),
            (InitialSgpr::WorkgroupIdX, 15),
            (InitialSgpr::WorkgroupIdY, 16),
        ];
        assert_eq!(descriptor.initial_sgprs(Family::Gfx11), expected);
        assert_eq!(descriptor.initial_v0([3, 5, 7]), 3 | 5 << 10);
        // Denormal numbers of 16 and 64 bits are kept; DX10_CLAMP and IEEE_MODE are on.
        assert_eq!(descriptor.initial_mode(Family::Gfx11), 0x3C0);
        // Its numbers are in registers of the trap handler.
        assert_eq!(descriptor.initial_sgprs(Family::Gfx12), expected[..2]);
    }

    #[test]
    fn partial_groups_are_at_the_ends() {
        let grid = Grid::new(&[100, 7], &[32, 4]).expect("a grid");
        assert_eq!((grid.groups(), grid.whole_groups(), grid.remainders()), ([4, 2, 1], [3, 1, 1], [4, 3, 0]));
        assert_eq!(grid.size_of_group([3, 0, 0]), [4, 4, 1]);
        assert_eq!(grid.size_of_group([0, 1, 0]), [32, 3, 1]);
        assert_eq!(Grid::new(&[1], &[1, 1]), Err(GridError::Dimensions { grid: 1, group: 2 }));
        assert_eq!(Grid::new(&[8, 8], &[64, 32]), Err(GridError::LargeGroup { items: 2048 }));
        assert_eq!(Grid::new(&[8], &[0]), Err(GridError::Empty));
    }
}
