//! The memory of a launch: the buffers of arguments, memory at addresses, and what is written to files afterwards.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use amdgpu_object::printable;
use isa_exec::memory::Memory;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::arguments::Argument;
use crate::space::{AddressSpace, Buffer, SpaceError};

/// An argument of a kernel, before its memory is mapped. Numbers convert to it.
#[derive(Debug, Clone, PartialEq)]
pub enum LaunchArgument {
    /// A buffer with these contents.
    Buffer(MemoryContent),
    /// The buffer of another argument from an offset on.
    Part {
        /// The index of the other argument, which is a buffer or itself a part of one.
        argument: usize,
        /// The offset in bytes.
        offset: u64,
    },
    /// Local memory of this size in bytes.
    Lds(u32),
    /// A value, its bytes in memory.
    Value(Vec<u8>),
}

impl LaunchArgument {
    /// Returns a buffer of zeros.
    #[must_use]
    pub const fn zeros(bytes: u64) -> Self {
        Self::Buffer(MemoryContent::Zeros(bytes))
    }

    /// Returns a buffer with contents.
    #[must_use]
    pub fn bytes(contents: impl Into<Vec<u8>>) -> Self {
        Self::Buffer(MemoryContent::Bytes(contents.into()))
    }
}

macro_rules! values {
    ($($number:ty)*) => {$(
        impl From<$number> for LaunchArgument {
            fn from(number: $number) -> Self {
                Self::Value(number.to_le_bytes().into())
            }
        }
    )*};
}

values! { u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

/// The contents of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryContent {
    /// The bytes of a file, which is read when the kernel is launched.
    File(PathBuf),
    /// These bytes.
    Bytes(Vec<u8>),
    /// This number of zeros.
    Zeros(u64),
    /// This number of zeros, which count as not written for a check.
    Unwritten(u64),
}

/// A part of the memory of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryRange {
    /// The buffer of an argument, by its index.
    Argument(usize),
    /// Memory at an address that [`Launch::map`](crate::Launch::map) gives.
    Address {
        /// The first byte.
        address: u64,
        /// The size in bytes; `None`: up to the end of what is mapped there.
        bytes: Option<u64>,
    },
}

/// Why the memory of a launch cannot be set up, read or written.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum InputError {
    /// The buffer of an argument cannot be mapped.
    Argument {
        /// The index of the argument.
        index: usize,
        /// The reason.
        error: SpaceError,
    },
    /// Memory at an address cannot be mapped.
    Map {
        /// The address.
        address: u64,
        /// The reason.
        error: SpaceError,
    },
    /// An argument is a part of itself.
    Circle {
        /// The index of the argument.
        index: usize,
    },
    /// An argument is a part of a buffer that is too small.
    Offset {
        /// The index of the argument.
        index: usize,
        /// The index of the argument with the buffer.
        of: usize,
        /// The offset in bytes.
        offset: u64,
        /// The size of the buffer in bytes.
        bytes: u64,
    },
    /// An argument is a part of an argument that is not a buffer.
    PartOfValue {
        /// The index of the argument.
        index: usize,
        /// The index of the other argument.
        of: usize,
    },
    /// An argument is a part of one that is not there.
    PartOfNone {
        /// The index of the argument.
        index: usize,
        /// The index of the other argument.
        of: usize,
        /// How many arguments are given.
        given: usize,
    },
    /// The argument whose memory is asked for is not a buffer.
    NotBuffer {
        /// The index of the argument.
        index: usize,
    },
    /// The argument whose memory is asked for is not there.
    NoArgument {
        /// The index of the argument.
        index: usize,
        /// How many arguments are given.
        given: usize,
    },
    /// No memory is mapped at the address that is asked for.
    NoMap {
        /// The address.
        address: u64,
    },
    /// The memory at the address that is asked for ends sooner.
    ShortMap {
        /// The address.
        address: u64,
        /// How many bytes are left.
        left: u64,
    },
    /// A file cannot be read.
    Read {
        /// The path.
        path: PathBuf,
        /// The reason.
        error: Arc<io::Error>,
    },
    /// A file cannot be written.
    Write {
        /// The path.
        path: PathBuf,
        /// The reason.
        error: Arc<io::Error>,
    },
    /// A buffer is not mapped.
    NotMapped,
}

