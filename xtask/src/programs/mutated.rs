//! Programs of [`mod@super::kernels`] with random changes to their lines.
//!
//! The changes keep most programs valid: an assembler that refuses a program shows no bytes to compare.

mod edits;
mod reduce;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};

use crate::programs::assemblers::{self, Emit, Outcome, Target};
use crate::programs::in_parallel;
use crate::programs::kernels;
use crate::rng::Rng;

/// Programs longer than this are not changed: an assembler's time is better spent on several short ones.
const LONGEST: usize = 1500;

/// At most one program in this many may be accepted although LLVM refuses it, since a change can break something that no bytes depend on, such as an unused symbol.
const MOST_ACCEPTED: usize = 50;

/// How the names of the classes of differences begin.
const DIFFERS: &str = "DIFFERS: ";
const ACCEPTED: &str = "LLVM refuses: ";
const REFUSED: &str = "refused: ";

/// The number and the seed of the changed programs, and the directory for findings.
pub struct Settings<'a> {
    pub count: u64,
    pub seed: u64,
    /// The processor to compile for.
    pub processor: &'a str,
    /// Where to write a shortest program of each class of difference.
    pub findings: Option<&'a Path>,
}

/// A class of difference, with the first program that shows it.
struct Finding<'a> {
    programs: usize,
    source: String,
    target: Target<'a>,
    said: String,
}

/// Changes programs and compares both answers; an error if objects differ or `isa` accepts many programs that LLVM refuses.
pub fn compare(settings: &Settings<'_>, program: &Path, scratch: &Path) -> Result<()> {
    let begin = Instant::now();
    let originals: Vec<(Vec<String>, Target<'_>)> = kernels::assembly(scratch, settings.processor)?
        .into_iter()
        .map(|(text, target)| (text.lines().map(str::to_string).collect::<Vec<_>>(), target))
        .map(|(lines, target)| (edits::without_metadata(lines), target))
        .filter(|(lines, _)| lines.len() <= LONGEST)
        .collect();
    if originals.is_empty() {
        bail!("no kernel was compiled");
    }
    let numbers: Vec<u64> = (0..settings.count).collect();
    let outcomes = in_parallel(&numbers, |_, nth| {
        let mut rng = Rng::named(settings.seed, ["mutated", nth.to_string().as_str()]);
        let (lines, target) = &originals[rng.below(originals.len())];
        let source = edits::changed(lines, &mut rng);
        let outcome =
            Assemblers { program, target: *target, scratch: scratch.join(format!("m{nth}")) }.compare(&source)?;
        Ok((source, *target, outcome))
    })?;
    let (mut equal, mut bytes, mut both) = (0, 0, 0);
    let mut findings: BTreeMap<String, Finding<'_>> = BTreeMap::new();
    for (source, target, outcome) in outcomes {
        match &outcome {
            Outcome::Equal(size) => {
                equal += 1;
                bytes += size;
            }
            Outcome::BothRefuse | Outcome::NoAnswer => both += 1,
            Outcome::Refused(_) | Outcome::Accepted(_) | Outcome::Differ(_) => {
                let (class, said) = class(&outcome);
                let finding = findings.entry(class).or_insert(Finding { programs: 0, source, target, said });
                finding.programs += 1;
            }
        }
    }
    let (mut differ, mut accepted, mut refused) = (0, 0, 0);
    for (class, finding) in &findings {
        println!("{class}\n    {} programs", finding.programs);
        let count = match class {
            _ if class.starts_with(DIFFERS) => &mut differ,
            _ if class.starts_with(ACCEPTED) => &mut accepted,
            _ => &mut refused,
        };
        *count += finding.programs;
    }
    if let Some(directory) = settings.findings {
        let findings: Vec<(&String, &Finding)> = findings.iter().collect();
        in_parallel(&findings, |nth, (class, finding)| {
            let run = Assemblers { program, target: finding.target, scratch: scratch.join(format!("r{nth}")) };
            write(directory, nth, class, finding, &reduce::shortest(&finding.source, class, &run)?)
        })?;
    }
    println!(
        "{} changed programs: {equal} equal with {bytes} bytes, {differ} differ, {accepted} accepted that LLVM refuses, \
         {refused} refused that LLVM accepts, {both} refused by both; {:.0} s",
        settings.count,
        begin.elapsed().as_secs_f64()
    );
    if differ > 0 {
        bail!("{differ} changed programs of seed {} differ", settings.seed);
    }
    if accepted > settings.count as usize / MOST_ACCEPTED {
        bail!("{accepted} changed programs of seed {} are accepted that LLVM refuses", settings.seed);
    }
    Ok(())
}

/// Both assemblers for one program at a time.
struct Assemblers<'a> {
    program: &'a Path,
    target: Target<'a>,
    /// A path without an extension, for files of this program alone.
    scratch: PathBuf,
}

impl Assemblers<'_> {
    fn compare(&self, source: &str) -> Result<Outcome> {
        let path = self.scratch.with_extension("s");
        std::fs::write(&path, source)?;
        let llvm = assemblers::llvm(&path, self.target, &self.scratch.with_extension("llvm"))?;
        let ours =
            assemblers::ours(self.program, &path, self.target, Emit::Object, &self.scratch.with_extension("isa"))?;
        for extension in ["s", "llvm", "isa"] {
            let _ = std::fs::remove_file(self.scratch.with_extension(extension));
        }
        assemblers::outcome(ours, llvm)
    }
}

/// The class of a difference, without names and numbers, and what was said of it.
fn class(outcome: &Outcome) -> (String, String) {
    match outcome {
        Outcome::Refused(messages) => {
            (format!("{REFUSED}{}", general(kernels::error_line(messages))), messages.clone())
        }
        Outcome::Accepted(messages) => {
            (format!("{ACCEPTED}{}", general(kernels::error_line(messages))), messages.clone())
        }
        Outcome::Differ(differences) => {
            let first = differences.first().map_or("", String::as_str);
            // Where and by how much is not part of the class.
            let what = first.split_once("bytes differ").map_or(first, |_| "bytes differ");
            (format!("{DIFFERS}{}", general(what)), differences.join("\n"))
        }
        Outcome::Equal(_) | Outcome::BothRefuse | Outcome::NoAnswer => (String::new(), String::new()),
    }
}

/// A message without what is in quotes and without numbers.
fn general(message: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for c in message.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => continue,
            None if matches!(c, '`' | '"') => quote = Some(c),
            None if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
                continue;
            }
            None => {}
        }
        out.push(c);
    }
    out
}

fn write(directory: &Path, nth: usize, class: &str, finding: &Finding, source: &str) -> Result<()> {
    std::fs::create_dir_all(directory)?;
    let target = finding.target;
    let text = format!(
        "{class}\n{} programs; {} {}, wave{}\n\n{}\n\n```\n{source}```\n",
        finding.programs,
        target.triple,
        target.processor,
        if target.wave64 { 64 } else { 32 },
        finding.said.lines().take(20).collect::<Vec<_>>().join("\n")
    );
    Ok(std::fs::write(directory.join(format!("{nth:03}.md")), text)?)
}
