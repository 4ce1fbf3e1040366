//! `isa asm`: a line of assembly in, a line of hex out.

use std::fmt::Write as _;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::TypedValueParser;

use crate::arch::{Arch, Reader, Wave};
use crate::failure::Failure;
use crate::input;
use crate::lines::{self, TooLong};

/// The arguments of `isa asm`.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 whatever the lines hold, 1 for a file that cannot be read, 2 for wrong usage.")]
pub struct Args {
    /// Lines of assembly, an instruction each; `-` is standard input
    file: PathBuf,
    /// Instruction set: rdna3 or LLVM's name of a processor
    #[arg(long, value_parser = Arch::parse)]
    arch: Arch,
    /// Work-items of a wave
    #[arg(long, value_name = "32|64", default_value = "32",
        value_parser = clap::builder::PossibleValuesParser::new(["32", "64"])
        .map(|wave| if wave == "64" { Wave::W64 } else { Wave::W32 }))]
    wave: Wave,
    /// Answer each line with its bytes in hex, in memory order, or `error: …`
    #[arg(long, required = true)]
    hex: bool,
}

/// Runs `isa asm`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let reader = Reader::new(args.arch, args.wave);
    let mut out = BufWriter::new(io::stdout().lock());
    lines::answer(&input::name(&args.file), input::open(&args.file)?, &mut out, |line, said| {
        // Writing to a String does not fail.
        let _ = match assemble(line, reader) {
            Ok(bytes) => bytes.into_iter().try_for_each(|b| write!(said, "{b:02x}")),
            Err(why) => write!(said, "error: {why}"),
        };
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The bytes of the one instruction that the line holds.
fn assemble(line: Result<&[u8], TooLong>, reader: Reader) -> Result<Vec<u8>, String> {
    let line = line.map_err(|TooLong(length)| format!("the line holds {length} characters"))?;
    let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_string())?;
    reader.assemble(text)
}
