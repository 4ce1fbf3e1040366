//! `isa lint`: missing waits and hazards in code objects, assembly and raw bytes.

mod report;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use amdgpu_arch::{Arch, TargetSelection, Wave};
use amdgpu_asm::{Assembly, Diagnostics, Target, decode};
use amdgpu_dis::{CodeSection, Image, Limits, LintOptions, ObjectError, ObjectFile, is_binary};
use amdgpu_report::ResolvedLint;
use report::Report;

use crate::arguments::wave_parser;
use crate::asm::{Includes, report as messages, select_part};
use crate::failure::{self, Failure};
use crate::{files, input};

/// The processor of a program whose source does not name one.
const DEFAULT_TARGET: &str = "rdna3";

/// The arguments of `isa lint`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 without findings, as in a file without code, 1 with findings or for a file that cannot be read, 2 for wrong \
    usage. A finding is certain if every run that takes some edge of the control flow meets it."
)]
pub struct Args {
    /// Code object or object, or a bundle, program, library or archive that holds some, or assembly; `-` is standard input
    file: PathBuf,
    /// Report possible findings too: faults on some path through the code, hazards that only one of LLVM and ACO avoids, and what is
    /// a fault only if other waves use the data
    #[arg(long)]
    possible: bool,
    /// Require padding after the code, for code that is loaded without a code object
    #[arg(long)]
    padding: bool,
    /// FILE holds nothing but code
    #[arg(long, requires = "arch")]
    raw: bool,
    /// Instruction set: rdna3, rdna3.5 or LLVM's name of a processor; of a bundle, the code objects for it are checked [default: the
    /// file's]
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse)]
    arch: Option<TargetSelection>,
    /// Work-items of a wave [default: from descriptors, metadata and callers, else 32]
    #[arg(long, value_name = "32|64", value_parser = wave_parser())]
    wave: Option<Wave>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Also write the findings to a file in the format SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Look in this directory for files that assembly includes
    #[arg(short = 'I', value_name = "DIRECTORY")]
    include: Vec<PathBuf>,
}

impl Args {
    /// Which findings to report about code that may be a part of a shader.
    fn options(&self, has_shader_parts: bool) -> LintOptions {
        LintOptions { possible: self.possible, padding: self.padding, has_shader_parts }
    }
}

/// Runs `isa lint`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let file = input::name(&args.file);
    let bytes = input::read(&args.file)?;
    let about = |e| Failure::about(&file, e);
    let mut report = Report::new(&file, args.json);
    let mut failures: Vec<String> = Vec::new();
    let wanted = args.arch.as_ref();
    if args.raw {
        let arch = wanted.map_or(Arch::Rdna3, |wanted| wanted.arch);
        check_arch(arch).map_err(about)?;
        let section = CodeSection::raw(&bytes, arch, args.wave.unwrap_or(Wave::W32));
        report.add(ResolvedLint::of_section(&section, args.options(false), None));
    } else if is_assembly(&args.file, &bytes) {
        let text = select_part(decode(bytes), wanted).map_err(about)?;
        if !assembly(args, &file, &text, &mut report)? {
            return Ok(ExitCode::FAILURE);
        }
    } else {
        let opened = files::open(&file, &bytes, wanted)?;
        for image in &opened.images {
            report.begin_image(&image.place);
            let name = image.name(&file);
            match linted(args, &name, image, &mut report).map_err(|e| Failure::about(&name, e)) {
                Err(Failure::Message(message)) if opened.images.len() > 1 => failures.push(message),
                outcome => outcome?,
            }
        }
        failures.extend(opened.damages.iter().map(|damage| format!("{file}: {damage}")));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    report.write(&mut out)?;
    out.flush()?;
    if let Some(path) = &args.sarif {
        report.write_sarif(path)?;
    }
    for message in &failures {
        failure::show(message);
    }
    Ok(if report.is_empty() && failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Lints a code object.
fn linted(args: &Args, name: &str, image: &Image<'_>, report: &mut Report<'_>) -> Result<(), String> {
    let said = |error| files::message(&error);
    let object = image.object_file(&Limits::default()).map_err(said)?;
    let arch = object.arch_or(args.arch.as_ref().map(|wanted| wanted.arch), image.is_file()).map_err(said)?;
    check_arch(arch)?;
    for section in &code_of(name, &object, arch, args.wave).map_err(said)? {
        report.add(ResolvedLint::of_section(section, args.options(object.has_shader_parts()), None));
    }
    Ok(())
}

/// Returns the executable sections of an object; of one without code, which a note says, none.
fn code_of<'a>(
    name: &str,
    object: &ObjectFile<'a>,
    arch: Arch,
    wave: Option<Wave>,
) -> Result<Vec<CodeSection<'a>>, ObjectError> {
    match object.sections(arch, wave) {
        Err(error) if error.is_without_code() => {
            failure::note(format_args!("{name}: {error}"));
            Ok(Vec::new())
        }
        sections => sections,
    }
}

