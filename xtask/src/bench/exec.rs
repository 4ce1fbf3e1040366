//! How fast kernels compiled by clang are executed, beside the same C compiled for the host.

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use amdgpu_object::{CodeObject, Family};
use anyhow::{Context, Result, bail};
use cpu_time::ThreadTime;
use isa_exec::group::WorkGroup;
use isa_exec::memory::{Memory, Regions};
use isa_exec::num::Mode;
use isa_exec::observe::{Observer, Site};
use isa_exec::program::Program;
use isa_exec::wave::Wave as State;
use isa_tests::needs::llvm;
use rdna3::exec::Rdna3Machine;
use rdna3::{Decoder, Instr, Pipeline, Wave};

use super::Times;

/// A kernel `kernel(out, first, parameter)` that computes `results` dwords for each work-item.
struct Kernel {
    name: &'static str,
    source: &'static str,
    results: usize,
    /// The second parameter.
    parameter: u32,
    /// How many work-items there are.
    count: usize,
    /// The least lane-operations a second, in millions.
    goal: &'static str,
    /// How many times as fast as the host's code it should be at least.
    against_host: &'static str,
}

const KERNELS: [Kernel; 2] = [
    Kernel {
        name: "MD5",
        source: "md5.c",
        results: 4,
        parameter: 4000,
        count: 256,
        goal: "goal 1,000",
        against_host: "goal 1.7x",
    },
    Kernel {
        name: "Mandelbrot set",
        source: "mandelbrot.c",
        results: 1,
        parameter: 500,
        count: 256 * 256,
        goal: "goal 150",
        against_host: "goal 0.5x",
    },
];

/// The address of the arguments.
const ARGUMENTS: u64 = 0x1_0000;
/// The address of the results.
const OUT: u64 = 0x100_0000;

/// A kernel that is loaded.
struct Loaded<'a> {
    kernel: &'a Kernel,
    program: Program<'static>,
    /// The lanes of a wave.
    lanes: usize,
    /// The address of its first instruction.
    entry: u64,
    mode: Mode,
    /// The addresses of the instructions that compute in lanes.
    vectors: HashSet<u64>,
}

/// Counts lane-operations: vector instructions times active lanes.
struct Counter<'a> {
    vectors: &'a HashSet<u64>,
    operations: u64,
}

impl Observer for Counter<'_> {
    fn before(&mut self, site: &Site, wave: &State) -> ControlFlow<()> {
        if self.vectors.contains(&site.pc) {
            self.operations += u64::from(wave.exec().count_ones());
        }
        ControlFlow::Continue(())
    }
}

