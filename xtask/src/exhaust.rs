//! `cargo xtask sweep`: all first dwords, then every value of every field of every encoding variant. `docs/verification.md`
//! explains what that proves. The work is divided into parts, which threads process in parallel. The result of each part is
//! appended to a state file, so that an interrupted run continues where it ended.

mod fields;
mod state;
mod words;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::ValueEnum;
use isa::DecodeError;
use isa_tests::sets::{self, WaveSet};
use isa_tests::vectors::hex;
use rdna3::{Instruction as _, Wave};

use crate::generate::Words;
use crate::machine::Generation;
use state::State;

/// The arguments of `cargo xtask sweep`.
#[derive(clap::Args)]
pub struct Args {
    /// Which walk
    #[arg(long, value_enum, default_value_t = Walk::All)]
    pub walk: Walk,
    /// The instruction set
    #[arg(long, value_enum, default_value_t = Generation::Rdna3)]
    pub set: Generation,
    /// The part to run and the number of parts, such as 2/8
    #[arg(long, value_name = "I/N", value_parser = shard, default_value = "1/1")]
    pub shard: (usize, usize),
    /// Try only every Nth first dword and encoding variant
    #[arg(long, default_value_t = 1)]
    pub stride: u32,
    /// Record the finished parts in this file, and skip those that it records
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// How many threads [default: one for each core]
    #[arg(long)]
    pub threads: Option<usize>,
    /// Print no progress
    #[arg(long)]
    pub quiet: bool,
}

/// The walks.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Walk {
    /// All first dwords, each with several dwords after it: decode and encode; text of a sample
    Words,
    /// All encoding variants: every value of every field, every pair of fields at selected values; text of all of them
    Fields,
    /// Both
    All,
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts.filter(|(i, n)| (1..=*n).contains(i)).ok_or_else(|| "expected I/N with I from 1 to N".into())
}

/// The number of words that were tried, by result.
#[derive(Default, Clone)]
pub struct Counts {
    tried: u64,
    refused: u64,
    /// By format: canonical instructions, non-canonical ones, texts read back.
    formats: BTreeMap<&'static str, [u64; 3]>,
    /// The number of texts that parse to other words, by class.
    classes: BTreeMap<&'static str, u64>,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.tried += other.tried;
        self.refused += other.refused;
        for (name, counts) in &other.formats {
            let mine = self.formats.entry(name).or_default();
            mine.iter_mut().zip(counts).for_each(|(mine, more)| *mine += more);
        }
        for (name, count) in &other.classes {
            *self.classes.entry(name).or_default() += count;
        }
    }

    fn print(&self) {
        println!("{:<10} {:>14} {:>14} {:>14}", "format", "canonical", "non-canonical", "texts");
        for (format, [canonical, odd, texts]) in &self.formats {
            println!("{format:<10} {canonical:>14} {odd:>14} {texts:>14}");
        }
        for (class, count) in &self.classes {
            println!("{count:>14} texts do not lead back: {class}");
        }
        let decoded: u64 = self.formats.values().map(|[canonical, odd, _]| canonical + odd).sum();
        println!("{} tried: {decoded} decoded, {} refused", self.tried, self.refused);
    }
}

/// The checks of an instruction besides those of its words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Nothing.
    Words,
    /// Text, operands and rules, and the text is read again.
    Text,
}

thread_local! {
    /// The words that are being checked, for the message of a panic.
    static CURRENT: Cell<(Words, Wave)> = const { Cell::new(([0; 3], Wave::W32)) };
}

/// The state of a thread.
struct Worker<S: WaveSet> {
    counts: Counts,
    /// [`Counts::formats`] by the index of the format: counting must be cheap beside decoding.
    formats: [[u64; 3]; MAX_FORMATS],
    text: isa::Text,
    set: PhantomData<S>,
}

/// An upper bound for the number of formats of a set.
const MAX_FORMATS: usize = 64;

