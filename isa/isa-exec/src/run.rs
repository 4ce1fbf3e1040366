//! Executes the steps of an instruction.

use crate::access::Spaces;
use crate::fault::FaultKind;
use crate::guard::{Direction, Guard};
use crate::layout::HardwareValue;
use crate::primitive::{Env, LaneFile, Primitive, ScalarOperation, VectorOperation};
use crate::program::Chunk;
use crate::rows::{File, LANES, Row, Single, Wide};
use crate::step::{Block, Checked, Commit, Condition, Relative, Step};
use crate::units::{Task, Unit};
use crate::wave::{SplitBarrier, Status, Wave};

/// Where steps end.
pub(crate) enum Exit {
    /// Before an instruction that is not the next one of the code.
    Through,
    /// At a branch that is taken, to the instruction of an index; `None`: the program counter holds the address.
    Branch(Option<u32>),
    /// The wave does not run any more.
    Paused,
    /// The wave sleeps.
    Asleep,
}

/// Why steps end before their time, with the lane.
pub(crate) type Failure = (Option<usize>, FaultKind);

/// The turn of a wave, as far as branches need to know it.
pub(crate) struct Flow<'a> {
    /// The code that it executes.
    pub chunk: &'a Chunk,
    /// The index of the instruction at which the wave entered the straight-line code that it executes.
    pub at: usize,
    /// How many instructions may be executed from there on.
    pub left: u64,
    /// Branches are followed while more instructions than these are left, and as many as the chunk has: no branch goes back in
    /// straight-line code.
    end: u64,
    /// How many instructions the wave had executed before its turn, plus those that it may execute in it.
    pub base: u64,
}

impl<'a> Flow<'a> {
    /// The turn of a wave that enters straight-line code. It ends when `end` instructions are left.
    pub fn new(chunk: &'a Chunk, at: usize, left: u64, end: u64, base: u64) -> Self {
        let end = end.max((chunk.len() as u64).saturating_sub(1));
        Flow { chunk, at, left, end, base }
    }

    /// Counts the instructions of straight-line code, of whose steps `left` follow the last one that was executed, and returns the
    /// index of the last instruction.
    #[inline(always)]
    pub fn leave(&mut self, left: usize) -> usize {
        let last = self.chunk.owner(left);
        self.count(last);
        last
    }

    /// Counts the instructions of straight-line code up to that of an index.
    #[inline(always)]
    fn count(&mut self, last: usize) {
        self.left = self.left.saturating_sub((last + 1).saturating_sub(self.at) as u64);
    }

    /// Goes from the branch of an index to an instruction, whose steps begin at `entry` in the code of the chunk. The steps, unless the turn
    /// is over.
    #[inline(always)]
    fn follow(&mut self, branch: usize, target: u32, entry: u32) -> Option<&'a [Step]> {
        self.count(branch);
        self.at = target as usize;
        (self.left > self.end).then(|| self.chunk.steps_from(entry))
    }

    /// The number that a wave's clock adds to indices of instructions.
    #[inline(always)]
    pub const fn clock_base(&self) -> u64 {
        self.base.wrapping_sub(self.left).wrapping_sub(self.at as u64)
    }
}

/// What the steps after a check have to do.
enum Checking<'p> {
    /// Execute the instruction.
    Execute,
    /// Execute a block, and go on after it.
    Block(&'p Block),
    /// Go on after this number of steps.
    After(u32),
    /// Leave the code.
    Leave(Exit),
}

/// Steps that are executed.
struct Execution<'a, 's, 'p> {
    wave: &'a mut Wave,
    steps: &'p [Step],
    flow: Option<&'a mut Flow<'p>>,
    spaces: &'a mut Spaces<'s>,
}

impl Task for Execution<'_, '_, '_> {
    type Output = (usize, Result<Exit, Failure>);

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> Self::Output {
        // The compiler keeps the place in registers, since nothing else sees it.
        let mut steps = self.steps.iter();
        let exit = self.wave.until_exit(unit, &mut steps, self.flow, self.spaces);
        (steps.len(), exit)
    }
}

/// Finds the step of each operation, whose function is called where the interpreter has no code for it.
#[derive(Clone, Copy)]
struct Steps<'p> {
    /// The step that is executed: a run of operations, or a single one.
    step: &'p Step,
    /// The turn, whose code a run was joined from.
    flow: Option<&'p Flow<'p>>,
}

