//! Services of the host that kernels ask for: `printf`, the messages of failed assertions, and the names of all others.
//!
//! Each work-group has its buffers, at the same addresses as those of the others: with any number of threads it is known which
//! work-group has printed a text.

mod format;
mod hostcall;
mod memory;
mod order;
mod printf;

use std::sync::{Mutex, MutexGuard, PoisonError};

use amdgpu_object::{KernelMetadata, PrintfFormat, ValueKind};
use isa_exec::fault::{Fault, FaultKind};
use isa_exec::memory::{Memory, Unmapped};

pub(crate) use memory::GroupMemory;
pub(crate) use order::Order;

use hostcall::Hostcall;
use printf::PrintfBuffer;

/// Where a kernel prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error: failed assertions.
    Stderr,
}

/// The text of a call of `printf`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// The number of the wave in its work-group.
    pub wave: usize,
    /// The lane, where it is known: with calls of the host, not with a buffer that is read at the end.
    pub lane: Option<u32>,
    /// The stream.
    pub stream: Stream,
    /// The text, in any encoding, with the line feeds that the format has.
    pub text: Vec<u8>,
}

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "wave {}", self.wave)?;
        if let Some(lane) = self.lane {
            write!(f, ", lane {lane}")?;
        }
        write!(f, " printed: {}", String::from_utf8_lossy(self.text.trim_ascii_end()))
    }
}

/// The first address of the range of buffers of services.
pub(crate) const BEGIN: u64 = memory::BASE;
/// The address after that range.
pub(crate) const END: u64 = 0x4000_0000_0000;

/// The first of the addresses that kernels get for what only a run-time system has. Nothing is mapped there.
const ABSENT: u64 = 0x3800_0000_0000;
/// The distance of two of them.
const ABSENT_BYTES: u64 = 1 << 16;

/// Something that only a run-time system has, and that kernels get the address of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Absent {
    /// The heap of the device.
    Heap,
    /// The default device queue.
    DefaultQueue,
    /// The action at the end of a kernel.
    CompletionAction,
    /// The signal of the dispatch packet.
    CompletionSignal,
    /// The queue; the bases of LDS and scratch memory are mapped there.
    Queue,
}

impl Absent {
    const ALL: [Self; 5] =
        [Self::Heap, Self::DefaultQueue, Self::CompletionAction, Self::CompletionSignal, Self::Queue];

    /// The address that kernels get.
    pub(crate) const fn address(self) -> u64 {
        ABSENT + self as u64 * ABSENT_BYTES
    }

    /// Returns what kernels get an address for.
    fn at(address: u64) -> Option<Self> {
        let index = address.checked_sub(ABSENT)? / ABSENT_BYTES;
        Self::ALL.into_iter().find(|absent| *absent as u64 == index)
    }

    /// Why an access to it fails.
    const fn reason(self) -> &'static str {
        match self {
            Self::Heap => {
                "it uses the heap of the device (`hidden_heap_v1`: malloc in a kernel), which is not emulated"
            }
            Self::DefaultQueue => {
                "it uses the default device queue (`hidden_default_queue`: enqueue_kernel), which is not emulated"
            }
            Self::CompletionAction => {
                "it uses the action at the end of a kernel (`hidden_completion_action`: enqueue_kernel), which is not emulated"
            }
            Self::CompletionSignal => "it uses the completion signal of its dispatch, which a run does not have",
            Self::Queue => {
                "it uses the queue of its dispatch (`hidden_queue_ptr`), of which a run has the bases of LDS and scratch memory only"
            }
        }
    }
}

/// The services that a kernel can ask for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Services {
    hostcall: bool,
    printf: bool,
}

impl Services {
    /// The services for which a kernel has hidden arguments.
    pub fn of(metadata: Option<&KernelMetadata>) -> Self {
        let has = |kind| metadata.is_some_and(|kernel| kernel.args.iter().any(|argument| argument.value_kind == kind));
        Self { hostcall: has(ValueKind::HiddenHostcallBuffer), printf: has(ValueKind::HiddenPrintfBuffer) }
    }

    /// Returns the buffers of a work-group; `None` if the kernel asks for nothing.
    pub fn group(self) -> Option<Group> {
        (self.hostcall || self.printf).then(|| Group { services: self, state: Mutex::default() })
    }

    /// The address of the buffer of calls of the host.
    pub const fn hostcall_address(self) -> u64 {
        if self.hostcall { hostcall::ADDRESS } else { 0 }
    }

    /// The address of the buffer of `printf`.
    pub const fn printf_address(self) -> u64 {
        if self.printf { printf::ADDRESS } else { 0 }
    }
}

