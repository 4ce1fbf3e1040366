//! The kernels of tests/kernels, compiled in several configurations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;

use crate::process;
use crate::programs::assemblers::{self, Emit, Outcome, Target};
use crate::programs::{in_parallel, linked};

const CLANG: &str = "clang-22";
const LLC: &str = "llc-22";
/// How long a compilation may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Options of the compilers: clang's for OpenCL C, llc's for LLVM IR.
struct Configuration {
    name: &'static str,
    clang: &'static [&'static str],
    llc: &'static [&'static str],
    processors: Processors,
    wave64: bool,
}

const fn configuration(
    name: &'static str,
    clang: &'static [&'static str],
    llc: &'static [&'static str],
) -> Configuration {
    Configuration { name, clang, llc, processors: Processors::Any, wave64: false }
}

const CONFIGURATIONS: [Configuration; 17] = [
    configuration("O0", &["-O0"], &["-O0"]),
    configuration("O1", &["-O1"], &["-O1"]),
    configuration("O2", &["-O2"], &["-O2"]),
    configuration("O3", &["-O3", "-fno-verbose-asm"], &["-O3", "-asm-verbose=0"]),
    Configuration {
        wave64: true,
        ..configuration("wave64", &["-O2", "-mwavefrontsize64", "-DWAVE64"], &["-O2", "-mattr=+wavefrontsize64"])
    },
    Configuration {
        wave64: true,
        ..configuration(
            "wave64-O0-g",
            &["-O0", "-g", "-mwavefrontsize64", "-DWAVE64"],
            &["-O0", "-mattr=+wavefrontsize64"],
        )
    },
    configuration("g-unscheduled", &["-O2", "-g"], &["-O2", "-enable-misched=false"]),
    configuration("pic", &["-O2", "-fPIC", "-fvisibility=default"], &["-O2", "-relocation-model=pic"]),
    configuration(
        "global-isel",
        &["-O2", "-mllvm", "-global-isel", "-mllvm", "-global-isel-abort=2"],
        &["-O2", "-global-isel", "-global-isel-abort=2"],
    ),
    configuration(
        "global-isel-O0",
        &["-O0", "-mllvm", "-global-isel", "-mllvm", "-global-isel-abort=2"],
        &["-O0", "-global-isel", "-global-isel-abort=2"],
    ),
    configuration(
        "sections",
        &["-O2", "-ffunction-sections", "-fdata-sections"],
        &["-O2", "-function-sections", "-data-sections"],
    ),
    configuration("short-branches", &["-O2", "-mllvm", "-amdgpu-s-branch-bits=6"], &["-O2", "-amdgpu-s-branch-bits=6"]),
    configuration(
        "v5",
        &["-Os", "-mcode-object-version=5", "-mcumode"],
        &["-O2", "-amdhsa-code-object-version=5", "-mattr=+cumode"],
    ),
    configuration("v6", &["-O2", "-mcode-object-version=6"], &["-O2", "-amdhsa-code-object-version=6"]),
    Configuration {
        processors: Processors::One("gfx1103"),
        ..configuration("gfx1103", &["-O3"], &["-O3", "-mattr=+real-true16"])
    },
    // RDNA3.5: scalar floats.
    Configuration { processors: Processors::One("gfx1150"), ..configuration("gfx1150", &["-O2"], &["-O2"]) },
    Configuration {
        processors: Processors::WholeRegisters,
        ..configuration(
            "true16",
            &["-O2", "-Xclang", "-target-feature", "-Xclang", "+real-true16"],
            &["-O2", "-mattr=+real-true16"],
        )
    },
];

/// The processors that a configuration is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Processors {
    /// The one that is asked for.
    Any,
    /// Any but gfx11, whose text has halves of registers by default.
    WholeRegisters,
    /// This one, beside gfx1100.
    One(&'static str),
}

impl Configuration {
    /// The target of this configuration where `asked` is asked for, if it is compiled then.
    fn target<'a>(&self, asked: &'a str) -> Option<Target<'a>> {
        let (processor, features) = match self.processors {
            Processors::Any => (asked, ""),
            Processors::WholeRegisters => (asked, "+real-true16"),
            Processors::One(processor) => (processor, ""),
        };
        let is_default = asked == Target::GFX1100.processor;
        let is_here = match self.processors {
            Processors::Any => true,
            Processors::WholeRegisters => !asked.starts_with("gfx11"),
            Processors::One(_) => is_default,
        };
        is_here.then_some(Target { processor, features, wave64: self.wave64, ..Target::GFX1100 })
    }
}