impl<'p> Steps<'p> {
    /// The step of an operation.
    #[inline(always)]
    fn get(self, operation: &VectorOperation) -> Option<&'p Step> {
        match (self.step, self.flow) {
            (Step::Run { first, .. }, Some(flow)) => flow.chunk.step(*first as usize + usize::from(operation.distance)),
            _ => Some(self.step),
        }
    }
}

/// Executes operations for each half of a wave of 64 lanes.
struct EachHalf<'a, 'p> {
    wave: &'a mut Wave,
    operations: &'p [VectorOperation],
    steps: Steps<'p>,
}

impl Task for EachHalf<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        let Wave { wide, scalar, env, writing, .. } = self.wave;
        for (half, (file, &writing)) in (0..).zip(wide.iter_mut().zip(&*writing)) {
            // All operations on the lanes of a file before those of the next one: none reads what one for the other lanes writes.
            run(unit, self.operations, self.steps, LaneFile { file, writing, half }, scalar, env);
        }
    }
}

impl Wave {
    /// Executes steps, and those at the targets of branches if there is a `flow`, until one leaves them; also how many follow the
    /// last one that was executed.
    pub(crate) fn execute<'p>(
        &mut self,
        steps: &'p [Step],
        flow: Option<&mut Flow<'p>>,
        spaces: &mut Spaces<'_>,
    ) -> (usize, Result<Exit, Failure>) {
        self.reload();
        self.env.units.run_task(Execution { wave: self, steps, flow, spaces })
    }

    /// Executes steps, and changes which lanes write only if they do.
    fn execute_steps(&mut self, steps: &[Step], spaces: &mut Spaces<'_>) -> Result<Exit, Failure> {
        self.env.units.run_task(Execution { wave: self, steps, flow: None, spaces }).1
    }

    /// Lets the lanes of EXEC write.
    #[inline(always)]
    fn reload(&mut self) {
        let exec = self.exec();
        self.writing = [exec as u32, (exec >> 32) as u32];
        match self.wide.as_mut_slice() {
            [file] => file.prepare(self.writing[0]),
            files => prepare(files, self.writing),
        }
    }

    #[inline(always)]
    fn until_exit<'p, U: Unit>(
        &mut self,
        unit: U,
        steps: &mut core::slice::Iter<'p, Step>,
        mut flow: Option<&mut Flow<'p>>,
        spaces: &mut Spaces<'_>,
    ) -> Result<Exit, Failure> {
        // The code after the block whose steps are executed.
        let mut rest: Option<&'p [Step]> = None;
        'steps: loop {
            let Some(step) = steps.next() else {
                match rest.take() {
                    Some(after) => *steps = after.iter(),
                    None => return Ok(Exit::Through),
                }
                continue;
            };
            let single;
            let (operations, reloads) = 'lanes: {
                match step {
                    Step::Run { operations, reloads, .. } => break 'lanes (&**operations, *reloads),
                    Step::Assign(_, operation) => break 'lanes (core::slice::from_ref(operation), false),
                    Step::Lanes(primitive) => {
                        single = VectorOperation::new(primitive, primitive.dst, true);
                        break 'lanes (core::slice::from_ref(&single), false);
                    }
                    Step::Broadcast { dst, src } => {
                        single = VectorOperation::broadcast(*dst, *src);
                        break 'lanes (core::slice::from_ref(&single), false);
                    }
                    Step::Wave(primitive) => self.compute(primitive),
                    Step::Scalars { operations, reloads, skipped } => {
                        ScalarOperation::execute(operations, &mut self.scalar);
                        if *reloads {
                            self.reload();
                        }
                        if *skipped != 0 {
                            *steps = steps.as_slice().get(*skipped..).unwrap_or_default().iter();
                        }
                    }
                    Step::Move(commit) => self.copy(commit),
                    Step::Expand { dst, src } => {
                        single = VectorOperation::expand(*dst, *src);
                        break 'lanes (core::slice::from_ref(&single), false);
                    }
                    Step::Compare { operation, reloads, .. } => {
                        break 'lanes (core::slice::from_ref(operation), *reloads);
                    }
                    Step::Choose { mask, yes, no, dst } => {
                        single = VectorOperation::choose(*mask, [*yes, *no], *dst);
                        break 'lanes (core::slice::from_ref(&single), false);
                    }
                    Step::MergeHalf { commit: Commit { dst, src, condition: None, .. }, high } => {
                        single = VectorOperation::half(*src, *dst, *high);
                        break 'lanes (core::slice::from_ref(&single), false);
                    }
                    Step::Test { primitive, scc, reloads } => {
                        self.compute(primitive);
                        let is_set = self.sgpr(primitive.dst) != 0;
                        self.set_sgpr(*scc, is_set.into());
                        if *reloads {
                            self.reload();
                        }
                    }
                    Step::IsZero { dst, src } => {
                        let is_zero = self.mask(*src) == 0;
                        self.set_sgpr(*dst, is_zero.into());
                    }
                    Step::Merge(commit) => self.merge(commit),
                    Step::Cross(cross) => cross.run(unit, self),
                    Step::Restrict(writers) => {
                        let exec = self.exec();
                        for half in 0..self.wide.len() {
                            self.writing[half & 1] &= writers.of(unit, half, exec);
                        }
                    }
                    Step::Reload => self.reload(),
                    Step::Load(access) => access.load(self, spaces)?,
                    Step::Store(access) => access.store(self, spaces)?,
                    Step::Update(update) => update.run(self, spaces)?,
                    Step::Branch { src, condition, target, entry, index } => {
                        let is_taken = match condition {
                            Some(condition) => self.branches(condition),
                            None => true,
                        };
                        if is_taken {
                            let Some(target) = target else {
                                let (low, high) = (self.sgpr(*src), self.sgpr(src.saturating_add(1)));
                                self.pc = (u64::from(high) << 32 | u64::from(low)) & !3;
                                return Ok(Exit::Branch(None));
                            };
                            let Some(flow) = &mut flow else { return Ok(Exit::Branch(Some(*target))) };
                            let Some(next) = flow.follow(*index as usize, *target, *entry) else {
                                return Ok(Exit::Branch(Some(*target)));
                            };
                            self.clock_base = flow.clock_base();
                            *steps = next.iter();
                        }
                    }
                    Step::End { condition } => {
                        if self.holds(*condition) {
                            self.status = Status::Ended;
                            return Ok(Exit::Paused);
                        }
                    }
                    Step::Barrier { condition } => {
                        if self.holds(*condition) {
                            self.status = Status::AtBarrier;
                            return Ok(Exit::Paused);
                        }
                    }
                    Step::Signal { condition } => {
                        if self.holds(*condition) {
                            self.barrier.is_signaled = true;
                            self.barrier.signals = self.barrier.signals.saturating_add(1);
                        }
                    }
                    Step::Await { condition } => {
                        if self.holds(*condition) {
                            if !self.barrier.is_complete {
                                self.barrier.is_awaited = true;
                                self.status = Status::AtBarrier;
                                return Ok(Exit::Paused);
                            }
                            self.barrier.is_complete = false;
                        }
                    }
                    Step::BarrierState { dst } => {
                        let SplitBarrier { signals, members, .. } = self.barrier;
                        self.set_sgpr(*dst, (signals & 0x7F) << 16 | (members & 0x7F) << 4 | 1);
                        // What the wave does next may depend on other waves.
                        spaces.changes += 1;
                    }
                    Step::Sleep { units, condition } => {
                        if self.holds(*condition) {
                            let cycles = u64::from(self.sgpr(*units)) * u64::from(self.layout.clock.cycles_per_sleep);
                            self.idle_cycles = self.idle_cycles.wrapping_add(cycles);
                            return Ok(Exit::Asleep);
                        }
                    }
                    Step::Getreg { dst, bits, value, index } => {
                        // What the wave does next may depend on the time.
                        spaces.changes +=
                            u64::from(matches!(value, HardwareValue::Cycles(_) | HardwareValue::CyclesHigh));
                        let value = bits.of(self.hardware_value(*value, *index));
                        self.set_sgpr(*dst, value);
                    }
                    Step::Realtime { dst, count, index } => {
                        spaces.changes += 1;
                        let cycles_per_tick = u64::from(self.layout.clock.cycles_per_tick.max(1));
                        self.idle_cycles = self.idle_cycles.wrapping_add(cycles_per_tick);
                        let ticks = self.cycles(*index) / cycles_per_tick;
                        for (row, value) in (*dst..).zip([ticks as u32, (ticks >> 32) as u32]).take((*count).into()) {
                            self.set_sgpr(row, value);
                        }
                    }
                    Step::Check(checked) => match self.check(checked, steps.as_slice(), spaces)? {
                        Checking::Execute => {}
                        Checking::Block(block) => {
                            rest = steps.as_slice().get(block.length as usize..);
                            *steps = block.steps().iter();
                        }
                        Checking::After(count) => {
                            *steps = steps.as_slice().get(count as usize..).unwrap_or_default().iter();
                        }
                        Checking::Leave(Exit::Branch(Some(target))) => {
                            let Some(flow) = &mut flow else { return Ok(Exit::Branch(Some(target))) };
                            let (branch, entry) = (flow.chunk.owner(steps.len()), flow.chunk.entry(target as usize));
                            let Some(next) = flow.follow(branch, target, entry) else {
                                return Ok(Exit::Branch(Some(target)));
                            };
                            self.clock_base = flow.clock_base();
                            *steps = next.iter();
                        }
                        Checking::Leave(exit) => return Ok(exit),
                    },
                    Step::Unable => return Err((None, FaultKind::NoBody)),
                    Step::Leave => return Ok(Exit::Through),
                    // Every other kind is listed: a wildcard would cost a comparison in each step.
                    Step::ReadRelative(_)
                    | Step::WriteRelative(_)
                    | Step::ReadLane { .. }
                    | Step::WriteLane { .. }
                    | Step::FirstLane { .. }
                    | Step::Both(_)
                    | Step::Matrix(_)
                    | Step::Active { .. }
                    | Step::MergeHalf { .. }
                    | Step::MoveHalf { .. }
                    | Step::WriteMask { .. }
                    | Step::SetMode { .. }
                    | Step::ModeWritten => self.step(step),
                }
                continue 'steps;
            };
            // One by one as runs, so that the operations are compiled once.
            self.run(unit, operations, Steps { step, flow: flow.as_deref() });
            if reloads {
                self.reload();
            }
        }
    }

    /// Computes an operation on scalar rows.
    #[inline(always)]
    fn compute(&mut self, primitive: &Primitive<Single>) {
        (primitive.run)(&mut self.scalar, primitive, &self.env, primitive.dst);
    }

    /// A step that cannot fail.
    fn step(&mut self, step: &Step) {
        match step {
            Step::ReadRelative(relative) => self.read_relative(relative),
            Step::WriteRelative(relative) => self.write_relative(relative),
            Step::ReadLane { dst, src, lane } => {
                let lane = self.sgpr(*lane) as usize % self.lanes();
                let value = self.vgpr(*src, lane);
                self.set_sgpr(*dst, value);
            }
            Step::FirstLane { dst } => {
                let first = self.first_lane() as u32;
                self.set_sgpr(*dst, first);
            }
            Step::Both(operations) => {
                let [first, second] = &**operations;
                // The second one reads what was in the row of the first result.
                let before = self.sgpr(first.dst);
                self.compute(first);
                let value = self.sgpr(first.dst);
                self.set_sgpr(first.dst, before);
                self.compute(second);
                self.set_sgpr(first.dst, value);
            }
            Step::Matrix(matrix) => matrix.run(&mut self.wide, self.env.units),
            Step::Active { src } => {
                let active = self.lanes_of_row(*src);
                self.writing = [self.writing[0] & active[0], self.writing[1] & active[1]];
            }
            Step::MergeHalf { commit, high } => self.merge_half(commit, *high),
            Step::WriteMask { commit, inactive } => self.write_mask(commit, *inactive),
            Step::MoveHalf { commit, high } => {
                if self.holds(commit.condition) {
                    let (old, new) = (self.sgpr(commit.dst), self.sgpr(commit.src));
                    let value = if *high { old & 0xFFFF | new << 16 } else { old & 0xFFFF_0000 | new & 0xFFFF };
                    self.set_sgpr(commit.dst, value);
                }
            }
            Step::WriteLane { commit, lane } => {
                if self.holds(commit.condition) {
                    let lane = self.sgpr(*lane) as usize % self.lanes();
                    for n in 0..commit.count {
                        let value = self.sgpr(commit.src.saturating_add(n));
                        self.set_vgpr(commit.dst.saturating_add(n), lane, value);
                    }
                }
            }
            Step::SetMode { bits, src, condition } => {
                if self.holds(*condition) {
                    let mode = bits.replace(self.mode().0, self.sgpr(*src));
                    self.set_mode(crate::num::Mode(mode));
                }
            }
            Step::ModeWritten => {
                let mode = self.mode();
                self.set_mode(mode);
            }
            // These are executed by the caller.
            Step::Lanes(_) | Step::Wave(_) | Step::Assign(..) | Step::Move(_) => {}
            Step::Compare { .. } | Step::Choose { .. } | Step::Test { .. } | Step::IsZero { .. } => {}
            Step::Merge(_) | Step::Broadcast { .. } | Step::Expand { .. } | Step::Cross(_) | Step::Restrict(_) => {}
            Step::Load(_) | Step::Store(_) | Step::Update(_) | Step::Unable | Step::Leave | Step::Reload => {}
            Step::Branch { .. } | Step::End { .. } | Step::Barrier { .. } | Step::Sleep { .. } => {}
            Step::Signal { .. } | Step::Await { .. } | Step::BarrierState { .. } => {}
            Step::Getreg { .. } | Step::Realtime { .. } | Step::Check(_) => {}
            Step::Run { .. } | Step::Scalars { .. } => {}
        }
    }

    /// Executes operations on wide rows.
    #[inline(always)]
    fn run<U: Unit>(&mut self, unit: U, operations: &[VectorOperation], steps: Steps<'_>) {
        match self.wide.as_mut_slice() {
            [file] => {
                let lanes = LaneFile { file, writing: self.writing[0], half: 0 };
                run(unit, operations, steps, lanes, &mut self.scalar, &self.env);
            }
            _ => self.run_each_half(operations, steps),
        }
    }

    /// Executes operations of a wave of 64 lanes. Out of line, so that a wave of 32 lanes executes them without a loop over halves.
    #[inline(never)]
    fn run_each_half(&mut self, operations: &[VectorOperation], steps: Steps<'_>) {
        self.env.units.run_task(EachHalf { wave: self, operations, steps });
    }

    /// Copies scalar rows.
    #[inline(always)]
    fn copy(&mut self, commit: &Commit) {
        if self.holds(commit.condition) {
            for n in 0..commit.count {
                let value = self.sgpr(commit.src.saturating_add(n));
                self.set_sgpr(commit.dst.saturating_add(n), value);
            }
        }
    }

    /// Whether the condition of a branch holds.
    #[inline(always)]
    fn branches(&self, condition: &Condition) -> bool {
        let Condition { row, is_mask, negated } = condition;
        let holds = if *is_mask { self.mask(*row) != 0 } else { self.sgpr(*row) & 1 != 0 };
        holds != *negated
    }

    /// Whether a condition of a body that runs once a wave holds.
    #[inline(always)]
    fn holds(&self, condition: Option<u16>) -> bool {
        condition.is_none_or(|row| self.sgpr(row) & 1 != 0)
    }

    /// The lanes in which a write takes place, for each 32.
    #[inline(always)]
    fn written(&self, condition: Option<u16>) -> [u32; 2] {
        let holding = condition.map_or([u32::MAX; 2], |row| self.lanes_of_row(row));
        [self.writing[0] & holding[0], self.writing[1] & holding[1]]
    }

    #[inline(always)]
    pub(crate) fn merge(&mut self, commit: &Commit) {
        let masks = self.written(commit.condition);
        for (half, file) in self.wide.iter_mut().enumerate() {
            merge_rows(file, commit, masks[half & 1]);
        }
    }

    fn merge_half(&mut self, commit: &Commit, high: bool) {
        let masks = self.written(commit.condition);
        let (kept, shift) = if high { (0x0000_FFFF, 16) } else { (0xFFFF_0000, 0) };
        let units = self.env.units;
        for (mask, file) in masks.into_iter().zip(&mut self.wide) {
            units.run_rows::<Wide, _>(
                #[inline(always)]
                || {
                    let (new, old) = (file.row(commit.src), file.row(commit.dst));
                    let merged = Wide::from_fn(
                        #[inline(always)]
                        |lane| old.0[lane] & kept | (new.0[lane] & 0xFFFF) << shift,
                    );
                    file.set_lanes(commit.dst, mask, merged);
                },
            );
        }
    }

    fn write_mask(&mut self, commit: &Commit, inactive: Option<bool>) {
        let bits = self.lanes_of_row(commit.src);
        let written = self.written(commit.condition);
        for (half, bits) in (0..).zip(bits.into_iter().zip(written)).take(self.wide.len()) {
            self.scalar.set_bits(commit.dst.saturating_add(half), bits.0, bits.1, inactive);
        }
    }

    pub(crate) fn distance(&self, relative: &Relative) -> u16 {
        let distance =
            if relative.lanes { self.vgpr(relative.distance, self.first_lane()) } else { self.sgpr(relative.distance) };
        u16::try_from(distance).unwrap_or(u16::MAX)
    }

    fn read_relative(&mut self, relative: &Relative) {
        let Commit { dst, src, count, .. } = relative.commit;
        let distance = self.distance(relative);
        let limit = self.registers(relative.vector);
        // A register out of range is replaced by register 0 (guide §3.3).
        let first = Some(src.saturating_add(distance)).filter(|first| first.saturating_add(count) <= limit);
        let first = first.unwrap_or(0);
        for n in 0..count {
            let (from, to) = (first.saturating_add(n), dst.saturating_add(n));
            match (relative.vector, relative.lanes) {
                (true, _) => self.wide.iter_mut().for_each(|file| file.set_row(to, *file.row(from))),
                (false, true) => {
                    let value = self.sgpr(from);
                    self.wide.iter_mut().for_each(|file| file.set_row(to, Wide([value; LANES])));
                }
                (false, false) => self.set_sgpr(to, self.sgpr(from)),
            }
        }
    }

    fn write_relative(&mut self, relative: &Relative) {
        let distance = self.distance(relative);
        let dst = relative.commit.dst.saturating_add(distance);
        // Hardware drops writes to registers that are out of range.
        if dst.saturating_add(relative.commit.count) > self.registers(relative.vector) {
            return;
        }
        let commit = Commit { dst, ..relative.commit };
        if relative.vector {
            self.merge(&commit);
        } else {
            self.copy(&commit);
        }
    }

    /// How many registers of a kind can be indexed.
    pub(crate) fn registers(&self, vector: bool) -> u16 {
        if vector { self.vectors } else { self.layout.vcc.saturating_add(2) }
    }

    /// The value of a hardware register, as the instruction of an index reads it.
    fn hardware_value(&self, value: HardwareValue, index: u32) -> u32 {
        let layout = &self.layout;
        match value {
            HardwareValue::Mode => self.sgpr(layout.mode()),
            HardwareValue::Status => {
                let zeros = u32::from(self.exec() == 0) << 9 | u32::from(self.mask(layout.vcc) == 0) << 10;
                self.sgpr(layout.status()) & !1 | u32::from(self.scc()) | zeros | 1 << 16
            }
            HardwareValue::Apertures => layout.shared_aperture & 0xFFFF_0000 | layout.private_aperture >> 16,
            HardwareValue::Cycles(bits) => self.cycles(index) as u32 & bits,
            HardwareValue::CyclesHigh => (self.cycles(index) >> 32) as u32,
            HardwareValue::Identity(number) => self.sgpr(layout.identity_registers() + u16::from(number)),
            HardwareValue::Constant(value) => value,
        }
    }
}

