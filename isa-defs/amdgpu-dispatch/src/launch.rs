//! Launches: a kernel of a file, its arguments and its grid, set up and run in one call.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use amdgpu_arch::{Arch, Wave};
use amdgpu_object::{CodeObject, Grid, GridError, HiddenArguments, LoadError, Segment};
use isa_exec::memory::Unmapped;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::arguments::{Argument, ArgumentError, place_arguments};
use crate::check::{Checked, Checks, NotChecked};
use crate::dispatch::{Dispatch, DispatchError, GroupFault, Settings};
use crate::host::Host;
use crate::inputs::{InputError, Inputs, LaunchArgument, MemoryContent, MemoryRange, dump};
use crate::machine;
use crate::services::Printed;
use crate::space::{AddressSpace, Buffer, CODE_BASE, SpaceError};

/// Why a kernel is not launched, or does not run to its end.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum LaunchError {
    /// The code object cannot be loaded.
    Load(LoadError),
    /// The code object is for a processor whose code is not executed; its name.
    NotExecuted(&'static str),
    /// The code object is for an unknown processor; its number.
    UnknownProcessor(u32),
    /// The code object has no kernel of this name, or several kernels and no name is given.
    NoKernel {
        /// The name.
        name: Option<String>,
        /// The names of the kernels that there are.
        known: Vec<String>,
    },
    /// The kernel begins outside of code, at this address of the file.
    Entry(u64),
    /// The sizes of the grid.
    Grid(GridError),
    /// The segments of the code object cannot be mapped.
    Space(SpaceError),
    /// Threads cannot be started, for this reason.
    Threads(String),
    /// The memory of arguments cannot be set up.
    Input(InputError),
    /// The arguments or the grid do not fit the kernel.
    Dispatch(DispatchError),
    /// The session is not for a check.
    NotChecked(NotChecked),
    /// The kernel ended by a fault.
    Fault(Box<GroupFault>),
}

impl std::error::Error for LaunchError {}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(error) => error.fmt(f),
            Self::NotExecuted(processor) => {
                write!(f, "made for {processor}, which is not executed; supported: {}", machine::executed_processors())
            }
            Self::UnknownProcessor(number) => write!(f, "made for an unknown processor, number 0x{number:02x}"),
            Self::NoKernel { known, .. } if known.is_empty() => f.write_str("the file holds no kernels"),
            Self::NoKernel { name: Some(name), known } => {
                write!(f, "there is no kernel `{name}`; the kernels are {}", known.join(", "))
            }
            Self::NoKernel { name: None, known } => {
                write!(f, "the file holds several kernels: {}", known.join(", "))
            }
            Self::Entry(address) => write!(f, "the kernel begins at {address:#x}, outside of code"),
            Self::Grid(error) => error.fmt(f),
            Self::Space(error) => error.fmt(f),
            Self::Threads(error) => write!(f, "threads cannot be started: {error}"),
            Self::Input(error) => error.fmt(f),
            Self::Dispatch(error) => error.fmt(f),
            Self::NotChecked(error) => error.fmt(f),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

macro_rules! from {
    ($($variant:ident $error:ty;)*) => {$(
        impl From<$error> for LaunchError {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        }
    )*};
}

from! {
    Load LoadError;
    Grid GridError;
    Input InputError;
    Dispatch DispatchError;
    NotChecked NotChecked;
}

impl From<ArgumentError> for LaunchError {
    fn from(error: ArgumentError) -> Self {
        Self::Dispatch(error.into())
    }
}

/// A kernel of a code object that is loaded.
#[derive(Debug, Clone)]
pub struct Kernel<'a> {
    object: CodeObject<'a>,
    kernel: amdgpu_object::Kernel,
    arch: Arch,
}

impl<'a> Kernel<'a> {
    /// Loads the only kernel of a code object.
    ///
    /// # Errors
    /// The file cannot be loaded, has no kernel or several, or its code is not executed.
    pub fn load(file: &'a [u8]) -> Result<Self, LaunchError> {
        Self::find(file, None)
    }

    /// Loads the kernel with a name: that of its symbol or of its metadata.
    ///
    /// # Errors
    /// The file cannot be loaded, has no such kernel, or its code is not executed.
    pub fn named(file: &'a [u8], name: &str) -> Result<Self, LaunchError> {
        Self::find(file, Some(name))
    }