/// A failed check of words.
struct Failure {
    words: Words,
    wave: Wave,
    what: String,
}

impl<S: WaveSet> Worker<S> {
    fn new() -> Self {
        Worker { counts: Counts::default(), formats: [[0; 3]; MAX_FORMATS], text: isa::Text::new(), set: PhantomData }
    }

    /// Returns the counts of this thread.
    fn counts(&self) -> Counts {
        let mut counts = self.counts.clone();
        let seen = S::tables().formats.iter().zip(self.formats).filter(|(_, n)| *n != [0; 3]);
        counts.formats.extend(seen.map(|(format, n)| (format.name, n)));
        counts
    }

    /// Decodes the first `have` words and checks the result. Returns the number of dwords that the instruction needs if `have` is
    /// too small.
    #[inline]
    fn visit(&mut self, words: &Words, have: usize, wave: Wave, depth: Depth) -> Result<Option<u8>, Failure> {
        CURRENT.set((*words, wave));
        let fail = |what: &str| Err(Failure { words: *words, wave, what: what.into() });
        let given = words.get(..have).unwrap_or(words);
        let (instr, canonical) = match isa::decode::<S>(given, wave) {
            Ok((instr, length)) if length != sets::encode::<S>(&instr).len() => return fail("decode and len disagree"),
            Ok((instr, _)) => (instr, true),
            Err(DecodeError::NonCanonical { instr, .. }) => (instr, false),
            Err(DecodeError::Truncated { need, .. }) if usize::from(need) > have && have < 3 => return Ok(Some(need)),
            Err(DecodeError::Truncated { .. }) => return fail("enough dwords are said to be too few"),
            Err(error) => {
                self.counts.tried += 1;
                self.counts.refused += 1;
                if depth == Depth::Text && error.to_string().is_empty() {
                    return fail("an error without words");
                }
                return Ok(None);
            }
        };
        self.counts.tried += 1;
        let encoded = sets::encode::<S>(&instr);
        if encoded.is_empty() || !given.starts_with(&encoded) {
            return fail("the words do not come back");
        }
        let Some(entry) = self.formats.get_mut(usize::from(S::parts(&instr).0)) else {
            return fail("more formats than are counted");
        };
        entry[usize::from(!canonical)] += 1;
        if depth == Depth::Text {
            for cut in 1..encoded.len() {
                let short = encoded.get(..cut).unwrap_or_default();
                if !matches!(isa::decode::<S>(short, wave), Err(DecodeError::Truncated { .. })) {
                    return fail("a word less is not said to be too few");
                }
            }
            entry[2] += u64::from(canonical);
            self.text(&instr, wave, canonical).map_err(|what| Failure { words: *words, wave, what })?;
        }
        Ok(None)
    }

    /// Checks the text, the operands and the rules of an instruction, and that the text of a canonical one parses to it.
    fn text(&mut self, instr: &S::Instr, wave: Wave, canonical: bool) -> Result<(), String> {
        if instr.operand_infos(wave).count() > 16 {
            return Err("more operands than any instruction has".into());
        }
        if canonical {
            if let Some(class) = isa_tests::sets::read_back::<S>(instr, wave, &mut self.text)? {
                *self.counts.classes.entry(class).or_default() += 1;
            }
        } else {
            self.text.clear();
            let (format, words) = S::parts(instr);
            isa::write_text::<S>(format, words, isa::length::<S>(format, &words) as u8, wave, &mut self.text);
            // The call must not panic; either result is right.
            let _ = S::legal(instr, wave);
        }
        let text = self.text.as_str();
        if text.is_empty() || !text.is_ascii() { Err(format!("an odd text: {text:?}")) } else { Ok(()) }
    }
}

/// Work in parts.
trait Job<S: WaveSet>: Sync {
    /// The name in the state file.
    fn name(&self) -> &'static str;
    /// How many parts there are.
    fn parts(&self) -> usize;
    /// Does one part.
    fn run(&self, part: usize, worker: &mut Worker<S>) -> Result<(), Failure>;
}

