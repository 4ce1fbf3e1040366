//! `cargo xtask ci`: runs and times each step, then prints a table that also names the steps that were left out.

mod schedule;

use std::env;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use isa_tests::paths::{root, shared};
use rdna3::Instr;

use self::schedule::{Report, StepOutcome};
use crate::bench::record;
use crate::exhaust::{self, Walk};
use crate::machine::Generation;
use crate::{
    assembler, builders, c_library, coverage, cycles, diff, execute, hazards, listing, nopanic, nostd, oracle, process,
    programs, python, size, sweep, unused, valgrind, vectors, waits, words,
};

/// Which steps to run.
#[derive(clap::Args)]
pub struct Args {
    /// Leave out a step that has been run already; may be given several times
    #[arg(long, value_name = "STEP")]
    skip: Vec<String>,
    /// Run only this step; may be given several times
    #[arg(long, value_name = "STEP", conflicts_with = "skip")]
    only: Vec<String>,
    /// Steps to run at a time; by default one for each processor
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// The requirement of a step beyond a Rust toolchain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Nothing,
    Llvm,
    Shared(&'static str),
    SharedAndLlvm(&'static str),
    /// LLVM's assembler, clang and llc.
    Compilers,
    /// Core for targets without std.
    Targets,
    /// Std for other hosts.
    Hosts,
    /// The program that counts host instructions.
    Valgrind,
    /// A Python interpreter with venv and pip.
    Python,
    /// Compilers of C and C++, and pkg-config.
    C,
    /// Those, and valgrind.
    CAndValgrind,
    /// Those, and CMake.
    CAndCmake,
}

struct Step {
    name: &'static str,
    need: Need,
    run: fn() -> Result<()>,
    /// The step whose results this one uses.
    after: Option<&'static str>,
    /// Whether no other step runs beside it.
    exclusive: bool,
}

impl Step {
    const fn new(name: &'static str, need: Need, run: fn() -> Result<()>) -> Self {
        Step { name, need, run, after: None, exclusive: false }
    }

    /// Starts the step when the one with this name has ended.
    const fn after(self, name: &'static str) -> Self {
        Step { after: Some(name), ..self }
    }

    /// Runs the step alone: those before it in the list have ended, and those behind it have not begun.
    const fn exclusive(self) -> Self {
        Step { exclusive: true, ..self }
    }
}

/// The least percentage of words whose text must be LLVM's.
const DECODE: f64 = 99.9;
/// The least percentage of lines that must assemble to LLVM's bytes.
const ASSEMBLE: f64 = 99.9;
/// The least percentages of lines that must be refused; of the first file the rows that LLVM lacks are a hundredth.
const ERRORS: f64 = 99.0;
const REFUSED: f64 = 99.5;
/// The percentage of the corpus that must read as LLVM has it.
const CORPUS: f64 = 100.0;

const DECODE_VECTORS: &str = "vectors/rdna3_decode.tsv.gz";
const INVALID_VECTORS: &str = "vectors/rdna3_invalid.tsv.gz";

const ASSEMBLE_VECTORS: &str = "vectors/rdna3_assemble.tsv.gz";
const ACCEPTED_VECTORS: &str = "vectors/rdna3_legality_accepted.tsv.gz";
const ERROR_VECTORS: &str = "vectors/rdna3_assemble_errors.tsv.gz";
const REFUSED_VECTORS: &str = "vectors/rdna3_legality_refused.tsv.gz";

/// The vectors of GCN; the rows that LLVM lacks are among what must be refused.
const GCN_DECODE: [&str; 2] = ["vectors/gcn_decode.tsv.gz", "vectors/gcn_old_decode.tsv.gz"];
const GCN_ASSEMBLE: [&str; 2] = ["vectors/gcn_assemble.tsv.gz", "vectors/gcn_legality_accepted.tsv.gz"];
const GCN_REFUSED: [&str; 2] = ["vectors/gcn_assemble_errors.tsv.gz", "vectors/gcn_legality_refused.tsv.gz"];
const GCN_INVALID: [&str; 1] = ["vectors/gcn_invalid.tsv.gz"];
/// The vectors of RDNA3.5.
const RDNA3_5_DECODE: [&str; 1] = ["vectors/rdna35_decode.tsv.gz"];
const RDNA3_5_ASSEMBLE: [&str; 1] = ["vectors/rdna35_assemble.tsv.gz"];
const RDNA3_5_INVALID: [&str; 1] = ["vectors/rdna35_invalid.tsv.gz"];
/// The vectors of RDNA4, with LLVM's text of `+real-true16`.
const RDNA4_DECODE: [&str; 1] = ["vectors/rdna4_true16_decode.tsv.gz"];
const RDNA4_INVALID: [&str; 1] = ["vectors/rdna4_true16_invalid.tsv.gz"];
const RDNA4_ASSEMBLE: [&str; 2] =
    ["vectors/rdna4_true16_assemble.tsv.gz", "vectors/rdna4_true16_legality_accepted.tsv.gz"];
const RDNA4_REFUSED: [&str; 2] =
    ["vectors/rdna4_true16_assemble_errors.tsv.gz", "vectors/rdna4_true16_legality_refused.tsv.gz"];
/// The least percentage of words that LLVM refuses and we must.
const INVALID: f64 = 99.0;

/// How the names of RDNA3 objects of the corpus end.
const GFX11: [&str; 2] = ["gfx1100.o", "gfx1100.co"];

const STEPS: &[Step] = &[
    Step::new("fmt", Need::Nothing, || cargo(&["fmt", "--all", "--check"])),
    Step::new("build", Need::Nothing, build).exclusive(),
    Step::new("clippy", Need::Nothing, clippy),
    Step::new("features", Need::Nothing, features),
    Step::new("cycles", Need::Nothing, cycles::run),
    Step::new("words", Need::Nothing, words::run),
    Step::new("test", Need::Nothing, || cargo(&["test", "--workspace"])),
    Step::new("samples", Need::Nothing, samples),
    Step::new("compile errors", Need::Nothing, || {
        // Of the workspace, so that it has the features of the step "test": with `-p` cargo would compile 16 units once more. trybuild
        // does not read the profile of the workspace.
        cargo_with(&["test", "--workspace", "--test", "ui", "--", "--ignored"], &[("CARGO_PROFILE_DEV_DEBUG", "0")])
    }),
    // It uses what the step "clippy" has checked.
    Step::new("doc", Need::Nothing, doc).after("clippy"),
    Step::new("builders", Need::Nothing, || builders::run(&builders::Args { check: true, random: None, seed: 1 })),
    Step::new("sweep", Need::Nothing, || sweep::run(&sweep::Args { low: 16, more: 4, step: 61 })),
    Step::new("rdna4 sweep words", Need::Nothing, || sweep_slice(Generation::Rdna4, Walk::Words, 4093)),
    Step::new("rdna4 sweep fields", Need::Nothing, || sweep_slice(Generation::Rdna4, Walk::Fields, 701)),
    Step::new("sweep words", Need::Nothing, || sweep_slice(Generation::Rdna3, Walk::Words, 1021)),
    Step::new("sweep fields", Need::Nothing, || sweep_slice(Generation::Rdna3, Walk::Fields, 301)),
    Step::new("no panic", Need::Llvm, nopanic::run),
    Step::new("no std", Need::Targets, nostd::run),
    Step::new("other hosts", Need::Hosts, nostd::check_hosts),
    Step::new("size", Need::Targets, size::run),
    Step::new("package", Need::Nothing, package),
    Step::new("python", Need::Python, python::run),
    // It shares what the step "python" compiles.
    Step::new("c", Need::C, c_library::check).after("python"),
    // These two use the libraries that the step "c" has built.
    Step::new("c valgrind", Need::CAndValgrind, c_library::check_valgrind).after("c"),
    Step::new("c cmake", Need::CAndCmake, c_library::check_cmake).after("c"),
    Step::new("coverage", Need::Llvm, || coverage::run(&coverage::Args::default())),
    Step::new("vectors", Need::Llvm, || vectors::run(&vectors::Args { check: true, only: None })),
    Step::new("diff", Need::Llvm, || diff::run(&diff::Args::of(Generation::Rdna3, 1_000_000))),
    Step::new("rdna4 diff", Need::Llvm, || diff::run(&diff::Args::of(Generation::Rdna4, 400_000))),
    Step::new("built instructions", Need::Llvm, || diff::built::run(4, 1)),
    Step::new("unused fields", Need::Llvm, || unused::run(&unused::Args { count: 4, seed: 1 })),
    Step::new("programs", Need::Llvm, || programs::random(500, 1, "gfx1100")),
    Step::new("kernels", Need::Compilers, || programs::kernels(&programs::Selection::of("gfx1100", ""))),
    Step::new("execute", Need::Compilers, || execute::run(&execute::Args::default())),
    Step::new("checked programs", Need::Compilers, || {
        let checked = |name: &str| execute::Args { check: true, configuration: name.into(), ..Default::default() };
        ["O0", "O2", "wave64"].iter().try_for_each(|name| execute::run(&checked(name)))
    }),
    Step::new("waits of programs", Need::Compilers, || {
        let programs = ["atomics", "fft", "scan"].iter().flat_map(|name| [(*name, "gfx1100"), (*name, "gfx1200")]);
        programs.into_iter().try_for_each(|(name, processor)| waits::run(&waits::Args::of(name, processor)))
    }),
    Step::new("exec speed", Need::Valgrind, record::check),
    Step::new("hazards", Need::Compilers, || hazards::run(&hazards::Args::sample(2000))),
    Step::new("changed kernels", Need::Compilers, || programs::mutated(250, 1, "gfx1100", None)),
    Step::new("check decode", Need::Shared(DECODE_VECTORS), || check("decode", DECODE_VECTORS, DECODE)),
    Step::new("check invalid", Need::Shared(INVALID_VECTORS), invalid),
    Step::new("check assemble", Need::Shared(ASSEMBLE_VECTORS), || check("assemble", ASSEMBLE_VECTORS, ASSEMBLE)),
    Step::new("check accepted", Need::Shared(ACCEPTED_VECTORS), || check("assemble", ACCEPTED_VECTORS, ASSEMBLE)),
    Step::new("check errors", Need::Shared(ERROR_VECTORS), || check("reject", ERROR_VECTORS, ERRORS)),
    Step::new("check refused", Need::Shared(REFUSED_VECTORS), || check("reject", REFUSED_VECTORS, REFUSED)),
    Step::new("check program", Need::SharedAndLlvm("corpus"), program_check),
    Step::new("listings", Need::Shared("corpus"), || listing::run(&process::program()?, &objects(&GFX11)?)),
    Step::new("check corpus", Need::SharedAndLlvm("corpus"), corpus),
    Step::new("rdna3.5 decode", Need::Shared(RDNA3_5_DECODE[0]), || check_all("decode", &RDNA3_5_DECODE, DECODE)),
    Step::new("rdna3.5 invalid", Need::Shared(RDNA3_5_INVALID[0]), || check_all("invalid", &RDNA3_5_INVALID, INVALID)),
    Step::new("rdna3.5 assemble", Need::Shared(RDNA3_5_ASSEMBLE[0]), || {
        check_all("assemble", &RDNA3_5_ASSEMBLE, ASSEMBLE)
    }),
    Step::new("rdna4 decode", Need::Shared(RDNA4_DECODE[0]), || check_all("decode", &RDNA4_DECODE, DECODE)),
    Step::new("rdna4 invalid", Need::Shared(RDNA4_INVALID[0]), || check_all("invalid", &RDNA4_INVALID, INVALID)),
    Step::new("rdna4 assemble", Need::Shared(RDNA4_ASSEMBLE[0]), || check_all("assemble", &RDNA4_ASSEMBLE, ASSEMBLE)),
    Step::new("rdna4 refused", Need::Shared(RDNA4_REFUSED[0]), || check_all("reject", &RDNA4_REFUSED, REFUSED)),
    Step::new("rdna4 kernels", Need::Compilers, || {
        let names = ["O2", "wave64-O0-g", "global-isel-O0", "true16"];
        names.iter().try_for_each(|name| programs::kernels(&programs::Selection::of("gfx1200", name)))
    }),
    Step::new("rdna4 execute", Need::Compilers, || {
        let args = execute::Args { processor: "gfx1200".into(), configuration: "O2".into(), ..Default::default() };
        execute::run(&args)
    }),
    Step::new("gcn decode", Need::Shared(GCN_DECODE[0]), || check_all("decode", &GCN_DECODE, DECODE)),
    Step::new("gcn invalid", Need::Shared(GCN_INVALID[0]), || check_all("invalid", &GCN_INVALID, INVALID)),
    Step::new("gcn assemble", Need::Shared(GCN_ASSEMBLE[0]), || check_all("assemble", &GCN_ASSEMBLE, ASSEMBLE)),
    Step::new("gcn refused", Need::Shared(GCN_REFUSED[0]), || check_all("reject", &GCN_REFUSED, REFUSED)),
    Step::new("gcn corpus", Need::SharedAndLlvm("corpus"), gcn_corpus),
];

/// Runs the steps, also after one has failed; an error if one failed.
pub fn run(args: &Args) -> Result<()> {
    if let Some(name) = args.skip.iter().chain(&args.only).find(|name| STEPS.iter().all(|s| s.name != **name)) {
        let names: Vec<&str> = STEPS.iter().map(|s| s.name).collect();
        bail!("there is no step {name}; the steps are: {}", names.join(", "));
    }
    let chosen = |step: &&Step| args.only.is_empty() || args.only.iter().any(|name| name == step.name);
    let steps: Vec<&'static Step> = STEPS.iter().filter(chosen).collect();
    // A single step runs in this process: its output appears as it is written.
    if let ([step], [_]) = (&steps[..], &args.only[..]) {
        return match lacking(step.need) {
            Some(lacking) => bail!("{lacking}"),
            None => (step.run)(),
        };
    }
    let begin = Instant::now();
    let jobs = args.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let left_out = |step: &Step| match args.skip.iter().any(|name| name == step.name) {
        true => Some("asked for with --skip".into()),
        false => lacking(step.need),
    };
    summary(&schedule::run(&steps, left_out, jobs)?, begin.elapsed())
}

fn summary(reports: &[Report], total: Duration) -> Result<()> {
    println!("\n==== summary");
    let mut failed = Vec::new();
    for Report { name, time, outcome } in reports {
        let seconds = time.as_secs_f64();
        match outcome {
            StepOutcome::Passed => println!("{name:<19} {seconds:>7.1} s  passed"),
            StepOutcome::LeftOut(why) => println!("{name:<19}       -    LEFT OUT: {why}"),
            StepOutcome::Failed(why) => {
                println!("{name:<19} {seconds:>7.1} s  FAILED: {}", why.lines().next().unwrap_or_default());
                failed.push(*name);
            }
        }
    }
    println!("{:<19} {:>7.1} s", "total", total.as_secs_f64());
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

/// Returns the reason why the requirement of a step is not met.
fn lacking(need: Need) -> Option<String> {
    let shared_lacks = |path: &str| {
        let there = shared(path).is_some() && shared("check/check").is_some();
        (!there).then(|| format!("../shared/{path} and ../shared/check/check are not both there"))
    };
    let llvm_lacks = || {
        if let Err(error) = oracle::available() {
            return Some(format!("{error:#}"));
        }
        ["llvm-objdump-22", assembler::PROGRAM].iter().find_map(|program| {
            let answer = Command::new(program).arg("--version").output();
            answer.is_err().then(|| format!("{program} cannot be started; Debian's package llvm-22 has it"))
        })
    };
    match need {
        Need::Nothing => None,
        Need::Targets => nostd::lacking(),
        Need::Hosts => nostd::lacking_hosts(),
        Need::Valgrind => valgrind::lacking(),
        Need::Python => python::lacking(),
        Need::C => c_library::lacking(),
        Need::CAndValgrind => c_library::lacking_valgrind(),
        Need::CAndCmake => c_library::lacking_cmake(),
        Need::Llvm => llvm_lacks(),
        Need::Compilers => llvm_lacks().or_else(programs::lacking),
        Need::Shared(path) => shared_lacks(path),
        Need::SharedAndLlvm(path) => shared_lacks(path).or_else(llvm_lacks),
    }
}

fn cargo(arguments: &[&str]) -> Result<()> {
    cargo_with(arguments, &[])
}

/// Runs cargo with environment variables.
fn cargo_with(arguments: &[&str], variables: &[(&str, &str)]) -> Result<()> {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(arguments).envs(variables.iter().copied()).current_dir(root());
    let status = command.status().context("cargo cannot be started")?;
    if status.success() { Ok(()) } else { bail!("cargo {}: {status}", arguments.join(" ")) }
}

/// One first dword, or one encoding variant, in this many.
fn sweep_slice(set: Generation, walk: Walk, stride: u32) -> Result<()> {
    exhaust::run(&exhaust::Args { walk, set, shard: (1, 1), stride, state: None, threads: None, quiet: true })
}

/// Builds the programs and all libraries but those of the macros, which cargo would compile a second time, optimised.
fn build() -> Result<()> {
    cargo(&["build", "--release", "--workspace", "--exclude", "isa-macros", "--exclude", "isa-codegen"])
}

/// Runs tests that draw few cases by default, because they are slow in a debug build, with sixteen times the cases.
fn samples() -> Result<()> {
    // The last three packages have no such tests, but with them cargo selects the features of the step "build" and compiles none of the
    // sets again.
    const PACKAGES: [&str; 5] = ["isa-tests", "example-compiler", "isa-cli", "rdna3-asm", "xtask"];
    let mut arguments = vec!["test", "--release"];
    arguments.extend(PACKAGES.iter().flat_map(|package| ["-p", package]));
    arguments.extend(["exec", "inst", "text", "random"].iter().flat_map(|program| ["--test", program]));
    cargo_with(&arguments, &[("PROPERTY_CASES", "16,2026")])
}

/// Checks that the published crates contain all their files and have complete manifests.
fn package() -> Result<()> {
    const PRIVATE: [&str; 4] = ["example-compiler", "isa-tests", "isa-ui-tests", "xtask"];
    let mut arguments = vec!["package", "--workspace", "--allow-dirty", "--no-verify", "-q", "--offline"];
    arguments.extend(PRIVATE.iter().flat_map(|package| ["--exclude", package]));
    cargo(&arguments)
}

fn clippy() -> Result<()> {
    // The feature enables crates that only `cargo xtask bench` needs.
    cargo(&["clippy", "--workspace", "--all-targets", "--features", "xtask/x86", "--", "-D", "warnings"])
}

/// Builds the documentation. `cargo clippy` compiles with a compiler of its name and an argument for each lint; with both, `cargo doc`
/// does not check the crates of the workspace again.
fn doc() -> Result<()> {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()).output();
    let sysroot = String::from_utf8(sysroot.context("rustc cannot be started")?.stdout)?;
    let compiler = Path::new(sysroot.trim()).join("bin/clippy-driver");
    let mut variables = vec![("RUSTDOCFLAGS", "-D warnings")];
    if let Some(compiler) = compiler.to_str().filter(|_| compiler.is_file()) {
        variables.push(("RUSTC_WORKSPACE_WRAPPER", compiler));
        variables.push(("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"));
    }
    cargo_with(&["doc", "--workspace", "--no-deps"], &variables)
}

/// The features of `rdna3`, each of which has to compile alone, and none of them.
const FEATURES: [&str; 8] = ["", "parse", "inst", "asm", "build", "facts", "lint", "exec"];

/// Lints the crates that have features with each feature of `rdna3` alone, and others without theirs.
fn features() -> Result<()> {
    const CRATES: [&str; 5] = ["isa-runtime", "isa-codegen", "amdgpu-operands", "rdna-rows", "rdna3"];
    for feature in FEATURES {
        let enabled = if feature.is_empty() { String::new() } else { format!("rdna3/{feature}") };
        let mut args = vec!["clippy", "--no-default-features", "--features", &enabled];
        args.extend(CRATES.iter().flat_map(|name| ["-p", name]));
        args.extend(["--", "-D", "warnings"]);
        cargo(&args)?;
    }
    // What the assembler of programs takes of them.
    for name in ["amdgpu-object", "amdgpu-bundle"] {
        cargo(&["clippy", "-p", name, "--no-default-features", "--", "-D", "warnings"])?;
    }
    // Either set compiles without the other generations.
    for set in ["rdna3_5", "rdna4"] {
        cargo(&["clippy", "-p", set, "--no-default-features", "--", "-D", "warnings"])?;
        cargo(&["clippy", "-p", set, "--", "-D", "warnings"])?;
    }
    Ok(())
}

/// Runs `../shared/check/check`, which prints a percentage last, and holds that against `least`.
fn held(arguments: &[PathBuf], mode: &str, least: f64) -> Result<()> {
    held_with(arguments, mode, least, &[])
}

/// The same with variables of the environment.
fn held_with(arguments: &[PathBuf], mode: &str, least: f64, variables: &[(&str, &str)]) -> Result<()> {
    let check = shared("check/check").context("../shared/check/check is not there")?;
    let mut command = Command::new(check);
    command
        .arg(mode)
        .args(arguments)
        .env("ISA", process::program()?)
        .envs(variables.iter().copied())
        .current_dir(root());
    let output = command.output().context("../shared/check/check cannot be started (it needs python3)")?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}{}", String::from_utf8_lossy(&output.stderr));
    let figure = text.lines().last().and_then(|line| {
        let (before, _) = line.split_once(" %")?;
        before.rsplit(' ').next()?.parse::<f64>().ok()
    });
    match figure {
        Some(figure) if figure >= least => Ok(()),
        Some(figure) => bail!("{figure} % agree, {least} % must"),
        None => bail!("no figure in what check {mode} printed"),
    }
}

fn check(mode: &str, vectors: &str, least: f64) -> Result<()> {
    check_all(mode, &[vectors], least)
}

fn check_all(mode: &str, vectors: &[&str], least: f64) -> Result<()> {
    let path = |file: &&str| shared(file).with_context(|| format!("../shared/{file} is not there"));
    let paths: Vec<PathBuf> = vectors.iter().map(path).collect::<Result<_>>()?;
    let sets = [("rdna35", "rdna3.5"), ("rdna4", "rdna4")];
    let named = sets.iter().find(|(name, _)| vectors.iter().any(|file| file.contains(name)));
    let arch = named.map_or("rdna3", |(_, arch)| arch);
    held_with(&paths, mode, least, &[("ARCH", arch)])
}

/// Words that LLVM refuses must be refused, but for those of rows that the guide has and LLVM lacks.
fn invalid() -> Result<()> {
    let lines = isa_tests::vectors::shared_invalid()?.context("../shared/vectors is not there")?;
    let total = lines.len();
    let (mut lacking, mut wrong) = (0, 0);
    for line in lines {
        if let Ok((instr, _)) = Instr::decode(&line.words(), line.mode()) {
            if diff::llvm_lacks::<rdna3::Rdna3>(&instr) {
                lacking += 1;
            } else {
                wrong += 1;
                println!("LLVM refuses {} ({:?}): {instr}", line.hex, line.mode());
            }
        }
    }
    println!(
        "{total} words that LLVM refuses: {lacking} are of rows that LLVM lacks, of the others {wrong} are accepted"
    );
    if wrong == 0 { Ok(()) } else { bail!("{wrong} words are accepted that LLVM refuses") }
}

/// A whole program that clang wrote, against the object it made of it.
fn program_check() -> Result<()> {
    let folder = shared("corpus").context("../shared/corpus is not there")?;
    let name = "hashcat-m04010_a1-pure.gfx1100";
    held(&[folder.join(format!("{name}.s.xz")), folder.join(format!("{name}.o"))], "program", CORPUS)
}

fn corpus() -> Result<()> {
    held(&objects(&GFX11)?, "corpus", CORPUS)
}

/// The instructions of GCN that the crate reads; the others must be stepped over.
fn gcn_corpus() -> Result<()> {
    let formats = "^(buffer_|s_(load|store|buffer|atomic|scratch|dcache|mem|atc))";
    held_with(&objects(&["gfx900.o", "gfx803.o"])?, "corpus", CORPUS, &[("ONLY", formats)])
}

/// The code objects of the corpus whose names end so.
fn objects(ends: &[&str]) -> Result<Vec<PathBuf>> {
    let folder = shared("corpus").context("../shared/corpus is not there")?;
    let mut files: Vec<PathBuf> = folder.read_dir()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ends.iter().any(|end| name.ends_with(end))
    });
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    /// `cargo test --workspace` runs this test program last, but for examples in documentation.
    #[test]
    fn says_what_was_left_out() {
        isa_tests::needs::summary();
    }
}
