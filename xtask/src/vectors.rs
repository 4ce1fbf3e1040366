//! The golden vectors: words made from the tables, LLVM's text for them.

mod constants;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use isa_tests::sets::{Set, text};
use isa_tests::vectors::{golden_path, hex};

use crate::assembler::assemble;
use crate::generate::{RowVariant, Words, targets};
use crate::machine;
use crate::oracle::{self, Answer};
use crate::rng::Rng;

/// The arguments of `cargo xtask vectors`.
#[derive(clap::Args)]
pub struct Args {
    /// Generate the vectors, compare them with the committed file and leave it unchanged
    #[arg(long)]
    pub check: bool,
    /// Only the file of this name, such as rdna4_true16
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
}

/// The seed of the random numbers.
const SEED: u64 = 3;
/// The file that this command has not made yet.
const SAMPLE: &str = "rdna4_true16";
/// The rounds: the number of words that are tried for each input, and how many of those that LLVM prints are assembled. The first
/// one that round-trips is taken. The second round is for encoding variants without a vector.
const ROUNDS: [(usize, usize); 2] = [(24, 5), (600, 100)];

/// The inputs for each encoding variant of a set: the first column of vectors, the mode, and whether modifiers are zero.
fn inputs<S: Set>() -> Vec<(&'static str, S::Mode, bool)> {
    let modes = S::MODES;
    (0..4)
        .map(|nth| (modes[nth % modes.len()], matches!(nth, 0 | 3)))
        .map(|((name, mode), plain)| (name, mode, plain))
        .collect()
}

/// A word that LLVM prints.
struct Candidate {
    input: usize,
    hex: String,
    text: String,
}

/// Makes the vectors, or compares them with the committed ones.
pub fn run(args: &Args) -> Result<()> {
    let mut files: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let is_asked = |name: &str| args.only.as_ref().map_or(name != SAMPLE, |only| only == name);
    if args.only.is_none() {
        println!("LEFT OUT: {SAMPLE}, which is a sample of other vectors so far; --only {SAMPLE} makes it");
    }
    isa_tests::each_set!(S => if is_asked(S::VECTORS) {
        files.entry(S::VECTORS).or_default().extend(lines::<S>()?);
    });
    if is_asked("constants") {
        files.insert("constants", constants::generate()?);
    }
    if files.is_empty() {
        bail!("no set has vectors named {}", args.only.as_deref().unwrap_or_default());
    }
    let mut wrong = 0;
    for (sets, lines) in &files {
        wrong += usize::from(!file(&golden_path(sets), lines, args.check)?);
    }
    if wrong == 0 {
        Ok(())
    } else {
        bail!("the golden vectors are not what the tables and LLVM give: run cargo xtask vectors")
    }
}

/// Makes the lines of a set, and prints which forms have none.
fn lines<S: Set>() -> Result<BTreeSet<String>> {
    let targets = targets::<S>();
    let made = generate::<S>(&targets)?;
    let bare: Vec<String> = made.bare.iter().map(|at| targets[*at].names().join(" ")).collect();
    println!("{}{}: {} forms, of which {} have no line:", S::MACHINES, S::MODES[0].0, targets.len(), bare.len());
    bare.iter().for_each(|names| println!("  {names}"));
    Ok(made.lines.into_iter().collect())
}

/// Writes a file, or compares it with the committed one; whether it is the same.
fn file(path: &Path, lines: &BTreeSet<String>, check: bool) -> Result<bool> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if !check {
        fs::write(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
        println!("{}: {} lines, {} bytes", path.display(), lines.len(), text.len());
        return Ok(true);
    }
    let committed = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    if committed == text {
        println!("{}: {} lines are as committed", path.display(), lines.len());
        return Ok(true);
    }
    let old: BTreeSet<&str> = committed.lines().collect();
    let new: BTreeSet<&str> = text.lines().collect();
    let sample = |name: &str, lines: Vec<&&str>| {
        println!("{}: {} lines are {name}:", path.display(), lines.len());
        lines.iter().take(10).for_each(|line| println!("  {line}"));
    };
    sample("committed but not made now", old.difference(&new).collect());
    sample("made now but not committed", new.difference(&old).collect());
    Ok(false)
}

