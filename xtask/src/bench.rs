//! How fast decode, encode and text are.

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use isa_tests::vectors::{example_code, shared_code};
use rdna3::{DecodeError, Decoder, Instr, Wave};

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Raw machine code; without it the corpus of `../shared`, or else the example kernels many times over
    file: Option<PathBuf>,
    /// How often each measurement is taken
    #[arg(long, default_value_t = 11)]
    runs: usize,
}

const WAVE: Wave = Wave::W32;

/// Prints the best and the median of each measurement.
pub fn run(args: &Args) -> Result<()> {
    let (name, bytes) = input(args)?;
    let mut errors = 0;
    let decoded = Decoder::new(&bytes, WAVE).filter_map(|item| match item.result {
        Ok(instr) | Err(DecodeError::NonCanonical { instr, .. }) => Some(instr),
        Err(_) => {
            errors += 1;
            None
        }
    });
    let instrs: Vec<Instr> = decoded.collect();
    if instrs.is_empty() {
        bail!("{name}: no instruction");
    }
    println!("input: {name}, {} bytes, {} instructions, {errors} undecodable words", bytes.len(), instrs.len());
    println!("each figure: one thread, wave32, {} runs, M instructions a second", args.runs);
    println!(
        "size_of Instr: {} bytes; Result<(Instr, usize), DecodeError>: {} bytes\n",
        size_of::<Instr>(),
        size_of::<Result<(Instr, usize), DecodeError>>()
    );
    println!("{:<36} {:>8} {:>8}", "", "best", "median");
    let measure = |what: &str, work: &mut dyn FnMut()| {
        let mut times: Vec<Duration> = (0..args.runs.max(1))
            .map(|_| {
                let begin = Instant::now();
                work();
                begin.elapsed()
            })
            .collect();
        times.sort_unstable();
        let rate = |time: &Duration| instrs.len() as f64 / time.as_secs_f64() / 1e6;
        println!("{what:<36} {:>8.1} {:>8.1}", rate(&times[0]), rate(&times[times.len() / 2]));
    };
    let mut into = Vec::with_capacity(instrs.len());
    measure("decode into a Vec", &mut || {
        into.clear();
        into.extend(Decoder::new(&bytes, WAVE).filter_map(|item| item.result.ok()));
        black_box(&into);
    });
    measure("decode, black_box each", &mut || {
        Decoder::new(&bytes, WAVE).for_each(|item| {
            black_box(item.result.ok());
        });
    });
    measure("encode, black_box each", &mut || {
        for instr in &instrs {
            black_box(black_box(instr).encode());
        }
    });
    let mut words: Vec<u32> = Vec::with_capacity(bytes.len() / 4);
    measure("encode into a Vec of dwords", &mut || {
        words.clear();
        instrs.iter().for_each(|instr| words.extend_from_slice(&instr.encode()));
        black_box(&words);
    });
    measure("visit all operands", &mut || {
        for instr in &instrs {
            instr.operands(WAVE).for_each(|operand| {
                black_box(operand);
            });
        }
    });
    let mut text = isa::Text::new();
    measure("text into a reused isa::Text", &mut || {
        for instr in &instrs {
            text.clear();
            instr.write(WAVE, &mut text);
            black_box(text.as_str());
        }
    });
    let mut string = String::new();
    measure("Display into a reused String", &mut || {
        for instr in &instrs {
            string.clear();
            // Writing to a String cannot fail.
            let _ = write!(string, "{instr}");
            black_box(&string);
        }
    });
    Ok(())
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
