//! `isa dis`: code objects, raw bytes or lines of hex in, LLVM's text out.

pub mod code;
pub mod elf;
mod hex_lines;
mod image;
mod labels;
mod listing;
mod metadata;
mod paint;
mod relocations;
pub mod symbol;
mod waves;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::ValueEnum;

use crate::arch::{Arch, Reader, Wanted, Wave, wave_parser};
use crate::failure::{self, Failure};
use crate::files::{self, Image};
use crate::input;
use code::Section;
use listing::Style;

pub use hex_lines::{Accept, decode_line};

/// Bytes gathered before a write: a listing is millions of short rows.
const BUFFER: usize = 1 << 16;

/// The arguments of `isa dis`.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 when everything was read (with --hex for lines of any contents), 1 for a file \
    that cannot be read or holds words that are not an instruction, 2 for wrong usage.")]
pub struct Args {
    /// Code object, or a bundle, program, library or archive that holds some; bytes with --raw, lines of hex with --hex; `-` is
    /// standard input
    file: PathBuf,
    /// Instruction set: rdna3, rdna3.5, gcn1.0, gcn1.1, gcn1.2, gcn1.4 or LLVM's name of a processor; of a bundle, the code
    /// objects for it are listed [default: the file's]
    #[arg(long, visible_alias = "mcpu", value_parser = Wanted::parse, required_if_eq_any([("raw", "true"), ("hex", "true")]))]
    arch: Option<Wanted>,
    /// Work-items of a wave [default: from descriptors, metadata and callers, else 32]
    #[arg(long, value_name = "32|64", value_parser = wave_parser())]
    wave: Option<Wave>,
    /// Print a listing, or rows of address, bytes, text and section
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
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
    let colors = colors(args.color, &stdout);
    let mut out = BufWriter::with_capacity(BUFFER, stdout);
    if args.hex {
        return hex(args, &mut out);
    }
    let file = input::name(&args.file);
    let bytes = input::read(&args.file)?;
    let style = Style::new(colors, args.strict);
    if args.raw {
        let arch = required(args.arch.as_ref())?;
        let sections = [Section::raw(&bytes, args.wave.unwrap_or(Wave::W32))];
        let title = format!("{}: {}", short(&args.file), arch.name());
        let all_read = list(&mut out, &title, &sections, arch, args.format, style)?;
        out.flush()?;
        return Ok(status(all_read));
    }
    let opened = files::open(&file, &bytes, args.arch.as_ref())?;
    let mut all_read = opened.damages.is_empty();
    for (nth, image) in opened.images.iter().enumerate() {
        let (processor, sections, arch) = match code_object(&file, image, args.arch.as_ref(), args.wave) {
            Err(Failure::Message(message)) if opened.images.len() > 1 => {
                all_read = false;
                failure::show(&message);
                continue;
            }
            outcome => outcome?,
        };
        if nth > 0 && args.format == Format::Text {
            writeln!(out)?;
        }
        let title = format!("{}: {processor}", image.name(&short(&args.file)));
        all_read &= list(&mut out, &title, &sections, arch, args.format, style)?;
    }
    out.flush()?;
    for damage in &opened.damages {
        failure::show(&format!("{file}: {damage}"));
    }
    Ok(status(all_read))
}

/// Writes a listing. Returns whether every word was read.
fn list(
    out: &mut (impl Write + Send),
    title: &str,
    sections: &[Section<'_>],
    arch: Arch,
    format: Format,
    style: Style,
) -> Result<bool, Failure> {
    match format {
        Format::Text => listing::text(out, title, sections, arch, style),
        Format::Tsv => listing::tsv(out, sections, arch),
    }
}

fn status(all_read: bool) -> ExitCode {
    if all_read { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs `--hex`, whose exit status is 0 even if lines are wrong.
fn hex(args: &Args, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let arch = required(args.arch.as_ref())?;
    let reader = Reader::new(arch, args.wave.unwrap_or(Wave::W32));
    let input = input::open(&args.file)?;
    hex_lines::answer(&input::name(&args.file), input, out, reader, args.accept())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the processor of a code object, its sections and its instruction set.
fn code_object<'a>(
    file: &str,
    image: &'a Image<'_>,
    wanted: Option<&Wanted>,
    wave: Option<Wave>,
) -> Result<(String, Vec<Section<'a>>, Arch), Failure> {
    let about = |error| Failure::about(&image.name(file), error);
    let object = elf::Object::parse(&image.bytes).map_err(about)?;
    let arch = object.arch_or(wanted.map(|wanted| wanted.arch), image.is_file()).map_err(about)?;
    let sections = object.sections(arch, wave).map_err(about)?;
    Ok((object.title(), sections, arch))
}

/// Both listings of the images of a file; whether every word was read.
pub fn listings(bytes: &[u8], out: &mut (impl Write + Send)) -> Result<bool, Failure> {
    let opened = files::open("input", bytes, None)?;
    let mut all_read = opened.damages.is_empty();
    for image in &opened.images {
        let (title, sections, arch) = code_object("input", image, None, None)?;
        all_read &= listing::text(out, &title, &sections, arch, Style::new(false, false))?;
        all_read &= listing::tsv(out, &sections, arch)?;
    }
    Ok(all_read)
}

/// Returns the argument, which clap requires; a message is better than a panic should that ever change.
fn required(wanted: Option<&Wanted>) -> Result<Arch, Failure> {
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
