//! `cargo xtask waits`: programs of tests/programs, run by `isa run --check` with one wait taken out at a time. The check reports the
//! wait, or a run with `--without-wait` says why it is not needed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use isa_tests::removal::is_wait;
use isa_tests::sets::WaveSet;
use object::{Object, ObjectSection};
use rdna3::{Instruction, Wave};

use crate::execute::data::{Argument, Header};
use crate::execute::{C, CLANG, PROCESSOR, compile, name, sources};
use crate::process;
use crate::programs::{in_parallel, in_scratch};

/// How long a run may take.
const LIMIT: Duration = Duration::from_secs(120);

/// The most instructions of a run: without a wait, a kernel may not end.
const MAX_INSTRUCTIONS: &str = "1000000000";

/// Which programs to run.
#[derive(clap::Args)]
pub struct Args {
    /// Run only the programs whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// The processor to compile for: gfx1100 or gfx1200, for example
    #[arg(long, value_name = "NAME", default_value = PROCESSOR)]
    processor: String,
    /// Run each Nth program, by default about twenty
    #[arg(long, value_name = "N", default_value_t = 4)]
    every: usize,
    /// Print each wait that is not reported
    #[arg(long)]
    list: bool,
}

impl Args {
    /// All programs whose name contains a text, compiled for a processor.
    pub fn of(name: &str, processor: &str) -> Self {
        Args { only: name.into(), processor: processor.into(), every: 1, list: false }
    }
}

/// What a check says about a kernel without a wait.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    /// It has findings of these kinds.
    Reported(String),
    /// The run does not need the wait, as what the check knows of registers in flight and of the order of accesses proves.
    Redundant(String),
    /// The run fails, or takes too long.
    Fails(String),
}

/// A compiled program with what a run of it needs.
struct Kernel {
    name: String,
    bytes: Vec<u8>,
    options: Vec<String>,
    waits: Vec<KernelWait>,
}

/// A wait in a kernel.
struct KernelWait {
    address: u64,
    /// The offset in the file.
    offset: usize,
    text: String,
}

/// S_NOP 0, in all generations of RDNA.
const NOP: u32 = 0xbf80_0000;

/// Takes out the waits; an error if the check has findings of a kernel that has all, or a run without one fails.
pub fn run(args: &Args) -> Result<()> {
    if Command::new(CLANG).arg("--version").output().is_err() {
        println!("LEFT OUT: waits of compiled kernels, {CLANG} cannot be started; Debian's package clang-22 has it");
        return Ok(());
    }
    let program = process::program()?;
    in_scratch(|scratch| measure(args, &program, scratch))
}

