//! `cargo xtask lint`: the lint over compiled code, which must draw no finding, and over the same code with one wait taken
//! out at a time. The kernels of tests/kernels and the programs of tests/programs go through `isa lint`, as assembly for gfx1100 and
//! gfx1200. With paths, object files of the caller's choice do.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use isa_tests::removal::{Tally, kernels, measure, objects, text_of};
use isa_tests::vectors::{example_code, shared_code};
use rdna3::Wave;
use rdna3::lint::Program;

use crate::execute::data::Header;
use crate::{execute, process, programs};

/// How long the lint of one program may take.
const LIMIT: Duration = Duration::from_secs(60);

/// The arguments of `cargo xtask lint`.
#[derive(clap::Args)]
pub struct Args {
    /// Lint these object files, and those in these folders, instead: certain findings are counted by rule
    paths: Vec<PathBuf>,
    /// Work-items of a wave of the object files that do not state it
    #[arg(long, value_name = "32|64", requires = "paths")]
    wave: Option<String>,
    /// Take out each Nth wait only; of the nineteen kernels of the bench text each 20 times Nth
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Print the first findings of code that should have none
    #[arg(long, default_value_t = 10)]
    show: usize,
}

/// Runs `cargo xtask lint`.
pub fn run(args: &Args) -> Result<()> {
    if !args.paths.is_empty() {
        return files(args);
    }
    let mut sources = vec![("examples/matmul.gfx1100.co".to_owned(), example_code()?)];
    for path in objects()? {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        sources.push((name, text_of(&path)?));
    }
    if let Some(code) = shared_code()? {
        sources.push(("bench.gfx1100.text".into(), code));
    }
    let mut all = Tally::default();
    let mut faults = 0;
    for (name, code) in &sources {
        let begin = Instant::now();
        let mut tally = Tally::default();
        let (mut certain, mut possible, mut instrs) = (0, 0, 0);
        for kernel in kernels(code) {
            let mut program = Program::new(&kernel.instrs, Wave::W32, &[]);
            instrs += kernel.instrs.len();
            let (sure, maybe) = (program.certain(), program.possible_waits());
            for finding in sure.iter().chain(&maybe).take(args.show) {
                println!("{name}+{:#x}: {finding}", kernel.offset);
            }
            certain += sure.len();
            possible += maybe.len();
            let every = if name.starts_with("bench") { args.every.saturating_mul(20) } else { args.every };
            tally.add(measure(&mut program, every, |at, findings| {
                for finding in findings.iter().take(args.show) {
                    println!("{name}+{:#x}: without {at}: {finding}", kernel.offset);
                }
            }));
        }
        faults += certain + possible + tally.wrong;
        let seconds = begin.elapsed().as_secs_f64();
        println!("{name}: {instrs} instructions, {certain} findings, {possible} possible ones, {seconds:.1} s");
        println!("    {tally}");
        all.add(tally);
    }
    println!("all: {all}");
    for processor in PROCESSORS {
        faults += compiled_kernels(processor, args.show)?;
    }
    if faults > 0 {
        bail!("{faults} findings where there should be none");
    }
    Ok(())
}

/// The processors that the kernels are compiled for, one of each family.
const PROCESSORS: [&str; 2] = ["gfx1100", "gfx1200"];

/// Configurations that differ in waits, wave size, calls and sections.
const CONFIGURATIONS: [&str; 7] = ["O0", "O2", "wave64", "wave64-O0-g", "global-isel", "global-isel-O0", "sections"];

/// Lints object files with `isa lint`. A certain finding is an error.
fn files(args: &Args) -> Result<()> {
    let mut paths = Vec::new();
    for path in &args.paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
            paths.extend(entries.into_iter().filter(|path| path.extension().is_some_and(|e| e == "o" || e == "co")));
        } else {
            paths.push(path.clone());
        }
    }
    paths.sort();
    let program = process::program()?;
    let (mut count, mut with_findings) = (0, 0);
    let mut rules = BTreeMap::new();
    for path in &paths {
        let mut command = Command::new(&program);
        command.args(["lint", "--json"]).args(args.wave.iter().flat_map(|wave| ["--wave", wave])).arg(path);
        let label = path.display().to_string();
        let found = findings(&mut command, "", &label, &mut rules)?;
        found.iter().take(args.show).for_each(|finding| println!("{label}: {finding}"));
        count += found.len();
        with_findings += usize::from(!found.is_empty());
    }
    println!("{} files, {with_findings} with certain findings; by rule: {rules:?}", paths.len());
    if count > 0 {
        bail!("{count} certain findings");
    }
    Ok(())
}

