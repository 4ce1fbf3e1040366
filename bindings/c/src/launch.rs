//! Launches of kernels on memory of the caller.

use std::ffi::{c_char, c_int, c_void};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use amdgpu_dispatch::{Argument, Buffer, HostLaunch, Interruption, Printed, Stream, end_idle_threads};
use isa_exec::check::finding::Kinds;

use crate::border::{self, OutError, OutHandle, Plain, Sized32, guard};
use crate::memory;
use crate::object::isa_object;
use crate::report::isa_launch_result;
use crate::status::{Failure, isa_error, isa_status};

/// The kind of an argument of a launch.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_argument_kind {
    /// A value: `bytes` bytes at `data`.
    Value = 1,
    /// A pointer: the kernel gets the address `data`, and may access `bytes` bytes there.
    Pointer = 2,
    /// Local memory of `bytes` bytes, whose address the kernel gets.
    Lds = 3,
}

/// Flags of memory.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_memory_flag {
    /// A kernel may only read it; a store is a fault.
    ReadOnly = 1,
}

/// An explicit argument of a launch. Its layout does not change.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_argument {
    /// An `isa_argument_kind`.
    pub kind: u32,
    /// A set of `isa_memory_flag`, for pointers.
    pub flags: u32,
    /// The memory or the value.
    pub data: *mut c_void,
    /// The size. 0 for a pointer: to nothing, or into other memory of the launch.
    pub bytes: u64,
}

// SAFETY: all members are valid with any bits.
unsafe impl Plain for isa_argument {}

/// Memory that a kernel can reach through pointers in memory. Its layout does not change.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_memory {
    /// The first byte.
    pub data: *mut c_void,
    /// The size.
    pub bytes: u64,
    /// A set of `isa_memory_flag`.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
}

// SAFETY: all members are valid with any bits.
unsafe impl Plain for isa_memory {}

/// Flags of a launch.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_launch_flag {
    /// Look for races, missing waits, wild accesses and undefined values while the kernel runs.
    Check = 1,
    /// Draw a random order of waves from `seed`.
    Seed = 2,
}

/// A stream that a kernel prints to.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_stream {
    /// Standard output.
    Stdout = 1,
    /// Standard error.
    Stderr = 2,
}

/// Gets text that a kernel prints; `stream` is an `isa_stream`. The text has no terminating 0 and is valid during the call. It is called
/// on the thread that called `isa_launch`.
pub type isa_print_fn = Option<unsafe extern "C" fn(data: *mut c_void, stream: u32, text: *const c_char, size: usize)>;

/// Is called every 20 ms on the thread that called `isa_launch`. A result other than 0 stops the kernel.
pub type isa_poll_fn = Option<unsafe extern "C" fn(data: *mut c_void) -> c_int>;

/// The options of a launch. NULL or 0 are the defaults.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_launch_options {
    /// The size of the struct.
    pub size: u32,
    /// A set of `isa_launch_flag`.
    pub flags: u32,
    /// The number of work-groups in x, y and z; 0 is 1.
    pub grid: [u32; 3],
    /// The number of work-items of a work-group in x, y and z; 0 is 1.
    pub block: [u32; 3],
    /// The explicit arguments.
    pub arguments: *const isa_argument,
    /// Their number.
    pub argument_count: usize,
    /// Further memory.
    pub memory: *const isa_memory,
    /// The number of its ranges.
    pub memory_count: usize,
    /// Local memory in bytes that is added to that of the kernel.
    pub lds: u32,
    /// The least scratch memory of a work-item in bytes; 0 leaves it to the kernel.
    pub stack: u32,
    /// The most instructions that the waves of a work-group execute together; 0 for any number.
    pub max_instructions: u64,
    /// The time in nanoseconds after which the kernel is stopped; 0 for any time.
    pub timeout: u64,
    /// After how many instructions another wave goes on; 0 for the default.
    pub turn: u64,
    /// The seed of the order of waves, with `ISA_LAUNCH_FLAG_SEED`.
    pub seed: u64,
    /// How many work-groups make progress together; 0 for as many as the processor holds.
    pub resident: u64,
    /// Gets what the kernel prints; NULL drops it.
    pub print: isa_print_fn,
    /// The first argument of `print`.
    pub print_data: *mut c_void,
    /// Is called while the kernel runs.
    pub poll: isa_poll_fn,
    /// The argument of `poll`.
    pub poll_data: *mut c_void,
}

