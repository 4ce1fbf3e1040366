//! The order in which threads execute work-groups.
//!
//! A thread begins the next work-group and executes it to its end, unless it sleeps, spins or takes long: then the thread sets it
//! aside and goes on with another. A work-group has no state before it begins, so that a dispatch whose work-groups do not wait
//! holds as many as there are threads.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use isa_exec::check::Checker;
use isa_exec::fault::{Fault, FaultKind};
use isa_exec::group::{Execution, Pause, WorkGroup};
use isa_exec::guard::Guard;
use isa_exec::memory::Memory;
use isa_exec::program::Program;
use isa_exec::wave::Status as WaveStatus;

use crate::dispatch::{Dispatch, GroupFault, Stuck};
use crate::host::{Host, Status};
use crate::services::{self, GroupMemory, Order, Printed};

/// The instructions of a work-group's first slice: a large fraction of a second.
const SLICE: u64 = 1 << 24;

/// How often the slice of a work-group doubles.
const DOUBLINGS: u32 = 2;

impl Dispatch<'_> {
    /// Executes all work-groups on the threads of rayon's current pool.
    ///
    /// Work-groups begin in the order of their indices. Up to [`resident`](Self::resident) of them make progress together, with any
    /// number of threads: one that sleeps, spins or has run for long is set aside while others go on.
    ///
    /// # Errors
    /// The fault of the work-group with the lowest index, if there are any; or that of the work-group with the lowest index if all
    /// wait for ever.
    pub fn run(&self, memory: &(dyn Memory + Sync)) -> Result<(), GroupFault> {
        self.run_hosted(memory, &())
    }

    /// Executes all work-groups like [`run`](Self::run), with a host that observes them and gets what they print.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_hosted<H: Host>(&self, memory: &(dyn Memory + Sync), host: &H) -> Result<(), GroupFault> {
        let queue = Queue::new(self.groups(), self.resident());
        let order = Order::new(|index, printed: &[Printed]| host.print(self.group_number(index), printed));
        let threads = if host.checker().is_some() { 1 } else { rayon::current_num_threads() as u64 };
        rayon::scope(|scope| {
            for _ in 0..self.groups().min(threads) {
                scope.spawn(|_| work(self, &queue, memory, host, &order));
            }
        });
        queue.outcome()
    }
}

/// A work-group that has begun.
struct Resident<O> {
    index: u64,
    group: WorkGroup,
    execution: Execution,
    observer: O,
    /// Its buffers for services, if the kernel asks for any.
    services: Option<services::Group>,
    /// How many slices it has used up.
    exhausted: u32,
    /// Whether it was set aside because its slice was used up.
    is_exhausted: bool,
    /// The version of memory with which its state repeats.
    repeats_at: Option<u64>,
}

/// Work-groups and the threads that execute them.
pub(crate) struct Queue<O> {
    state: Mutex<State<O>>,
    /// Signalled when a work-group was set aside or has ended.
    changed: Condvar,
    resident: u64,
}

struct State<O> {
    /// The index of the next work-group to begin.
    next: u64,
    /// Work-groups from this index on do not begin.
    end: u64,
    /// How many work-groups threads execute.
    running: u64,
    /// How many threads wait for a work-group.
    idle: u64,
    suspended: VecDeque<Box<Resident<O>>>,
    /// How many suspended work-groups have gone on since one has begun.
    resumed: usize,
    /// Grows whenever a work-group that may have changed memory is set aside or ends.
    version: u64,
    /// The fault of the work-group with the lowest index.
    fault: Option<(u64, GroupFault)>,
    /// Whether nothing is left to do.
    is_done: bool,
}

/// A work-group for a thread to execute, and the version of memory.
enum Task<O> {
    Begin(u64, u64),
    Resume(Box<Resident<O>>, u64),
    /// All work-groups wait for ever; they come in the order of their indices.
    Stuck(Vec<Box<Resident<O>>>, Stuck),
}