    fn find(file: &'a [u8], name: Option<&str>) -> Result<Self, LaunchError> {
        let object = CodeObject::load(file, CODE_BASE)?;
        let kernels = &object.kernels;
        let has_name = |kernel: &&amdgpu_object::Kernel, name: &str| {
            kernel.name == name || kernel.metadata.as_ref().is_some_and(|metadata| metadata.name == name)
        };
        let found = match name {
            Some(name) => kernels.iter().find(|kernel| has_name(kernel, name)),
            None => kernels.first().filter(|_| kernels.len() == 1),
        };
        let found = found.cloned().ok_or_else(|| LaunchError::NoKernel {
            name: name.map(Into::into),
            known: kernels.iter().map(|kernel| kernel.name.clone()).collect(),
        })?;
        Self::of(object, found)
    }

    /// Returns a kernel of a code object that is loaded at [`CODE_BASE`]: for callers with [limits](amdgpu_object::Limits) on its memory.
    ///
    /// # Errors
    /// The code is not executed.
    pub fn of(object: CodeObject<'a>, kernel: amdgpu_object::Kernel) -> Result<Self, LaunchError> {
        let arch = executed_arch(object.flags)?;
        Ok(Self { object, kernel, arch })
    }

    /// Returns the code object.
    #[must_use]
    pub const fn object(&self) -> &CodeObject<'a> {
        &self.object
    }

    /// Returns the descriptor, the metadata and the addresses of the kernel.
    #[must_use]
    pub const fn info(&self) -> &amdgpu_object::Kernel {
        &self.kernel
    }

    /// Returns the instruction set.
    #[must_use]
    pub const fn arch(&self) -> Arch {
        self.arch
    }

    /// Returns the wave size.
    #[must_use]
    pub fn wave(&self) -> Wave {
        if self.kernel.descriptor.wavefront_size32() { Wave::W32 } else { Wave::W64 }
    }

    /// Returns the number of vector registers of a wave.
    #[must_use]
    pub fn vectors(&self) -> u16 {
        self.kernel.descriptor.vgpr_count().min(256) as u16
    }

    /// Begins a launch with arguments, which are checked against the metadata.
    ///
    /// # Errors
    /// Their number, kinds or sizes are not those of the kernel.
    pub fn arguments(self, arguments: impl IntoIterator<Item = LaunchArgument>) -> Result<Launch<'a>, LaunchError> {
        let launch = Launch { arguments: arguments.into_iter().collect(), ..Launch::new(self) };
        let placeholder = |argument: &LaunchArgument| match argument {
            LaunchArgument::Buffer(_) | LaunchArgument::Part { .. } => {
                Argument::Buffer(Buffer { address: 0, bytes: 0 })
            }
            LaunchArgument::Lds(bytes) => Argument::Lds(*bytes),
            LaunchArgument::Value(bytes) => Argument::Value(bytes.clone()),
        };
        let placeholders: Vec<Argument> = launch.arguments.iter().map(placeholder).collect();
        let hidden = HiddenArguments {
            grid: Grid::new(&[1], &[1])?,
            dynamic_lds_size: 0,
            private_base: 0,
            shared_base: 0,
            queue: 0,
            printf_buffer: 0,
            hostcall_buffer: 0,
            heap: 0,
            default_queue: 0,
            completion_action: 0,
        };
        place_arguments(&launch.kernel.kernel, &placeholders, &hidden)?;
        Ok(launch)
    }

    /// Returns the segment that holds the kernel's code.
    fn code(&self) -> Result<&Segment<'a>, LaunchError> {
        let entry = self.kernel.entry;
        let holds = |segment: &&Segment<'_>| {
            let offset = entry.checked_sub(segment.address);
            segment.is_executable && offset.is_some_and(|offset| offset < segment.bytes.len() as u64)
        };
        self.object.segments.iter().find(holds).ok_or(LaunchError::Entry(entry.wrapping_sub(CODE_BASE)))
    }
}

