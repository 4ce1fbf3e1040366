//! The memory of a run: the buffers of arguments, files at addresses, and what is written to files afterwards.

use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use amdgpu_dispatch::{AddressSpace, Argument, Buffer, MAX_LDS, SpaceError};
use isa_exec::memory::Memory;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::failure::Failure;
use crate::input;
use crate::run::spec::{self, Dump, MemoryContent, Spec};

/// The arguments of `isa run` that concern memory.
#[derive(clap::Args)]
pub struct MemoryArgs {
    /// The next argument of the kernel: buf:FILE, buf:zero:BYTES, buf:uninit:BYTES (zeros that
    /// --check takes for not written), buf:@K+OFFSET for a part of the buffer of argument K,
    /// lds:BYTES for local memory, a number such as u8:1, i64:-1, f16:0.5 or f64:1e3, or hex:BYTES for a structure
    #[arg(long = "arg", value_name = "SPEC", value_parser = Spec::parse, requires = "kernel")]
    pub arguments: Vec<Spec>,
    /// Put the bytes of a file, or zeros, at an address, such as 0xffff800000001000=descriptors.bin
    #[arg(long = "map", value_name = "ADDRESS=FILE|zero:BYTES", value_parser = spec::map, requires = "kernel")]
    maps: Vec<(u64, MemoryContent)>,
    /// Write the buffer of argument K, which counts from 0, or the memory at an address that --map gives, to a file when the
    /// kernel has ended
    #[arg(long = "dump", value_name = "K=FILE|ADDRESS[+BYTES]=FILE", value_parser = spec::dump, requires = "kernel")]
    dumps: Vec<(Dump, PathBuf)>,
}

/// The memory of a run.
pub struct Inputs<'a> {
    /// The arguments of the kernel.
    pub arguments: Vec<Argument>,
    /// The ranges that `--map` gives.
    maps: Vec<Buffer>,
    dumps: Vec<(Buffer, &'a Path)>,
}

impl<'a> Inputs<'a> {
    /// Maps the memory that the arguments of the program ask for. The threads of a pool read the files.
    pub fn new(args: &'a MemoryArgs, space: &mut AddressSpace, pool: &ThreadPool) -> Result<Self, Failure> {
        let mut files = Vec::new();
        let maps = maps(args, space, &mut files)?;
        let arguments = arguments(args, space, &mut files)?;
        let space = &*space;
        pool.install(|| files.into_par_iter().try_for_each(|file| file.copy_to(space)))?;
        let dumps = args.dumps.iter().map(|(dump, path)| Ok((dumped(dump, &arguments, &maps)?, path.as_path())));
        let dumps = dumps.collect::<Result<_, String>>().map_err(Failure::Message)?;
        Ok(Self { arguments, maps, dumps })
    }

