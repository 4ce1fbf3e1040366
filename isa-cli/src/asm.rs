//! `isa asm`: assembles a program; with `--hex`, assembles each line of standard input to a line of hex.
//!
//! [`file`] writes files, [`output`] the listing, [`report`] prints each diagnostic.

mod file;
mod output;
pub mod report;

use std::fmt::Write as _;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Seek as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use amdgpu_arch::{Instr, Reader, TargetSelection, Wave};
use amdgpu_asm::{
    Assembly, Directories, IncludeError, IncludeResolver, IncludedFile, Llvm, MIN_SIZE_IN_PARTS, Options, ReadAt,
    Target, assemble, assemble_in_parts, decode, parse_definition, parse_line, shared, text_bundle,
};
use clap::builder::TypedValueParser;

use crate::asm::file::Emit;
use crate::failure::Failure;
use crate::input;
use crate::lines::{self, TooLong};

/// The arguments of `isa asm`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 for a program without errors, and with --hex for lines of any contents; 1 for errors \
    in the program and for files that cannot be read or written; 2 for wrong usage."
)]
pub struct Args {
    /// An assembly file or, with --hex, a file with an instruction in each line; `-` is standard input
    file: PathBuf,
    /// Instruction set: rdna3, rdna3.5, rdna4, gcn1.0, gcn1.1, gcn1.2, gcn1.4 or LLVM's name of a processor
    /// [default: that of `.amdgcn_target` in the program]
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse, required_if_eq("hex", "true"))]
    arch: Option<TargetSelection>,
    /// Work-items of a wave
    #[arg(long, value_name = "32|64", default_value = "32",
        value_parser = clap::builder::PossibleValuesParser::new(["32", "64"])
        .map(|wave| if wave == "64" { Wave::W64 } else { Wave::W32 }))]
    wave: Wave,
    /// Write into the fields that an instruction does not use the values that this version of LLVM writes; 23 includes later ones
    /// [default: 23 if the target triple of the program starts with amdgpu, else 22]
    #[arg(long, value_name = "22|23", value_parser = llvm)]
    llvm: Option<Llvm>,
    /// Answer each line with its bytes in hex, in memory order, or `error: …`
    #[arg(long, conflicts_with_all = ["output", "relocations"])]
    hex: bool,
    /// Write to this file, or to standard output for `-`; without it, a listing is printed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format of the output; the default depends on the name of the output: obj for .o, co for .co and .hsaco, else raw
    #[arg(long, value_name = "raw|obj|co", requires = "output")]
    emit: Option<Emit>,
    /// Print the relocations that a linker resolves; their fields hold zeros
    #[arg(long)]
    relocations: bool,
    /// Look in this directory for included files
    #[arg(short = 'I', value_name = "DIRECTORY", conflicts_with = "hex")]
    include: Vec<PathBuf>,
    /// Define a symbol
    #[arg(long, value_name = "NAME=NUMBER", conflicts_with = "hex", value_parser = symbol)]
    defsym: Vec<(String, i64)>,
}

/// Reads `NAME=NUMBER`.
fn symbol(text: &str) -> Result<(String, i64), &'static str> {
    parse_definition(text).ok_or("expected a name, `=` and a number")
}

/// Reads the argument of `--llvm`.
fn llvm(name: &str) -> Result<Llvm, &'static str> {
    match name.parse::<u8>() {
        Ok(22) => Ok(Llvm::V22),
        Ok(23..) => Ok(Llvm::V23),
        _ => Err("the versions are 22 and 23, which stands for later ones too"),
    }
}

/// The directories that `-I` names.
#[derive(Debug)]
pub struct Includes(Directories);

impl Includes {
    /// Includes files from the working directory and these directories.
    pub fn new(directories: &[PathBuf]) -> Self {
        Self(Directories(directories.to_vec()))
    }
}

impl IncludeResolver for Includes {
    fn read(&self, name: &str, limit: usize) -> Result<IncludedFile, IncludeError> {
        self.0.read(name, limit).map_err(|error| match error {
            IncludeError::NotFound => IncludeError::Other(format!("{error}; `-I` names directories to look in")),
            IncludeError::Other(_) => error,
        })
    }
}

/// Selects the part of a text bundle for what `--arch` names. Returns any other text unchanged.
pub fn select_part(text: String, wanted: Option<&TargetSelection>) -> Result<String, String> {
    text_bundle::select(text, wanted).map_err(|error| match error {
        text_bundle::BundleError::NoPart(_) => format!("{error}; `--arch` selects one"),
        text_bundle::BundleError::SeveralParts(_) => format!("{error}; the processor in `--arch` selects one"),
        text_bundle::BundleError::NoEnd { .. } => error.to_string(),
    })
}