/// Runs the selected walks. Returns an error if something panics or if words or texts do not round-trip.
pub fn run(args: &Args) -> Result<()> {
    match args.set {
        Generation::Rdna3 => run_of::<rdna3::Rdna3>(args),
        Generation::Rdna4 => run_of::<rdna4::Rdna4>(args),
    }
}

fn run_of<S: WaveSet>(args: &Args) -> Result<()> {
    if args.walk != Walk::Fields {
        walk::<S>(&words::AllWords::<S>::new(args.stride), args)?;
    }
    if args.walk != Walk::Words {
        walk::<S>(&fields::AllFields::<S>::new(args.stride as usize), args)?;
    }
    Ok(())
}

/// The number of failures after which a walk stops.
const SHOWN: usize = 40;

fn walk<S: WaveSet>(job: &impl Job<S>, args: &Args) -> Result<()> {
    let begin = Instant::now();
    let (nth, of) = args.shard;
    let state = State::open(args.state.as_deref(), job.name(), args.stride)?;
    let mine: Vec<usize> = (0..job.parts()).filter(|part| part % of == nth - 1).collect();
    let open: Vec<usize> = mine.iter().copied().filter(|part| !state.done.contains_key(part)).collect();
    let mut counts = Counts::default();
    mine.iter().filter_map(|part| state.done.get(part)).for_each(|done| counts.add(done));
    println!("{}: {} of {} parts to do", job.name(), open.len(), mine.len());

    let threads = args.threads.or_else(|| thread::available_parallelism().ok().map(NonZero::get)).unwrap_or(1);
    let (next, finished, tried) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0));
    let sum = Mutex::new((counts, state, Vec::new()));
    let work = || {
        while let Some(&part) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut worker = Worker::<S>::new();
            let outcome = catch_unwind(AssertUnwindSafe(|| job.run(part, &mut worker)));
            let Ok(mut sum) = sum.lock() else { return };
            let (counts, state, failures) = &mut *sum;
            let done = worker.counts();
            tried.fetch_add(done.tried, Ordering::Relaxed);
            finished.fetch_add(1, Ordering::Relaxed);
            let failure = match outcome {
                Ok(Ok(())) => None,
                Ok(Err(failure)) => Some(failure),
                Err(_) => {
                    let (words, wave) = CURRENT.get();
                    Some(Failure { words, wave, what: "panicked".into() })
                }
            };
            match failure {
                None => {
                    counts.add(&done);
                    state.keep(part, &done);
                }
                Some(Failure { words, wave, what }) => {
                    println!("part {part}: {wave:?} {}: {what}", hex(&words));
                    failures.push(part);
                }
            }
            if failures.len() >= SHOWN {
                next.store(usize::MAX / 2, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut told = Instant::now();
        while !workers.iter().all(thread::ScopedJoinHandle::is_finished) {
            thread::sleep(Duration::from_millis(20));
            if !args.quiet && told.elapsed() > Duration::from_secs(10) {
                told = Instant::now();
                let (done, tried) = (finished.load(Ordering::Relaxed), tried.load(Ordering::Relaxed));
                let seconds = begin.elapsed().as_secs_f64();
                let left = (open.len() - done) as f64 * seconds / done.max(1) as f64;
                let rate = tried as f64 / seconds / 1e6;
                eprintln!("{}: {done}/{} parts, {rate:.2} M/s, {left:.0} s left", job.name(), open.len());
            }
        }
    });
    let Ok((counts, state, failures)) = sum.into_inner() else { bail!("a thread panicked") };
    counts.print();
    println!("{}: {:.1} s", job.name(), begin.elapsed().as_secs_f64());
    state.finish()?;
    if !failures.is_empty() {
        bail!("{}: {} parts have failures", job.name(), failures.len());
    }
    Ok(())
}
