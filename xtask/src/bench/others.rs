//! Measurements of other tools at the same tasks: libLLVM in this process, decoders of x86 code on this program, LLVM's
//! programs.

use std::fs::{self, File};
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use object::{Object, ObjectSection};

use super::work::Input;
use super::{Times, x86};
use crate::libllvm::Disassembler;

/// How much of the input LLVM prints in a round, in bytes: it takes a hundred times as long as we do.
const LLVM_SHARE: usize = 300_000;

/// LLVM's disassembler in this process.
pub struct Llvm {
    library: Disassembler,
    bytes: Vec<u8>,
    pub times: Times,
}

impl Llvm {
    /// `None`, and a word about it, where libLLVM is absent.
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..LLVM_SHARE).unwrap_or(bytes).to_vec();
        match Disassembler::new() {
            Ok(library) => {
                let mut llvm =
                    Llvm { library, bytes, times: Times::new("libLLVM's LLVMDisasmInstruction", 0.0, "M/s") };
                llvm.times.amount = llvm.print() as f64 / 1e6;
                Some(llvm)
            }
            Err(error) => {
                println!("LEFT OUT: {error:#}");
                None
            }
        }
    }

    fn print(&mut self) -> usize {
        let (mut at, mut count) = (0, 0);
        let mut text = [0; 512];
        while let Some(rest) = self.bytes.get_mut(at..).filter(|rest| !rest.is_empty()) {
            at += self.library.print(rest, &mut text).max(4);
            black_box(&text);
            count += 1;
        }
        count
    }

    pub fn round(&mut self) {
        // The times are taken out while LLVM works, which needs the rest.
        let mut times = Times::new(std::mem::take(&mut self.times.what), self.times.amount, "M/s");
        std::mem::swap(&mut times.rounds, &mut self.times.rounds);
        times.repeat = self.times.repeat;
        times.take(|| {
            self.print();
        });
        self.times = times;
    }
}

/// Decoders of x86 code, on the code of this very program.
pub struct X86 {
    code: Vec<u8>,
    pub times: Vec<Times>,
}

impl X86 {
    pub fn new() -> Result<Self> {
        let file = fs::read(std::env::current_exe()?)?;
        let object = object::File::parse(&*file)?;
        let code = object.section_by_name(".text").context("this program has no .text")?.data()?.to_vec();
        let megabytes = code.len() as f64 / 1e6;
        let times = x86::DECODERS.iter().map(|(what, _)| Times::new(*what, megabytes, "MB/s"));
        Ok(X86 { code, times: times.collect() })
    }

    pub fn round(&mut self) {
        for (times, (_, decode)) in self.times.iter_mut().zip(&x86::DECODERS) {
            times.take(|| decode(&self.code));
        }
    }
}

/// The assembler and the disassembler as programs, on the same file; `lines` is how long our reading of its lines took in
/// this process.
pub fn processes(input: &Input<'_>, rounds: usize, lines: Option<&Times>) -> Result<()> {
    let dir = std::env::temp_dir().join(format!("isa-bench-{}", std::process::id()));
    fs::create_dir_all(&dir)?;
    let outcome = in_dir(&dir, input, rounds, lines);
    fs::remove_dir_all(&dir)?;
    outcome
}

fn in_dir(dir: &Path, input: &Input<'_>, rounds: usize, read: Option<&Times>) -> Result<()> {
    let (source, ours_out, object) = (dir.join("bench.s"), dir.join("bench.bin"), dir.join("bench.o"));
    fs::write(&source, input.lines.join("\n") + "\n")?;
    let isa = std::env::current_exe()?.with_file_name("isa");
    if !isa.exists() {
        println!("LEFT OUT: {} is not built (cargo build --release)", isa.display());
        return Ok(());
    }
    let lines = input.lines.len() as f64 / 1e6;
    let assemble = |program: &Path| {
        let mut command = Command::new(program);
        if program == isa {
            command.args(["asm", "--arch", "gfx1100"]).arg(&source).arg("-o").arg(&ours_out);
        } else {
            command.args(["--triple=amdgcn-amd-amdhsa", "-mcpu=gfx1100", "-mattr=+wavefrontsize32", "-filetype=obj"]);
            command.arg(&source).arg("-o").arg(&object);
        }
        command
    };
    let mut programs = [Times::new("isa asm, process", lines, "M/s"), Times::new("llvm-mc-22, process", lines, "M/s")];
    let program = |nth| assemble(if nth == 0 { &isa } else { Path::new("llvm-mc-22") });
    if !timed(&mut programs, rounds, program, "goal 60x")? {
        return Ok(());
    }
    if let Some(read) = read {
        read.print();
        read.against(&programs[1], "goal 60x");
    }
    let megabytes = fs::metadata(&object)?.len() as f64 / 1e6;
    timed(
        &mut [
            Times::new("isa dis, process", megabytes, "MB/s"),
            Times::new("llvm-objdump-22 -d, process", megabytes, "MB/s"),
        ],
        rounds,
        |nth| {
            let mut command = Command::new(if nth == 0 { isa.as_path() } else { Path::new("llvm-objdump-22") });
            command.arg(if nth == 0 { "dis" } else { "-d" }).arg(&object);
            command
        },
        "goal 30x",
    )?;
    Ok(())
}

/// Runs two programs in turn, and prints how long they took; `false` where the second is absent.
fn timed(times: &mut [Times; 2], rounds: usize, command: impl Fn(usize) -> Command, goal: &str) -> Result<bool> {
    for _ in 0..rounds.max(1) {
        for (nth, times) in times.iter_mut().enumerate() {
            let mut command = command(nth);
            let name = command.get_program().to_string_lossy().into_owned();
            let begin = Instant::now();
            let status = command.stdout(Stdio::from(File::create("/dev/null")?)).stderr(Stdio::null()).status();
            match status {
                Ok(status) if status.success() => times.rounds.push(begin.elapsed().as_secs_f64()),
                Ok(status) => bail!("{name}: {status}"),
                Err(_) => {
                    println!("LEFT OUT: {name} cannot be started");
                    return Ok(false);
                }
            }
        }
    }
    times.iter().for_each(Times::print);
    times[0].against(&times[1], goal);
    Ok(true)
}