// SAFETY: numbers and pointers; the contract of the header demands that `print` and `poll` are NULL or functions. The first member is the
// size.
unsafe impl Plain for isa_launch_options {}
impl Sized32 for isa_launch_options {
    const FIRST: usize = size_of::<Self>();
}

/// Larger values are not arguments of any kernel.
const MAX_VALUE: u64 = 64 << 10;

/// The arguments and the memory of a launch.
struct Inputs {
    arguments: Vec<Argument>,
    ranges: Vec<amdgpu_dispatch::HostRange>,
}

fn is_writable(flags: u32, what: &str) -> Result<bool, Failure> {
    match flags {
        0 => Ok(true),
        1 => Ok(false),
        _ => Err(Failure::invalid(format!("{what}: {flags:#x} is not a set of isa_memory_flag"))),
    }
}

/// Reads the arguments and the memory of options.
///
/// # Safety
/// The contract of the header for the options.
unsafe fn inputs(options: &isa_launch_options) -> Result<Inputs, Failure> {
    // SAFETY: the caller's.
    let arguments = unsafe { border::slice(options.arguments, options.argument_count, "arguments") }?;
    // SAFETY: the caller's.
    let memory = unsafe { border::slice(options.memory, options.memory_count, "memory") }?;
    let mut all = Inputs { arguments: Vec::with_capacity(arguments.len().min(256)), ranges: Vec::new() };
    for (index, argument) in arguments.iter().enumerate() {
        let what = format!("argument {index}");
        let is_writable = is_writable(argument.flags, &what)?;
        let address = argument.data.expose_provenance();
        all.arguments.push(match argument.kind {
            1 if argument.bytes > MAX_VALUE => {
                return Err(Failure::invalid(format!("{what} is a value of {} bytes", argument.bytes)));
            }
            1 => {
                // SAFETY: the caller's.
                let value = unsafe { border::slice(argument.data.cast::<u8>(), argument.bytes as usize, "a value") };
                Argument::Value(value?.to_vec())
            }
            2 if argument.bytes == 0 => Argument::Value((address as u64).to_le_bytes().into()),
            2 => {
                all.ranges.push(memory::range(address, argument.bytes, is_writable, &what)?);
                Argument::Buffer(Buffer { address: address as u64, bytes: argument.bytes })
            }
            3 => Argument::Lds(u32::try_from(argument.bytes).unwrap_or(u32::MAX)),
            kind => return Err(Failure::invalid(format!("{what}: {kind} is not an isa_argument_kind"))),
        });
    }
    for (index, range) in memory.iter().enumerate() {
        let what = format!("memory {index}");
        let is_writable = is_writable(range.flags, &what)?;
        all.ranges.push(memory::range(range.data.expose_provenance(), range.bytes, is_writable, &what)?);
    }
    Ok(all)
}

fn sizes(options: &isa_launch_options) -> Result<([u32; 3], [u32; 3]), Failure> {
    let block = options.block.map(|size| size.max(1));
    let mut global = [1; 3];
    for ((to, grid), block) in global.iter_mut().zip(options.grid).zip(block) {
        let items = grid.max(1).checked_mul(block);
        *to = items.ok_or_else(|| Failure::invalid("the grid has too many work-items"))?;
    }
    Ok((global, block))
}