/// Says which of the programs that are needed here is absent, and which Debian package has it.
pub fn lacking() -> Option<String> {
    [(CLANG, "clang-22"), (LLC, "llvm-22")].into_iter().find_map(|(program, package)| {
        let answer = Command::new(program).arg("--version").output();
        answer.is_err().then(|| format!("{program} cannot be started; Debian's package {package} has it"))
    })
}

/// The result for a kernel in a configuration.
pub enum Comparison {
    /// The compiler refuses it, with these messages.
    NotCompiled(String),
    Compared(Outcome, Linked),
}

/// How the code objects of a program compare.
pub enum Linked {
    Equal,
    /// Neither links it, ld.lld with these messages: a symbol is undefined, say.
    Neither(String),
    /// `isa` refuses what ld.lld links, with these messages.
    Refused(String),
    Differ(Vec<String>),
    /// There is no ld.lld, or no object to link.
    LeftOut,
}

/// The kernels and configurations to compare.
pub struct Selection<'a> {
    /// A part of the kernels' file names.
    pub only: &'a str,
    /// The processor to compile for.
    pub processor: &'a str,
    /// A part of the configurations' names.
    pub configuration: &'a str,
    /// Where to write the assembly of each program that is not equal.
    pub keep: Option<&'a Path>,
}

impl<'a> Selection<'a> {
    /// All kernels for a processor in the configurations whose names contain this.
    pub const fn of(processor: &'a str, configuration: &'a str) -> Self {
        Self { only: "", processor, configuration, keep: None }
    }
}

/// Compiles all kernels and compares the objects of both assemblers; an error if one differs.
pub fn compare(selection: &Selection<'_>, program: &Path, scratch: &Path) -> Result<()> {
    let begin = Instant::now();
    let has_linker = has_linker();
    let sources = sources(selection.only)?;
    let configurations: Vec<(&Configuration, Target<'_>)> = CONFIGURATIONS
        .iter()
        .filter(|c| c.name.contains(selection.configuration))
        .filter_map(|c| Some((c, c.target(selection.processor)?)))
        .collect();
    if configurations.is_empty() {
        bail!("{} has no configuration {:?}", selection.processor, selection.configuration);
    }
    let jobs: Vec<(&PathBuf, &Configuration, Target<'_>)> =
        sources.iter().flat_map(|source| configurations.iter().map(move |(c, target)| (source, *c, *target))).collect();
    let outcomes = in_parallel(&jobs, |at, (source, configuration, target)| {
        let assembly = scratch.join(format!("{at}.s"));
        let comparison = one((source, configuration, *target), &assembly, program, has_linker)?;
        let is_equal = matches!(
            comparison,
            Comparison::Compared(Outcome::Equal(_), Linked::Equal | Linked::Neither(_) | Linked::LeftOut)
        );
        if let (Some(directory), false) = (selection.keep, is_equal) {
            std::fs::create_dir_all(directory)?;
            let name = label(source, configuration).replace(' ', ".");
            if assembly.exists() {
                std::fs::copy(&assembly, directory.join(format!("{name}.s")))?;
            }
        }
        let _ = std::fs::remove_file(&assembly);
        Ok(comparison)
    })?;
    let labels: Vec<String> = jobs.iter().map(|(source, configuration, _)| label(source, configuration)).collect();
    report(&labels, &outcomes, &format!("programs of {} kernels", sources.len()), begin.elapsed())
}

/// Returns whether ld.lld can be started, and says so if it cannot.
pub fn has_linker() -> bool {
    let has_linker = Command::new(linked::LLD).arg("--version").output().is_ok();
    if !has_linker {
        println!("LEFT OUT: code objects, {} cannot be started; Debian's package lld-22 has it", linked::LLD);
    }
    has_linker
}

fn label(source: &Path, configuration: &Configuration) -> String {
    format!("{} {}", source.file_name().unwrap_or_default().to_string_lossy(), configuration.name)
}

/// The kernels, in the order of their names.
fn sources(only: &str) -> Result<Vec<PathBuf>> {
    let directory = root().join("tests/kernels");
    let mut sources: Vec<PathBuf> = directory
        .read_dir()
        .with_context(|| format!("{} cannot be read", directory.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "cl" || e == "ll"))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(only)))
        .collect();
    sources.sort();
    if sources.is_empty() { bail!("{} holds no such kernel", directory.display()) } else { Ok(sources) }
}

/// Compiles all kernels in two configurations. Returns their assembly and its target.
pub fn assembly<'a>(scratch: &Path, processor: &'a str) -> Result<Vec<(String, Target<'a>)>> {
    let compiled = assembly_of(scratch, &["O1", "short-branches"], processor)?;
    Ok(compiled.into_iter().map(|(_, text, target)| (text, target)).collect())
}