fn measure(args: &Args, program: &Path, scratch: &Path) -> Result<()> {
    let begin = Instant::now();
    let sources: Vec<PathBuf> = sources(&args.only)?.into_iter().step_by(args.every.max(1)).collect();
    let kernels = in_parallel(&sources, |_, source| Kernel::new(source, &args.processor, scratch))?;
    let kernels: Vec<Kernel> = kernels.into_iter().flatten().collect();
    let mut jobs = Vec::new();
    for kernel in &kernels {
        let (is_right, kinds) = check(program, &kernel.bytes, kernel, &scratch.join(format!("{}.all", kernel.name)))?;
        if !is_right || !kinds.is_empty() {
            bail!("{}: the check of the kernel with all waits: {kinds}", kernel.name);
        }
        jobs.extend(kernel.waits.iter().map(|wait| (kernel, wait)));
    }
    let verdicts =
        in_parallel(&jobs, |job, (kernel, wait)| kernel.without(wait, program, &scratch.join(format!("{job}.co"))))?;
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut failures = 0;
    for ((kernel, wait), verdict) in jobs.iter().zip(verdicts) {
        let is_failure = matches!(verdict, Verdict::Fails(_));
        failures += usize::from(is_failure);
        if is_failure || args.list && !matches!(verdict, Verdict::Reported(_)) {
            println!("{} {:#x} `{}`: {verdict:?}", kernel.name, wait.address, wait.text);
        }
        *counts.entry(verdict).or_default() += 1;
    }
    for (verdict, count) in &counts {
        let (what, text) = match verdict {
            Verdict::Reported(kinds) => ("reported: ", kinds),
            Verdict::Redundant(reason) => ("not needed: ", reason),
            Verdict::Fails(why) => ("fails: ", why),
        };
        println!("{count:5} {what}{text}");
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{} waits of {} kernels taken out, {seconds:.0} s: {failures} runs fail", jobs.len(), kernels.len());
    if failures == 0 { Ok(()) } else { bail!("{failures} runs without a wait fail") }
}

impl Kernel {
    /// Compiles a program; `None` if it does not run in this configuration.
    fn new(source: &Path, processor: &str, scratch: &Path) -> Result<Option<Self>> {
        let header = Header::read(source)?;
        if header.skipped.iter().any(|skipped| skipped == "O2" || skipped == processor) {
            return Ok(None);
        }
        let name = name(source);
        let object = scratch.join(format!("{name}.co"));
        if let Some(messages) = compile(source, processor, &[C, &["-O2"]].concat(), &object)? {
            bail!("{name} is not compiled: {messages}");
        }
        let mut options: Vec<String> =
            ["--kernel", &name, "--global", &header.global, "--local", &header.local].map(String::from).into();
        for (index, argument) in header.arguments.iter().enumerate() {
            let text = match argument {
                Argument::Number { text, .. } => text.clone(),
                Argument::Structure { hex, .. } => format!("hex:{hex}"),
                Argument::Buffer { contents } => {
                    let path = scratch.join(format!("{name}.{index}.in"));
                    std::fs::write(&path, contents.bytes(index as u64))?;
                    format!("buf:{}", path.display())
                }
            };
            options.extend(["--arg".into(), text]);
        }
        let bytes = std::fs::read(&object)?;
        let file = object::File::parse(&*bytes)?;
        let text = file.section_by_name(".text").context("no .text")?;
        let (offset, _) = text.file_range().context("no code")?;
        let (data, begin) = (text.data()?, (text.address(), offset as usize));
        let waits = if processor.starts_with("gfx12") {
            waits_of::<rdna4::Rdna4>(data, begin)
        } else {
            waits_of::<rdna3::Rdna3>(data, begin)
        };
        Ok(Some(Kernel { name, options, waits, bytes }))
    }

    /// Checks the kernel with an instruction that does nothing instead of a wait.
    fn without(&self, wait: &KernelWait, program: &Path, scratch: &Path) -> Result<Verdict> {
        let KernelWait { address, offset, .. } = *wait;
        let mut bytes = self.bytes.clone();
        let code = bytes.get_mut(offset..offset + 4).context("a wait outside of the file")?;
        code.copy_from_slice(&NOP.to_le_bytes());
        let (is_right, kinds) = check(program, &bytes, self, scratch)?;
        if !kinds.is_empty() {
            return Ok(Verdict::Reported(kinds));
        }
        if !is_right {
            return Ok(Verdict::Fails(format!("at {address:#x}")));
        }
        std::fs::write(scratch, &self.bytes)?;
        let mut command = self.command(program, scratch);
        let left_out = command.args(["--check", "--without-wait", &format!("{address:#x}")]);
        let (_, err) = process::filter(left_out, String::new(), LIMIT)?;
        std::fs::remove_file(scratch)?;
        let reason = err.lines().find_map(|line| line.strip_prefix("note: without the wait at ")?.split_once(": "));
        Ok(match reason {
            Some((_, reason)) => Verdict::Redundant(reason.into()),
            None => Verdict::Fails(format!("at {address:#x}: the check finds no reason")),
        })
    }

    fn command(&self, program: &Path, object: &Path) -> Command {
        let mut command = Command::new(program);
        command.arg("run").arg(object).args(&self.options).args(["--max-instructions", MAX_INSTRUCTIONS]);
        command
    }
}

/// The waits of code that begins at an address and at an offset in its file.
fn waits_of<S: WaveSet>(code: &[u8], (address, offset): (u64, usize)) -> Vec<KernelWait> {
    let mut waits = Vec::new();
    for item in isa::Decoder::<S>::new(code, Wave::W32) {
        if let Ok(instr) = item.result
            && is_wait(&instr)
        {
            let text = instr.display_in(Wave::W32).to_string();
            waits.push(KernelWait { address: address + item.offset as u64, offset: offset + item.offset, text });
        }
    }
    waits
}

/// Checks a code object; whether it runs, and the kinds of findings other than notes.
fn check(program: &Path, bytes: &[u8], kernel: &Kernel, scratch: &Path) -> Result<(bool, String)> {
    std::fs::write(scratch, bytes)?;
    let mut command = kernel.command(program, scratch);
    let (out, err) = process::filter(command.args(["--check", "--json"]), String::new(), LIMIT)?;
    let mut kinds: Vec<String> = Vec::new();
    for line in out.lines() {
        let finding: serde_json::Value = serde_json::from_str(line)?;
        if finding["severity"] != "note" {
            kinds.push(finding["kind"].as_str().unwrap_or_default().to_owned());
        }
    }
    kinds.sort();
    kinds.dedup();
    Ok((!err.lines().any(|line| line.starts_with("error")), kinds.join(", ")))
}
