//! Work-groups of a dispatch, and their execution.

use amdgpu_object::{
    DispatchPacket, Family, Grid, HiddenArguments, InitialSgpr, Kernel, Occupancy, PrintfFormat, Processor,
    workgroup_info,
};
use isa_exec::check::Initial;
use isa_exec::fault::Fault;
use isa_exec::group::{Schedule, WorkGroup};
use isa_exec::layout::Placement;
use isa_exec::num::Mode;
use isa_exec::program::Program;
use isa_exec::wave::Wave;

use crate::arguments::{Argument, ArgumentError, place_arguments};
use crate::services::{Absent, Printed, Services};
use crate::space::{AddressSpace, SpaceError};

/// The settings of a dispatch besides its grid and arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The LDS that the dispatch adds to a work-group's, in bytes.
    pub dynamic_lds_bytes: u32,
    /// The least scratch memory of a work-item in bytes, for kernels that use any. `None`: the size in the descriptor, or
    /// [`DYNAMIC_STACK`] for kernels with a stack of dynamic size and for those that use scratch memory and call functions:
    /// OpenCL compilers count one frame of each function, also of one that calls itself.
    pub stack_bytes: Option<u32>,
    /// The most instructions that the waves of a work-group execute together.
    pub max_instructions: u64,
    /// After how many instructions another wave of a work-group goes on; at least 1.
    pub turn: u64,
    /// Draws a random order of a work-group's waves, and turns of up to `turn` instructions, from a generator with this seed: shows races
    /// that hide when waves go on in the order of their numbers. The same seed gives the same order. `None`: that of their numbers.
    pub seed: Option<u64>,
    /// How many work-groups make progress together, at least 1; `None`: as many as `processor` holds at once.
    pub resident: Option<u64>,
    /// The processor that is imitated.
    pub processor: Processor,
}

/// The scratch memory of a work-item in bytes, for kernels that do not know the size of their stack.
pub const DYNAMIC_STACK: u32 = 16 << 10;

impl Default for Settings {
    fn default() -> Self {
        let Schedule { turn, limit, seed } = Schedule::default();
        Self {
            dynamic_lds_bytes: 0,
            stack_bytes: None,
            max_instructions: limit,
            turn,
            seed,
            resident: None,
            processor: Processor::Gfx1100,
        }
    }
}

/// The largest LDS of a work-group in bytes.
pub const MAX_LDS: u32 = 64 << 10;

/// The largest scratch memory of a work-item in bytes.
const MAX_SCRATCH: u32 = 4 << 20;

/// Why a kernel cannot be dispatched.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DispatchError {
    /// The arguments do not fit the kernel.
    Arguments(ArgumentError),
    /// Memory cannot be mapped.
    Space(SpaceError),
    /// The kernel was compiled for another size of work-groups.
    GroupSize {
        /// The size in x, y and z.
        given: [u32; 3],
        /// The only size that the kernel works with.
        expected: [u32; 3],
    },
    /// A work-group has more work-items than the kernel was compiled for.
    LargeGroup {
        /// How many it has.
        given: u32,
        /// How many it may have.
        most: u32,
    },
    /// A work-group would have more LDS than there is.
    LargeLds {
        /// How many bytes it would have.
        bytes: u32,
    },
    /// A work-item would have more scratch memory than there is.
    LargeScratch {
        /// How many bytes it would have.
        bytes: u32,
    },
}

impl std::fmt::Display for DispatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Arguments(error) => error.fmt(f),
            Self::Space(error) => error.fmt(f),
            Self::GroupSize { given: [x, y, z], expected: [a, b, c] } => {
                write!(f, "the work-groups are {x},{y},{z}, and the kernel needs {a},{b},{c}")
            }
            Self::LargeGroup { given, most } => {
                write!(f, "a work-group has {given} work-items, and the kernel is compiled for at most {most}")
            }
            Self::LargeLds { bytes } => write!(f, "a work-group has {bytes} bytes of LDS; at most {MAX_LDS} fit"),
            Self::LargeScratch { bytes } => {
                write!(f, "a work-item has {bytes} bytes of scratch memory; at most {MAX_SCRATCH} fit")
            }
        }
    }
}

impl std::error::Error for DispatchError {}

impl From<ArgumentError> for DispatchError {
    fn from(error: ArgumentError) -> Self {
        Self::Arguments(error)
    }
}

impl From<SpaceError> for DispatchError {
    fn from(error: SpaceError) -> Self {
        Self::Space(error)
    }
}

