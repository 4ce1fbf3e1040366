//! The state of a wave.

use alloc::vec;
use alloc::vec::Vec;

use crate::layout::{Identity, Layout, Placement};
use crate::lower::Lowering;
use crate::num::Mode;
use crate::operation::Modes;
use crate::primitive::Env;
use crate::program::Program;
use crate::rows::{BITS, File, LANES, Single, Wide};
use crate::units::Units;

/// The scheduling state of a wave.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Status {
    /// It executes the instruction at its program counter.
    #[default]
    Running,
    /// It waits for the other waves of its work-group.
    AtBarrier,
    /// It has ended.
    Ended,
}

/// What a wave knows of a barrier at which waves signal and wait in two steps (guide of RDNA4 §5.6.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct SplitBarrier {
    /// Whether the wave has signaled since the barrier was complete.
    pub is_signaled: bool,
    /// Whether the barrier was complete since the wave has waited for it.
    pub is_complete: bool,
    /// Whether the wave waits for it.
    pub is_awaited: bool,
    /// How many waves of the work-group had signaled when the wave's turn began, and this wave since.
    pub signals: u32,
    /// How many waves of the work-group have not ended.
    pub members: u32,
}

/// A wave: its registers, temporaries and scratch memory.
#[derive(Clone, Debug)]
pub struct Wave {
    /// The scalar registers, state, temporaries and constants.
    pub scalar: File<Single>,
    /// The vector registers, temporaries and constants: 32 lanes each.
    pub wide: Vec<File<Wide>>,
    /// The address of the next instruction.
    pub pc: u64,
    /// The scheduling state.
    pub status: Status,
    pub(crate) barrier: SplitBarrier,
    /// The mode register, decoded, and the vector units of the host.
    pub(crate) env: Env,
    /// The lanes that write results of the current instruction, for each 32.
    pub(crate) writing: [u32; 2],
    /// The private memory of the lanes, one after the other.
    scratch: Vec<u8>,
    /// The bytes of a lane.
    scratch_bytes: usize,
    pub(crate) layout: Layout,
    /// How many vector registers it has.
    pub(crate) vectors: u16,
    /// LDS_CONFIG.ADDR_OUT_OF_RANGE_REPORTING (RDNA3 guide §3.3.4.1): an access outside the local data share of the work-group
    /// is a fault. Otherwise loads give zero, and stores do nothing. False in a new wave.
    pub reports_lds_range: bool,
    /// How many instructions it has executed before its turn.
    pub(crate) executed: u64,
    /// The number that, added to the index of an instruction in straight-line code, is how many were executed before it.
    pub(crate) clock_base: u64,
    /// The cycles that it has slept or waited for the clock of constant rate.
    pub(crate) idle_cycles: u64,
}

impl Wave {
    /// A wave of 32 or 64 lanes of a program: all registers zero, EXEC zero.
    #[must_use]
    pub fn new(program: &Program<'_>, scratch_bytes: usize) -> Self {
        let mut constants = [0; 2];
        for [scalar, wide] in program.constants() {
            constants = [constants[0] + scalar.dwords.len(), constants[1] + wide.dwords.len()];
        }
        let mut wave = Self::with_room(program.lowering(), constants, scratch_bytes);
        wave.add_constants(program);
        wave
    }

    /// A wave whose files have no rows for constants.
    #[cfg(test)]
    pub(crate) fn without_constants(lowering: &Lowering, scratch_bytes: usize) -> Self {
        Self::with_room(lowering, [0; 2], scratch_bytes)
    }

    /// A wave whose files have no rows for constants yet, with room for a number of them in the scalar file and in a wide file.
    fn with_room(lowering: &Lowering, [scalar, wide]: [usize; 2], scratch_bytes: usize) -> Self {
        let halves = if lowering.is_wave64() { 2 } else { 1 };
        Self::with_memory(
            lowering,
            File::with_room(lowering.scalar_rows(), scalar),
            (0..halves).map(|_| File::with_room(lowering.wide_rows(), wide)).collect(),
            vec![0; scratch_bytes * halves * LANES],
            scratch_bytes,
        )
    }