/// Measures and prints.
pub fn run(runs: usize) -> Result<()> {
    if !has_compiler() {
        return Ok(());
    }
    println!("\nexecution of kernels from clang -O2 -ffp-contract=off, lane-operations of one thread a second");
    let directory = std::env::temp_dir().join(format!("isa-bench-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let result = KERNELS.iter().try_for_each(|kernel| measure(kernel, &directory, runs));
    fs::remove_dir_all(&directory)?;
    result
}

/// Measures a kernel.
fn measure(kernel: &Kernel, directory: &Path, runs: usize) -> Result<()> {
    let loaded = Loaded::new(kernel, directory, Wave::W32)?;
    let wide = Loaded::new(kernel, directory, Wave::W64)?;
    let host = Host::new(kernel, directory)?;
    let mut counter = Counter { vectors: &loaded.vectors, operations: 0 };
    let checksum = checksum_of(&loaded.run(0..kernel.count, &mut counter)?);
    let of_wide = checksum_of(&wide.run(0..kernel.count, &mut ())?);
    if of_wide != checksum {
        bail!("{}: the checksum is {checksum:#x}, and {of_wide:#x} in waves of 64 lanes", kernel.name);
    }
    // Waves of 64 lanes are measured by the same work, not by their own operations.
    let millions = counter.operations as f64 / 1e6;
    let mut ours = Times::new(format!("{}, one thread", kernel.name), millions, "M/s");
    let mut two = Times::new(format!("{}, two threads", kernel.name), millions, "M/s");
    let mut ours_wide = Times::new(format!("{}, waves of 64 lanes", kernel.name), millions, "M/s");
    let mut theirs = Times::new(format!("{} on the host, -O2 without vectors", kernel.name), millions, "M/s");
    for _ in 0..runs.max(1) {
        ours.rounds.push(loaded.seconds(0..kernel.count)?);
        ours_wide.rounds.push(wide.seconds(0..kernel.count)?);
        let half = kernel.count / 2 / loaded.lanes * loaded.lanes;
        let halves = [0..half, half..kernel.count].map(|range| (range.len(), range));
        let loaded = &loaded;
        let rates: Result<Vec<f64>> = thread::scope(|scope| {
            let threads = halves.map(|(items, range)| (items, scope.spawn(move || loaded.seconds(range))));
            let joined = threads.into_iter().map(|(items, thread)| {
                let seconds = thread.join().map_err(|_| anyhow::anyhow!("a thread panicked"))??;
                Ok(items as f64 / seconds)
            });
            joined.collect()
        });
        // Work-items a second of both threads together, each by its time on a processor.
        two.rounds.push(kernel.count as f64 / rates?.iter().sum::<f64>());
        let (seconds, of_host) = host.run(kernel)?;
        if of_host != checksum {
            bail!("{}: the checksum is {checksum:#x}, and {of_host:#x} on the host", kernel.name);
        }
        theirs.rounds.push(seconds);
    }
    ours.print();
    println!("{:<44} {}", "", kernel.goal);
    theirs.print();
    ours.against(&theirs, kernel.against_host);
    two.print();
    two.against(&ours, "goal 1.8x");
    ours_wide.print();
    // Without a goal: where lanes diverge, a wave of 64 executes the steps of more of them.
    ours_wide.against(&ours, "");
    Ok(())
}

impl<'a> Loaded<'a> {
    /// Compiles a kernel for a wave size and loads its code.
    fn new(kernel: &'a Kernel, directory: &Path, wave: Wave) -> Result<Self> {
        let linked = directory.join("kernel.co");
        let (lanes, options) = match wave {
            Wave::W32 => (32, &[][..]),
            Wave::W64 => (64, &["-mwavefrontsize64"][..]),
        };
        compile(&source(kernel.source), options, directory, &linked)?;
        let file = fs::read(&linked)?;
        let object = CodeObject::load(&file, 0)?;
        let of_object = object.kernels.first().context("the code object has no kernel")?;
        let (entry, mode) = (of_object.entry, Mode(of_object.descriptor.initial_mode(Family::Gfx11)));
        let code =
            object.segments.iter().find(|segment| segment.is_executable).context("the code object has no code")?;
        let program = Program::new::<Rdna3Machine>(code.bytes.to_vec(), code.address, wave, 256);
        let vectors = Decoder::new(&code.bytes, wave).filter(|item| item.result.as_ref().is_ok_and(is_vector));
        let vectors = vectors.map(|item| code.address + item.offset as u64).collect();
        Ok(Loaded { kernel, program, lanes, entry, mode, vectors })
    }

    /// Executes work-items, one wave after the other, and returns their results.
    fn run(&self, items: std::ops::Range<usize>, observer: &mut impl Observer) -> Result<Vec<u32>> {
        let mut memory = Regions::new();
        let bytes = 4 * self.kernel.results * self.lanes;
        let mapped = memory.map(ARGUMENTS, 16).and_then(|()| memory.map(OUT, bytes as u64));
        mapped.map_err(|error| anyhow::anyhow!("{error:?}"))?;
        let mut results = Vec::new();
        // As a dispatch does, a wave takes over the memory of the one before.
        let mut last: Option<State> = None;
        for first in items.step_by(self.lanes) {
            let mut arguments = OUT.to_le_bytes().to_vec();
            arguments.extend((first as u32).to_le_bytes());
            arguments.extend(self.kernel.parameter.to_le_bytes());
            let mut wave = last.map_or_else(|| State::new(&self.program, 0), |wave| wave.renewed(&self.program));
            wave.set_mode(self.mode);
            wave.pc = self.entry;
            wave.set_mask(self.program.lowering().layout().exec, u64::MAX);
            // The kernel uses no other initial register than the address of its arguments in s[0:1] and the work-item in v0.
            wave.set_sgpr(0, ARGUMENTS as u32);
            (0..self.lanes).for_each(|lane| wave.set_vgpr(0, lane, lane as u32));
            let unmapped = |error| anyhow::anyhow!("{error:?}");
            memory.write(ARGUMENTS, &arguments).map_err(unmapped)?;
            let mut group = WorkGroup { waves: vec![wave], lds: Vec::new() };
            group.run_observed(&self.program, &memory, u64::MAX, observer)?;
            let mut of_wave = vec![0; bytes];
            memory.read(OUT, &mut of_wave).map_err(unmapped)?;
            results.extend(of_wave.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)));
            last = group.waves.pop();
        }
        Ok(results)
    }

    /// The seconds that work-items take on a processor.
    fn seconds(&self, items: std::ops::Range<usize>) -> Result<f64> {
        let begin = ThreadTime::now();
        self.run(items, &mut ())?;
        Ok(begin.elapsed().as_secs_f64())
    }
}

