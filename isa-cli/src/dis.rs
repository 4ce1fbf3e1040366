//! `isa dis`: code objects, raw bytes or lines of hex in, LLVM's text out.

mod hex_lines;
mod json;
mod selection;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use amdgpu_arch::hex::Accept;
use amdgpu_arch::{Arch, Reader, TargetSelection, Wave};
use amdgpu_dis::{CodeSection, Listing, Options, Shown, TextStyle, write_text, write_tsv};
use amdgpu_report::demangle::readable;
use anstream::ColorChoice;
use clap::ValueEnum;
use selection::{Search, Selection};

use crate::arguments::wave_parser;
use crate::failure::{self, Failure};
use crate::{files, input};

pub use hex_lines::decode_line;

/// Bytes gathered before a write: a listing is millions of short rows.
const BUFFER: usize = 1 << 16;

/// The arguments of `isa dis`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 when everything was read, also from a file without code, and with --hex for lines of any contents; 1 for \
    a file that cannot be read or holds words that are not an instruction; 2 for wrong usage."
)]
pub struct Args {
    /// Code objects, or bundles, programs, libraries or archives that hold some; bytes with --raw, lines of hex with --hex; `-` is
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Instruction set: rdna3, rdna3.5, rdna4, gcn1.0, gcn1.1, gcn1.2, gcn1.4 or LLVM's name of a processor; of a bundle, the code
    /// objects for it are listed [default: the file's]
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse, required_if_eq_any([("raw", "true"), ("hex", "true")]))]
    arch: Option<TargetSelection>,
    /// Work-items of a wave [default: from descriptors, metadata and callers, else 32]
    #[arg(long, value_name = "32|64", value_parser = wave_parser())]
    wave: Option<Wave>,
    /// Print a listing, or rows of address, bytes, text and section
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// A JSON document for each code object: sections, symbols, and rows with address, bytes, text, format and branch target
    #[arg(long, conflicts_with_all = ["format", "hex"])]
    json: bool,
    /// FILE holds nothing but code
    #[arg(long)]
    raw: bool,
    /// FILE holds a line of hex for each instruction: a line in, a line out. Bytes are in memory order, as `0000b0bf`, `00 00 b0 bf` or
    /// `[0x00,0x00,0xb0,0xbf]`; dwords as `0xbfb00000` or, if there are several, `d53600ff 00020501`; text up to a colon is skipped
    #[arg(long, conflicts_with_all = ["raw", "format"])]
    hex: bool,
    /// With --hex: print also instructions with a reserved code, as listings always do
    #[arg(long)]
    lenient: bool,
    /// Remark on fields that an instruction does not use and that hold something else than LLVM 22 writes; with --hex an error
    #[arg(long, conflicts_with = "lenient")]
    strict: bool,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    shown: ShownArgs,
    /// Print the names of C++ and Rust symbols as their sources have them; `isa asm` cannot read such a listing
    #[arg(long, conflicts_with = "hex")]
    demangle: bool,
    /// Colours in the listing: auto is on a terminal and unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    color: When,
}

impl Args {
    /// Returns the instructions that lines of hex may hold.
    fn accept(&self) -> Accept {
        match (self.strict, self.lenient) {
            (true, _) => Accept::Canonical,
            (_, true) => Accept::ReservedCodes,
            _ => Accept::Decodable,
        }
    }
}

/// The arguments that add to a listing.
#[derive(Clone, Copy, clap::Args)]
struct ShownArgs {
    /// Show where each basic block starts, with its predecessors and successors
    #[arg(long, conflicts_with_all = ["hex", "json", "format"])]
    blocks: bool,
    /// Show the registers that are live before each instruction, and where the most are live; registers that only a caller or a callee
    /// reads are not among them
    #[arg(long, conflicts_with_all = ["hex", "json", "format"])]
    live: bool,
    /// Draw branches as arrows in a margin; `isa asm` cannot read such a listing
    #[arg(long, conflicts_with_all = ["hex", "json", "format"])]
    arrows: bool,
}

impl From<ShownArgs> for Shown {
    fn from(ShownArgs { blocks, live, arrows }: ShownArgs) -> Self {
        Self { blocks, live, arrows }
    }
}

/// The form of a listing.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: symbols, labels, remarks; assembly again with the addresses and words as comments.
    Text,
    /// For programs: address, bytes, text and section, separated by tabs.
    Tsv,
}

/// When to colour.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

