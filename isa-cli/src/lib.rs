//! The program `isa` as a library, for `main.rs`: arguments, colours, progress and files. The crates `amdgpu-asm`, `amdgpu-dis`,
//! `amdgpu-dispatch` and `amdgpu-report` do the work.
//!
//! Each subcommand is a module with its arguments (`Args`) and a function `run`. The other modules are shared:
//! `arguments` has arguments of several subcommands, `lines` answers standard input line by line, and `failure` is the error of a run. `files` opens bundles, programs and archives.

mod arguments;
mod asm;
mod dis;
mod effects;
mod explain;
mod failure;
mod files;
mod info;
mod input;
mod lines;
mod lint;
mod list;
mod manual;
mod run;
mod sarif;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Reads and prints GPU instructions.
#[derive(Parser)]
#[command(name = "isa", version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
enum Command {
    /// Print the instructions of a code object, of raw bytes or of lines of hex.
    Dis(dis::Args),
    /// Assemble a program, or lines of assembly.
    Asm(asm::Args),
    /// Report missing waits and hazards in a code object, in assembly or in raw bytes.
    Lint(lint::Args),
    /// Print the registers that instructions read and write.
    Effects(effects::Args),
    /// Draw an instruction bit by bit, with what it reads, writes and computes.
    Explain(explain::Args),
    /// Run a kernel on the CPU, or list the kernels of a code object.
    Run(Box<run::Args>),
    /// Print the facts of an instruction, a register, a message or an export target, or of the kernels of a file.
    Info(info::Args),
    /// List the instructions of an instruction set.
    List(list::Args),
    /// Print the completions of a shell.
    Completions(manual::CompletionArgs),
    /// Print the manual page of the program or of a subcommand.
    Man(manual::ManArgs),
}

/// Runs the program with the arguments of the process. Returns its exit status.
#[must_use]
pub fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Dis(args) => dis::run(&args),
        Command::Asm(args) => asm::run(&args),
        Command::Lint(args) => lint::run(&args),
        Command::Effects(args) => effects::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Info(args) => info::run(&args),
        Command::List(args) => list::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    match outcome {
        Ok(code) => code,
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            failure::show(&message);
            ExitCode::FAILURE
        }
    }
}
