//! `cargo xtask execute`: the programs of tests/programs, run by `isa run` and, compiled from the same source, by the host. All
//! buffers must have the same contents afterwards.

pub mod data;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;

use crate::execute::data::{Argument, Header};
use crate::process;
use crate::programs::{in_parallel, in_scratch};

/// The compiler.
pub const CLANG: &str = "clang-22";
/// How long a compilation or a run may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Which programs to run.
#[derive(clap::Args)]
pub struct Args {
    /// Run only the programs whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub only: String,
    /// Run only in the configuration of this name: O0, O1, O2, O3, wave64 or opencl
    #[arg(long, value_name = "NAME", default_value = "")]
    pub configuration: String,
    /// The processor to compile for: gfx1100 or gfx1200, for example
    #[arg(long, value_name = "NAME", default_value = PROCESSOR)]
    pub processor: String,
    /// Check each run, which must draw no finding
    #[arg(long)]
    pub check: bool,
    /// Check each run, with results that arrive late
    #[arg(long, requires = "check")]
    pub late: bool,
    /// Keep compiled programs and buffers in this directory
    #[arg(long, value_name = "DIRECTORY")]
    pub keep: Option<PathBuf>,
}

impl Default for Args {
    fn default() -> Self {
        Self {
            only: String::new(),
            configuration: String::new(),
            processor: PROCESSOR.into(),
            check: false,
            late: false,
            keep: None,
        }
    }
}

/// The processor that programs are compiled for, unless another one is asked for.
pub const PROCESSOR: &str = "gfx1100";

/// Options of clang.
struct Configuration {
    name: &'static str,
    language: &'static [&'static str],
    options: &'static [&'static str],
    /// Options of `isa run` for each run: what a program computes depends neither on them nor on their order.
    schedules: &'static [&'static [&'static str]],
}

/// Options for programs in C.
pub const C: &[&str] = &["-x", "c"];
const OPENCL: &[&str] = &["-x", "cl", "-cl-std=CL2.0", "-cl-fp32-correctly-rounded-divide-sqrt"];

/// A run as most users start it.
const USUAL: &[&[&str]] = &[&[]];

/// Runs whose waves take short turns, on one thread and on two.
const TURNS: &[&[&str]] = &[&[], &["--turn", "1", "--threads", "1"], &["--turn", "16", "--threads", "2"]];

const CONFIGURATIONS: [Configuration; 6] = [
    Configuration { name: "O0", language: C, options: &["-O0"], schedules: USUAL },
    Configuration { name: "O1", language: C, options: &["-O1"], schedules: USUAL },
    Configuration { name: "O2", language: C, options: &["-O2"], schedules: TURNS },
    Configuration { name: "O3", language: C, options: &["-O3"], schedules: USUAL },
    Configuration { name: "wave64", language: C, options: &["-O2", "-mwavefrontsize64", "-DWAVE64"], schedules: USUAL },
    Configuration { name: "opencl", language: OPENCL, options: &["-O2"], schedules: USUAL },
];

/// Runs the programs; an error if a buffer differs.
pub fn run(args: &Args) -> Result<()> {
    if Command::new(CLANG).arg("--version").output().is_err() {
        println!("LEFT OUT: programs on the CPU, {CLANG} cannot be started; Debian's package clang-22 has it");
        return Ok(());
    }
    let program = process::program()?;
    match &args.keep {
        Some(folder) => {
            std::fs::create_dir_all(folder)?;
            compare(args, &program, folder)
        }
        None => in_scratch(|scratch| compare(args, &program, scratch)),
    }
}