/// Compiles all kernels for a processor in the named configurations. Returns a label, the assembly and its target; kernels that do not
/// compile are left out.
pub fn assembly_of<'a>(
    scratch: &Path,
    names: &[&str],
    processor: &'a str,
) -> Result<Vec<(String, String, Target<'a>)>> {
    let sources = sources("")?;
    let configurations = || {
        let named = CONFIGURATIONS.iter().filter(|c| names.contains(&c.name));
        named.filter_map(|c| Some((c, c.target(processor)?)))
    };
    let jobs: Vec<(&PathBuf, &Configuration, Target<'_>)> =
        sources.iter().flat_map(|s| configurations().map(move |(c, target)| (s, c, target))).collect();
    let texts = in_parallel(&jobs, |at, (source, configuration, target)| {
        let path = scratch.join(format!("original{at}.s"));
        Ok(match compiled(source, configuration, *target, &path)? {
            Ok(target) => Some((label(source, configuration), std::fs::read_to_string(&path)?, target)),
            Err(_) => None,
        })
    })?;
    Ok(texts.into_iter().flatten().collect())
}

/// Compiles one kernel and compares what both assemblers make of it.
fn one(
    (source, configuration, target): (&Path, &Configuration, Target<'_>),
    assembly: &Path,
    program: &Path,
    has_linker: bool,
) -> Result<Comparison> {
    let target = match compiled(source, configuration, target, assembly)? {
        Ok(target) => target,
        Err(messages) => return Ok(Comparison::NotCompiled(messages)),
    };
    assembled(assembly, target, program, has_linker, assembly)
}

/// Compares what both assemblers and both linkers make of an assembly file. Their output goes to files that are called
/// `output` but for the extension, and is removed.
pub fn assembled(
    assembly: &Path,
    target: Target<'_>,
    program: &Path,
    has_linker: bool,
    output: &Path,
) -> Result<Comparison> {
    let llvm = assemblers::llvm(assembly, target, &output.with_extension("llvm"))?;
    let ours = assemblers::ours(program, assembly, target, Emit::Object, &output.with_extension("isa"))?;
    let linked = match &llvm {
        Ok(object) if has_linker => linked(object, assembly, target, program, output)?,
        _ => Linked::LeftOut,
    };
    for extension in ["llvm", "isa", "lld", "co"] {
        let _ = std::fs::remove_file(output.with_extension(extension));
    }
    Ok(Comparison::Compared(assemblers::outcome(ours, llvm)?, linked))
}

/// Links a program with both linkers.
fn linked(object: &[u8], assembly: &Path, target: Target<'_>, program: &Path, output: &Path) -> Result<Linked> {
    let to = output.with_extension("co");
    let theirs = linked::lld(&output.with_extension("llvm"), &output.with_extension("lld"))?;
    let ours = assemblers::ours(program, assembly, target, Emit::CodeObject, &to)?;
    Ok(match (ours, theirs) {
        (Err(_), Err(messages)) => Linked::Neither(messages),
        (Err(messages), Ok(_)) => Linked::Refused(messages),
        (Ok(_), Err(messages)) => Linked::Differ(vec![format!("ld.lld refuses it: {}", error_line(&messages))]),
        (Ok(ours), Ok(theirs)) => {
            let mut differences = linked::differences(&ours, &theirs, object)?;
            differences.extend(linked::complaints(&to)?);
            if differences.is_empty() { Linked::Equal } else { Linked::Differ(differences) }
        }
    })
}

/// Compiles one kernel: what its assembly is for, or the compiler's messages.
fn compiled<'a>(
    source: &Path,
    configuration: &Configuration,
    target: Target<'a>,
    assembly: &Path,
) -> Result<Result<Target<'a>, String>> {
    let text = std::fs::read_to_string(source)?;
    let triples = ["amdgcn-amd-amdpal", "amdgcn-mesa-mesa3d"];
    let triple = triples.into_iter().find(|triple| text.contains(triple)).unwrap_or(Target::GFX1100.triple);
    let mut command;
    if source.extension().is_some_and(|e| e == "cl") {
        command = Command::new(CLANG);
        command.args(["-x", "cl", "-target", triple, "-nogpulib", "-cl-std=CL2.0", "-w", "-S"]);
        command.arg(format!("-mcpu={}", target.processor)).args(configuration.clang);
    } else {
        command = Command::new(LLC);
        command.arg(format!("-mcpu={}", target.processor)).args(configuration.llc);
    }
    match process::output(command.arg(source).arg("-o").arg(assembly), LIMIT)? {
        Some(output) if output.success => {}
        Some(output) => return Ok(Err(output.stderr)),
        None => return Ok(Err(format!("error: took longer than {} s", LIMIT.as_secs()))),
    }
    Ok(Ok(Target { triple, ..target }))
}