impl std::error::Error for InputError {}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = |path: &Path| printable(path.as_os_str().as_encoded_bytes());
        match self {
            Self::Argument { index, error } => write!(f, "argument {index}: {error}"),
            Self::Map { error, .. } => error.fmt(f),
            Self::Circle { index } => write!(f, "argument {index}: its buffer is a part of itself"),
            Self::Offset { index, of, offset, bytes } => write!(
                f,
                "argument {index}: offset {offset} is outside of the buffer of argument {of}, which has {}",
                byte_count(*bytes)
            ),
            Self::PartOfValue { index, of } => write!(f, "argument {index}: argument {of} is not a buffer"),
            Self::PartOfNone { index, of, given } => {
                write!(f, "argument {index}: there is no argument {of}; {given} are given")
            }
            Self::NotBuffer { index } => write!(f, "argument {index} is not a buffer"),
            Self::NoArgument { index, given } => write!(f, "there is no argument {index}; {given} are given"),
            Self::NoMap { address } => write!(f, "no memory is mapped at {address:#x}"),
            Self::ShortMap { address, left } => {
                write!(f, "the memory at {address:#x} ends after {}", byte_count(*left))
            }
            Self::Read { path, error } => write!(f, "{}: cannot be read: {error}", file(path)),
            Self::Write { path, error } => write!(f, "{}: cannot be written: {error}", file(path)),
            Self::NotMapped => f.write_str("a buffer is not mapped"),
        }
    }
}

/// The memory of a launch, mapped.
#[derive(Debug)]
pub struct Inputs {
    arguments: Vec<Argument>,
    maps: Vec<Buffer>,
}

impl Inputs {
    /// Maps memory, and reads files into it on the threads of rayon's current pool.
    pub(crate) fn new(
        arguments: &[LaunchArgument],
        maps: &[(u64, MemoryContent)],
        space: &mut AddressSpace<'_>,
    ) -> Result<Self, InputError> {
        let mut sources = Vec::new();
        let maps = maps
            .iter()
            .map(|(address, content)| {
                let about = |error| InputError::Map { address: *address, error };
                let mut source = Source::open(content)?;
                source.to = space.map(*address, source.to.bytes).map_err(about)?;
                let buffer = source.to;
                sources.push(source);
                Ok(buffer)
            })
            .collect::<Result<_, InputError>>()?;
        let arguments = map_arguments(arguments, space, &mut sources)?;
        let space = &*space;
        sources.into_par_iter().try_for_each(|source| source.copy_to(space))?;
        Ok(Self { arguments, maps })
    }

    /// Returns the arguments of the kernel.
    #[must_use]
    pub fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// Returns a part of the memory.
    ///
    /// # Errors
    /// It is not mapped.
    pub fn range(&self, range: MemoryRange) -> Result<Buffer, InputError> {
        match range {
            MemoryRange::Argument(index) => match self.arguments.get(index) {
                Some(Argument::Buffer(buffer)) => Ok(*buffer),
                Some(_) => Err(InputError::NotBuffer { index }),
                None => Err(InputError::NoArgument { index, given: self.arguments.len() }),
            },
            MemoryRange::Address { address, bytes } => {
                let holds =
                    |map: &&Buffer| address.checked_sub(map.address).is_some_and(|distance| distance < map.bytes);
                let left = self.maps.iter().find(holds).map(|map| map.bytes - (address - map.address));
                let left = left.ok_or(InputError::NoMap { address })?;
                match bytes {
                    Some(bytes) if bytes > left => Err(InputError::ShortMap { address, left }),
                    _ => Ok(Buffer { address, bytes: bytes.unwrap_or(left) }),
                }
            }
        }
    }

    /// Returns the buffer or the mapped memory that holds an address, or the nearest one.
    #[must_use]
    pub fn nearest(&self, address: u64) -> Option<Near> {
        Near::of(address, &self.arguments, &self.maps)
    }
}

