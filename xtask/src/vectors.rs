//! The golden vectors: words made from the tables, LLVM's text for them.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail};
use isa_tests::vectors::{golden_path, hex};
use rdna3::{Rdna3, Wave};

use crate::assembler::assemble;
use crate::generate::{Target, targets};
use crate::oracle::{self, Answer};
use crate::rng::Rng;

/// What to do with them.
#[derive(clap::Args)]
pub struct Args {
    /// Make them anew and compare with the committed file, which stays as it is
    #[arg(long)]
    pub check: bool,
}

/// For each form: the wave size and whether modifiers stay at zero.
const INPUTS: [(Wave, bool); 4] = [(Wave::W32, true), (Wave::W64, false), (Wave::W32, false), (Wave::W64, true)];
/// Where the random numbers begin.
const SEED: u64 = 3;
/// How many words are tried for each input, and how many of them that LLVM prints are then assembled; the first that
/// comes back as it was is taken. A second time with more words for forms of which nothing came.
const ROUNDS: [(usize, usize); 2] = [(24, 5), (600, 100)];

/// A word that LLVM prints.
struct Candidate {
    input: usize,
    hex: String,
    text: String,
}

/// Makes the vectors, or compares them with the committed ones.
pub fn run(args: &Args) -> Result<()> {
    let targets = targets::<Rdna3>();
    let made = generate(&targets)?;
    let bare: Vec<String> = made.bare.iter().map(|at| targets[*at].names().join(" ")).collect();
    println!("{} forms, of which {} have no line:", targets.len(), bare.len());
    bare.iter().for_each(|names| println!("  {names}"));
    let lines = made.lines;
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let path = golden_path();
    if !args.check {
        fs::write(&path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
        println!("{}: {} lines, {} bytes", path.display(), lines.len(), text.len());
        return Ok(());
    }
    let committed = fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    if committed == text {
        println!("{} lines are as committed", lines.len());
        return Ok(());
    }
    let old: BTreeSet<&str> = committed.lines().collect();
    let new: BTreeSet<&str> = text.lines().collect();
    let sample = |name: &str, lines: Vec<&&str>| {
        println!("{} lines are {name}:", lines.len());
        lines.iter().take(10).for_each(|line| println!("  {line}"));
    };
    sample("committed but not made now", old.difference(&new).collect());
    sample("made now but not committed", new.difference(&old).collect());
    bail!("the golden vectors are not what the tables and LLVM give: run cargo xtask vectors");
}

/// What was made.
struct Made {
    lines: BTreeSet<String>,
    /// The targets of which LLVM takes no word that was tried.
    bare: BTreeSet<usize>,
}

fn generate(targets: &[Target<Rdna3>]) -> Result<Made> {
    let mut made = Made { lines: BTreeSet::new(), bare: (0..targets.len()).collect() };
    for (round, (tries, kept)) in ROUNDS.into_iter().enumerate() {
        let bare: Vec<usize> = made.bare.iter().copied().collect();
        let candidates = candidates(targets, &bare, (round as u64, tries), kept)?;
        for (wave, found) in [(Wave::W32, &candidates[0]), (Wave::W64, &candidates[1])] {
            let bytes = assemble(found.iter().map(|c| c.text.as_str()), wave)?;
            let name = if wave == Wave::W64 { "wave64" } else { "wave32" };
            let mut done = None;
            for (candidate, bytes) in found.iter().zip(bytes) {
                if done != Some(candidate.input) && bytes.as_ref() == Some(&candidate.hex) {
                    done = Some(candidate.input);
                    made.bare.remove(&(candidate.input / INPUTS.len()));
                    made.lines.insert(format!("{name}\t{}\t{}", candidate.hex, candidate.text));
                }
            }
        }
    }
    Ok(made)
}

/// Words of these targets that LLVM prints, for each wave size in the order of their inputs.
fn candidates(
    targets: &[Target<Rdna3>],
    of: &[usize],
    (round, tries): (u64, usize),
    keep: usize,
) -> Result<[Vec<Candidate>; 2]> {
    let (mut asked, mut places) = (Vec::new(), Vec::new());
    for (at, target) in of.iter().filter_map(|at| Some((*at, targets.get(*at)?))) {
        for (nth, (wave, plain)) in INPUTS.into_iter().enumerate() {
            let input = at * INPUTS.len() + nth;
            let names = target.names();
            let seed = SEED + nth as u64 + round * INPUTS.len() as u64;
            let mut rng = Rng::named(seed, names.iter().map(String::as_str));
            for _ in 0..tries {
                asked.push((target.words(wave, &mut rng, plain), wave));
                places.push((input, target.len()));
            }
        }
    }
    let mut found: [Vec<Candidate>; 2] = [Vec::new(), Vec::new()];
    let mut kept = (0, 0);
    for (((words, wave), (input, length)), answer) in asked.iter().zip(places).zip(oracle::ask(&asked)?) {
        if kept.0 != input {
            kept = (input, 0);
        }
        if let Answer::Text { text, dwords } = answer
            && dwords == length
            && kept.1 < keep
        {
            kept.1 += 1;
            let hex = hex(words.get(..length).unwrap_or_default());
            found[usize::from(*wave == Wave::W64)].push(Candidate { input, hex, text });
        }
    }
    Ok(found)
}
