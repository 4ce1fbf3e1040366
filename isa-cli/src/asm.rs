//! `isa asm`: assembles a program; with `--hex`, assembles each line of standard input to a line of hex.
//!
//! - Reading: [`text`] reads a program in parts, [`bundle`] selects one of several programs in a file, [`source`] splits it into
//!   lines and strips comments, [`cursor`] reads the items of a line. [`preparse`] parses lines that do not depend on others, in
//!   parallel.
//! - The program: [`assemble`] assembles the lines in order. [`mod@program`] is the state meanwhile; what one statement leaves for
//!   later ones, such as a block without its end, is in [`open`].
//! - Expansion: [`expand`] executes [`macros`] (with [`arguments`] that consist of [`tokens`]), repetitions, included files and
//!   [`conditions`]. A [`body`] is the text of a macro; [`expansions`] maps positions in expanded text to the lines of the file.
//! - Statements: a [`statement`] is an instruction ([`instr`]) or a [`directive`]. Of the directives, [`section_directive`] selects
//!   sections; [`data`], [`floats`] and [`spacing`] fill them; [`attribute`] sets attributes of symbols; [`alias`] gives them
//!   other names; [`reloc`] adds relocations; [`debug`] adds line and frame information; [`kernel`] makes descriptors; [`blocks`]
//!   and [`metadata`] make notes; [`resource_info`] checks facts for linkers; [`target_directive`] selects the [`target`].
//! - Values: a [`section`] holds bytes, and [`gap`]s whose sizes are unknown. [`symbols`] have labels ([`address`]es) or
//!   [`expr`]essions as values; [`parse_expr`] parses expressions, and [`eval`] evaluates them. [`layout`] computes addresses, then
//!   [`resolve`] fills in each [`fixup`], a field that depends on them.
//! - Output: [`emit`] makes the contents of an object file, [`mod@file`] writes files, [`output`] the listing, [`report`] prints
//!   each [`diagnostic`]. [`origin`] is the interface for other subcommands.

mod address;
mod alias;
mod arguments;
mod assemble;
mod attribute;
mod blocks;
mod body;
pub mod bundle;
mod conditions;
mod cursor;
mod data;
mod debug;
mod diagnostic;
mod directive;
mod emit;
mod eval;
pub mod expand;
pub mod expansions;
mod expr;
mod file;
mod fixup;
mod floats;
mod gap;
mod instr;
mod kernel;
mod kernel_code;
mod kernel_code_block;
mod layout;
mod line_table;
mod macros;
mod metadata;
mod open;
pub mod origin;
mod output;
mod padding;
mod parse_expr;
mod preparse;
pub mod program;
mod reloc;
mod report;
mod resolve;
mod resource_info;
mod section;
mod section_directive;
mod source;
mod spacing;
mod statement;
mod symbols;
pub mod target;
mod target_directive;
pub mod text;
mod tokens;

use std::fmt::Write as _;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Seek as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use amdgpu_arch::{Instr, Reader, TargetSelection, Wave};
use clap::builder::TypedValueParser;

use crate::asm::cursor::Cursor;
use crate::asm::expansions::Source;
use crate::asm::file::Emit;
use crate::asm::program::Includes;
use crate::asm::program::{Program, Surroundings};
use crate::asm::target::{Llvm, Target};
use crate::asm::text::{ReadAt, Text};
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
    /// Instruction set: rdna3, rdna3.5, gcn1.0, gcn1.1, gcn1.2, gcn1.4 or LLVM's name of a processor
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse)]
    arch: TargetSelection,
    /// Work-items of a wave
    #[arg(long, value_name = "32|64", default_value = "32",
        value_parser = clap::builder::PossibleValuesParser::new(["32", "64"])
        .map(|wave| if wave == "64" { Wave::W64 } else { Wave::W32 }))]
    wave: Wave,
    /// Write into the fields that an instruction does not use the values that this version of LLVM writes; 23 includes later ones
    /// [default: 23 if the target triple of the program starts with amdgpu, else 22]
    #[arg(long, value_name = "22|23", value_parser = Llvm::parse)]
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
fn symbol(text: &str) -> Result<(String, i64), String> {
    let mut input = Cursor::new(text, 0);
    let name = input.word();
    let minus = !name.is_empty() && input.eat("=") && input.eat("-");
    match input.number() {
        Some(Ok(number)) if text.contains('=') && input.done() && !name.is_empty() => {
            Ok((name.into(), if minus { number.wrapping_neg() } else { number }))
        }
        _ => Err("expected a name, `=` and a number".into()),
    }
}

