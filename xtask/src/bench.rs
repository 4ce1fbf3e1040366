//! How fast decode, encode, operands, text and parser are, beside what others need for the like.
//!
//! Every measurement is taken in each round, ours and theirs in turn, so that other load of the machine falls
//! on all alike; ratios are formed within a round.

mod build;
mod builds;
mod exec;
mod frameworks;
mod mapped;
mod opcodes;
mod others;
mod scalar;
mod work;
#[cfg(feature = "x86")]
mod x86;
/// Without the feature.
#[cfg(not(feature = "x86"))]
mod x86 {
    pub const DECODERS: [super::OtherDecoder; 0] = [];
    pub const BUILDERS: [super::OtherBuilder; 0] = [];
}

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use cpu_time::ThreadTime;
use isa_tests::vectors::{example_code, shared_code};
use object::{Object, ObjectSection, SectionKind};
use rdna3::{DecodeError, Decoder, Instr, Wave};

use crate::{process, programs, valgrind};

pub use opcodes::record;
use work::{Input, WORKS};

/// The name of a decoder of x86 code, and the function that decodes code.
type OtherDecoder = (&'static str, fn(&[u8]));
/// The name of a way to build x86 instructions, and the function that builds this number of them.
type OtherBuilder = (&'static str, fn(usize) -> Result<()>);

/// The arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub struct Args {
    /// Raw machine code; without it the corpus of `../shared`, or else the example kernels many times over
    file: Option<PathBuf>,
    /// How many rounds there are
    #[arg(long, default_value_t = 11)]
    runs: usize,
    /// Cold builds of rdna3, of the assembler of programs and of iced-x86, and what `asm!` adds to a check, too: takes ten minutes
    #[arg(long)]
    builds: bool,
    /// Only execute kernels, and measure the time of each opcode that compilers use
    #[arg(long)]
    exec: bool,
    /// With --exec: the time of every opcode in every format, and no kernels
    #[arg(long, requires = "exec")]
    all: bool,
    /// With --exec: only the time of opcodes whose names contain this, and no kernels
    #[arg(long, requires = "exec", value_name = "TEXT")]
    only: Option<String>,
    /// With --exec: a checkout of tinygrad, whose emulator (test/mockgpu) executes a kernel, too; needs python3 and clang
    #[arg(long, value_name = "FOLDER")]
    tinygrad: Option<PathBuf>,
    /// With --exec: fail if an opcode takes twice the host instructions that the record has; needs valgrind
    #[arg(long, requires = "exec")]
    check: bool,
    /// With --exec: renew the record of the host instructions of opcodes; needs valgrind
    #[arg(long, requires = "exec")]
    record: bool,
    /// Execute the instructions of a list: what callgrind is asked to watch
    #[arg(long, hide = true)]
    counted: Option<PathBuf>,
    /// Count instructions under callgrind instead of measuring time
    #[arg(long)]
    callgrind: bool,
    /// Only decode and print a mapped file of this many MiB, and look at the memory that takes
    #[arg(long, value_name = "MIB")]
    mapped: Option<usize>,
    /// Do one piece of work once on the beginning of the input: what callgrind is asked to watch
    #[arg(long, hide = true)]
    work: Option<String>,
}

const WAVE: Wave = Wave::W32;
/// The work of a process that builds nothing: what builders are compared with under callgrind.
const NO_BUILDERS: &str = "build-none";
/// The work of decoding RDNA4 code.
const DECODE_RDNA4: &str = "decode-rdna4";
/// How much of the input is worked on under callgrind, in bytes.
const SAMPLE: usize = 400_000;
/// How long a measurement takes in a round, in seconds: Linux counts a thread's time in steps of some milliseconds.
const ROUND: f64 = 0.3;

/// Seconds that something took in each round.
pub struct Times {
    what: String,
    /// The amount of work in a round, in the unit of the rate.
    amount: f64,
    unit: &'static str,
    rounds: Vec<f64>,
    /// How often it is done in a round; 0 before the first.
    repeat: u32,
}

impl Times {
    fn new(what: impl Into<String>, amount: f64, unit: &'static str) -> Self {
        Times { what: what.into(), amount, unit, rounds: Vec::new(), repeat: 0 }
    }

    /// Does it, as often as fills a round, and keeps the time of one.
    fn take(&mut self, mut work: impl FnMut()) {
        if self.repeat == 0 {
            let begin = Instant::now();
            work();
            self.repeat = (ROUND / begin.elapsed().as_secs_f64().max(1e-6)).ceil().clamp(1.0, 1000.0) as u32;
        }
        let begin = ThreadTime::now();
        (0..self.repeat).for_each(|_| work());
        self.rounds.push(begin.elapsed().as_secs_f64() / f64::from(self.repeat));
    }

    fn rates(&self) -> Vec<f64> {
        self.rounds.iter().map(|seconds| self.amount / seconds).collect()
    }

    fn print(&self) {
        let (least, median, most) = spread(self.rates());
        println!("{:<44} {least:>9.2} {median:>9.2} {most:>9.2}  {}", self.what, self.unit);
    }

    /// Prints how often as quick as another this was, within each round.
    fn against(&self, other: &Times, goal: &str) {
        let ratios = self.rates().into_iter().zip(other.rates()).map(|(ours, theirs)| ours / theirs).collect();
        let (least, median, most) = spread(ratios);
        println!("{:<44} {least:>8.2}x {median:>8.2}x {most:>8.2}x  {goal}", format!("  against {}", other.what));
    }
}

/// The least, the median and the most.
fn spread(mut numbers: Vec<f64>) -> (f64, f64, f64) {
    numbers.sort_unstable_by(f64::total_cmp);
    let at = |i: usize| numbers.get(i).copied().unwrap_or(f64::NAN);
    (at(0), at(numbers.len() / 2), at(numbers.len().saturating_sub(1)))
}

/// Measures and prints.
pub fn run(args: &Args) -> Result<()> {
    if let Some(name) = &args.work {
        // Builders read no input.
        if name == NO_BUILDERS {
            return Ok(());
        }
        if let Some((_, _, work)) = build::OURS.into_iter().find(|(of, ..)| of == name) {
            return work(build::COUNT);
        }
        let (_, bytes) = input(args)?;
        if name == DECODE_RDNA4 {
            work::decode_rdna4(&bytes);
            return Ok(());
        }
        let input = Input::new(bytes.get(..SAMPLE).unwrap_or(&bytes), needs_lines(name));
        if let Some(work) = WORKS.iter().find(|w| w.name == name) {
            (work.run)(&input);
        }
        return Ok(());
    }
    if args.callgrind {
        return callgrind(args);
    }
    if let Some(list) = &args.counted {
        return record::execute(list);
    }
    if args.record {
        return record::renew();
    }
    if args.check {
        return record::check();
    }
    if args.exec {
        if args.all || args.only.is_some() {
            return opcodes::run(args.all, args.only.as_deref().unwrap_or_default());
        }
        return execution(args);
    }
    let (name, bytes) = input(args)?;
    if let Some(mib) = args.mapped {
        return mapped::run(&name, &bytes, mib);
    }
    let input = Input::new(&bytes, true);
    let (count, errors) = (input.instrs.len(), input.errors);
    if count == 0 {
        bail!("{name}: no instruction");
    }
    println!("input: {name}, {} bytes, {count} instructions, {errors} undecodable words", bytes.len());
    println!(
        "one thread, wave32, {} rounds, everything in each; time of the thread on a processor, of processes by the clock",
        args.runs
    );
    println!(
        "size_of Instr: {} bytes; Result<(Instr, usize), DecodeError>: {} bytes; Decoder: {} bytes\n",
        size_of::<Instr>(),
        size_of::<Result<(Instr, usize), DecodeError>>(),
        size_of::<Decoder>(),
    );
    println!("{:<44} {:>9} {:>9} {:>9}", "", "least", "median", "most");
    let millions = count as f64 / 1e6;
    let mut ours: Vec<Times> = WORKS
        .iter()
        .map(|w| Times::new(w.what, if w.name == "parse" { input.lines.len() as f64 / 1e6 } else { millions }, "M/s"))
        .collect();
    let mut llvm = others::Llvm::new(&bytes);
    let mut x86 = others::X86::new()?;
    if x86.times.is_empty() {
        println!("LEFT OUT: iced-x86 and yaxpeax-x86; `cargo xtask` builds this program with the feature `x86`");
    }
    let mut builders = build::Builders::new();
    let mut parts: Vec<Times> =
        [8, 4, 2, 1].map(|n| Times::new(format!("decode 1/{n} of it"), millions / f64::from(n), "M/s")).into();
    for _ in 0..args.runs.max(1) {
        for (times, work) in ours.iter_mut().zip(&WORKS) {
            times.take(|| (work.run)(&input));
        }
        if let Some(llvm) = &mut llvm {
            llvm.round();
        }
        x86.round();
        builders.round()?;
        for (times, n) in parts.iter_mut().zip([8, 4, 2, 1]) {
            let part = bytes.get(..bytes.len() / n / 4 * 4).unwrap_or_default();
            times.take(|| work::decode_each(part));
        }
    }
    for (times, work) in ours.iter().zip(&WORKS) {
        times.print();
        match (&llvm, work.name) {
            (Some(llvm), "decode") => times.against(&llvm.times, "goal 400x (LLVM prints, too)"),
            (Some(llvm), "print") => times.against(&llvm.times, "goal 100x"),
            _ => {}
        }
    }
    if let Some(llvm) = &llvm {
        llvm.times.print();
    }
    println!();
    builders.print();
    let mut rdna = Times::new("decode, in MB", bytes.len() as f64 / 1e6, "MB/s");
    rdna.rounds.clone_from(&ours[0].rounds);
    rdna.print();
    for other in &x86.times {
        other.print();
        rdna.against(other, "goal: ahead");
    }
    println!(
        "\nthe cost grows with the input, and nothing is kept but the {} bytes of the Decoder:",
        size_of::<Decoder>()
    );
    parts.iter().for_each(Times::print);
    println!();
    let lines = ours.iter().zip(&WORKS).find(|(_, work)| work.name == "parse").map(|(times, _)| times);
    others::processes(&input, args.runs, lines)?;
    execution(args)?;
    if args.builds {
        builds::run()?;
    }
    Ok(())
}

/// Measures execution.
fn execution(args: &Args) -> Result<()> {
    exec::run(args.runs)?;
    scalar::run(args.runs)?;
    frameworks::run(args.runs, args.tinygrad.as_deref())?;
    opcodes::run(false, "")
}

/// Prints the number of executed machine instructions for each instruction of the input.
fn callgrind(args: &Args) -> Result<()> {
    let (name, bytes) = input(args)?;
    let count = Decoder::new(bytes.get(..SAMPLE).unwrap_or(&bytes), WAVE).count() as f64;
    println!("the first {SAMPLE} bytes of {name}: executed machine instructions for each of theirs");
    let refs_of = |work: &str, file: &Option<PathBuf>| -> Result<f64> {
        let args = ["bench", "--work", work].map(OsStr::new);
        valgrind::instructions(&std::env::current_exe()?, args.into_iter().chain(file.iter().map(AsRef::as_ref)))
    };
    let refs = |work: &str| refs_of(work, &args.file);
    let (none, none_parse) = (refs("none")?, refs("none-parse")?);
    for work in &WORKS {
        let base = if needs_lines(work.name) { none_parse } else { none };
        println!("{:<44} {:>9.1}", work.what, (refs(work.name)? - base) / count);
    }
    println!("\nthe same for each instruction that is built:");
    let none = refs(NO_BUILDERS)?;
    for (name, what, _) in build::OURS {
        println!("{what:<44} {:>9.1}", (refs(name)? - none) / build::COUNT as f64);
    }
    if let Some(why) = programs::lacking() {
        println!("\nLEFT OUT: code for gfx1200, {why}");
        return Ok(());
    }
    let code = gfx1200_code()?;
    println!("\n{} bytes of tests/kernels for gfx1200: executed machine instructions for each of theirs", code.len());
    programs::in_scratch(|scratch| {
        let [empty, file] = ["empty", "code"].map(|name| scratch.join(name));
        fs::write(&empty, [])?;
        fs::write(&file, &code)?;
        let none = refs_of(DECODE_RDNA4, &Some(empty))?;
        let refs = refs_of(DECODE_RDNA4, &Some(file))? - none;
        println!("{:<44} {:>9.1}", "decode bytes with a Decoder", refs / work::decode_rdna4(&code) as f64);
        Ok(())
    })
}

/// Returns the code of tests/kernels for gfx1200, wave32.
fn gfx1200_code() -> Result<Vec<u8>> {
    let program = process::program()?;
    let mut code = Vec::new();
    programs::in_scratch(|scratch| {
        let [source, to] = ["kernel.s", "kernel.o"].map(|name| scratch.join(name));
        programs::compiled(&["O2"], "gfx1200", |label, text, _| {
            fs::write(&source, text)?;
            let object = programs::assemble(&program, &source, "gfx1200", &to)?
                .map_err(|messages| anyhow!("{label} is not assembled: {messages}"))?;
            for section in object::File::parse(&*object)?.sections().filter(|s| s.kind() == SectionKind::Text) {
                code.extend_from_slice(section.data()?);
            }
            Ok(())
        })
    })?;
    Ok(code)
}

/// Whether a piece of work takes the lines or the operand-level instructions of the input.
fn needs_lines(work: &str) -> bool {
    matches!(work, "parse" | "none-parse" | "lower")
}

fn input(args: &Args) -> Result<(String, Vec<u8>)> {
    if let Some(path) = &args.file {
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        return Ok((path.display().to_string(), bytes));
    }
    if let Some(bytes) = shared_code()? {
        return Ok(("../shared/corpus/bench.gfx1100.text.xz".into(), bytes));
    }
    let once = example_code()?;
    let times = 4_000_000 / once.len().max(1);
    Ok((format!("the example kernels, {times} times"), once.repeat(times)))
}
