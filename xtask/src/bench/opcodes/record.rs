//! The record of the executor's speed: the host instructions that each instruction of the table takes.
//!
//! CI compares counts of callgrind and not times. Counts are the same on a loaded machine and on another processor, so a lost fast
//! path shows in one run. Times of single opcodes differ between two processors by as much as CI allows.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use isa_exec::memory::Regions;
use isa_tests::paths::root;
use rdna3::{Instr, Wave};

use super::sample::Sample;
use super::timing::{self, COPIES, Follower, Loop, Setting};
use super::{listed, state};
use crate::programs::in_scratch;
use crate::valgrind::VALGRIND;

/// The file with the record, from the root of the repository.
const FILE: &str = "xtask/src/bench/opcodes/record.tsv";
const HEAD: &str = "\
# Host instructions of an instruction for 32 lanes, without and with AVX2 and FMA: cargo xtask bench --exec --record
# name, opcode, dwords, baseline, AVX2 and FMA
";
/// How many times the recorded host instructions an instruction may take, and how many more besides.
const FACTOR: f64 = 2.0;
const SLACK: f64 = 8.0;

/// An instruction of the record.
struct Entry {
    name: String,
    opcode: String,
    words: Vec<u32>,
    /// The host instructions with each setting.
    counts: Vec<f64>,
}

/// The settings that are counted: those with all lanes active, the baseline first.
fn settings() -> Vec<Setting> {
    let mut settings: Vec<Setting> = Setting::all().into_iter().filter(|setting| setting.lanes == u32::MAX).collect();
    settings.sort_by_key(|setting| !setting.is_baseline());
    settings
}

/// The instructions of the table, without counts.
fn of_table() -> Result<Vec<Entry>> {
    let rows = listed()?.into_iter().flat_map(|section| section.rows).filter(|row| row.body.is_ok());
    let samples = rows.map(|row| row.sample);
    let entry =
        |sample: Sample| Entry { words: sample.words(), name: sample.name, opcode: sample.opcode, counts: Vec::new() };
    Ok(samples.map(entry).collect())
}

/// Counts the instructions of the table, and writes the record.
pub fn renew() -> Result<()> {
    let settings = settings();
    if settings.len() < 2 {
        bail!("the record has counts with AVX2 and FMA, and this processor lacks them");
    }
    let mut entries = of_table()?;
    let counts = count(&entries, &settings)?;
    for (entry, counts) in entries.iter_mut().zip(counts) {
        entry.counts = counts;
    }
    let lines: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
    fs::write(root().join(FILE), format!("{HEAD}{lines}"))?;
    println!("{FILE}: {} instructions", entries.len());
    Ok(())
}

/// Counts the instructions of the record. An error if one takes more than the record allows, or the table has others.
pub fn check() -> Result<()> {
    let text = fs::read_to_string(root().join(FILE)).with_context(|| format!("{FILE} cannot be read"))?;
    let recorded: Vec<Entry> = text.lines().filter_map(Entry::parse).collect();
    if let Some(entry) = of_table()?.iter().find(|entry| recorded.iter().all(|other| other.name != entry.name)) {
        bail!("{FILE} lacks {}: cargo xtask bench --exec --record adds it", entry.name);
    }
    let settings = settings();
    let (mut slower, mut faster) = (0, 0);
    for (entry, now) in recorded.iter().zip(count(&recorded, &settings)?) {
        for ((before, now), setting) in entry.counts.iter().zip(now).zip(&settings) {
            if now > FACTOR * before + SLACK {
                slower += 1;
                println!("{}, {}: {now:.0} host instructions, {before:.0} in the record", entry.name, setting.title);
            }
            faster += usize::from(FACTOR * now + SLACK < *before);
        }
    }
    println!("{} instructions, {slower} take more than {FACTOR} times what the record has", recorded.len());
    if faster > 0 {
        println!("{faster} take less than a half: cargo xtask bench --exec --record keeps that");
    }
    if slower == 0 { Ok(()) } else { bail!("{slower} opcodes have become slower") }
}