/// Gives the caller what a kernel has printed.
fn flush(options: &isa_launch_options, printed: &Mutex<Vec<Printed>>) {
    let texts = std::mem::take(&mut *printed.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(print) = options.print {
        for text in texts {
            let stream = if text.stream == Stream::Stdout { isa_stream::Stdout } else { isa_stream::Stderr };
            // SAFETY: the contract of the header: `print` is a function that takes its data. The text is valid during the call.
            unsafe { print(options.print_data, stream as u32, text.text.as_ptr().cast(), text.text.len()) };
        }
    }
}

/// Runs a kernel of an object on the CPU, in the memory of the caller. The kernel reads and writes nothing else but its own memory.
/// `*result` is set if the kernel has run, also to its end with `ISA_STATUS_FAULT`, `ISA_STATUS_TIMEOUT` or `ISA_STATUS_STOPPED`.
/// Findings of a check are not a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_launch(
    object: *const isa_object,
    kernel: usize,
    options: *const isa_launch_options,
    result: *mut *mut isa_launch_result,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (object, options, result, error) = unsafe {
        (
            border::handle(object),
            border::options(options, "isa_launch_options"),
            OutHandle::new(result),
            OutError::new(error),
        )
    };
    guard(error, || {
        let (object, options, result) = (object?, options?, result?);
        if options.flags > 3 {
            return Err(Failure::invalid(format!("{:#x} is not a set of isa_launch_flag", options.flags)));
        }
        // SAFETY: the contract of the header.
        let inputs = unsafe { inputs(&options) }?;
        let (global, local) = sizes(&options)?;
        let kernel = object.launched(kernel)?;
        let mut settings = kernel.object.settings();
        settings.dynamic_lds_bytes = options.lds;
        settings.stack_bytes = Some(options.stack).filter(|bytes| *bytes > 0);
        settings.max_instructions = Some(options.max_instructions).filter(|most| *most > 0).unwrap_or(u64::MAX);
        settings.seed = Some(options.seed).filter(|_| options.flags & isa_launch_flag::Seed as u32 != 0);
        settings.resident = Some(options.resident).filter(|groups| *groups > 0);
        if options.turn > 0 {
            settings.turn = options.turn;
        }
        let launch = HostLaunch {
            arguments: inputs.arguments,
            // SAFETY: the contract of the header: the caller's memory is valid while the function runs, and writable without the flag.
            memory: unsafe { memory::buffers(&inputs.ranges) },
            global,
            local,
            settings,
            checks: (options.flags & isa_launch_flag::Check as u32 != 0).then(|| Kinds::ALL.into()),
            timeout: Some(options.timeout).filter(|time| *time > 0).map(Duration::from_nanos),
        };
        let (printed, is_printed) = (Mutex::new(Vec::new()), options.print.is_some());
        let print = |texts: &[Printed]| {
            if is_printed {
                printed.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(texts);
            }
        };
        let mut poll = || {
            flush(&options, &printed);
            // SAFETY: the contract of the header: `poll` is a function that takes its data.
            let stops = options.poll.is_some_and(|poll| unsafe { poll(options.poll_data) } != 0);
            if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let report = kernel.object.run(kernel.info, &launch, &print, &mut poll);
        flush(&options, &printed);
        let report =
            report.map_err(|error| Failure::new(isa_status::Launch, format!("{}: {error}", kernel.info.name)))?;
        let interruption = report.interruption;
        let finished = isa_launch_result::new(&kernel.context(&launch)?, &report);
        let fault = finished.fault_message();
        result.set(finished);
        let Some(fault) = fault else { return Ok(()) };
        let status = match interruption {
            Some(Interruption::Timeout) => isa_status::Timeout,
            Some(Interruption::Caller) => isa_status::Stopped,
            None => isa_status::Fault,
        };
        Err(Failure::new(status, fault))
    })
}

/// Ends the threads that launches have left, and waits for their end. A program calls it before it unloads the library. Later launches
/// start new threads.
#[unsafe(no_mangle)]
pub extern "C" fn isa_end_threads() {
    guard(OutError::none(), || {
        end_idle_threads();
        Ok(())
    });
}