fn compare(args: &Args, program: &Path, scratch: &Path) -> Result<()> {
    let begin = Instant::now();
    let sources = sources(&args.only)?;
    let configurations = || CONFIGURATIONS.iter().filter(|c| c.name.contains(&args.configuration));
    in_parallel(&sources, |_, source| compile_for_host(source, &args.processor, scratch))?;
    let headers = sources.iter().map(|source| Header::read(source)).collect::<Result<Vec<_>>>()?;
    let (mut jobs, mut skipped) = (Vec::new(), 0);
    for (source, header) in sources.iter().zip(&headers) {
        for configuration in configurations() {
            if header.skipped.iter().any(|name| name == configuration.name || *name == args.processor) {
                skipped += 1;
            } else {
                jobs.push((source, configuration, header));
            }
        }
    }
    let run = |_, (source, configuration, header): &(&PathBuf, &Configuration, &Header)| {
        one(source, configuration, header, program, scratch, args)
    };
    let outcomes = in_parallel(&jobs, run)?;
    let (mut wrong, mut first) = (0, None);
    for ((source, configuration, _), outcome) in jobs.iter().zip(outcomes) {
        if let Some(what) = outcome {
            let message = format!("{} {}: {what}", name(source), configuration.name);
            println!("{message}");
            first.get_or_insert(message);
            wrong += 1;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{} runs of {} programs, {seconds:.0} s: {} equal the host's; {skipped} configurations are skipped by their programs",
        jobs.len(),
        sources.len(),
        jobs.len() - wrong
    );
    match first {
        None => Ok(()),
        Some(first) => bail!("{wrong} runs differ from the host's: {first}"),
    }
}

/// Returns the programs, in the order of their names.
pub fn sources(only: &str) -> Result<Vec<PathBuf>> {
    let directory = root().join("tests/programs");
    let entries = directory.read_dir().with_context(|| format!("{} cannot be read", directory.display()))?;
    let mut sources: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    sources.retain(|path| {
        let name = name(path);
        path.extension().is_some_and(|e| e == "c") && name != "host" && name.contains(only)
    });
    sources.sort();
    if sources.is_empty() { bail!("{} holds no such program", directory.display()) } else { Ok(sources) }
}

/// Returns the name of a program, which is that of its kernel.
pub fn name(source: &Path) -> String {
    source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn compile_for_host(source: &Path, processor: &str, scratch: &Path) -> Result<()> {
    let mut command = Command::new(CLANG);
    // The layout of images depends on the generation, which clang names so.
    if processor.starts_with("gfx12") {
        command.arg("-D__GFX12__");
    }
    // Results of f16 are rounded after each operation, as on the GPU.
    command.args(["-O1", "-w", "-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none"]);
    command.arg(source).arg(source.with_file_name("host.c"));
    succeed(command.arg("-lm").arg("-o").arg(scratch.join(name(source))))?
        .map_or(Ok(()), |messages| bail!("{} does not compile for the host: {messages}", source.display()))
}

/// Compiles a program for a processor; the compiler's messages if it fails.
pub fn compile(source: &Path, processor: &str, options: &[&str], object: &Path) -> Result<Option<String>> {
    let mut clang = Command::new(CLANG);
    clang.args(options);
    clang.args(["-target", "amdgcn-amd-amdhsa", "-nogpulib", "-ffp-contract=off", "-w"]);
    succeed(clang.arg(format!("-mcpu={processor}")).arg(source).arg("-o").arg(object))
}

/// Runs a command; its messages if it fails.
fn succeed(command: &mut Command) -> Result<Option<String>> {
    Ok(match process::output(command, LIMIT)? {
        Some(output) if output.success => None,
        Some(output) => Some(output.stderr.trim().to_owned()),
        None => Some(format!("took longer than {} s", LIMIT.as_secs())),
    })
}

/// Compiles and runs a program; says what is wrong, if anything is.
fn one(
    source: &Path,
    configuration: &Configuration,
    header: &Header,
    program: &Path,
    scratch: &Path,
    args: &Args,
) -> Result<Option<String>> {
    let name = name(source);
    let path = |end: &str| scratch.join(format!("{name}.{}.{end}", configuration.name));
    let object = path("co");
    let options = [configuration.language, configuration.options].concat();
    if let Some(messages) = compile(source, &args.processor, &options, &object)? {
        return Ok(Some(format!("is not compiled: {messages}")));
    }
    let mut host = Command::new(scratch.join(&name));
    host.args([&header.global, &header.local]);
    let mut isa = Command::new(program);
    isa.arg("run").arg(&object).args(["--kernel", &name, "--global", &header.global, "--local", &header.local]);
    let mut buffers = Vec::new();
    for (index, argument) in header.arguments.iter().enumerate() {
        let of_host = path(&format!("{index}.host"));
        match argument {
            Argument::Number { text, bits } => {
                host.arg(bits.to_string());
                isa.args(["--arg", text]);
            }
            Argument::Structure { bytes, hex } => {
                std::fs::write(&of_host, bytes)?;
                host.arg(format!("@{}", of_host.display()));
                isa.args(["--arg", &format!("hex:{hex}")]);
            }
            Argument::Buffer { contents } => {
                let (input, output) = (path(&format!("{index}.in")), path(&format!("{index}.out")));
                let bytes = contents.bytes(index as u64);
                std::fs::write(&of_host, &bytes)?;
                std::fs::write(&input, &bytes)?;
                host.arg(format!("@{}", of_host.display()));
                isa.args(["--arg", &format!("buf:{}", input.display())]);
                isa.args(["--dump", &format!("{index}={}", output.display())]);
                buffers.push((index, of_host, output));
            }
        }
    }
    isa.args(args.check.then_some("--check")).args(args.late.then_some("--late"));
    if let Some(messages) = succeed(&mut host)? {
        bail!("{name} fails on the host: {messages}");
    }
    for more in configuration.schedules {
        let mut scheduled = Command::new(isa.get_program());
        if let Some(messages) = succeed(scheduled.args(isa.get_args()).args(*more))? {
            return Ok(Some(messages));
        }
        let mut is_zero = true;
        for (index, of_host, output) in &buffers {
            let (expected, found) = (std::fs::read(of_host)?, std::fs::read(output)?);
            is_zero &= expected.iter().all(|byte| *byte == 0);
            if let Some(what) = data::difference(&expected, &found) {
                return Ok(Some(format!("argument {index}: {what} {}", more.join(" "))));
            }
        }
        if is_zero {
            return Ok(Some("all buffers are zero, so nothing is compared".into()));
        }
    }
    Ok(None)
}