/// Runs `isa asm`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let Some(arch) = args.arch.as_ref().filter(|_| args.hex) else { return program(args) };
    let reader = Reader::new(arch.arch, args.wave);
    let mut out = BufWriter::new(io::stdout().lock());
    lines::answer(&input::name(&args.file), input::open(&args.file)?, &mut out, |line, said| {
        // Writing to a String does not fail.
        let _ = match instruction(line, reader) {
            Ok(instr) => {
                let instr = if args.llvm == Some(Llvm::V23) { instr.with_newer_unused_fields() } else { instr };
                instr.bytes().iter().try_for_each(|b| write!(said, "{b:02x}"))
            }
            Err(why) => write!(said, "error: {why}"),
        };
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Assembles a file or standard input.
fn program(args: &Args) -> Result<ExitCode, Failure> {
    let includes = Includes::new(&args.include);
    // A listing shows the source, which is read whole for it.
    let listing = args.output.is_none();
    let options = |arch: &TargetSelection| Options {
        llvm: args.llvm,
        symbols: args.defsym.clone(),
        includes: Some(&includes),
        listing,
        ..Options::new(Target::of(arch), Reader::new(arch.arch, args.wave).wave())
    };
    let mut file = input::file(&args.file)?;
    if !listing && let Some(opened) = &mut file {
        if let Some(assembly) = in_parts(opened, &shared(opened), args.arch.as_ref(), options) {
            let outcome = done(args, &assembly);
            // The program ends: the system takes its memory back faster than it would be given.
            std::mem::forget(assembly);
            return outcome;
        }
        // Where it cannot go back to its beginning, nothing was read.
        let _ = opened.rewind();
    }
    let name = input::name(&args.file);
    let source = decode(input::rest(&args.file, file)?);
    let about = |why: String| Failure::about(&name, why);
    let source = select_part(source, args.arch.as_ref()).map_err(about)?;
    let target = selected(args.arch.as_ref(), &source).map_err(about)?;
    match assemble(&source, &options(&target)) {
        Ok(assembly) => {
            report::show(&name, assembly.diagnostics());
            done(args, &assembly)
        }
        Err(diagnostics) => {
            report::show(&name, &diagnostics);
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Returns what `--arch` selects, or else the first target that the program names.
fn selected(arch: Option<&TargetSelection>, source: &str) -> Result<TargetSelection, String> {
    if let Some(arch) = arch {
        return Ok(arch.clone());
    }
    let name = source.lines().find_map(|line| {
        let line = line.trim_start();
        let name = line.strip_prefix(".amdgcn_target").or_else(|| line.strip_prefix(".amd_amdgpu_isa"))?;
        name.trim_start().strip_prefix('"')?.split('"').next()
    });
    let name =
        name.ok_or("the program has no `.amdgcn_target`: `--arch` selects a processor, for example `--arch gfx1100`")?;
    TargetSelection::parse(name).map_err(|why| format!("`{name}`: {why}; `--arch` selects another"))
}

/// Assembles a file that is read in parts. Returns `None` if it has to be read whole: it is short, a bundle or no regular file, it
/// changes meanwhile, or there are diagnostics, which are shown with their lines. So has a file whose beginning
/// names no target, if `arch` selects none.
fn in_parts<'a>(
    file: &File,
    shared: &dyn ReadAt,
    arch: Option<&TargetSelection>,
    options: impl Fn(&TargetSelection) -> Options<'a>,
) -> Option<Assembly> {
    let state = || {
        let state = file.metadata().ok().filter(Metadata::is_file)?;
        Some((state.len(), state.modified().ok()?))
    };
    let (size, changed) = state()?;
    let mut head = [0; text_bundle::HEAD];
    if size < MIN_SIZE_IN_PARTS || shared.read_at(0, &mut head).is_err() || text_bundle::is_bundle(&head) {
        return None;
    }
    let target = selected(arch, &String::from_utf8_lossy(&head)).ok()?;
    let assembly = assemble_in_parts(shared, usize::try_from(size).ok()?, &options(&target))?;
    (state() == Some((size, changed))).then_some(assembly)
}

/// Writes the output of a program without errors.
fn done(args: &Args, assembly: &Assembly) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.output {
        let emit = args.emit.unwrap_or_else(|| Emit::of(path));
        let name = if file::is_stdout(path) { "standard output".into() } else { input::name(path) };
        emit.write(assembly, path).map_err(|why| Failure::about(&name, why))?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if args.output.is_none() {
        output::listing(&mut out, assembly)?;
    }
    if args.relocations {
        output::relocations(&mut out, assembly)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The one instruction that the line holds.
fn instruction(line: Result<&[u8], TooLong>, reader: Reader) -> Result<Instr, String> {
    let line = line.map_err(|TooLong(length)| format!("the line holds {length} characters"))?;
    let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_string())?;
    parse_line(text, reader).map_err(|error| format!("column {}: {error}", error.start + 1))
}
