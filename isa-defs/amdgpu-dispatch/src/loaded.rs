//! Code objects that stay loaded between launches, and launches on memory of the host.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use amdgpu_arch::{Arch, Reader, Wave};
use amdgpu_object::{CodeObject, Grid, Kernel as KernelInfo, Segment};
use isa_exec::program::Program;

use crate::arguments::Argument;
use crate::check::{Checked, Checks};
use crate::dispatch::{Dispatch, GroupFault, Settings};
use crate::host::Host;
use crate::inputs::Near;
use crate::launch::{LaunchError, executed_arch};
use crate::machine;
use crate::pools;
use crate::services::Printed;
use crate::space::{AddressSpace, Buffer, CODE_BASE, ObjectImage, SharedBuffer};

/// The programs of a code object: by segment, wave size, number of vector registers, and whether a checker follows them.
type Programs = BTreeMap<(usize, bool, u16, bool), Arc<Program<'static>>>;

/// A code object that stays loaded: its code is lowered once, and its read-only segments are not copied for a launch.
#[derive(Debug)]
pub struct LoadedObject {
    object: CodeObject<'static>,
    image: ObjectImage,
    arch: Arch,
    programs: Mutex<Programs>,
}

/// A launch of a kernel of a [`LoadedObject`].
#[derive(Debug)]
pub struct HostLaunch<'m> {
    /// The explicit arguments. Buffers are at addresses of `memory`.
    pub arguments: Vec<Argument>,
    /// The memory of the host that the kernel accesses.
    pub memory: Vec<SharedBuffer<'m>>,
    /// The number of work-items.
    pub global: [u32; 3],
    /// The number of work-items of a work-group.
    pub local: [u32; 3],
    /// The settings besides grid and arguments.
    pub settings: Settings,
    /// What to look for while the kernel runs.
    pub checks: Option<Checks>,
    /// The time after which the run ends.
    pub timeout: Option<Duration>,
}

/// The end of a launch.
#[derive(Debug)]
pub struct LaunchReport {
    /// What a check has found.
    pub checked: Option<Checked>,
    /// The fault that has ended the run.
    pub fault: Option<Box<GroupFault>>,
    /// Why the run was ended from outside.
    pub interruption: Option<Interruption>,
    /// The number of work-groups.
    pub groups: u64,
    /// How many instructions all waves have executed.
    pub instructions: u64,
    /// The time of the run, without that of its preparation.
    pub duration: Duration,
}

/// Why a run was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// The time of [`HostLaunch::timeout`] is over.
    Timeout,
    /// The caller's function has asked for it.
    Caller,
}

impl LoadedObject {
    /// Loads a code object, or links and loads a relocatable object.
    ///
    /// # Errors
    /// The file cannot be loaded, or its code is not executed.
    pub fn load(file: &[u8]) -> Result<Self, LaunchError> {
        Self::of(CodeObject::load(file, CODE_BASE)?.into_owned())
    }

    /// Keeps a code object that is loaded at [`CODE_BASE`]: for callers with [limits](amdgpu_object::Limits) on its memory.
    ///
    /// # Errors
    /// Its code is not executed.
    pub fn of(object: CodeObject<'static>) -> Result<Self, LaunchError> {
        let arch = executed_arch(object.flags)?;
        Ok(Self { image: ObjectImage::new(&object), object, arch, programs: Mutex::default() })
    }