/// A fault of a work-group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupFault {
    /// The work-group's number in x, y and z.
    pub group: [u32; 3],
    /// The fault.
    pub fault: Fault,
    /// The other work-groups, if the fault is that all of them wait.
    pub stuck: Option<Box<Stuck>>,
    /// What the wave has printed last, if it ended itself: the message of a failed assertion.
    pub message: Option<Box<Printed>>,
}

/// The work-groups of a dispatch in which nothing goes on any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stuck {
    /// How many have begun and wait.
    pub waiting: u64,
    /// How many have not begun, since no more fit beside those that wait.
    pub not_begun: u64,
}

impl std::fmt::Display for Stuck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.waiting {
            1 => f.write_str("no other work-group is left to end the wait")?,
            waiting => write!(f, "all {waiting} work-groups that have begun wait")?,
        }
        match self.not_begun {
            0 => Ok(()),
            1 => f.write_str(", and 1 has not begun"),
            others => write!(f, ", and {others} have not begun"),
        }
    }
}

impl std::fmt::Display for GroupFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [x, y, z] = self.group;
        write!(f, "work-group {x},{y},{z}: {}", self.fault)?;
        if let Some(stuck) = &self.stuck {
            write!(f, "; {stuck}")?;
        }
        match &self.message {
            Some(message) => write!(f, "; {message}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for GroupFault {}

/// A kernel with its grid and arguments, ready to be executed.
#[derive(Debug, Clone)]
pub struct Dispatch<'a> {
    program: &'a Program<'a>,
    kernel: &'a Kernel,
    grid: Grid,
    family: Family,
    /// The SGPRs that are the same in all work-groups, with their values.
    sgprs: Vec<(u8, u32)>,
    lds_bytes: u32,
    scratch_bytes: u32,
    schedule: Schedule,
    resident: u64,
    services: Services,
    formats: &'a [PrintfFormat],
}

/// The offset of the high half of addresses of LDS in a queue; that of scratch memory follows.
const QUEUE_APERTURES: u64 = 0x40;

impl<'a> Dispatch<'a> {
    /// Prepares a dispatch: maps the arguments, the packet and the queue.
    ///
    /// `program` is the code that holds the kernel's, for its wave size.
    ///
    /// # Errors
    /// The arguments or the grid do not fit the kernel.
    pub fn new(
        program: &'a Program<'a>,
        kernel: &'a Kernel,
        grid: Grid,
        arguments: &[Argument],
        settings: &Settings,
        space: &mut AddressSpace<'_>,
    ) -> Result<Self, DispatchError> {
        check_group(kernel, grid)?;
        let layout = program.lowering().layout();
        let apertures = u64::from(layout.private_aperture) << 32 | u64::from(layout.shared_aperture);
        space.map_of_services(Absent::Queue.address() + QUEUE_APERTURES, &apertures.to_le_bytes())?;
        let services = Services::of(kernel.metadata.as_ref());
        let hidden = HiddenArguments {
            grid,
            dynamic_lds_size: settings.dynamic_lds_bytes,
            private_base: layout.private_aperture,
            shared_base: layout.shared_aperture,
            queue: Absent::Queue.address(),
            printf_buffer: services.printf_address(),
            hostcall_buffer: services.hostcall_address(),
            heap: Absent::Heap.address(),
            default_queue: Absent::DefaultQueue.address(),
            completion_action: Absent::CompletionAction.address(),
        };
        let mut kernarg = place_arguments(kernel, arguments, &hidden)?;
        if kernarg.lds_bytes > MAX_LDS {
            return Err(DispatchError::LargeLds { bytes: kernarg.lds_bytes });
        }
        let scratch_bytes = scratch(program, kernel, settings)?;
        // Threads would begin by lowering the same code.
        program.prepare(kernel.entry);
        // Loads of several dwords may read beyond the last argument, up to their alignment.
        let bytes = kernarg.bytes.len() as u64;
        kernarg.bytes.resize(kernarg.bytes.len().next_multiple_of(64), 0);
        let kernarg_address = space.allocate_read_only(&kernarg.bytes, bytes)?.address;
        let packet = DispatchPacket {
            grid,
            private_segment_size: scratch_bytes,
            group_segment_size: kernarg.lds_bytes,
            kernel_object: kernel.descriptor_address,
            kernarg_address,
            completion_signal: Absent::CompletionSignal.address(),
        };
        let packet = packet.to_bytes();
        let packet = space.allocate_read_only(&packet, packet.len() as u64)?;
        let mut sgprs = Vec::new();
        for (value, register) in kernel.descriptor.initial_sgprs(settings.processor.family()) {
            let count = value.count();
            let value = match value {
                InitialSgpr::DispatchPtr => packet.address,
                InitialSgpr::QueuePtr => Absent::Queue.address(),
                InitialSgpr::KernargSegmentPtr => kernarg_address,
                InitialSgpr::DispatchId => 0,
                InitialSgpr::PrivateSegmentSize => scratch_bytes.into(),
                // These differ between work-groups.
                _ => continue,
            };
            let dwords = [value as u32, (value >> 32) as u32].into_iter().take(count.into());
            sgprs.extend((register..).zip(dwords));
        }
        let fixed = kernel.descriptor.group_segment_fixed_size();
        let items = grid.local().iter().product();
        let lds = kernarg.lds_bytes.saturating_sub(fixed);
        let occupancy = Occupancy::new(&kernel.descriptor, settings.processor.vgprs_per_simd(), items, lds);
        let fitting = u64::from(occupancy.groups_per_wgp()) * u64::from(settings.processor.wgps());
        Ok(Self {
            program,
            kernel,
            grid,
            family: settings.processor.family(),
            sgprs,
            lds_bytes: kernarg.lds_bytes,
            scratch_bytes,
            schedule: Schedule { turn: settings.turn, limit: settings.max_instructions, seed: settings.seed },
            resident: settings.resident.unwrap_or(fitting).max(1),
            services,
            formats: &[],
        })
    }

    /// Sets the formats of `printf`: those of the code object. Records that refer to others are not printed.
    #[must_use]
    pub fn with_formats(self, formats: &'a [PrintfFormat]) -> Self {
        Self { formats, ..self }
    }

    /// Returns the formats of `printf`.
    pub(crate) const fn formats(&self) -> &[PrintfFormat] {
        self.formats
    }

    /// Returns the services that the kernel can ask for.
    pub(crate) const fn services(&self) -> Services {
        self.services
    }

    /// Returns the grid.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the number of work-groups.
    #[must_use]
    pub fn groups(&self) -> u64 {
        self.grid.groups().into_iter().map(u64::from).fold(1, u64::saturating_mul)
    }

    /// Returns how many work-groups make progress together.
    #[must_use]
    pub const fn resident(&self) -> u64 {
        self.resident
    }

    /// Returns how waves take turns.
    pub(crate) const fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// Returns the code.
    pub(crate) const fn program(&self) -> &Program<'a> {
        self.program
    }

    /// Returns the number in x, y and z of the work-group with an index below [`groups`](Self::groups): x runs fastest.
    #[must_use]
    pub fn group_number(&self, index: u64) -> [u32; 3] {
        group_number(&self.grid, index)
    }

    /// Returns the index of a work-group from its number.
    fn group_index(&self, [x, y, z]: [u32; 3]) -> u64 {
        let [columns, rows, _] = self.grid.groups().map(u64::from);
        let (x, y, z) = (u64::from(x), u64::from(y), u64::from(z));
        z.wrapping_mul(rows).wrapping_add(y).wrapping_mul(columns).wrapping_add(x)
    }

    /// Returns a work-group before its first instruction.
    #[must_use]
    pub fn group(&self, number: [u32; 3]) -> WorkGroup {
        self.group_with_memory(number, WorkGroup::default())
    }

    /// Returns a work-group before its first instruction, which takes over the memory of another one of the dispatch.
    pub(crate) fn group_with_memory(&self, number: [u32; 3], memory: WorkGroup) -> WorkGroup {
        let WorkGroup { waves: used, mut lds } = memory;
        let mut used = used.into_iter();
        let size = self.grid.size_of_group(number);
        let items: u32 = size.iter().product();
        let lanes = if self.program.lowering().is_wave64() { 64 } else { 32 };
        let waves = items.div_ceil(lanes);
        let new = || Wave::new(self.program, self.scratch_bytes as usize);
        let mut empty = || used.next().map_or_else(new, |used| used.renewed(self.program));
        let waves = (0..waves).map(|wave| self.wave(empty(), number, size, wave, waves, lanes)).collect();
        lds.clear();
        lds.resize(self.lds_bytes as usize, 0);
        WorkGroup { waves, lds }
    }

    /// Returns what the hardware writes to registers before the first instruction of a work-group.
    pub(crate) fn initial(&self, group: [u32; 3]) -> Initial {
        let scalars = self.kernel.descriptor.initial_sgprs(self.family);
        let scalars =
            scalars.into_iter().flat_map(|(value, register)| (u16::from(register)..).take(value.count().into()));
        let of_group = if self.family == Family::Gfx12 { &GROUP_TTMPS[..] } else { &[] };
        let scalars = scalars.chain(of_group.iter().copied());
        let items: u32 = self.grid.size_of_group(group).iter().product();
        let lanes: u32 = if self.program.lowering().is_wave64() { 64 } else { 32 };
        let waves = 0..items.div_ceil(lanes);
        let lanes = waves.map(|wave| u64::MAX >> (64 - (items - wave * lanes).min(lanes)));
        // A compute unit has one L0 cache, and one path to it.
        let is_in_order = !self.kernel.descriptor.workgroup_processor_mode();
        Initial { scalars: scalars.collect(), lanes: lanes.collect(), is_in_order }
    }

    /// Returns a new wave before its first instruction.
    fn wave(&self, mut wave: Wave, group: [u32; 3], size: [u32; 3], number: u32, waves: u32, lanes: u32) -> Wave {
        let descriptor = &self.kernel.descriptor;
        let layout = self.program.lowering().layout();
        wave.pc = self.kernel.entry;
        wave.reports_lds_range = true;
        wave.place(&Placement {
            group: self.group_index(group),
            wave: number,
            waves,
            has_scratch: self.scratch_bytes > 0,
        });
        wave.set_mode(Mode(descriptor.initial_mode(self.family)));
        for (register, value) in &self.sgprs {
            wave.set_sgpr((*register).into(), *value);
        }
        if self.family == Family::Gfx12 {
            let values = [group[0], group[1] & 0xFFFF | group[2] << 16, number << 25];
            for (register, value) in GROUP_TTMPS.into_iter().zip(values) {
                wave.set_sgpr(register, value);
            }
        }
        for (value, register) in descriptor.initial_sgprs(self.family) {
            let value = match value {
                InitialSgpr::WorkgroupIdX => group[0],
                InitialSgpr::WorkgroupIdY => group[1],
                InitialSgpr::WorkgroupIdZ => group[2],
                InitialSgpr::WorkgroupInfo => workgroup_info(number, waves),
                _ => continue,
            };
            wave.set_sgpr(register.into(), value);
        }
        let items: u32 = size.iter().product();
        let first = number * lanes;
        let active = (items - first).min(lanes);
        wave.set_mask(layout.exec, u64::MAX >> (64 - active));
        for lane in 0..active {
            let item = first + lane;
            let position = [item % size[0], item / size[0] % size[1], item / size[0] / size[1]];
            wave.set_vgpr(0, lane as usize, descriptor.initial_v0(position));
        }
        wave
    }
}

