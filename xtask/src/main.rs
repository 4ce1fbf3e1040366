//! Development tasks: `cargo xtask ci`, `vectors`, `diff`, `coverage`, `bench`, `sweep`.
//!
//! [`oracle`] asks libLLVM (in the process of [`libllvm`]) and [`assembler`] runs llvm-mc; a task that needs one of them and does
//! not find it names it. [`generate`] draws words from the tables.

mod assembler;
mod bench;
mod builders;
mod c_library;
mod ci;
mod coverage;
mod cycles;
mod diff;
mod execute;
mod exhaust;
mod generate;
mod hazards;
mod libllvm;
mod lint;
mod listing;
mod machine;
mod names;
mod nopanic;
mod nostd;
mod oracle;
mod process;
mod programs;
mod python;
mod rng;
mod rows;
mod seeds;
mod semver;
mod size;
mod sweep;
mod ticks;
mod unused;
mod valgrind;
mod vectors;
mod waits;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Development tasks of the workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

/// The tasks.
#[derive(Subcommand)]
enum Task {
    /// Everything that CI checks, with a summary
    Ci(ci::Args),
    /// Compare the guides' opcode tables, ours and LLVM's names
    Coverage(coverage::Args),
    /// Compare our disassembly with LLVM's on generated and random words, and assembly on the texts
    Diff(diff::Args),
    /// Compare whole programs, random ones and compiled kernels, with llvm-mc
    Programs(programs::Args),
    /// Run the programs of tests/programs on the CPU, and compare their results with the host's
    Execute(execute::Args),
    /// Make the golden vectors of tests/vectors
    Vectors(vectors::Args),
    /// Make the calls of typed builders in tests/vectors from the golden vectors
    Builders(builders::Args),
    /// Lint real code, and the same code with one wait taken out at a time
    Lint(lint::Args),
    /// Check kernels while they run, with one wait taken out at a time
    Waits(waits::Args),
    /// Compare the lint with LLVM's passes that put instructions apart, on random code and on shaders
    Hazards(hazards::Args),
    /// Measure decode, encode and text
    Bench(bench::Args),
    /// LLVM's side of the comparisons: words in, answers out
    #[command(name = oracle::TASK, hide = true)]
    Libllvm,
    /// Decode all words, and every value of every field: nothing panics, every word and every text comes back
    Sweep(exhaust::Args),
    /// Compare the functions that execute rows of lanes with the definitions of their operations
    Rows(rows::Args),
    /// Look for modules of a crate that import each other in a circle
    Cycles,
    /// Find types of one name and phrases that have been replaced
    Words,
    /// Build and install the C library
    CLibrary(c_library::Args),
    /// Link what decodes, encodes and prints, and look for panics in it
    NoPanic,
    /// Link the run-time crates for targets without std and without an allocator
    NoStd,
    /// Print how much decoding and printing add to the size of a program without std
    Size,
    /// Hold the libraries' interfaces against those of an earlier commit
    Semver(semver::Args),
    /// Write what the fuzz targets begin with, to fuzz/corpus
    Seeds,
    /// Decode a sample of all words, in seconds
    Sample(sweep::Args),
    /// Compare the fields that instructions do not use, and those that are reserved, with LLVM
    Unused(unused::Args),
}

/// Both comparisons, the second also after the first has failed.
fn all_coverage(args: &coverage::Args) -> anyhow::Result<()> {
    let rdna = coverage::run(args);
    ticks::run().and(rdna)
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Ci(args) => ci::run(&args),
        Task::Coverage(args) => all_coverage(&args),
        Task::Diff(args) => diff::run(&args),
        Task::Programs(args) => programs::run(&args),
        Task::Execute(args) => execute::run(&args),
        Task::Vectors(args) => vectors::run(&args),
        Task::Builders(args) => builders::run(&args),
        Task::Lint(args) => lint::run(&args),
        Task::Waits(args) => waits::run(&args),
        Task::Hazards(args) => hazards::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Libllvm => libllvm::serve(),
        Task::Sweep(args) => exhaust::run(&args),
        Task::Rows(args) => rows::run(&args),
        Task::Cycles => cycles::run(),
        Task::Words => words::run(),
        Task::CLibrary(args) => c_library::run(&args),
        Task::NoPanic => nopanic::run(),
        Task::NoStd => nostd::run(),
        Task::Size => size::run(),
        Task::Semver(args) => semver::run(&args),
        Task::Seeds => seeds::run(),
        Task::Sample(args) => sweep::run(&args),
        Task::Unused(args) => unused::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