    /// Returns the code object.
    #[must_use]
    pub const fn object(&self) -> &CodeObject<'static> {
        &self.object
    }

    /// Returns the instruction set.
    #[must_use]
    pub const fn arch(&self) -> Arch {
        self.arch
    }

    /// Returns the settings of a launch without options.
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings { processor: machine::imitated(self.object.flags, self.arch), ..Settings::default() }
    }

    /// Returns the segment with the code of a kernel, and the reader of its instructions.
    #[must_use]
    pub fn code(&self, kernel: &KernelInfo) -> Option<(&Segment<'static>, Reader)> {
        let index = self.code_index(kernel)?;
        Some((self.object.segments.get(index)?, Reader::new(self.arch, wave(kernel))))
    }

    fn code_index(&self, kernel: &KernelInfo) -> Option<usize> {
        let holds = |segment: &Segment<'_>| {
            segment.is_executable && kernel.entry.wrapping_sub(segment.address) < segment.bytes.len() as u64
        };
        self.object.segments.iter().position(holds)
    }

    fn programs(&self) -> MutexGuard<'_, Programs> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the program of a kernel, which is created for its first launch.
    fn program(&self, kernel: &KernelInfo, is_checked: bool) -> Result<Arc<Program<'static>>, LaunchError> {
        let outside = LaunchError::Entry(kernel.entry.wrapping_sub(CODE_BASE));
        let index = self.code_index(kernel);
        let (index, segment) = index.and_then(|at| Some((at, self.object.segments.get(at)?))).ok_or(outside)?;
        let (wave, vectors) = (wave(kernel), kernel.descriptor.vgpr_count().min(256) as u16);
        let mut programs = self.programs();
        let key = (index, wave == Wave::W32, vectors, is_checked);
        if let Some(program) = programs.get(&key) {
            return Ok(program.clone());
        }
        let code = (Cow::Owned(segment.bytes.to_vec()), segment.address);
        let program = machine::program_of(self.arch, code, wave, vectors, is_checked);
        let program = Arc::new(program.ok_or(LaunchError::NotExecuted(self.arch.name()))?);
        programs.insert(key, program.clone());
        Ok(program)
    }

    /// Runs a kernel of the code object. `print` gets what it prints. While it runs, `poll` is called every 20 ms on the caller's thread; it
    /// ends the run by `Break`.
    ///
    /// # Errors
    /// The kernel cannot be launched. A fault is a part of the report.
    pub fn run(
        &self,
        kernel: &KernelInfo,
        launch: &HostLaunch<'_>,
        print: &(dyn Fn(&[Printed]) + Sync),
        poll: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<LaunchReport, LaunchError> {
        let grid = Grid::new(&launch.global, &launch.local)?;
        let mut space = AddressSpace::with_image(&self.image).map_err(LaunchError::Space)?;
        for buffer in &launch.memory {
            space.map_shared(buffer).map_err(LaunchError::Space)?;
        }
        let program = self.program(kernel, launch.checks.is_some())?;
        let dispatch = Dispatch::new(&program, kernel, grid, &launch.arguments, &launch.settings, &mut space)?;
        let dispatch = dispatch.with_formats(&self.object.printf);
        let groups = dispatch.groups();
        let host = Watched { is_stopped: AtomicBool::new(false), instructions: AtomicU64::new(0), print };
        let begin = Instant::now();
        let deadline = launch.timeout.and_then(|timeout| begin.checked_add(timeout));
        let mut interruption = None;
        let run = || match launch.checks {
            Some(checks) => {
                dispatch.check_hosted(&space, checks, &host).map(|checked| (checked.outcome.clone(), Some(checked)))
            }
            None => Ok((dispatch.run_hosted(space.memory(), &host), None)),
        };
        let outcome = pools::run_watched(run, deadline, || {
            if interruption.is_none() {
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    interruption = Some(Interruption::Timeout);
                } else if poll().is_break() {
                    interruption = Some(Interruption::Caller);
                }
                if interruption.is_some() {
                    host.is_stopped.store(true, Ordering::Relaxed);
                }
            }
        });
        let (outcome, checked) = outcome.map_err(LaunchError::Threads)??;
        let duration = begin.elapsed();
        let instructions = host.instructions.load(Ordering::Relaxed);
        Ok(LaunchReport { checked, fault: outcome.err().map(Box::new), interruption, groups, instructions, duration })
    }
}

