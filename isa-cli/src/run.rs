//! `isa run`: executes instructions on the CPU.

mod cases;
mod state;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::process::ExitCode;

use crate::arch::Arch;
use crate::failure::Failure;
use crate::input;

/// The arguments of `isa run`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 when every line was answered, 1 for input that cannot be read, 2 for wrong usage."
)]
pub struct Args {
    /// The instruction set or processor: rdna3 or one of its processors
    #[arg(long, value_parser = Arch::parse)]
    arch: Arch,
    /// JSON lines with code and an initial state each (`-`: standard input); a line with the final state, or an error, is
    /// the answer to each
    #[arg(long, value_name = "FILE")]
    cases: String,
}

/// Runs `isa run`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if args.arch != Arch::Rdna3 {
        return Err(Failure::Message(format!(
            "`{}` is not executed; supported: {}",
            args.arch.name(),
            Arch::Rdna3.name()
        )));
    }
    let reader: Box<dyn BufRead> = if args.cases == "-" {
        Box::new(io::stdin().lock())
    } else {
        let name = input::name(args.cases.as_ref());
        Box::new(BufReader::new(File::open(&args.cases).map_err(|error| Failure::about(&name, error))?))
    };
    cases::answer(reader, &mut io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
