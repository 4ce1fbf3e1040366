//! Kernels as frameworks have them, run by the program `isa`: matrix products, flash attention, softmax.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use amdgpu_object::{CodeObject, Word};

use anyhow::{Context, Result};
use isa_tests::paths::shared;

use super::exec::{compile, done, has_compiler, source};
use super::spread;
use crate::process;
use crate::programs::in_scratch;
use crate::rng::Rng;

/// Where a code object comes from.
enum Object {
    /// A folder of `../shared/frameworks`.
    Shared(&'static str),
    /// A file of xtask/src/bench/kernels.
    Source(&'static str),
}

/// An argument of a kernel.
enum Argument {
    /// A number, as `isa run` takes it.
    Number(&'static str),
    /// A buffer of zeros with this many bytes.
    Zeros(usize),
    /// This many random numbers of a type.
    Random(usize, Type),
}

#[derive(Clone, Copy)]
enum Type {
    F16,
    Bf16,
    F32,
}

struct Kernel {
    what: &'static str,
    object: Object,
    name: &'static str,
    /// The work-items in two dimensions, and those of a work-group.
    global: [usize; 2],
    local: usize,
    lds: usize,
    arguments: &'static [Argument],
    /// The seconds that a run should take at most.
    goal: f64,
}

use Argument::{Number, Random, Zeros};

const KERNELS: [Kernel; 4] = [
    Kernel {
        what: PRODUCT,
        object: Object::Source("product.c"),
        name: "product",
        global: [256, 8],
        local: 32,
        lds: 0,
        arguments: &[Zeros(4 << 16), Random(1 << 16, Type::F16), Random(1 << 16, Type::F16), Number("i32:256")],
        goal: 0.02,
    },
    Kernel {
        what: "Triton's f16 product, 512 x 512 x 512",
        object: Object::Shared("t39_matmul_f16_act_w8_s3"),
        name: "matmul",
        global: [32 * 256, 1],
        local: 256,
        lds: 24576,
        arguments: &[
            Random(1 << 18, Type::F16),
            Random(1 << 18, Type::F16),
            Zeros(2 << 18),
            Number("i32:512"),
            Number("i32:512"),
            Number("i32:512"),
            Number("i32:512"),
            Number("i32:1"),
            Number("i32:512"),
            Number("i32:1"),
            Number("i32:512"),
            Number("i32:1"),
            Zeros(16),
            Zeros(16),
        ],
        goal: 0.3,
    },
    Kernel {
        what: "Triton's flash attention, 4 heads of 1024 x 64",
        object: Object::Shared("t39_flash_bf16_w8_s1"),
        name: "flash",
        global: [16 * 256, 4],
        local: 256,
        lds: 8192,
        arguments: &[
            Random(1 << 18, Type::Bf16),
            Random(1 << 18, Type::Bf16),
            Random(1 << 18, Type::Bf16),
            Zeros(2 << 18),
            Zeros(4 << 12),
            Number("f32:0.125"),
            Number("i32:1024"),
            Zeros(16),
            Zeros(16),
        ],
        goal: 0.6,
    },
    Kernel {
        what: "Triton's softmax, 2048 x 1024",
        object: Object::Shared("t39_softmax_w4"),
        name: "softmax",
        global: [2048 * 128, 1],
        local: 128,
        lds: 16,
        arguments: &[
            Random(1 << 21, Type::F32),
            Zeros(4 << 21),
            Number("i32:1024"),
            Number("i32:1024"),
            Zeros(16),
            Zeros(16),
        ],
        goal: 0.2,
    },
];

/// Kernels that show what `isa run --check` costs, besides the product.
const CHECKED: [Kernel; 2] = [
    Kernel {
        what: "MD5",
        object: Object::Source("md5.c"),
        name: "kernel",
        global: [256, 1],
        local: 64,
        lds: 0,
        arguments: &[Zeros(4096), Number("u32:0"), Number("u32:4000")],
        goal: 0.0,
    },
    Kernel {
        what: "Mandelbrot set",
        object: Object::Source("mandelbrot.c"),
        name: "kernel",
        global: [1024, 1],
        local: 32,
        lds: 0,
        arguments: &[Zeros(1 << 18), Number("u32:32860"), Number("u32:3000")],
        goal: 0.0,
    },
];

/// The options of a check, and how many times as long as a plain run it may take.
const CHECKS: [(&str, f64); 2] = [("--check=unwritten-register,missing-wait", 2.0), ("--check", 4.0)];

/// The kernel that tinygrad's emulator executes, too.
const PRODUCT: &str = "f16 product, 256 x 256 x 256";

/// Measures and prints. `tinygrad` is a checkout of its repository.
pub fn run(runs: usize, tinygrad: Option<&Path>) -> Result<()> {
    let program = process::program()?;
    println!("\nkernels of frameworks, `isa run` with start, files and all threads: seconds");
    println!("{:<44} {:>9} {:>9} {:>9}", "", "least", "median", "most");
    in_scratch(|scratch| {
        for kernel in &KERNELS {
            let Some(object) = kernel.object(scratch)? else { continue };
            let files = kernel.files(scratch)?;
            let (mut all, mut one, mut processor) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..runs.max(1) {
                let (wall, on_processor) = seconds(&mut kernel.command(&program, &object, &files))?;
                all.push(wall);
                processor.extend(on_processor);
                one.push(seconds(kernel.command(&program, &object, &files).args(["--threads", "1"]))?.0);
            }
            let least = print(kernel.what, all);
            let mark = if least > kernel.goal { "missed" } else { "met" };
            println!("{:<44} {:>9.3}  {mark}", "  goal", kernel.goal);
            print("  time on processors", processor);
            print("  with one thread", one);
            if kernel.what == PRODUCT {
                emulate(kernel, runs, tinygrad, &object, scratch, &files)?;
            }
        }
        println!("\ncost of `isa run --check` on one thread: seconds");
        let product = KERNELS.iter().filter(|kernel| kernel.what == PRODUCT);
        CHECKED.iter().chain(product).try_for_each(|kernel| compare_checked(kernel, &program, runs, scratch))
    })
}

/// Measures a kernel without and with checks.
fn compare_checked(kernel: &Kernel, program: &Path, runs: usize, scratch: &Path) -> Result<()> {
    let Some(object) = kernel.object(scratch)? else { return Ok(()) };
    let files = kernel.files(scratch)?;
    let options = [None].into_iter().chain(CHECKS.iter().map(|(option, _)| Some(*option)));
    let mut times: Vec<(Option<&str>, Vec<f64>)> = options.map(|option| (option, Vec::new())).collect();
    for _ in 0..runs.max(1) {
        for (option, seconds_of) in &mut times {
            let mut command = kernel.command(program, &object, &files);
            command.args(["--threads", "1"]).args(*option);
            seconds_of.push(seconds(&mut command)?.0);
        }
    }
    let mut plain = 0.0;
    for (option, seconds) in times {
        let what = option.map_or_else(|| kernel.what.to_owned(), |option| format!("  {option}"));
        let least = print(&what, seconds);
        match CHECKS.iter().find(|(name, _)| option == Some(name)) {
            Some((_, goal)) => {
                let ratio = least / plain;
                let mark = if ratio > *goal { "missed" } else { "met" };
                println!("{:<44} {ratio:>8.2}x  goal {goal}x: {mark}", "");
            }
            None => plain = least,
        }
    }
    Ok(())
}

/// Prints the least, the median and the greatest of numbers, and returns the least.
fn print(what: &str, seconds: Vec<f64>) -> f64 {
    let (least, median, most) = spread(seconds);
    println!("{what:<44} {least:>9.3} {median:>9.3} {most:>9.3}");
    least
}

/// The seconds that a program takes, by the clock and on all processors together. The latter are steps of 0.01 seconds.
fn seconds(command: &mut Command) -> Result<(f64, Option<f64>)> {
    let (begin, before) = (Instant::now(), of_children());
    done(command.stdout(Stdio::null()))?;
    let (wall, after) = (begin.elapsed().as_secs_f64(), of_children());
    Ok((wall, after.zip(before).map(|(after, before)| after - before)))
}

/// The seconds on processors of programs that have ended, where Linux says so.
fn of_children() -> Option<f64> {
    /// The steps of a second.
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // After the name of this program: fields 16 and 17 of proc_pid_stat(5), in user and kernel mode.
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(13);
    let mut field = || fields.next()?.parse::<f64>().ok();
    Some((field()? + field()?) / TICKS)
}

impl Kernel {
    /// The code object; `None` and a message if it is not there.
    fn object(&self, scratch: &Path) -> Result<Option<PathBuf>> {
        match self.object {
            Object::Source(_) if !has_compiler() => Ok(None),
            Object::Source(file) => {
                compile(&source(file), &[], scratch, &scratch.join("kernel.co"))?;
                Ok(Some(scratch.join("kernel.co")))
            }
            Object::Shared(folder) => {
                let path = format!("frameworks/{folder}/kernel.hsaco");
                let found = shared(&path);
                if found.is_none() {
                    println!("LEFT OUT: {}, ../shared/{path} is not there", self.what);
                }
                Ok(found)
            }
        }
    }

    /// Writes the buffers of random numbers, and returns their files.
    fn files(&self, scratch: &Path) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        let mut rng = Rng::named(2, [self.name]);
        for (index, argument) in self.arguments.iter().enumerate() {
            if let Random(count, ty) = argument {
                let bytes: Vec<u8> = (0..*count).flat_map(|_| ty.number(&mut rng)).collect();
                files.push(scratch.join(format!("{index}.in")));
                fs::write(&files[files.len() - 1], bytes)?;
            }
        }
        Ok(files)
    }

    /// The command that runs it.
    fn command(&self, program: &Path, object: &Path, files: &[PathBuf]) -> Command {
        let [x, y] = self.global;
        let mut command = Command::new(program);
        command.arg("run").arg(object).args(["--kernel", self.name, "--global", &format!("{x},{y}")]);
        command.args(["--local", &format!("{},1", self.local), "--lds", &self.lds.to_string()]);
        let mut files = files.iter();
        for argument in self.arguments {
            command.arg("--arg").arg(match argument {
                Number(text) => (*text).into(),
                Zeros(bytes) => format!("buf:zero:{bytes}"),
                Random(..) => {
                    format!("buf:{}", files.next().map_or_else(String::new, |file| file.display().to_string()))
                }
            });
        }
        command
    }
}

impl Type {
    /// The bytes of a random number between -1 and 1 whose magnitude is at least 1/16.
    fn number(self, rng: &mut Rng) -> Vec<u8> {
        let magnitude = 0.0625 + (rng.word() >> 8) as f32 * (0.9375 / 16_777_216.0);
        let bits = if rng.once_in(2) { magnitude } else { -magnitude }.to_bits();
        match self {
            // Cut off, which is a number of the format.
            Type::F16 => ((bits >> 16 & 0x8000 | ((bits >> 23 & 0xFF) - 112) << 10 | bits >> 13 & 0x3FF) as u16)
                .to_le_bytes()
                .into(),
            Type::Bf16 => ((bits >> 16) as u16).to_le_bytes().into(),
            Type::F32 => bits.to_le_bytes().into(),
        }
    }
}

/// Measures tinygrad's emulator at the same kernel, in a process that has compiled it.
fn emulate(
    kernel: &Kernel,
    runs: usize,
    tinygrad: Option<&Path>,
    object: &Path,
    scratch: &Path,
    files: &[PathBuf],
) -> Result<()> {
    let Some(checkout) = tinygrad else {
        println!(
            "LEFT OUT: tinygrad's emulator, which its package lacks; --tinygrad takes a checkout of its repository"
        );
        return Ok(());
    };
    let (code, resources) = code_of(object)?;
    let text = scratch.join("text");
    fs::write(&text, code)?;
    let mut python = Command::new("python3");
    python.arg(source("emulator.py")).arg(checkout).arg(&text).arg(resources.to_string());
    let [x, y] = kernel.global;
    python.args([format!("{},{y},1", x / kernel.local), format!("{},1,1", kernel.local), runs.to_string()]);
    let mut files = files.iter();
    for argument in kernel.arguments {
        match argument {
            Number(text) => python.arg(text.rsplit(':').next().unwrap_or_default()),
            Zeros(bytes) => python.arg(format!("zero:{bytes}")),
            Random(..) => python.args(files.next()),
        };
    }
    let output = python.output().context("python3 cannot be started")?;
    if !output.status.success() {
        println!("LEFT OUT: tinygrad's emulator: {}", String::from_utf8_lossy(&output.stderr).trim());
        return Ok(());
    }
    let seconds: Result<Vec<f64>, _> = String::from_utf8_lossy(&output.stdout).lines().map(str::parse).collect();
    print("  in tinygrad's emulator, after compilation", seconds?);
    Ok(())
}

/// The instructions of the only kernel of a code object, from its first one on, and its second resource register.
fn code_of(object: &Path) -> Result<(Vec<u8>, u32)> {
    let file = fs::read(object)?;
    let object = CodeObject::load(&file, 0)?;
    let kernel = object.kernels.first().context("the code object has no kernel")?;
    let code = object.segments.iter().find(|segment| segment.is_executable).context("the code object has no code")?;
    let code = code.bytes.get((kernel.entry - code.address) as usize..).unwrap_or_default();
    Ok((code.to_vec(), kernel.descriptor.word(Word::Rsrc2)))
}