impl<O> Queue<O> {
    pub fn new(groups: u64, resident: u64) -> Self {
        let state = State {
            next: 0,
            end: groups,
            running: 0,
            idle: 0,
            suspended: VecDeque::new(),
            resumed: 0,
            version: 0,
            fault: None,
            is_done: false,
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), resident }
    }

    /// The state. A thread that panics does so outside of the lock.
    fn lock(&self) -> MutexGuard<'_, State<O>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the fault of the work-group with the lowest index.
    pub fn outcome(self) -> Result<(), GroupFault> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.fault.map_or(Ok(()), |(_, fault)| Err(fault))
    }

    /// Returns the next work-group to execute, or waits for one; `None` if nothing is left to do.
    fn take(&self) -> Option<Task<O>> {
        let mut state = self.lock();
        loop {
            if state.is_done {
                return None;
            }
            if let Some(task) = state.task(self.resident) {
                return Some(task);
            }
            if state.running == 0 {
                state.is_done = true;
                self.changed.notify_all();
                return state.stuck();
            }
            state.idle += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }

    /// Takes a work-group back whose execution has paused or failed; returns it if it has ended.
    fn put(
        &self,
        mut resident: Box<Resident<O>>,
        seen: u64,
        changes: bool,
        outcome: Result<Pause, GroupFault>,
    ) -> Option<Box<Resident<O>>> {
        let mut state = self.lock();
        state.running -= 1;
        let is_unchanged_by_others = state.version == seen;
        if changes || outcome.is_err() {
            state.version += 1;
            if is_unchanged_by_others {
                resident.execution.adopt(state.version);
            }
        }
        resident.repeats_at = match outcome {
            Ok(Pause::Repeating) if is_unchanged_by_others => Some(state.version),
            _ => None,
        };
        resident.is_exhausted = matches!(outcome, Ok(Pause::Exhausted));
        resident.exhausted += u32::from(resident.is_exhausted);
        let index = resident.index;
        let mut ended = None;
        match outcome {
            Ok(Pause::Ended) => ended = Some(resident),
            Err(fault) => {
                state.fail(index, fault);
                ended = Some(resident);
            }
            // The fault of another work-group ends the run.
            Ok(_) if index >= state.end => ended = Some(resident),
            Ok(_) => state.suspended.push_back(resident),
        }
        // A notification is a system call whether or not a thread waits.
        if state.idle > 0 {
            self.changed.notify_all();
        }
        ended
    }

    /// Takes a work-group back that a finding says not to go on. Those with a higher index do not go on either.
    fn give_up(&self, resident: Box<Resident<O>>) -> Option<Box<Resident<O>>> {
        let mut state = self.lock();
        state.running -= 1;
        state.end_at(resident.index);
        Some(resident)
    }

    /// How many work-groups have not begun, if none with a lower index is set aside.
    fn not_begun_if_first(&self, index: u64) -> Option<u64> {
        let state = self.lock();
        let is_first = state.suspended.iter().all(|resident| resident.index > index);
        is_first.then(|| state.end.saturating_sub(state.next))
    }

    /// Ends the run: a thread panics.
    fn abandon(&self) {
        self.lock().is_done = true;
        self.changed.notify_all();
    }
}

impl<O> State<O> {
    /// The next work-group to execute, if there is one.
    fn task(&mut self, resident: u64) -> Option<Task<O>> {
        let begun = self.running + self.suspended.len() as u64;
        let may_begin = self.next < self.end && begun < resident;
        // Those that sleep or spin probably wait for one that has not begun. Among those that take long, one begins after each
        // has gone on, so that few are set aside if they wait for nothing.
        let exhausted = || self.suspended.iter().filter(|resident| resident.is_exhausted).count();
        if may_begin && self.resumed >= exhausted() {
            return Some(self.begin());
        }
        match self.suspended.iter().position(|resident| resident.repeats_at != Some(self.version)) {
            Some(at) => {
                self.suspended.rotate_left(at);
                let resident = self.suspended.pop_front()?;
                self.resumed += 1;
                self.running += 1;
                Some(Task::Resume(resident, self.version))
            }
            None => may_begin.then(|| self.begin()),
        }
    }