/// Returns the instruction set of a code object with these flags.
///
/// # Errors
/// Its code is not executed.
pub fn executed_arch(flags: u32) -> Result<Arch, LaunchError> {
    match amdgpu_arch::processor(flags) {
        Ok(processor) => match processor.arch.filter(|arch| machine::executed_sets().any(|set| set == *arch)) {
            Some(arch) => Ok(arch),
            None => Err(LaunchError::NotExecuted(processor.name)),
        },
        Err(number) => Err(LaunchError::UnknownProcessor(number)),
    }
}

/// Sizes in up to three dimensions: a number, an array or a vector of numbers converts to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Sizes(Vec<u32>);

impl From<u32> for Sizes {
    fn from(size: u32) -> Self {
        Self(vec![size])
    }
}

impl<const N: usize> From<[u32; N]> for Sizes {
    fn from(sizes: [u32; N]) -> Self {
        Self(sizes.into())
    }
}

impl From<&[u32]> for Sizes {
    fn from(sizes: &[u32]) -> Self {
        Self(sizes.into())
    }
}

/// A kernel with arguments and a grid, before memory is mapped.
#[derive(Debug, Clone)]
#[must_use]
pub struct Launch<'a> {
    kernel: Kernel<'a>,
    /// The explicit arguments.
    pub arguments: Vec<LaunchArgument>,
    /// Memory at addresses.
    pub maps: Vec<(u64, MemoryContent)>,
    /// The memory that is written to files when the kernel has ended.
    pub dumps: Vec<(MemoryRange, PathBuf)>,
    /// The settings besides grid and arguments. The processor is that of the code object, if it is known.
    pub settings: Settings,
    threads: usize,
    global: Sizes,
    local: Sizes,
}

impl<'a> Launch<'a> {
    /// Begins a launch without arguments, of one work-group with one work-item.
    pub fn new(kernel: Kernel<'a>) -> Self {
        let processor = machine::imitated(kernel.object.flags, kernel.arch);
        let settings = Settings { processor, ..Settings::default() };
        let (global, local) = (Sizes::from(1), Sizes::from(1));
        Self { kernel, arguments: Vec::new(), maps: Vec::new(), dumps: Vec::new(), settings, threads: 0, global, local }
    }

    /// Sets the number of work-items, in as many dimensions as [`local`](Self::local).
    pub fn global(self, sizes: impl Into<Sizes>) -> Self {
        Self { global: sizes.into(), ..self }
    }

    /// Sets the number of work-items of a work-group.
    pub fn local(self, sizes: impl Into<Sizes>) -> Self {
        Self { local: sizes.into(), ..self }
    }

    /// Sets the number of threads; 0: one for each processor of this machine.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Puts memory at an address: for pointers in memory.
    pub fn map(mut self, address: u64, content: MemoryContent) -> Self {
        self.maps.push((address, content));
        self
    }

    /// Writes memory to a file when the kernel has ended.
    pub fn dump(mut self, range: MemoryRange, path: impl Into<PathBuf>) -> Self {
        self.dumps.push((range, path.into()));
        self
    }

    /// Runs the kernel.
    ///
    /// # Errors
    /// It cannot be launched, or ends by a fault.
    pub fn run(self) -> Result<Finished, LaunchError> {
        let printer = Printer::default();
        let (space, inputs) = self.with_session(false, |session| {
            session.run(&printer).map_err(|fault| LaunchError::Fault(Box::new(fault)))?;
            session.write_dumps()?;
            Ok::<_, LaunchError>((session.space, session.inputs))
        })??;
        Ok(Finished { printed: printer.finish(), space, inputs })
    }

    /// Runs the kernel, and looks for faults of some kinds. A fault that ends the run is in [`Checked::outcome`]; no dumps are written then.
    ///
    /// # Errors
    /// It cannot be launched.
    pub fn check(self, checks: impl Into<Checks>) -> Result<(Checked, Finished), LaunchError> {
        let (printer, checks) = (Printer::default(), checks.into());
        let (checked, space, inputs) = self.with_session(true, |session| {
            let checked = session.check(checks, &printer)?;
            if checked.outcome.is_ok() {
                session.write_dumps()?;
            }
            Ok::<_, LaunchError>((checked, session.space, session.inputs))
        })??;
        Ok((checked, Finished { printed: printer.finish(), space, inputs }))
    }