/// Whether an instruction computes in lanes.
fn is_vector(instr: &Instr) -> bool {
    matches!(instr.opcode().pipeline(), Pipeline::Valu | Pipeline::Transcendental | Pipeline::Wmma)
}

/// The function of a kernel, compiled for the host.
struct Host {
    program: PathBuf,
}

impl Host {
    fn new(kernel: &Kernel, directory: &Path) -> Result<Self> {
        let program = directory.join("host");
        let mut clang = Command::new("clang-22");
        clang.args(["-O2", "-fno-vectorize", "-fno-slp-vectorize", "-ffp-contract=off"]);
        done(clang.args([source(kernel.source), source("host.c")]).arg("-o").arg(&program))?;
        Ok(Host { program })
    }

    /// The seconds on a processor, and the checksum of the results.
    fn run(&self, kernel: &Kernel) -> Result<(f64, u32)> {
        let numbers = [kernel.parameter as usize, kernel.count, kernel.results].map(|number| number.to_string());
        let output = Command::new(&self.program).args(numbers).output()?;
        let text = String::from_utf8(output.stdout)?;
        let (seconds, checksum) = text.trim().split_once(' ').context("the host's program printed no result")?;
        Ok((seconds.parse()?, checksum.parse()?))
    }
}

/// The checksum that the host's program prints.
fn checksum_of(results: &[u32]) -> u32 {
    results.iter().fold(0, |sum: u32, result| sum.rotate_left(5) ^ result)
}

/// Whether clang and the linker are there; prints which one is not.
pub fn has_compiler() -> bool {
    let programs = [("clang-22", "clang-22"), ("ld.lld-22", "lld-22")];
    programs.into_iter().all(|(program, package)| llvm("the speed of execution", program, package).is_some())
}

/// Compiles a kernel and links its code object.
pub fn compile(source: &Path, options: &[&str], directory: &Path, linked: &Path) -> Result<()> {
    let object = directory.join("kernel.o");
    let mut clang = Command::new("clang-22");
    clang.args(["--target=amdgcn-amd-amdhsa", "-mcpu=gfx1100", "-nogpulib", "-O2", "-ffp-contract=off", "-c"]);
    done(clang.args(options).arg(source).arg("-o").arg(&object))?;
    done(Command::new("ld.lld-22").arg("-shared").arg(&object).arg("-o").arg(linked))
}

/// A file of the kernels.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bench/kernels").join(name)
}

/// Runs a program, which must succeed.
pub fn done(command: &mut Command) -> Result<()> {
    let output = command.output()?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}