/// The codes of ttmp9, ttmp7 and ttmp8, in which waves of RDNA4 find the number of their work-group in x; in y (16 bits) and z; and
/// their own number in it, from bit 25 on.
const GROUP_TTMPS: [u16; 3] = [117, 115, 116];

/// Returns the number in x, y and z of the work-group with an index.
pub(crate) fn group_number(grid: &Grid, index: u64) -> [u32; 3] {
    let [x, y, _] = grid.groups().map(u64::from);
    [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32]
}

/// Checks the size of work-groups against the kernel's metadata.
fn check_group(kernel: &Kernel, grid: Grid) -> Result<(), DispatchError> {
    let Some(metadata) = &kernel.metadata else { return Ok(()) };
    let given = grid.local();
    if let Some(expected) = metadata.reqd_workgroup_size.filter(|expected| *expected != given) {
        return Err(DispatchError::GroupSize { given, expected });
    }
    let items = given.iter().product();
    let most = metadata.max_flat_workgroup_size;
    if items > most && most > 0 {
        return Err(DispatchError::LargeGroup { given: items, most });
    }
    Ok(())
}

/// The size of a work-item's scratch memory in bytes.
fn scratch(program: &Program<'_>, kernel: &Kernel, settings: &Settings) -> Result<u32, DispatchError> {
    let fixed = kernel.descriptor.private_segment_fixed_size();
    let is_dynamic = kernel.descriptor.uses_dynamic_stack();
    let least = match settings.stack_bytes {
        Some(bytes) if is_dynamic || fixed > 0 => bytes,
        None if is_dynamic || fixed > 0 && program.has_computed_branches(kernel.entry) => DYNAMIC_STACK,
        _ => 0,
    };
    let bytes = fixed.max(least);
    let whole = bytes.checked_next_multiple_of(16).filter(|bytes| *bytes <= MAX_SCRATCH);
    whole.ok_or(DispatchError::LargeScratch { bytes })
}
