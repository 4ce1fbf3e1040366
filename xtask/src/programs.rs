//! `cargo xtask programs`: whole programs assembled by `isa asm` and by llvm-mc, which must give the same bytes.
//!
//! [`mod@kernels`] come from clang and llc, [`mod@mutated`] ones are kernels with random changes, [`mod@random`] ones are written here,
//! and [`mod@files`] are named on the command line.

mod assemblers;
mod contents;
mod files;
mod kernels;
mod linked;
mod mutated;
mod random;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Result, bail};

use crate::process;

pub use kernels::Selection;

/// Which programs to compare.
#[derive(clap::Args)]
pub struct Args {
    /// Compare only these assembly files
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The target triple of FILE
    #[arg(long, default_value = assemblers::Target::GFX1100.triple)]
    triple: String,
    /// The processor of FILE, and the one to compile kernels for
    #[arg(long, default_value = assemblers::Target::GFX1100.processor)]
    processor: String,
    /// LLVM's features to set for FILE
    #[arg(long, value_name = "FEATURES", default_value = "")]
    features: String,
    /// Assemble FILE for wave64
    #[arg(long)]
    wave64: bool,
    /// How many random programs
    #[arg(long, default_value_t = 2_000)]
    count: u64,
    /// How many kernels with random changes
    #[arg(long, default_value_t = 1_000)]
    mutated: u64,
    /// Seed of the random programs and changes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compile only the kernels whose file name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Compile kernels only in the configurations whose name contains this
    #[arg(long, value_name = "NAME", default_value = "")]
    configuration: String,
    /// Write the assembly of each compiled program that is not equal to this directory
    #[arg(long, value_name = "DIRECTORY")]
    keep: Option<PathBuf>,
    /// Write a short program for each class of difference among the changed kernels to this directory
    #[arg(long, value_name = "DIRECTORY")]
    findings: Option<PathBuf>,
}

/// Runs all comparisons, also after one has failed.
pub fn run(args: &Args) -> Result<()> {
    if !args.files.is_empty() {
        let target = assemblers::Target {
            triple: &args.triple,
            processor: &args.processor,
            features: &args.features,
            wave64: args.wave64,
        };
        let ours = process::program()?;
        return in_scratch(|scratch| files::compare(&args.files, target, &ours, scratch));
    }
    let random = if args.count > 0 { random(args.count, args.seed, &args.processor) } else { Ok(()) };
    let mutated = if args.mutated > 0 {
        mutated(args.mutated, args.seed, &args.processor, args.findings.as_deref())
    } else {
        Ok(())
    };
    let selection = Selection {
        only: &args.only,
        processor: &args.processor,
        configuration: &args.configuration,
        keep: args.keep.as_deref(),
    };
    kernels(&selection).and(mutated).and(random)
}

/// Compares random programs for a processor.
pub fn random(count: u64, seed: u64, processor: &str) -> Result<()> {
    let ours = process::program()?;
    let target = assemblers::Target { processor, ..assemblers::Target::GFX1100 };
    in_scratch(|scratch| random::compare(count, seed, target, &ours, scratch))
}

/// Compiles the kernels of tests/kernels and compares what comes of them.
pub fn kernels(selection: &Selection<'_>) -> Result<()> {
    if let Some(why) = kernels::lacking() {
        println!("LEFT OUT: compiled kernels, {why}");
        return Ok(());
    }
    let ours = process::program()?;
    in_scratch(|scratch| kernels::compare(selection, &ours, scratch))
}

/// Changes compiled kernels and compares what comes of them.
pub fn mutated(count: u64, seed: u64, processor: &str, findings: Option<&Path>) -> Result<()> {
    if let Some(why) = kernels::lacking() {
        println!("LEFT OUT: changed kernels, {why}");
        return Ok(());
    }
    let ours = process::program()?;
    in_scratch(|scratch| mutated::compare(&mutated::Settings { count, seed, processor, findings }, &ours, scratch))
}

/// Compiles the kernels of tests/kernels for a processor in the named configurations and calls `each` with a label, the assembly and
/// whether it is for wave64.
pub fn compiled(names: &[&str], processor: &str, mut each: impl FnMut(&str, &str, bool) -> Result<()>) -> Result<()> {
    in_scratch(|scratch| {
        for (label, text, target) in kernels::assembly_of(scratch, names, processor)? {
            each(&label, &text, target.wave64)?;
        }
        Ok(())
    })
}

/// Assembles a source file to an object for wave32 by `isa asm`. Returns the object or the messages.
pub fn assemble(program: &Path, source: &Path, processor: &str, to: &Path) -> Result<Result<Vec<u8>, String>> {
    let target = assemblers::Target { processor, ..assemblers::Target::GFX1100 };
    assemblers::ours(program, source, target, assemblers::Emit::Object, to)
}

/// Says which programs compiled kernels need and are absent.
pub fn lacking() -> Option<String> {
    kernels::lacking()
}

/// Runs `work` with a separate directory, which is removed afterwards.
pub fn in_scratch<T>(work: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let scratch = std::env::temp_dir().join(format!("isa-programs-{}-{run}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let result = work(&scratch);
    std::fs::remove_dir_all(&scratch)?;
    result
}

/// Applies `work` to each item on all processors; the answers are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(usize, &T) -> Result<R> + Sync) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let worker = || -> Result<Vec<(usize, R)>> {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return Ok(done) };
            done.push((at, work(at, item)?));
        }
    };
    let mut all = Vec::new();
    thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            match worker.join() {
                Ok(done) => all.extend(done?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })?;
    all.sort_by_key(|(at, _)| *at);
    if all.len() != items.len() {
        bail!("{} of {} items were processed", all.len(), items.len());
    }
    Ok(all.into_iter().map(|(_, answer)| answer).collect())
}