    /// Maps the memory, and calls a function with all that a run needs: for callers with a [`Host`]. `is_checked`: the kernel can be checked.
    ///
    /// # Errors
    /// The kernel cannot be launched.
    pub fn with_session<T>(self, is_checked: bool, run: impl FnOnce(Session<'_>) -> T) -> Result<T, LaunchError> {
        let kernel = &self.kernel;
        let grid = Grid::new(&self.global.0, &self.local.0)?;
        let mut space = AddressSpace::new(&kernel.object).map_err(LaunchError::Space)?;
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| LaunchError::Threads(error.to_string()))?;
        let inputs = pool.install(|| Inputs::new(&self.arguments, &self.maps, &mut space))?;
        let dumps = self.dumps.iter().map(|(range, path)| Ok((inputs.range(*range)?, path.as_path())));
        let dumps = dumps.collect::<Result<_, InputError>>()?;
        let code = kernel.code()?;
        let place = (&*code.bytes, code.address);
        let program = machine::program(kernel.arch, place, kernel.wave(), kernel.vectors(), is_checked);
        let program = program.ok_or(LaunchError::NotExecuted(kernel.arch.name()))?;
        let dispatch = Dispatch::new(&program, &kernel.kernel, grid, inputs.arguments(), &self.settings, &mut space)?;
        let dispatch = dispatch.with_formats(&kernel.object.printf);
        Ok(run(Session { kernel, code, dispatch, pool, space, inputs, dumps }))
    }
}

/// A launch whose memory is mapped.
#[derive(Debug)]
#[non_exhaustive]
pub struct Session<'s> {
    /// The kernel.
    pub kernel: &'s Kernel<'s>,
    /// The segment that holds its code.
    pub code: &'s Segment<'s>,
    /// The work-groups.
    pub dispatch: Dispatch<'s>,
    /// The threads that execute them.
    pub pool: ThreadPool,
    /// The memory.
    pub space: AddressSpace<'static>,
    /// What the memory holds.
    pub inputs: Inputs,
    dumps: Vec<(Buffer, &'s Path)>,
}

impl Session<'_> {
    /// Writes the files that [`Launch::dumps`] asks for.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write_dumps(&self) -> Result<(), InputError> {
        self.dumps.iter().try_for_each(|(buffer, path)| dump(&self.space, *buffer, path))
    }

    /// Executes all work-groups, with a host that observes them and gets what they print.
    ///
    /// # Errors
    /// As [`Dispatch::run`].
    pub fn run<H: Host + Sync>(&self, host: &H) -> Result<(), GroupFault> {
        self.pool.install(|| self.dispatch.run_hosted(self.space.memory(), host))
    }

    /// Checks all work-groups, with a host that observes them and gets what they print.
    ///
    /// # Errors
    /// The session is not for a check.
    pub fn check<H: Host + Sync>(&self, checks: impl Into<Checks>, host: &H) -> Result<Checked, NotChecked> {
        let checks = checks.into();
        self.pool.install(|| self.dispatch.check_hosted(&self.space, checks, host))
    }
}

/// A kernel that has ended.
#[derive(Debug)]
pub struct Finished {
    /// What the kernel has printed, in the order of the work-groups.
    pub printed: Vec<Printed>,
    /// The memory.
    pub space: AddressSpace<'static>,
    /// What the memory holds.
    pub inputs: Inputs,
}

impl Finished {
    /// Returns the contents of the buffer of an argument.
    ///
    /// # Errors
    /// There is no such argument, or it is not a buffer.
    pub fn contents(&self, argument: usize) -> Result<Vec<u8>, InputError> {
        let buffer = self.inputs.range(MemoryRange::Argument(argument))?;
        self.space.contents(buffer).map_err(|Unmapped { .. }| InputError::NotMapped)
    }
}

/// A host that keeps what is printed.
#[derive(Default)]
struct Printer(Mutex<Vec<Printed>>);

impl Printer {
    fn finish(self) -> Vec<Printed> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Printer {
    type Observer = ();

    fn observer(&self, _group: [u32; 3]) {}

    fn print(&self, _group: [u32; 3], printed: &[Printed]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(printed);
    }
}
