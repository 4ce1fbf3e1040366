//! `isa run`: executes kernels, or single instructions, on the CPU.

mod check;
mod kernel;
mod launcher;
pub mod list;
mod memory;
mod print;
mod progress;
mod spec;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;

use amdgpu_arch::{Arch, TargetSelection};
use amdgpu_dispatch::executed_sets;
use amdgpu_report::cases::{self, CasesError, Limits};

use crate::failure::Failure;
use crate::input;

/// The arguments of `isa run`.
#[derive(clap::Args)]
#[command(
    group = clap::ArgGroup::new("what").args(["file", "cases"]).required(true),
    after_help = "Exit status: 0 when the kernel has ended, or every case was answered; 1 for findings of --check, a fault, arguments that do not fit \
        the kernel, or input that cannot be read; 2 for wrong usage."
)]
pub struct Args {
    /// A code object or an object file, or a bundle, program, library or archive that holds some (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    kernel: kernel::KernelArgs,
    /// The instruction set or processor of the cases, or of the code object in a bundle: rdna3, rdna3.5, or one of their
    /// processors
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse)]
    arch: Option<TargetSelection>,
    /// JSON lines with code and an initial state each (`-`: standard input); a line with the final state, or an error, is
    /// the answer to each
    #[arg(long, value_name = "FILE", requires = "arch")]
    cases: Option<String>,
}

/// Runs `isa run`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    match (&args.file, &args.arch, &args.cases) {
        (Some(file), wanted, _) => kernel::run(file, wanted.as_ref(), &args.kernel),
        (None, Some(wanted), Some(cases)) => run_cases(wanted.arch, cases),
        // clap requires one of them.
        _ => Ok(ExitCode::from(2)),
    }
}

fn run_cases(arch: Arch, cases: &str) -> Result<ExitCode, Failure> {
    let sets: Vec<Arch> = executed_sets().collect();
    if !sets.contains(&arch) {
        let supported = sets.iter().map(|set| set.name()).collect::<Vec<_>>().join(", ");
        return Err(Failure::Message(format!("`{}` is not executed; supported: {supported}", arch.name())));
    }
    let reader: Box<dyn BufRead> = if cases == "-" {
        Box::new(io::stdin().lock())
    } else {
        let name = input::name(cases.as_ref());
        Box::new(BufReader::new(File::open(cases).map_err(|error| Failure::about(&name, error))?))
    };
    match cases::answer(arch, reader, &mut io::stdout().lock(), Limits::default()) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(CasesError::Write(error)) => Err(error.into()),
        Err(error) => Err(Failure::Message(error.to_string())),
    }
}