    /// Writes the files that `--dump` asks for.
    pub fn write_dumps(&self, space: &AddressSpace) -> Result<(), Failure> {
        for (buffer, path) in &self.dumps {
            let failed = |error| Failure::about(&input::name(path), format_args!("cannot be written: {error}"));
            let mut file = File::create(path).map_err(failed)?;
            let mut part = Vec::new();
            for start in (0..buffer.bytes).step_by(PART) {
                part.resize((buffer.bytes - start).min(PART as u64) as usize, 0);
                let read = space.memory().read(buffer.address + start, &mut part);
                read.map_err(|_| not_mapped())?;
                file.write_all(&part).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Says which argument holds an address; empty if none does.
    pub fn inside(&self, address: u64) -> String {
        match self.nearest(address) {
            Some(near) if near.side == Side::Inside && near.argument.is_some() => format!(": {near}"),
            _ => String::new(),
        }
    }

    /// Says which buffer an address that is not mapped was probably meant for.
    pub fn near(&self, address: u64) -> String {
        match self.nearest(address) {
            _ if is_null(address) => ": a null pointer".into(),
            Some(near) => format!(": {near}"),
            None => "; help: `--map ADDRESS=FILE` puts memory at an address".into(),
        }
    }

    /// Returns the buffer or the range of `--map` that holds an address, or the nearest one.
    pub fn nearest(&self, address: u64) -> Option<Near> {
        const FAR: u64 = 1 << 30;
        let buffers = self.arguments.iter().enumerate().filter_map(|(index, argument)| match argument {
            Argument::Buffer(buffer) => Some((Some(index), *buffer)),
            _ => None,
        });
        let all = buffers.chain(self.maps.iter().map(|buffer| (None, *buffer)));
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

    /// Says what to do about an access of `bytes` bytes at an address outside of the `size` bytes of a work-group's LDS, of which
    /// `--lds` gives `dynamic`.
    pub fn beyond_lds(&self, address: u64, bytes: u32, size: u32, dynamic: u32) -> String {
        let end = address.saturating_add(bytes.into());
        if end > MAX_LDS.into() {
            return format!("; help: `--lds BYTES` gives it dynamic LDS, but a work-group has at most {MAX_LDS} bytes");
        }
        match self.arguments.iter().position(|argument| matches!(argument, Argument::Lds(_))) {
            Some(index) => format!(
                "; help: `--arg lds:BYTES` of argument {index} or `--lds BYTES` gives it more, {end} bytes in all for this access"
            ),
            None => {
                let needed = end.saturating_sub(size.saturating_sub(dynamic).into());
                format!("; help: `--lds BYTES` gives it dynamic LDS, at least {needed} bytes for this access")
            }
        }
    }
}

/// On which side of a buffer an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Before,
    Inside,
    After,
}

/// A buffer and an address in or near it.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    /// The index of the argument; `None` for a range of `--map`.
    pub argument: Option<usize>,
    buffer: Buffer,
    pub side: Side,
    /// The bytes from the address up to the buffer, from its start to the address, or from its end to the address.
    pub distance: u64,
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.argument {
            Some(index) => format!("argument {index}"),
            None => format!("the memory at {:#x}", self.buffer.address),
        };
        let (distance, bytes) = (self.distance, self.buffer.bytes);
        match self.side {
            Side::Inside => write!(f, "byte {distance} of {name}"),
            Side::Before => write!(f, "{} before the start of {name}, which has {}", count(distance), count(bytes)),
            Side::After => write!(f, "{} past the end of {name}, which has {}", count(distance), count(bytes)),
        }
    }
}

/// A number of bytes.
pub fn count(bytes: u64) -> String {
    format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" })
}

/// Maps what `--map` gives.
fn maps<'a>(
    args: &'a MemoryArgs,
    space: &mut AddressSpace,
    files: &mut Vec<Source<'a>>,
) -> Result<Vec<Buffer>, Failure> {
    let mut map = |(address, content): &'a (u64, MemoryContent)| {
        let about = |error: SpaceError| {
            let help = match error {
                SpaceError::Overlap { .. } => "; help: choose another address",
                SpaceError::NotCanonical { .. } => "; help: bits 63 to 47 of an address are all equal",
                _ => "",
            };
            Failure::Message(format!("--map {address:#x}: {error}{help}"))
        };
        match content {
            MemoryContent::File(path) => {
                let mut source = Source::open(path)?;
                source.to = space.map(*address, source.to.bytes).map_err(about)?;
                let buffer = source.to;
                files.push(source);
                Ok(buffer)
            }
            MemoryContent::Zeros(bytes) | MemoryContent::Unwritten(bytes) => space.map(*address, *bytes).map_err(about),
        }
    };
    args.maps.iter().map(&mut map).collect()
}

/// The arguments, their buffers mapped.
fn arguments<'a>(
    args: &'a MemoryArgs,
    space: &mut AddressSpace,
    files: &mut Vec<Source<'a>>,
) -> Result<Vec<Argument>, Failure> {
    let mut arguments = Vec::new();
    for (index, spec) in args.arguments.iter().enumerate() {
        let buffer = |outcome: Result<Buffer, SpaceError>| match outcome {
            Ok(buffer) => Ok(Argument::Buffer(buffer)),
            Err(error) => Err(Failure::Message(format!("argument {index}: {error}"))),
        };
        arguments.push(match spec {
            Spec::Buffer(MemoryContent::File(path)) => {
                let mut source = Source::open(path)?;
                let mapped = space.allocate(source.to.bytes);
                if let Ok(mapped) = mapped {
                    source.to = mapped;
                    files.push(source);
                }
                buffer(mapped)?
            }
            Spec::Buffer(MemoryContent::Zeros(bytes)) => buffer(space.allocate(*bytes))?,
            Spec::Buffer(MemoryContent::Unwritten(bytes)) => buffer(space.allocate_unwritten(*bytes))?,
            // It is replaced when all buffers are there.
            Spec::Part { .. } => Argument::Value(Vec::new()),
            Spec::Lds(bytes) => Argument::Lds(*bytes),
            Spec::Value(bytes) => Argument::Value(bytes.clone()),
        });
    }
    for (index, spec) in args.arguments.iter().enumerate() {
        if let Spec::Part { .. } = spec {
            let part = part(index, &args.arguments, &arguments).map_err(Failure::Message)?;
            if let Some(argument) = arguments.get_mut(index) {
                *argument = Argument::Buffer(part);
            }
        }
    }
    Ok(arguments)
}