/// The buffers of a work-group.
#[derive(Debug)]
pub(crate) struct Group {
    services: Services,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The wave whose turn it is.
    wave: usize,
    /// Made when it is accessed first.
    hostcall: Option<Hostcall>,
    printf: Option<PrintfBuffer>,
    printed: Vec<Printed>,
    /// Why a call of a wave was not served.
    failure: Option<String>,
}

impl State {
    /// Serves what a wave has sent by a change of a number at an address.
    fn serve(&mut self, address: u64) -> Result<(), Unmapped> {
        let Self { wave, hostcall: Some(hostcall), printed, failure, .. } = self else { return Ok(()) };
        hostcall.changed(address, *wave, printed).map_err(|reason| {
            *failure = Some(reason);
            Unmapped { address }
        })
    }
}

impl Group {
    /// The state. A thread that panics does so outside of the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function with the memory of the buffer at an address.
    fn with_pages<T>(
        &self,
        address: u64,
        f: impl FnOnce(&memory::Pages) -> Result<T, Unmapped>,
    ) -> Result<T, Unmapped> {
        let mut state = self.lock();
        if self.services.hostcall && address.wrapping_sub(hostcall::ADDRESS) < hostcall::BYTES {
            return f(state.hostcall.get_or_insert_with(Hostcall::new).pages());
        }
        if self.services.printf {
            let buffer = state.printf.get_or_insert_with(PrintfBuffer::new);
            if buffer.pages().contains(address) {
                return f(buffer.pages());
            }
        }
        Err(Unmapped { address })
    }

    /// Returns what the work-group has printed: first by calls of the host, then in its buffer.
    pub fn finish(&self, formats: &[PrintfFormat]) -> Vec<Printed> {
        let mut state = self.lock();
        let mut printed = core::mem::take(&mut state.printed);
        printed.extend(state.printf.take().into_iter().flat_map(|buffer| buffer.printed(formats)));
        printed
    }

    /// Returns what the work-group has printed by calls of the host, but for the end, which may be the message of an assertion.
    pub fn take_early(&self) -> Vec<Printed> {
        /// A message of each lane of each wave.
        const KEPT: usize = 1024;
        let printed = &mut self.lock().printed;
        let end = printed.len().saturating_sub(KEPT);
        printed.drain(..end).collect()
    }

    /// Returns why a call of a wave was not served.
    fn failure(&self) -> Option<String> {
        self.lock().failure.take()
    }
}

impl Memory for Group {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Unmapped> {
        if self.services.hostcall && address == hostcall::ADDRESS + hostcall::PACKET_COUNT {
            self.lock().hostcall.get_or_insert_with(Hostcall::new).use_phases();
        }
        self.with_pages(address, |pages| pages.read(address, bytes))
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Unmapped> {
        self.with_pages(address, |pages| pages.write(address, bytes))?;
        self.lock().serve(address)
    }

    fn update(&self, address: u64, bytes: usize, f: &mut dyn FnMut(u64) -> u64) -> Result<u64, Unmapped> {
        let mut new = 0;
        let old = self.with_pages(address, |pages| {
            pages.update(address, bytes, &mut |old| {
                new = f(old);
                new
            })
        })?;
        let mut state = self.lock();
        let wave = state.wave;
        if let Some(buffer) = &mut state.printf {
            buffer.changed(address, old, new, wave);
        }
        state.serve(address).map(|()| old)
    }

    fn begin_turn(&self, wave: usize) {
        self.lock().wave = wave;
    }
}

/// Replaces the reason of a fault that is due to a service that a run does not have.
pub(crate) fn explain(fault: &mut Fault, group: Option<&Group>) {
    let FaultKind::Unmapped { address, .. } = fault.kind else { return };
    let reason = match group.and_then(Group::failure) {
        Some(failure) => Some(failure),
        None => Absent::at(address).map(|absent| absent.reason().into()),
    };
    if let Some(reason) = reason {
        fault.kind = FaultKind::External(reason);
    }
}

/// Returns what a wave has printed last, the text of its lowest lane: the message of the assertion that a trap is due to.
pub(crate) fn last_words(printed: &[Printed], wave: usize) -> Option<&Printed> {
    let mut of_wave = printed.iter().rev().filter(|printed| printed.wave == wave);
    let last = of_wave.next()?;
    let is_same = |(before, after): &(&Printed, &Printed)| before.stream == last.stream && before.lane < after.lane;
    let mut first = last;
    for before in of_wave {
        if !is_same(&(before, first)) {
            break;
        }
        first = before;
    }
    Some(first)
}