/// Computes wide rows by functions, and stores the lanes that write.
#[inline(never)]
fn compute(LaneFile { file, writing, half }: LaneFile<'_>, step: &Step, scalar: &mut File<Single>, env: &Env) {
    match step {
        // Copying the environment takes longer than short functions.
        Step::Assign(primitive, operation) if writing == env.mask => {
            (primitive.run)(file, primitive, env, operation.dst)
        }
        Step::Assign(primitive, operation) => {
            (primitive.run)(file, primitive, &Env { mask: writing, ..*env }, operation.dst);
        }
        Step::Lanes(primitive) => (primitive.run)(file, primitive, env, primitive.dst),
        Step::Compare { primitive, operation, .. } => {
            (primitive.run)(file, primitive, env, primitive.dst);
            let bits = operation.mask_of(primitive, env.units.lowest(file.row(primitive.dst)));
            scalar.set_bits(operation.dst.saturating_add(half), bits, writing, operation.inactive);
        }
        _ => {}
    }
}

/// Prepares stores in the lanes that write.
#[inline(never)]
fn prepare(files: &mut [File<Wide>], writing: [u32; 2]) {
    for (file, mask) in files.iter_mut().zip(writing) {
        file.prepare(mask);
    }
}

/// Executes operations on the rows of 32 lanes.
#[inline(always)]
fn run<U: Unit>(
    unit: U,
    operations: &[VectorOperation],
    steps: Steps<'_>,
    mut lanes: LaneFile<'_>,
    scalar: &mut File<Single>,
    env: &Env,
) {
    for operation in operations {
        if !operation.execute(unit, &mut lanes, scalar, env)
            && let Some(step) = steps.get(operation)
        {
            compute(LaneFile { file: lanes.file, ..lanes }, step, scalar, env);
        }
    }
}