/// The part of a buffer that the specification of an argument asks for.
fn part(index: usize, specs: &[Spec], arguments: &[Argument]) -> Result<Buffer, String> {
    let (mut of, mut distance, mut steps) = (index, 0_u64, 0);
    while let Some(Spec::Part { argument, offset }) = specs.get(of) {
        distance = distance.saturating_add(*offset);
        of = *argument;
        steps += 1;
        if steps > specs.len() {
            return Err(format!("argument {index}: its buffer is a part of itself"));
        }
    }
    match arguments.get(of) {
        Some(Argument::Buffer(buffer)) if distance <= buffer.bytes => {
            Ok(Buffer { address: buffer.address + distance, bytes: buffer.bytes - distance })
        }
        Some(Argument::Buffer(buffer)) => Err(format!(
            "argument {index}: offset {distance} is outside of the buffer of argument {of}, which has {}",
            count(buffer.bytes)
        )),
        Some(_) => Err(format!("argument {index}: argument {of} is not a buffer")),
        None => Err(format!("argument {index}: there is no argument {of}; {} are given", specs.len())),
    }
}

/// The memory that `--dump` names.
fn dumped(dump: &Dump, arguments: &[Argument], maps: &[Buffer]) -> Result<Buffer, String> {
    match dump {
        Dump::Argument(index) => match arguments.get(*index) {
            Some(Argument::Buffer(buffer)) => Ok(*buffer),
            Some(_) => Err(format!("argument {index} is not a buffer, so it cannot be dumped")),
            None => Err(format!("--dump names argument {index}, and {} are given", arguments.len())),
        },
        Dump::Address { address, bytes } => {
            let holds = |map: &&Buffer| address.checked_sub(map.address).is_some_and(|distance| distance < map.bytes);
            let left = maps.iter().find(holds).map(|map| map.bytes - (address - map.address));
            let left = left.ok_or_else(|| format!("--dump {address:#x}: no --map holds this address"))?;
            match bytes {
                Some(bytes) if *bytes > left => {
                    Err(format!("--dump {address:#x}: the memory of --map ends after {}", count(left)))
                }
                _ => Ok(Buffer { address: *address, bytes: bytes.unwrap_or(left) }),
            }
        }
    }
}

/// The bytes that are copied at once between files and memory: a copy of a whole file would need as much memory again.
const PART: usize = 1 << 18;

/// A file, and the memory that its contents are for.
struct Source<'a> {
    path: &'a Path,
    reader: Box<dyn Read + Send>,
    to: Buffer,
}

impl<'a> Source<'a> {
    /// Opens a file whose contents are for memory at address 0.
    fn open(path: &'a Path) -> Result<Self, Failure> {
        let source = |reader, bytes| Self { path, reader, to: Buffer { address: 0, bytes } };
        let open = || -> std::io::Result<Self> {
            let mut file = File::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_file() {
                return Ok(source(Box::new(file), metadata.len()));
            }
            // Only reading a pipe to its end tells its size.
            let mut all = Vec::new();
            file.read_to_end(&mut all)?;
            let bytes = all.len() as u64;
            Ok(source(Box::new(Cursor::new(all)), bytes))
        };
        open().map_err(|error| cannot_read(path, &error))
    }

    /// Copies the contents to the memory, which is zero after them if the file has become shorter.
    fn copy_to(self, space: &AddressSpace) -> Result<(), Failure> {
        let Self { path, mut reader, to: buffer } = self;
        let mut part = Vec::new();
        for start in (0..buffer.bytes).step_by(PART) {
            part.clear();
            let read = reader.by_ref().take((buffer.bytes - start).min(PART as u64)).read_to_end(&mut part);
            read.map_err(|error| cannot_read(path, &error))?;
            space.memory().write(buffer.address + start, &part).map_err(|_| not_mapped())?;
        }
        Ok(())
    }
}

fn not_mapped() -> Failure {
    Failure::Message("a buffer is not mapped".into())
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Failure {
    Failure::about(&input::name(path), format_args!("cannot be read: {error}"))
}

/// Whether an address is that of a null pointer, or not far after it.
pub const fn is_null(address: u64) -> bool {
    address < 1 << 16
}