/// Runs `isa lint --json` and returns the findings, which are counted by rule.
fn findings(
    command: &mut Command,
    input: &str,
    label: &str,
    rules: &mut BTreeMap<String, usize>,
) -> Result<Vec<serde_json::Value>> {
    let (out, err) = process::filter(command, input.to_owned(), LIMIT)?;
    let mut document: serde_json::Value = serde_json::from_str(&out).with_context(|| format!("{label}: {err}"))?;
    let serde_json::Value::Array(findings) = document["findings"].take() else { bail!("{label}: no findings") };
    for finding in &findings {
        let rule = finding["rule"].as_str().unwrap_or_default();
        *rules.entry(rule.to_owned()).or_default() += 1;
    }
    Ok(findings)
}

/// Lints the kernels of tests/kernels and the programs of tests/programs, `--possible` findings too. Returns the number of compiled
/// files with findings.
fn compiled_kernels(processor: &str, show: usize) -> Result<usize> {
    if let Some(why) = programs::lacking() {
        println!("LEFT OUT: compiled kernels, {why}");
        return Ok(0);
    }
    let program = process::program()?;
    let mut files = compiled_programs(processor)?;
    programs::compiled(&CONFIGURATIONS, processor, |label, text, is_wave64| {
        files.push((label.to_owned(), text.to_owned(), is_wave64));
        Ok(())
    })?;
    let linted = programs::in_parallel(&files, |_, (label, text, is_wave64)| {
        let mut command = Command::new(&program);
        command.args(["lint", "--possible", "--json", "--wave", if *is_wave64 { "64" } else { "32" }, "-"]);
        let mut rules = BTreeMap::new();
        let findings = findings(&mut command, text, label, &mut rules)?;
        Ok((findings, rules))
    })?;
    let (mut faults, mut in_inline_assembly) = (0, 0);
    let mut rules: BTreeMap<String, usize> = BTreeMap::new();
    for ((label, text, _), (findings, of_file)) in files.iter().zip(linted) {
        of_file.into_iter().for_each(|(rule, count)| *rules.entry(rule).or_default() += count);
        // LLVM 22 has no wait that is missing on any path, but does not avoid all that others avoid.
        let is_fault = |finding: &&serde_json::Value| {
            let is_wait = ["read-too-early", "write-too-early", "export-overwritten"]
                .iter()
                .any(|rule| finding["rule"] == **rule);
            finding["severity"] == "certain" || is_wait
        };
        let inline = inline_assembly(text);
        let is_inline = |finding: &serde_json::Value| {
            let lines = [&finding["source"]["line"], &finding["earlier"]["source"]["line"]];
            lines.iter().filter_map(|line| line.as_u64()).any(|line| inline.iter().any(|lines| lines.contains(&line)))
        };
        let (of_inline, wrong): (Vec<_>, Vec<_>) = findings.iter().filter(is_fault).partition(|f| is_inline(f));
        in_inline_assembly += of_inline.len();
        faults += usize::from(!wrong.is_empty());
        wrong.iter().take(show).for_each(|finding| println!("{label}: {finding}"));
    }
    println!(
        "compiled kernels for {processor}: {} files, {faults} with findings that are wrong; \
         {in_inline_assembly} findings in inline assembly, which LLVM does not look into; by rule: {rules:?}",
        files.len()
    );
    Ok(faults)
}

/// Options for the programs in C, by name, and whether they are for wave64.
const PROGRAMS: [(&str, &[&str], bool); 3] =
    [("O0", &["-O0"], false), ("O2", &["-O2"], false), ("wave64", &["-O2", "-mwavefrontsize64", "-DWAVE64"], true)];

/// Compiles the programs of tests/programs for a processor. Returns a label, the assembly and whether it is for wave64.
fn compiled_programs(processor: &str) -> Result<Vec<(String, String, bool)>> {
    let mut jobs = Vec::new();
    for source in execute::sources("")? {
        let header = Header::read(&source)?;
        let is_run = |name: &str| header.skipped.iter().all(|skipped| skipped != name && skipped != processor);
        jobs.extend(PROGRAMS.into_iter().filter(|(name, ..)| is_run(name)).map(|options| (source.clone(), options)));
    }
    programs::in_scratch(|scratch| {
        programs::in_parallel(&jobs, |at, (source, (name, options, is_wave64))| {
            let assembly = scratch.join(format!("{at}.s"));
            let options = [execute::C, &["-S"], *options].concat();
            let label = format!("{} {name}", execute::name(source));
            if let Some(messages) = execute::compile(source, processor, &options, &assembly)? {
                bail!("{label} is not compiled: {messages}");
            }
            Ok((label, std::fs::read_to_string(&assembly)?, *is_wave64))
        })
    })
}

/// Returns the numbers of the lines that are inline assembly of the source.
fn inline_assembly(text: &str) -> Vec<RangeInclusive<u64>> {
    let mut ranges = Vec::new();
    let mut start = None;
    for (number, line) in (1..).zip(text.lines()) {
        match line.trim() {
            ";;#ASMSTART" => start = Some(number),
            ";;#ASMEND" => ranges.extend(start.take().map(|start| start..=number)),
            _ => {}
        }
    }
    ranges
}