impl HostLaunch<'_> {
    /// Returns the argument or the memory that holds an address, or the nearest one.
    #[must_use]
    pub fn nearest(&self, address: u64) -> Option<Near> {
        let maps: Vec<Buffer> = self.memory.iter().map(SharedBuffer::range).collect();
        Near::of(address, &self.arguments, &maps)
    }

    /// Returns whether an address is in memory of the host that may only be read.
    #[must_use]
    pub fn is_read_only(&self, address: u64) -> bool {
        let holds = |buffer: &&SharedBuffer<'_>| address.wrapping_sub(buffer.address) < buffer.range().bytes;
        self.memory.iter().find(holds).is_some_and(|buffer| !buffer.is_writable)
    }
}

/// Returns the wave size of a kernel.
fn wave(kernel: &KernelInfo) -> Wave {
    if kernel.descriptor.wavefront_size32() { Wave::W32 } else { Wave::W64 }
}

/// The host of a launch: it stops the run, and counts instructions.
struct Watched<'p> {
    is_stopped: AtomicBool,
    instructions: AtomicU64,
    print: &'p (dyn Fn(&[Printed]) + Sync),
}

impl Host for Watched<'_> {
    type Observer = ();

    // Some 10 ms.
    const STOP_AFTER: u64 = 1 << 18;

    fn observer(&self, _group: [u32; 3]) {}

    fn print(&self, _group: [u32; 3], printed: &[Printed]) {
        (self.print)(printed);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    fn executed(&self, _group: [u32; 3], instructions: u64) {
        self.instructions.fetch_add(instructions, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use isa_exec::check::finding::{Kind, Kinds};
    use isa_exec::fault::FaultKind;
    use isa_exec::memory::SharedCells;

    use super::*;

    const HISTOGRAM: &[u8] = include_bytes!("../../../examples/histogram.gfx1100.co");
    /// The work-items of a launch, each of which counts a byte.
    const ITEMS: u32 = 1000;

    fn buffer(address: u64, cells: &[AtomicU64], is_writable: bool) -> SharedBuffer<'_> {
        SharedBuffer { address, parts: vec![SharedCells::Qwords(cells)], is_writable }
    }

    /// Runs the kernel with buffers of these sizes in qwords.
    fn launch(
        object: &LoadedObject,
        text: &[AtomicU64],
        counts: &[AtomicU64],
        change: impl FnOnce(&mut HostLaunch<'_>),
    ) -> LaunchReport {
        let memory = vec![buffer(0x5000_0000, text, false), buffer(0x6000_0000, counts, true)];
        let arguments = memory.iter().map(|buffer| Argument::Buffer(buffer.range()));
        let arguments = arguments.collect::<Vec<_>>();
        let [text, counts] = &arguments[..] else { panic!("two buffers") };
        let arguments = vec![text.clone(), Argument::Value(ITEMS.to_le_bytes().into()), counts.clone()];
        let mut launch = HostLaunch {
            arguments,
            memory,
            global: [ITEMS, 1, 1],
            local: [256, 1, 1],
            settings: object.settings(),
            checks: None,
            timeout: None,
        };
        change(&mut launch);
        let kernel = &object.object().kernels[0];
        object.run(kernel, &launch, &|_| {}, &mut || ControlFlow::Continue(())).expect("a launch")
    }

    fn qwords(count: usize) -> Vec<AtomicU64> {
        (0..count as u64).map(|n| AtomicU64::new(n % 5)).collect()
    }

    #[test]
    fn results_do_not_depend_on_the_order_of_waves() {
        let object = LoadedObject::load(HISTOGRAM).expect("a code object");
        let text = qwords(125);
        for seed in [None, Some(0), Some(1), Some(2)] {
            for turn in [1, 16, 4096] {
                let counts: Vec<AtomicU64> = (0..128).map(|_| AtomicU64::new(0)).collect();
                let report = launch(&object, &text, &counts, |launch| {
                    (launch.settings.seed, launch.settings.turn) = (seed, turn);
                });
                assert_eq!((report.fault, report.groups), (None, 4));
                assert!(report.instructions > 0);
                let of = |value: usize| counts[value / 2].load(Ordering::Relaxed) >> (32 * (value % 2)) & 0xFFFF_FFFF;
                assert_eq!([0, 1, 4].map(of), [900, 25, 25], "turn {turn}, seed {seed:?}");
            }
        }
        assert_eq!(object.programs().len(), 1, "the code is lowered once");
    }

    #[test]
    fn launches_start_threads_again_after_their_end() {
        let object = LoadedObject::load(HISTOGRAM).expect("a code object");
        let text = qwords(125);
        for _ in 0..2 {
            let counts: Vec<AtomicU64> = (0..128).map(|_| AtomicU64::new(0)).collect();
            assert_eq!(launch(&object, &text, &counts, |_| {}).fault, None);
            pools::end_idle_threads();
        }
    }

    #[test]
    fn faults_name_the_memory() {
        let object = LoadedObject::load(HISTOGRAM).expect("a code object");
        let counts = qwords(128);
        let mut near = None;
        let report = launch(&object, &qwords(100), &counts, |launch| near = launch.nearest(0x5000_0320));
        let fault = report.fault.expect("a fault");
        assert_eq!(fault.fault.kind, FaultKind::Unmapped { address: 0x5000_0320, store: false });
        assert_eq!(near.expect("an argument").to_string(), "0 bytes past the end of argument 0, which has 800 bytes");
        let report = launch(&object, &qwords(125), &counts, |launch| {
            launch.memory[1].is_writable = false;
            assert!(launch.is_read_only(0x6000_0000) && !launch.is_read_only(0x6000_0400));
        });
        let fault = report.fault.expect("a fault");
        assert!(matches!(fault.fault.kind, FaultKind::Unmapped { .. }), "{fault}");
    }

    #[test]
    fn accesses_that_a_check_does_not_look_for_are_faults() {
        let object = LoadedObject::load(HISTOGRAM).expect("a code object");
        let fault = |text: usize, is_writable: bool, checks: Option<Kinds>| {
            let (text, counts) = (qwords(text), qwords(128));
            let report = launch(&object, &text, &counts, |launch| {
                launch.memory[1].is_writable = is_writable;
                launch.checks = checks.map(Into::into);
            });
            report.fault.map(|fault| fault.fault.kind)
        };
        // Past the end of the first argument, and a store to memory that is read only.
        for (kind, text, is_writable) in [(Kind::OutOfBounds, 124, true), (Kind::ReadOnlyWrite, 125, false)] {
            let plain = fault(text, is_writable, None);
            assert!(matches!(plain, Some(FaultKind::Unmapped { .. })), "{plain:?}");
            assert_eq!(fault(text, is_writable, Some(Kinds::NONE.with(Kind::Race))), plain);
            assert_eq!(fault(text, is_writable, Some(Kinds::ALL.without(kind))), plain);
            assert_eq!(fault(text, is_writable, Some(Kinds::NONE.with(kind))), None);
        }
    }

    #[test]
    fn runs_are_checked_and_ended() {
        let object = LoadedObject::load(HISTOGRAM).expect("a code object");
        let (text, counts) = (qwords(125), qwords(128));
        let report = launch(&object, &text, &counts, |launch| launch.checks = Some(Kinds::ALL.into()));
        assert!(report.checked.expect("a check").is_clean());
        let report = launch(&object, &text, &counts, |launch| {
            launch.timeout = Some(Duration::ZERO);
            launch.global = [1 << 30, 1, 1];
        });
        assert_eq!(report.interruption, Some(Interruption::Timeout));
        assert_eq!(report.fault.expect("a fault").fault.kind, FaultKind::Stopped);
    }
}