    fn begin(&mut self) -> Task<O> {
        let index = self.next;
        self.next += 1;
        self.running += 1;
        self.resumed = 0;
        Task::Begin(index, self.version)
    }

    /// Keeps the fault of the lowest index. Work-groups with a higher one do not go on.
    fn fail(&mut self, index: u64, fault: GroupFault) {
        if index < self.end {
            self.fault = Some((index, fault));
            self.end_at(index);
        }
    }

    /// Lets no work-group from an index on go on.
    fn end_at(&mut self, index: u64) {
        self.end = self.end.min(index);
        self.suspended.retain(|resident| resident.index < index);
    }

    /// The wait of all work-groups that are left, unless it is due to the fault of another.
    fn stuck(&mut self) -> Option<Task<O>> {
        let waiting = self.suspended.len() as u64;
        let mut residents = Vec::from(core::mem::take(&mut self.suspended));
        residents.sort_by_key(|resident| resident.index);
        let stuck = Stuck { waiting, not_begun: self.end.saturating_sub(self.next) };
        (self.fault.is_none() && waiting > 0).then_some(Task::Stuck(residents, stuck))
    }
}

/// Ends the run when a thread panics, since others may wait for it.
struct OnPanic<'a, O>(&'a Queue<O>);

impl<O> Drop for OnPanic<'_, O> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