/// Runs `isa dis`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let stdout = io::stdout();
    let style = TextStyle { is_colored: colors(args.color, &stdout), is_strict: args.strict, shown: args.shown.into() };
    let mut out = BufWriter::with_capacity(BUFFER, stdout);
    let mut all_read = true;
    let mut has_listed = false;
    for path in &args.files {
        let outcome = match args.hex {
            true => hex(args, path, &mut out),
            false => file(args, path, &mut has_listed, &mut out, style),
        };
        out.flush()?;
        all_read &= match outcome {
            // The other files are read all the same.
            Err(Failure::Message(message)) => {
                failure::show(&message);
                false
            }
            outcome => outcome?,
        };
    }
    Ok(if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Lists a file, after another one if something has been listed. Returns whether every word was read.
fn file<W: Write + Send>(
    args: &Args,
    path: &Path,
    has_listed: &mut bool,
    out: &mut W,
    style: TextStyle,
) -> Result<bool, Failure> {
    let file = input::name(path);
    let bytes = input::read(path)?;
    let mut search = Search::default();
    let mut all_read = true;
    let mut list = |out: &mut W,
                    (name, processor): (&str, &str),
                    mut sections: Vec<CodeSection<'_>>,
                    arch: Arch|
     -> Result<bool, Failure> {
        args.selection.select(&mut sections, &mut search);
        if sections.is_empty() {
            return Ok(true);
        }
        if args.demangle {
            sections.iter_mut().for_each(|section| section.rename(readable));
        }
        if style.shown.any() && !arch.is_rdna() {
            let message =
                format!("--blocks, --live and --arrows need branches, and {} is read without them", arch.name());
            return Err(Failure::about(&file, message));
        }
        match args.format {
            _ if args.json => json::write(out, (name, processor), &sections, args.strict),
            Format::Tsv => Ok(write_tsv(out, &sections)?),
            Format::Text => {
                if std::mem::replace(has_listed, true) {
                    writeln!(out)?;
                }
                Ok(write_text(out, &format!("{name}: {processor}"), &sections, arch, style)?)
            }
        }
    };
    let mut errors = Vec::new();
    if args.raw {
        let arch = required(args.arch.as_ref())?;
        let sections = vec![CodeSection::raw(&bytes, arch, args.wave.unwrap_or(Wave::W32))];
        all_read &= list(out, (&short(path), arch.name()), sections, arch)?;
    } else {
        let opened = files::open(&file, &bytes, args.arch.as_ref())?;
        let options = Options { target: args.arch.clone(), wave: args.wave, ..Options::default() };
        for image in &opened.images {
            let name = image.name(&file);
            match image.listing(&options) {
                Ok(Listing { processor, sections, arch, .. }) => {
                    all_read &= list(out, (&image.name(&short(path)), &processor), sections, arch)?;
                }
                Err(error) if error.is_without_code() => {
                    failure::note(format_args!("{name}: {error}"));
                    if args.json {
                        let processor = image.object_file(&options.limits).map(|object| object.processor());
                        let processor = processor.map_err(|error| Failure::about(&name, files::message(&error)))?;
                        json::write(out, (&image.name(&short(path)), &processor), &[], args.strict)?;
                    }
                }
                Err(error) if opened.images.len() > 1 => {
                    all_read = false;
                    failure::show(&format!("{name}: {}", files::message(&error)));
                }
                Err(error) => return Err(Failure::about(&name, files::message(&error))),
            }
        }
        errors.extend(opened.damages.iter().map(ToString::to_string));
    }
    errors.extend(args.selection.errors(&search));
    out.flush()?;
    for error in &errors {
        failure::show(&format!("{file}: {error}"));
    }
    Ok(all_read && errors.is_empty())
}

/// Answers the lines of a file, which may be wrong.
fn hex(args: &Args, path: &Path, out: &mut impl Write) -> Result<bool, Failure> {
    let arch = required(args.arch.as_ref())?;
    let reader = Reader::new(arch, args.wave.unwrap_or(Wave::W32));
    hex_lines::answer(&input::name(path), input::open(path)?, out, reader, args.accept())?;
    Ok(true)
}

/// Returns the argument, which clap requires; a message is better than a panic should that ever change.
fn required(wanted: Option<&TargetSelection>) -> Result<Arch, Failure> {
    wanted
        .map(|wanted| wanted.arch)
        .ok_or_else(|| Failure::Message("--raw and --hex need --arch: nothing in the input names it".into()))
}

/// Returns the file's name without its folders, so that a listing does not depend on the current directory.
fn short(path: &Path) -> String {
    path.file_name().map_or_else(
        || input::name(path),
        |name| match input::printable(name.as_encoded_bytes()) {
            dash if dash == "-" => "standard input".into(),
            name => name,
        },
    )
}

fn colors(when: When, stdout: &io::Stdout) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => anstream::AutoStream::choice(stdout) != ColorChoice::Never,
    }
}