/// Runs `isa asm`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let reader = Reader::new(args.arch.arch, args.wave);
    if !args.hex {
        return program(args, reader);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    lines::answer(&input::name(&args.file), input::open(&args.file)?, &mut out, |line, said| {
        // Writing to a String does not fail.
        let _ = match assemble(line, reader) {
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
fn program(args: &Args, reader: Reader) -> Result<ExitCode, Failure> {
    let target = Target::of(&args.arch);
    let mut around = Surroundings {
        symbols: target.symbols(),
        includes: Some(Includes(args.include.clone())),
        processor: target.processor,
        llvm: args.llvm,
    };
    around.symbols.extend(args.defsym.iter().cloned());
    let mut file = input::file(&args.file)?;
    // A listing shows the source, which is read whole for it.
    if args.output.is_some()
        && let Some(opened) = &mut file
    {
        if let Some(mut program) = in_parts(opened, &text::shared(opened), reader, &around) {
            let outcome = done(args, &mut program, "");
            // The program ends: the system takes its memory back faster than it would be given.
            std::mem::forget(program);
            return outcome;
        }
        // Where it cannot go back to its beginning, nothing was read.
        let _ = opened.rewind();
    }
    let name = input::name(&args.file);
    let source = text::decode(input::rest(&args.file, file)?);
    let source = bundle::select(source, Some(&args.arch)).map_err(|why| Failure::about(&name, why))?;
    let mut program = Program::assemble(Text::Whole(&source), reader, &around, args.output.is_none());
    if !program.diagnostics.is_empty() {
        report::show(&name, &Source::new(&source, &program.expansions), &program.diagnostics);
    }
    if program.is_sound() { done(args, &mut program, &source) } else { Ok(ExitCode::FAILURE) }
}

/// Assembles a file that is read in parts. Returns `None` if it has to be read whole: it is short, a bundle or no regular file, it
/// changes meanwhile, or there are diagnostics, which are shown with their lines.
fn in_parts<'a>(file: &File, shared: &'a dyn ReadAt, reader: Reader, around: &'a Surroundings) -> Option<Program<'a>> {
    let state = || {
        let state = file.metadata().ok().filter(Metadata::is_file)?;
        Some((state.len(), state.modified().ok()?))
    };
    let (size, changed) = state()?;
    let mut head = [0; bundle::HEAD];
    if size <= text::PART as u64 || shared.read_at(0, &mut head).is_err() || bundle::is_bundle(&head) {
        return None;
    }
    let program = Program::assemble(Text::File(shared, usize::try_from(size).ok()?), reader, around, false);
    let sound = program.is_whole() && program.diagnostics.is_empty() && state() == Some((size, changed));
    sound.then_some(program)
}

/// Writes the output of a program without errors.
fn done(args: &Args, program: &mut Program<'_>, source: &str) -> Result<ExitCode, Failure> {
    if let Some(path) = &args.output {
        let emit = args.emit.unwrap_or_else(|| Emit::of(path));
        let name = if file::is_stdout(path) { "standard output".into() } else { input::name(path) };
        emit.write(program, path).map_err(|why| Failure::about(&name, why))?;
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if args.output.is_none() {
        output::listing(&mut out, program, &Source::new(source, &program.expansions))?;
    }
    if args.relocations {
        output::relocations(&mut out, program)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Assembles a program in memory and writes its listing or its diagnostics. Returns whether it has no errors.
pub fn whole(source: &str, reader: Reader, out: &mut impl io::Write) -> io::Result<bool> {
    let around = Surroundings::default();
    let program = Program::assemble(Text::Whole(source), reader, &around, true);
    let source = Source::new(source, &program.expansions);
    report::write(out, "input", &source, &program.diagnostics, &annotate_snippets::Renderer::plain())?;
    if program.is_sound() {
        output::listing(out, &program, &source)?;
        output::relocations(out, &program)?;
    }
    Ok(program.is_sound())
}

/// The one instruction that the line holds.
fn assemble(line: Result<&[u8], TooLong>, reader: Reader) -> Result<Instr, String> {
    let line = line.map_err(|TooLong(length)| format!("the line holds {length} characters"))?;
    let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_string())?;
    match reader.assemble(text) {
        // No instruction contains a byte that begins a comment, so only a refused line can have one.
        Err(why) if text.contains([';', '/', '#']) => match source::closed_without_comments(text) {
            Some(clean) => reader.assemble(&clean),
            None => Err(why),
        },
        done => done,
    }
}