impl Near {
    /// Returns the buffer of an argument or the mapped memory that holds an address, or the nearest one less than 1 GiB away.
    #[must_use]
    pub fn of(address: u64, arguments: &[Argument], maps: &[Buffer]) -> Option<Self> {
        const FAR: u64 = 1 << 30;
        let buffers = arguments.iter().enumerate().filter_map(|(index, argument)| match argument {
            Argument::Buffer(buffer) => Some((Some(index), *buffer)),
            _ => None,
        });
        let all = buffers.chain(maps.iter().map(|buffer| (None, *buffer)));
        let near = all.map(|(argument, buffer)| {
            let (side, distance) = match address.checked_sub(buffer.address) {
                None => (Side::Before, buffer.address - address),
                Some(offset) if offset < buffer.bytes => (Side::Inside, offset),
                Some(offset) => (Side::After, offset - buffer.bytes),
            };
            Near { argument, buffer, side, distance }
        });
        let distance = |near: &Near| (near.side != Side::Inside).then_some(near.distance);
        near.min_by_key(distance).filter(|near| distance(near).is_none_or(|distance| distance < FAR))
    }
}

/// Writes memory to a file.
pub(crate) fn dump(space: &AddressSpace<'_>, buffer: Buffer, path: &Path) -> Result<(), InputError> {
    let failed = |error| InputError::Write { path: path.into(), error: Arc::new(error) };
    let mut file = File::create(path).map_err(failed)?;
    let mut part = Vec::new();
    for start in (0..buffer.bytes).step_by(PART) {
        part.resize((buffer.bytes - start).min(PART as u64) as usize, 0);
        let read = space.memory().read(buffer.address + start, &mut part);
        read.map_err(|_| InputError::NotMapped)?;
        file.write_all(&part).map_err(failed)?;
    }
    Ok(())
}

/// On which side of a buffer an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before its first byte.
    Before,
    /// In it.
    Inside,
    /// After its last byte.
    After,
}

/// A buffer and an address in or near it.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    /// The index of the argument; `None` for memory that [`Launch::map`](crate::Launch::map) gives.
    pub argument: Option<usize>,
    /// The buffer.
    pub buffer: Buffer,
    /// Where the address is.
    pub side: Side,
    /// The bytes from the address up to the buffer, from its start to the address, or from its end to the address.
    pub distance: u64,
}

impl Near {
    /// Describes where the address is. `name` is that of the argument in the source.
    #[must_use]
    pub fn describe(&self, name: Option<&str>) -> String {
        let buffer = match (self.argument, name) {
            (Some(index), Some(name)) => format!("argument {index} ({name})"),
            (Some(index), None) => format!("argument {index}"),
            (None, _) => format!("the memory at {:#x}", self.buffer.address),
        };
        let (distance, bytes) = (byte_count(self.distance), byte_count(self.buffer.bytes));
        match self.side {
            Side::Inside => format!("byte {} of {buffer}", self.distance),
            Side::Before => format!("{distance} before the start of {buffer}, which has {bytes}"),
            Side::After => format!("{distance} past the end of {buffer}, which has {bytes}"),
        }
    }
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(None))
    }
}

/// Returns a number of bytes in words: `1 byte`, `2 bytes`.
#[must_use]
pub fn byte_count(bytes: u64) -> String {
    format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" })
}

/// Returns the arguments, their buffers mapped.
fn map_arguments<'a>(
    specs: &'a [LaunchArgument],
    space: &mut AddressSpace<'_>,
    sources: &mut Vec<Source<'a>>,
) -> Result<Vec<Argument>, InputError> {
    let mut arguments = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        arguments.push(match spec {
            LaunchArgument::Buffer(content) => {
                let mut source = Source::open(content)?;
                let bytes = source.to.bytes;
                let mapped = match content {
                    MemoryContent::Unwritten(_) => space.allocate_unwritten(bytes),
                    _ => space.allocate(bytes),
                };
                source.to = mapped.map_err(|error| InputError::Argument { index, error })?;
                let buffer = source.to;
                sources.push(source);
                Argument::Buffer(buffer)
            }
            // It is replaced when all buffers are there.
            LaunchArgument::Part { .. } => Argument::Value(Vec::new()),
            LaunchArgument::Lds(bytes) => Argument::Lds(*bytes),
            LaunchArgument::Value(bytes) => Argument::Value(bytes.clone()),
        });
    }
    for (index, spec) in specs.iter().enumerate() {
        if let LaunchArgument::Part { .. } = spec {
            let part = part(index, specs, &arguments)?;
            if let Some(argument) = arguments.get_mut(index) {
                *argument = Argument::Buffer(part);
            }
        }
    }
    Ok(arguments)
}