/// Counts the host instructions of each entry with each setting, in a process under callgrind.
fn count(entries: &[Entry], settings: &[Setting]) -> Result<Vec<Vec<f64>>> {
    in_scratch(|scratch| {
        let list = scratch.join("list");
        fs::write(&list, entries.iter().map(|entry| format!("{entry}\n")).collect::<String>())?;
        let mut command = Command::new(VALGRIND);
        command.args(["--tool=callgrind", "--collect-atstart=no"]);
        for (option, function) in ["toggle-collect", "dump-after"].into_iter().zip(timing::COUNTED) {
            command.arg(format!("--{option}=*{function}*"));
        }
        command.arg(format!("--callgrind-out-file={}", scratch.join("counts").display()));
        command.arg(std::env::current_exe()?).args(["bench", "--exec", "--counted"]).arg(&list);
        let output = command.output().with_context(|| format!("{VALGRIND} cannot be started"))?;
        if !output.status.success() {
            bail!("{VALGRIND} failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        let mut dumps = (1..).map(|number| of_dump(&scratch.join(format!("counts.{number}"))));
        let mut of_settings = || settings.iter().map(|_| dumps.next().context("a dump")?).collect::<Result<Vec<f64>>>();
        let without = Follower::ALL.into_iter().map(|_| of_settings()).collect::<Result<Vec<_>>>()?;
        let counts = entries.iter().map(|entry| {
            let without = without.get(Follower::of(&entry.sample()?.instr) as usize);
            let counts = of_settings()?.into_iter().zip(without.into_iter().flatten());
            Ok(counts.map(|(all, without)| (all - without) / f64::from(COPIES)).collect())
        });
        counts.collect()
    })
}

/// The host instructions in a dump of callgrind.
fn of_dump(path: &Path) -> Result<f64> {
    let text = fs::read_to_string(path).with_context(|| format!("{VALGRIND} counted too few calls"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("totals: ")).context("a dump without a sum")?;
    Ok(line.trim().parse()?)
}

/// Executes each entry of a list once with each setting, after the loops without an instruction.
pub fn execute(list: &PathBuf) -> Result<()> {
    let (memory, settings) = (state::memory()?, settings());
    let of_loop = |mut body: Loop| run_each(&mut body, &settings, &memory);
    Follower::ALL.into_iter().try_for_each(|follower| of_loop(Loop::new(None, follower)?))?;
    for entry in fs::read_to_string(list)?.lines().filter_map(Entry::parse) {
        let sample = entry.sample()?;
        of_loop(Loop::new(Some(&sample), Follower::of(&sample.instr))?)?;
    }
    Ok(())
}

fn run_each(body: &mut Loop, settings: &[Setting], memory: &Regions) -> Result<()> {
    settings.iter().try_for_each(|setting| body.run(setting, memory, 1).map(|_| ()))
}

impl Entry {
    /// Parses a line of the record.
    fn parse(line: &str) -> Option<Self> {
        let mut columns = line.split('\t');
        let (name, opcode) = (columns.next()?.to_owned(), columns.next()?.to_owned());
        let words = columns.next()?.split(' ').map(|word| u32::from_str_radix(word, 16));
        let words = words.collect::<Result<_, _>>().ok()?;
        let counts = columns.map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Entry { name, opcode, words, counts })
    }

    fn sample(&self) -> Result<Sample> {
        let (instr, _) =
            Instr::decode(&self.words, Wave::W32).map_err(|error| anyhow::anyhow!("{}: {error}", self.name))?;
        Ok(Sample::new(self.name.clone(), self.opcode.clone(), instr))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.words.iter().map(|word| format!("{word:08x}")).collect();
        write!(f, "{}\t{}\t{}", self.name, self.opcode, words.join(" "))?;
        self.counts.iter().try_for_each(|count| write!(f, "\t{count:.0}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_has_counts_of_instructions() {
        let text = fs::read_to_string(root().join(FILE)).unwrap();
        let lines: Vec<&str> = text.strip_prefix(HEAD).unwrap().lines().collect();
        for line in &lines {
            let entry = Entry::parse(line).unwrap();
            assert_eq!(entry.to_string(), **line);
            assert_eq!(entry.counts.len(), 2, "{line}");
            assert_eq!(entry.sample().unwrap().words(), entry.words, "{line}");
        }
        assert!(lines.len() > 300);
    }
}