    /// A new wave of the same program with as much scratch memory, which takes over the memory of this one: the system's zero pages
    /// for the registers of a new wave take longer to get than a short kernel runs.
    #[must_use]
    pub fn renewed(mut self, program: &Program<'_>) -> Self {
        // Temporaries are written before they are read.
        self.scalar.clear(self.layout.scalar_temporaries());
        self.wide.iter_mut().for_each(|file| file.clear(self.vectors));
        self.scratch.fill(0);
        let mut wave = Self::with_memory(program.lowering(), self.scalar, self.wide, self.scratch, self.scratch_bytes);
        wave.add_constants(program);
        wave
    }

    /// A wave with files whose registers are zero, and with scratch memory that is zero.
    fn with_memory(
        lowering: &Lowering,
        scalar: File<Single>,
        wide: Vec<File<Wide>>,
        scratch: Vec<u8>,
        scratch_bytes: usize,
    ) -> Self {
        let mut wave = Wave {
            scalar,
            wide,
            pc: 0,
            status: Status::Running,
            barrier: SplitBarrier::default(),
            env: Env { modes: Modes::new(Mode::DEFAULT), units: Units::detect(), mask: u32::MAX },
            writing: [0; 2],
            scratch,
            scratch_bytes,
            layout: *lowering.layout(),
            vectors: lowering.vectors(),
            reports_lds_range: false,
            executed: 0,
            clock_base: 0,
            idle_cycles: 0,
        };
        wave.set_mode(Mode::DEFAULT);
        wave.place(&Placement::default());
        wave
    }

    /// The rows of the scalar file and of the first wide file. The second may have more, for constants that the first lacks.
    #[inline]
    pub(crate) fn rows(&self) -> [usize; 2] {
        [self.scalar.len(), self.wide.first().map_or(0, File::len)]
    }

    /// Adds rows for the constants of code that was lowered since the last time. Other threads may lower more meanwhile, so that one
    /// file gets constants that another one lacks.
    pub(crate) fn add_constants(&mut self, program: &Program<'_>) {
        let lowering = program.lowering();
        let known = self.scalar.len().saturating_sub(lowering.scalar_rows());
        let of_scalar = program.constants().flat_map(|[scalar, _]| &scalar.dwords);
        self.scalar.extend(of_scalar.skip(known).map(|dword| Single([*dword])));
        for file in &mut self.wide {
            let known = file.len().saturating_sub(lowering.wide_rows());
            let of_wide = program.constants().flat_map(|[_, wide]| &wide.dwords);
            file.extend(of_wide.skip(known).map(|dword| Wide([*dword; LANES])));
        }
    }

    /// Selects the vector units of the host that it is executed with. A new wave has the fastest.
    pub const fn set_units(&mut self, units: Units) {
        self.env.units = units;
    }

    /// Sets the registers that say where the wave runs.
    pub fn place(&mut self, placement: &Placement) {
        let Identity { status, registers } = (self.layout.identity)(placement);
        self.set_sgpr(self.layout.status(), status);
        for (row, value) in (self.layout.identity_registers()..).zip(registers) {
            self.set_sgpr(row, value);
        }
    }

    /// How many instructions it has executed.
    #[must_use]
    pub const fn executed(&self) -> u64 {
        self.executed
    }

    /// The cycles of the wave's clock after the instruction of an index in the program.
    pub(crate) fn cycles(&self, index: u32) -> u64 {
        let executed = self.clock_base.wrapping_add(u64::from(index)).wrapping_add(1);
        executed.wrapping_mul(self.layout.clock.cycles_per_instruction.into()).wrapping_add(self.idle_cycles)
    }

    /// How many rows of registers differ from those of another wave of the program, up to a limit. The program counters, status
    /// and scratch memory count, too; clocks do not.
    pub(crate) fn differences(&self, other: &Wave, limit: usize) -> usize {
        let place = usize::from(self.pc != other.pc || self.status != other.status || self.barrier != other.barrier);
        let scalars = self.scalar.differences(&other.scalar, self.layout.scalar_temporaries().into());
        let vectors = usize::from(self.vectors);
        let wide = self.wide.iter().zip(&other.wide).flat_map(move |(a, b)| a.differences(b, vectors));
        let rows = place + scalars.chain(wide).take(limit.saturating_sub(place)).count();
        if rows < limit && self.scratch != other.scratch { rows + 1 } else { rows }
    }