/// Lints a program's source. Returns `false` if it has errors, which are shown.
fn assembly(args: &Args, file: &str, text: &str, report: &mut Report) -> Result<bool, Failure> {
    let about = |e| Failure::about(file, e);
    let includes = Includes::new(&args.include);
    let target = args.arch.as_ref().map_or_else(|| Target::parse(DEFAULT_TARGET), |wanted| Ok(Target::of(wanted)));
    let target = target.map_err(|error| about(error.to_string()))?;
    check_arch(target.arch).map_err(about)?;
    let (program, wave) = assembled(text, target, args.wave, &includes);
    let named = program.as_ref().map_or_else(Diagnostics::named_target, Assembly::named_target);
    match named.filter(|named| args.arch.is_none() && named.arch != target.arch) {
        // Once only: conditions in the source can make it name another target then.
        Some(named) => {
            check_arch(named.arch).map_err(about)?;
            let (program, wave) = assembled(text, named, args.wave, &includes);
            linted_assembly(args, file, named, (program, wave), report)
        }
        None => linted_assembly(args, file, target, (program, wave), report),
    }
}

/// Assembles a source in the given wave size or, without one, in that in which it has fewer errors. Returns the wave size if it is
/// given or found so.
fn assembled(
    text: &str,
    target: Target,
    wave: Option<Wave>,
    includes: &Includes,
) -> (Result<Assembly, Diagnostics>, Option<Wave>) {
    let assemble = |wave| {
        let options =
            amdgpu_asm::Options { includes: Some(includes), listing: true, ..amdgpu_asm::Options::new(target, wave) };
        amdgpu_asm::assemble(text, &options)
    };
    let program = assemble(wave.unwrap_or(Wave::W32));
    // The text of instructions depends on the wave size: a source with errors in wave32 may be wave64 code.
    if wave.is_none()
        && let Err(diagnostics) = &program
    {
        let wide = assemble(Wave::W64);
        if wide.as_ref().map_or_else(|errors| errors, Assembly::diagnostics).len() < diagnostics.len() {
            return (wide, Some(Wave::W64));
        }
    }
    (program, wave)
}

/// Lints a program. Returns `false` if it has errors, which are shown.
fn linted_assembly(
    args: &Args,
    file: &str,
    target: Target,
    (program, wave): (Result<Assembly, Diagnostics>, Option<Wave>),
    report: &mut Report,
) -> Result<bool, Failure> {
    let about = |e| Failure::about(file, e);
    messages::show(file, program.as_ref().map_or_else(|errors| errors, Assembly::diagnostics));
    let Ok(program) = program else { return Ok(false) };
    let bytes = program.to_object_file().map_err(|error| about(error.to_string()))?;
    let said = |error| about(files::message(&error));
    let object = ObjectFile::parse(&bytes, &Limits::default()).map_err(said)?;
    let sections = code_of(file, &object, target.arch, wave).map_err(said)?;
    for (mut section, statements) in sections.into_iter().zip(&program.statements()) {
        section.mark_data(&statements.data);
        let options = args.options(object.has_shader_parts());
        report.add(ResolvedLint::of_section(&section, options, Some((program.source(), statements))));
    }
    Ok(true)
}

/// Whether the file is the source of a program: its name says so, or it comes from standard input and is text.
fn is_assembly(path: &Path, bytes: &[u8]) -> bool {
    let is_named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("s"));
    let is_text = || {
        let is_control = |byte: &u8| *byte < b' ' && !byte.is_ascii_whitespace();
        path.as_os_str() == "-" && !bytes.is_empty() && !bytes.iter().any(is_control)
    };
    !is_binary(bytes) && (is_named || is_text())
}

fn check_arch(arch: Arch) -> Result<(), String> {
    if arch.is_rdna() { Ok(()) } else { Err(format!("{} has no rules to lint by yet", arch.name())) }
}