/// The line of messages that says the first error, without where it is: the file's name and the line's number differ between
/// programs with the same error.
pub fn error_line(messages: &str) -> &str {
    let error = messages.lines().find(|line| is_error(line)).or(messages.lines().next()).unwrap_or("no message");
    error.find("rror:").map_or(error, |at| error.get(at + 5..).unwrap_or_default().trim_start())
}

fn is_error(line: &str) -> bool {
    line.contains("error:") || line.contains("ERROR:")
}

/// The first error of messages in one line: what is wrong, and the line of the source that is shown with it.
fn first_error(messages: &str) -> String {
    let what = error_line(messages);
    let source = messages.lines().skip_while(|line| !is_error(line)).skip(1).take(4).find_map(|line| {
        let shown = match line.split_once(" |") {
            Some((number, shown)) if number.trim().parse::<u32>().is_ok() => shown,
            Some(_) => return None,
            None => line,
        };
        (!shown.trim().is_empty() && !shown.trim_start().starts_with("-->")).then(|| shown.trim())
    });
    source.map_or_else(|| what.to_string(), |source| format!("{what}: `{source}`"))
}

/// The messages about programs, and the number of programs for each outcome.
#[derive(Default)]
struct Report<'a> {
    /// Programs by what is said of them.
    lists: BTreeMap<String, Vec<&'a str>>,
    counts: BTreeMap<&'static str, usize>,
    bytes: usize,
}

impl<'a> Report<'a> {
    /// Counts an outcome; `said` is empty where nothing is to be told.
    fn add(&mut self, label: &'a str, outcome: &'static str, said: &str) {
        *self.counts.entry(outcome).or_default() += 1;
        if !said.is_empty() {
            self.lists.entry(format!("{outcome}: {said}")).or_default().push(label);
        }
    }

    fn object(&mut self, label: &'a str, outcome: &Outcome) {
        match outcome {
            Outcome::Equal(size) => {
                self.bytes += size;
                self.add(label, "equal", "");
            }
            Outcome::BothRefuse => self.add(label, "refused by both", "no object"),
            Outcome::NoAnswer => self.add(label, "refused by both", "LLVM crashes or does not end"),
            Outcome::Refused(messages) => self.add(label, "refused", &first_error(messages)),
            Outcome::Accepted(messages) => {
                self.add(label, "DIFFER", &format!("LLVM refuses: {}", first_error(messages)))
            }
            Outcome::Differ(differences) => self.add(label, "DIFFER", &differences.join("\n  ")),
        }
    }

    fn code_object(&mut self, label: &'a str, linked: &Linked) {
        match linked {
            Linked::Equal => self.add(label, "code objects equal", ""),
            Linked::Neither(messages) => {
                self.add(label, "code objects refused by both", error_line(messages));
            }
            Linked::Refused(messages) => self.add(label, "code objects refused", &first_error(messages)),
            Linked::Differ(differences) => self.add(label, "code objects DIFFER", &differences.join("\n  ")),
            Linked::LeftOut => self.add(label, "code objects left out", ""),
        }
    }
}

/// Prints the differences and the number of programs for each outcome; an error if one differs.
pub fn report(labels: &[String], outcomes: &[Comparison], programs: &str, time: Duration) -> Result<()> {
    let mut report = Report::default();
    for (label, outcome) in labels.iter().zip(outcomes) {
        match outcome {
            Comparison::NotCompiled(messages) => report.add(label, "not compiled", &first_error(messages)),
            Comparison::Compared(outcome, linked) => {
                report.object(label, outcome);
                report.code_object(label, linked);
            }
        }
    }
    for (said, labels) in &report.lists {
        println!("{said}\n    {} programs: {}", labels.len(), labels.join(", "));
    }
    println!("{} {programs}, {:.0} s, {} bytes compared:", labels.len(), time.as_secs_f64(), report.bytes);
    for (outcome, count) in &report.counts {
        println!("{count:>8} {outcome}");
    }
    let differ: usize = ["DIFFER", "code objects DIFFER"].iter().filter_map(|outcome| report.counts.get(outcome)).sum();
    if differ > 0 { bail!("{differ} programs differ from LLVM's") } else { Ok(()) }
}