/// Returns the part of a buffer that an argument is.
fn part(index: usize, specs: &[LaunchArgument], arguments: &[Argument]) -> Result<Buffer, InputError> {
    let (mut of, mut offset, mut steps) = (index, 0_u64, 0);
    while let Some(LaunchArgument::Part { argument, offset: more }) = specs.get(of) {
        offset = offset.saturating_add(*more);
        of = *argument;
        steps += 1;
        if steps > specs.len() {
            return Err(InputError::Circle { index });
        }
    }
    match arguments.get(of) {
        Some(Argument::Buffer(buffer)) if offset <= buffer.bytes => {
            Ok(Buffer { address: buffer.address + offset, bytes: buffer.bytes - offset })
        }
        Some(Argument::Buffer(buffer)) => Err(InputError::Offset { index, of, offset, bytes: buffer.bytes }),
        Some(_) => Err(InputError::PartOfValue { index, of }),
        None => Err(InputError::PartOfNone { index, of, given: specs.len() }),
    }
}

/// The bytes that are copied at once between files and memory: a copy of a whole file would need as much memory again.
const PART: usize = 1 << 18;

/// Contents, and the memory that they are for.
struct Source<'a> {
    path: &'a Path,
    /// `None`: the memory keeps its zeros.
    reader: Option<Box<dyn Read + Send + 'a>>,
    to: Buffer,
}

impl<'a> Source<'a> {
    /// Opens contents, which are for memory at address 0.
    fn open(content: &'a MemoryContent) -> Result<Self, InputError> {
        let no_path = Path::new("");
        let source = |path, reader, bytes| Self { path, reader, to: Buffer { address: 0, bytes } };
        match content {
            MemoryContent::Zeros(bytes) | MemoryContent::Unwritten(bytes) => Ok(source(no_path, None, *bytes)),
            MemoryContent::Bytes(bytes) => Ok(source(no_path, Some(Box::new(&bytes[..])), bytes.len() as u64)),
            MemoryContent::File(path) => {
                let open = || -> io::Result<Self> {
                    let mut file = File::open(path)?;
                    let metadata = file.metadata()?;
                    if metadata.is_file() {
                        return Ok(source(path, Some(Box::new(file)), metadata.len()));
                    }
                    // Only reading a pipe to its end tells its size.
                    let mut all = Vec::new();
                    file.read_to_end(&mut all)?;
                    let bytes = all.len() as u64;
                    Ok(source(path, Some(Box::new(Cursor::new(all))), bytes))
                };
                open().map_err(|error| cannot_read(path, error))
            }
        }
    }

    /// Copies the contents to the memory, which is zero after them if the file has become shorter.
    fn copy_to(self, space: &AddressSpace<'_>) -> Result<(), InputError> {
        let Self { path, reader: Some(mut reader), to: buffer } = self else { return Ok(()) };
        let mut part = Vec::new();
        for start in (0..buffer.bytes).step_by(PART) {
            part.clear();
            let read = reader.by_ref().take((buffer.bytes - start).min(PART as u64)).read_to_end(&mut part);
            read.map_err(|error| cannot_read(path, error))?;
            space.memory().write(buffer.address + start, &part).map_err(|_| InputError::NotMapped)?;
        }
        Ok(())
    }
}

fn cannot_read(path: &Path, error: io::Error) -> InputError {
    InputError::Read { path: path.into(), error: Arc::new(error) }
}
/// Whether an address is that of a null pointer, or not far after it.
#[must_use]
pub const fn is_null(address: u64) -> bool {
    address < 1 << 16
}