/// Executes work-groups of a queue until none is left.
pub(crate) fn work<H: Host>(
    dispatch: &Dispatch<'_>,
    queue: &Queue<H::Observer>,
    memory: &(dyn Memory + Sync),
    host: &H,
    order: &Order<impl FnMut(u64, &[Printed])>,
) {
    let _on_panic = OnPanic(queue);
    // The memory of a work-group that has ended.
    let mut memory_of_group = WorkGroup::default();
    while let Some(task) = queue.take() {
        let (mut resident, version) = match task {
            Task::Begin(index, version) => {
                let number = dispatch.group_number(index);
                let resident = Resident {
                    index,
                    group: dispatch.group_with_memory(number, std::mem::take(&mut memory_of_group)),
                    execution: Execution::new(dispatch.schedule()).with_index(index),
                    observer: host.observer(number),
                    services: dispatch.services().group(),
                    exhausted: 0,
                    is_exhausted: false,
                    repeats_at: None,
                };
                (Box::new(resident), version)
            }
            Task::Resume(resident, version) => (resident, version),
            Task::Stuck(residents, stuck) => {
                for resident in &residents {
                    let printed = resident.services.as_ref().map(|services| services.finish(dispatch.formats()));
                    order.end(resident.index, printed.unwrap_or_default(), false);
                }
                if let Some(checker) = host.checker() {
                    let mut checker = checker.lock().unwrap_or_else(PoisonError::into_inner);
                    let is_reported = residents.iter().fold(false, |all, resident| {
                        let waits = resident.group.waiting(dispatch.program(), memory).unwrap_or_default();
                        checker.stuck(resident.index, &waits, &resident.group.waves, stuck.not_begun) || all
                    });
                    if is_reported {
                        for resident in residents {
                            host.ended(dispatch.group_number(resident.index), resident.observer);
                        }
                        return;
                    }
                }
                if let Some(first) = residents.into_iter().next() {
                    let group = dispatch.group_number(first.index);
                    let fault = first.group.endless(dispatch.program(), memory);
                    let fault = GroupFault { group, fault, stuck: Some(Box::new(stuck)), message: None };
                    queue.lock().fault = Some((first.index, fault));
                    host.ended(group, first.observer);
                }
                return;
            }
        };
        let group = dispatch.group_number(resident.index);
        let before = resident.execution.changes();
        let mut checker = host.checker().map(|checker| checker.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(checker) = &mut checker {
            if resident.execution.executed() == 0 {
                checker.begin_group(
                    resident.index,
                    &resident.group.waves,
                    resident.group.lds.len(),
                    &dispatch.initial(group),
                );
            }
            checker.resume_group(resident.index);
        }
        let outcome = slice(&mut resident, version, dispatch.program(), memory, checker.as_deref_mut(), host);
        let mut is_stuck = false;
        if let (Some(checker), Err(fault)) = (&mut checker, &outcome)
            && matches!(fault.kind, FaultKind::TooManyInstructions(_))
            && let Some(not_begun) = queue.not_begun_if_first(resident.index)
            && let Some(waits) = resident.group.waiting(dispatch.program(), memory)
        {
            is_stuck = checker.stuck(resident.index, &waits, &resident.group.waves, not_begun);
        }
        if let Some(checker) = &mut checker {
            match outcome {
                Ok(pause) if pause != Pause::Ended => checker.suspend_group(),
                _ => checker.end_group(),
            }
        }
        drop(checker);
        let index = resident.index;
        let is_suspended = matches!(outcome, Ok(pause) if pause != Pause::Ended);
        let mut printed = None;
        if is_suspended {
            host.suspended(&status(group, &resident));
            if let Some(services) = &resident.services {
                order.go_on(index, || services.take_early());
            }
        } else {
            printed = resident.services.take().map(|services| services.finish(dispatch.formats()));
            host.executed(group, resident.execution.executed());
        }
        let outcome = outcome.map_err(|fault| {
            let is_trap = matches!(fault.kind, FaultKind::Trap { .. });
            let said =
                printed.as_ref().filter(|_| is_trap).and_then(|printed| services::last_words(printed, fault.wave));
            GroupFault { group, message: said.cloned().map(Box::new), fault, stuck: None }
        });
        let is_fault = outcome.is_err();
        let changes = resident.execution.changes() != before;
        let put = if is_stuck { queue.give_up(resident) } else { queue.put(resident, version, changes, outcome) };
        if let Some(ended) = put {
            let Resident { observer, group: ended, .. } = *ended;
            host.ended(group, observer);
            memory_of_group = ended;
        }
        if let Some(printed) = printed {
            order.end(index, printed, is_fault);
        }
    }
}

/// Executes a slice of a work-group.
fn slice<H: Host>(
    resident: &mut Resident<H::Observer>,
    version: u64,
    program: &Program<'_>,
    memory: &(dyn Memory + Sync),
    mut checker: Option<&mut Checker>,
    host: &H,
) -> Result<Pause, Fault> {
    let Resident { group, execution, observer, services, exhausted, .. } = resident;
    execution.see(version);
    let mut left = SLICE << (*exhausted).min(DOUBLINGS);
    loop {
        if host.is_stopped() {
            return Err(stopped(group));
        }
        let checker = checker.as_deref_mut().map(|checker| checker as &mut (dyn Guard + 'static));
        let instructions = left.min(H::STOP_AFTER.max(1));
        left -= instructions;
        let outcome = match services {
            Some(services) => {
                let memory = GroupMemory { memory, services };
                group.resume_checked(execution, instructions, program, &memory, observer, checker)
            }
            None => group.resume_checked(execution, instructions, program, memory, observer, checker),
        };
        match outcome {
            Ok(Pause::Exhausted) if left > 0 => {}
            Ok(pause) => return Ok(pause),
            Err(mut fault) => {
                services::explain(&mut fault, services.as_ref());
                return Err(fault);
            }
        }
    }
}

/// The fault of a work-group that the host ends.
#[cold]
fn stopped(group: &WorkGroup) -> Fault {
    let wave = group.waves.iter().position(|wave| wave.status == WaveStatus::Running).unwrap_or(0);
    let pc = group.waves.get(wave).map_or(0, |wave| wave.pc);
    Fault { pc, instruction: String::new(), wave, lane: None, kind: FaultKind::Stopped }
}

/// How far a work-group is.
fn status<O>(group: [u32; 3], resident: &Resident<O>) -> Status {
    let waves = &resident.group.waves;
    let running = waves.iter().position(|wave| wave.status == WaveStatus::Running).unwrap_or(0);
    let pc = waves.get(running).map_or(0, |wave| wave.pc);
    Status { group, wave: running, pc, instructions: resident.execution.executed() }
}