/// Copies rows, in the lanes of a mask.
#[inline(always)]
fn merge_rows(file: &mut File<Wide>, commit: &Commit, mask: u32) {
    for n in 0..commit.count {
        let (src, dst) = (commit.src.saturating_add(n), commit.dst.saturating_add(n));
        let new = *file.row(src);
        if mask != 0 {
            file.set_lanes(dst, mask, new);
        }
    }
}

impl Wave {
    /// Checks an instruction before it is executed, and executes it if that is needed to follow its values. `code` are the steps that
    /// follow: those of the instruction alone if it is observed.
    #[inline(never)]
    fn check<'p>(
        &mut self,
        checked: &'p Checked,
        code: &[Step],
        spaces: &mut Spaces<'_>,
    ) -> Result<Checking<'p>, Failure> {
        let Some(mut checker) = spaces.checker.take() else { return Ok(Checking::Execute) };
        for block in &checked.blocks {
            if block.length as usize <= code.len() && checker.passes_block(block, self) {
                spaces.checker = Some(checker);
                return Ok(Checking::Block(block));
            }
        }
        if checker.passes(checked, self) {
            if checked.accesses.is_empty() {
                spaces.checker = Some(checker);
                return Ok(Checking::Execute);
            }
            if self.accesses_pass(checked, checker, spaces)? {
                self.execute_steps(code.get(..checked.quick as usize).unwrap_or_default(), spaces)?;
                spaces.checker = Some(checker);
                return Ok(Checking::After(checked.quick));
            }
        }
        for step in &checked.steps {
            checker.before(checked, step, self);
            spaces.checker = Some(checker);
            let exit = self.execute_steps(core::slice::from_ref(step), spaces)?;
            let Some(back) = spaces.checker.take() else { return Ok(Checking::After(checked.quick)) };
            checker = back;
            checker.after(checked, step, self);
            if !matches!(exit, Exit::Through) {
                spaces.checker = Some(checker);
                return Ok(Checking::Leave(exit));
            }
        }
        checker.end(checked, self);
        spaces.checker = Some(checker);
        Ok(Checking::After(checked.quick))
    }

    /// Whether what an instruction accesses has no more to be checked.
    fn accesses_pass(
        &mut self,
        checked: &Checked,
        checker: &mut (dyn Guard + 'static),
        spaces: &mut Spaces<'_>,
    ) -> Result<bool, Failure> {
        if checked.accesses.start > 0 {
            self.execute_steps(checked.steps.get(..checked.accesses.start).unwrap_or_default(), spaces)?;
        }
        let mut rows = core::mem::take(checker.rows());
        rows.clear();
        let store = if checker.compares() { Direction::ComparedStore } else { Direction::Store };
        let added =
            checked.steps.get(checked.accesses.clone()).unwrap_or_default().iter().try_for_each(|step| match step {
                Step::Load(access) => access.add_rows(self, spaces, Direction::Load, &mut rows),
                Step::Store(access) => access.add_rows(self, spaces, store, &mut rows),
                _ => None,
            });
        let passes = added.is_some() && rows.iter().all(|access| checker.passes_rows(access));
        if passes {
            checker.follow_rows(checked, &rows, self);
        }
        *checker.rows() = rows;
        Ok(passes)
    }
}