    /// How many lanes it has.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.wide.len() * LANES
    }

    /// A scalar register, or another row of the scalar file.
    #[inline(always)]
    #[must_use]
    pub fn sgpr(&self, register: u16) -> u32 {
        self.scalar.row(register).0[0]
    }

    /// Replaces a scalar register.
    #[inline(always)]
    pub fn set_sgpr(&mut self, register: u16, value: u32) {
        self.scalar.set_row(register, Single([value]));
    }

    /// One lane of a vector register.
    #[must_use]
    pub fn vgpr(&self, register: u16, lane: usize) -> u32 {
        self.wide.get(lane / LANES).map_or(0, |file| file.get(register, lane % LANES))
    }

    /// Replaces one lane of a vector register.
    pub fn set_vgpr(&mut self, register: u16, lane: usize, value: u32) {
        if let Some(file) = self.wide.get_mut(lane / LANES) {
            file.set(register, lane % LANES, value);
        }
    }

    /// A mask of lanes in scalar registers: 64 bits, the upper ones zero in a wave of 32.
    #[inline(always)]
    #[must_use]
    pub fn mask(&self, register: u16) -> u64 {
        let high = if self.wide.len() > 1 { self.sgpr(register.saturating_add(1)) } else { 0 };
        u64::from(high) << 32 | u64::from(self.sgpr(register))
    }

    /// Replaces a mask of lanes: 32 bits in a wave of 32.
    pub fn set_mask(&mut self, register: u16, mask: u64) {
        self.set_sgpr(register, mask as u32);
        if self.wide.len() > 1 {
            self.set_sgpr(register.saturating_add(1), (mask >> 32) as u32);
        }
    }

    /// EXEC.
    #[inline(always)]
    #[must_use]
    pub fn exec(&self) -> u64 {
        self.mask(self.layout.exec)
    }

    /// SCC.
    #[must_use]
    pub fn scc(&self) -> bool {
        self.sgpr(self.layout.scc()) != 0
    }

    /// Replaces SCC.
    pub fn set_scc(&mut self, scc: bool) {
        self.set_sgpr(self.layout.scc(), scc.into());
    }

    /// The mode register.
    #[must_use]
    pub fn mode(&self) -> Mode {
        Mode(self.sgpr(self.layout.mode()))
    }

    /// Replaces the mode register.
    pub fn set_mode(&mut self, mode: Mode) {
        self.set_sgpr(self.layout.mode(), mode.0);
        self.env.modes = Modes::new(mode);
    }

    /// The private memory of a lane.
    #[must_use]
    pub fn scratch(&self, lane: usize) -> &[u8] {
        let start = lane.saturating_mul(self.scratch_bytes);
        self.scratch.get(start..start.saturating_add(self.scratch_bytes)).unwrap_or_default()
    }

    /// The private memory of a lane, to be changed.
    pub fn scratch_mut(&mut self, lane: usize) -> &mut [u8] {
        let start = lane.saturating_mul(self.scratch_bytes);
        self.scratch.get_mut(start..start.saturating_add(self.scratch_bytes)).unwrap_or_default()
    }

    /// The private memory of all lanes, one after the other, and the bytes of each.
    pub(crate) fn all_scratch(&self) -> (&[u8], usize) {
        (&self.scratch, self.scratch_bytes)
    }

    /// The private memory of all lanes, to be changed.
    pub(crate) fn all_scratch_mut(&mut self) -> (&mut [u8], usize) {
        (&mut self.scratch, self.scratch_bytes)
    }

    /// The lowest active lane, or 0.
    #[must_use]
    pub(crate) fn first_lane(&self) -> usize {
        match self.exec() {
            0 => 0,
            exec => exec.trailing_zeros() as usize,
        }
    }

    /// Whether a wide row is nonzero, for each lane.
    pub(crate) fn lanes_of_row(&self, row: u16) -> [u32; 2] {
        let mut masks = [0; 2];
        for (mask, file) in masks.iter_mut().zip(&self.wide) {
            *mask = self.env.units.lowest(file.row(row));
        }
        masks
    }
}

/// One bit for each lane: whether its lowest bit is 1.
///
/// A disjunction of selected bits is vectorised; shifts by the lane number are not with SSE2.
#[inline(always)]
pub(crate) fn pack(row: &Wide) -> u32 {
    let mut mask = 0;
    for (value, bit) in row.0.iter().zip(&BITS.0) {
        mask |= (value & 1).wrapping_neg() & bit;
    }
    mask
}