/// The generated vectors.
struct Made {
    lines: BTreeSet<String>,
    /// The targets of which LLVM takes no word that was tried.
    bare: BTreeSet<usize>,
}

fn generate<S: Set>(targets: &[RowVariant<S>]) -> Result<Made> {
    let mut made = Made { lines: BTreeSet::new(), bare: (0..targets.len()).collect() };
    let each = inputs::<S>().len();
    for (round, (tries, kept)) in ROUNDS.into_iter().enumerate() {
        let bare: Vec<usize> = made.bare.iter().copied().collect();
        for (name, found) in candidates(targets, &bare, (round as u64, tries), kept)? {
            let machine = machine::of::<S>(name)?;
            let bytes = assemble(found.iter().map(|c| c.text.as_str()), machine)?;
            let mut done = None;
            for (candidate, bytes) in found.iter().zip(bytes) {
                if done != Some(candidate.input) && bytes.as_ref() == Some(&candidate.hex) {
                    done = Some(candidate.input);
                    made.bare.remove(&(candidate.input / each));
                    made.lines.insert(format!("{name}\t{}\t{}", candidate.hex, candidate.text));
                }
            }
        }
    }
    Ok(made)
}

/// Words of these targets that LLVM prints, by the first column of vectors, in the order of their inputs. Of a machine
/// that LLVM does not disassemble, the text is ours; what it is worth shows when it is assembled.
fn candidates<S: Set>(
    targets: &[RowVariant<S>],
    of: &[usize],
    (round, tries): (u64, usize),
    keep: usize,
) -> Result<BTreeMap<&'static str, Vec<Candidate>>> {
    let inputs = inputs::<S>();
    let (mut asked, mut places) = (Vec::new(), Vec::new());
    for (at, target) in of.iter().filter_map(|at| Some((*at, targets.get(*at)?))) {
        for (nth, (name, mode, plain)) in inputs.iter().enumerate() {
            let input = at * inputs.len() + nth;
            let machine = machine::of::<S>(name)?;
            let names = target.names();
            let seed = SEED + nth as u64 + round * inputs.len() as u64;
            let mut rng = Rng::named(seed, names.iter().map(String::as_str));
            for _ in 0..tries {
                let words = target.words(*mode, &mut rng, *plain);
                asked.push((words, machine));
                places.push((input, target.len(), *mode, *name));
            }
        }
    }
    let answers = match asked.first() {
        Some((_, machine)) if !machine.disassembles => asked
            .iter()
            .zip(&places)
            .map(|((words, _), (_, length, mode, _))| ours::<S>(words, *length, *mode))
            .collect(),
        _ => oracle::ask_of(&asked)?,
    };
    let mut found: BTreeMap<&'static str, Vec<Candidate>> = BTreeMap::new();
    let mut kept = (0, 0);
    for (((words, _), (input, length, _, name)), answer) in asked.iter().zip(places).zip(answers) {
        if kept.0 != input {
            kept = (input, 0);
        }
        if let Answer::Text { text, dwords } = answer
            && dwords == length
            && kept.1 < keep
        {
            kept.1 += 1;
            let hex = hex(words.get(..length).unwrap_or_default());
            found.entry(name).or_default().push(Candidate { input, hex, text });
        }
    }
    Ok(found)
}

/// Our own answer.
fn ours<S: Set>(words: &Words, length: usize, mode: S::Mode) -> Answer {
    match isa::decode::<S>(words.get(..length).unwrap_or_default(), mode) {
        Ok((instr, dwords)) => Answer::Text { text: isa_tests::vectors::folded(&text::<S>(&instr, mode)), dwords },
        Err(_) => Answer::Refused,
    }
}
