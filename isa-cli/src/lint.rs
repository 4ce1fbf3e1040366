//! `isa lint`: what stands in a code object and must not, or is missing.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use rdna3::lint::{Finding, Program};

use crate::arch::{Arch, Instr, Wave};
use crate::dis::code::{Row, Section};
use crate::dis::elf::Object;
use crate::dis::symbol::SymbolKind;
use crate::failure::Failure;
use crate::input;

/// The arguments of `isa lint`.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 0 without findings, 1 with findings or for a file that cannot be read, 2 for wrong \
    usage. A finding is certain: it happens whenever some edge of the control flow is taken."
)]
pub struct Args {
    /// ELF code object of RDNA3; `-` is standard input
    file: PathBuf,
    /// Report too what happens on some path through the code, if that path is ever taken
    #[arg(long)]
    possible: bool,
    /// Hold the code to its padding too: what is behind the file's code is not known to be readable
    #[arg(long)]
    padding: bool,
    /// Work-items of a wave [default: from descriptors, metadata and callers, else 32]
    #[arg(long, value_name = "32|64", value_parser = crate::arch::wave_parser())]
    wave: Option<Wave>,
}

/// Runs `isa lint`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let file = input::name(&args.file);
    let bytes = input::read(&args.file)?;
    let about = |e| Failure::about(&file, e);
    let object = Object::parse(&bytes).map_err(about)?;
    let arch = object.arch().map_err(about)?;
    if arch != Arch::Rdna3 {
        return Err(Failure::about(&file, format!("{} has no rules to lint by yet", arch.name())));
    }
    let sections = object.sections(arch, args.wave).map_err(about)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut count = 0usize;
    for section in &sections {
        for run in runs(section, arch)? {
            count += report(&mut out, section, &run, args)?;
        }
    }
    let plural = if count == 1 { "" } else { "s" };
    writeln!(out, "{count} finding{plural}")?;
    out.flush()?;
    Ok(if count == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Instructions one behind the other, of one wave size.
struct Run {
    wave: Wave,
    instrs: Vec<rdna3::Instr>,
    offsets: Vec<usize>,
    /// The indices of branches whose targets a linker has yet to fill in.
    unresolved: Vec<usize>,
    /// Whether the section ends behind it.
    last: bool,
}

/// The instructions of a section, parted where something else stands between.
fn runs(section: &Section<'_>, arch: Arch) -> Result<Vec<Run>, Failure> {
    let mut runs: Vec<Run> = Vec::new();
    let mut end = None;
    section.rows(arch, |row: Row<'_>| {
        if let Some(&Instr::Rdna3(instr, wave)) = row.instr() {
            let goes_on = end == Some(row.offset) && runs.last().is_some_and(|r| r.wave == wave);
            if !goes_on {
                runs.push(Run { wave, instrs: Vec::new(), offsets: Vec::new(), unresolved: Vec::new(), last: false });
            }
            if let Some(run) = runs.last_mut() {
                let is_relocated = section.relocations.binary_search_by_key(&row.offset, |r| r.offset).is_ok();
                if is_relocated && instr.branch_offset().is_some() {
                    run.unresolved.push(run.instrs.len());
                }
                run.instrs.push(instr);
                run.offsets.push(row.offset);
            }
            end = Some(row.offset + row.bytes.len());
        }
        Ok::<(), Failure>(())
    })?;
    if let Some(run) = runs.last_mut() {
        run.last = end == Some(section.bytes.len());
    }
    Ok(runs)
}

/// Prints the findings of a run; gives how many there are.
fn report(out: &mut impl Write, section: &Section<'_>, run: &Run, args: &Args) -> Result<usize, Failure> {
    let starts = section.symbols.iter().filter(|s| matches!(s.kind, SymbolKind::Kernel(..) | SymbolKind::Function(..)));
    let entries: Vec<usize> = starts.filter_map(|s| run.offsets.binary_search(&s.offset).ok()).collect();
    let mut program = Program::with_unresolved(&run.instrs, run.wave, &entries, &run.unresolved);
    if run.last {
        program = program.whole();
    }
    if run.last && args.padding {
        program = program.padded();
    }
    let certain = program.certain();
    for finding in &certain {
        print(out, section, run, finding, "")?;
    }
    let mut count = certain.len();
    if args.possible {
        for finding in program.possible().iter().filter(|f| !certain.iter().any(|c| (c.at, c.wait) == (f.at, f.wait))) {
            print(out, section, run, finding, " (on some path)")?;
            count += 1;
        }
    }
    Ok(count)
}

fn print(out: &mut impl Write, section: &Section<'_>, run: &Run, f: &Finding, remark: &str) -> Result<(), Failure> {
    let about = f.registers.map_or_else(String::new, |r| format!(" ({r})"));
    writeln!(out, "{}: {}{about}{remark} [guide §{}]", place(section, run, f.at), f.rule.text(), f.rule.section())?;
    writeln!(out, "    here:    {}", f.instr.display(f.wave))?;
    if let Some((at, instr)) = f.earlier {
        writeln!(out, "    earlier: {}: {}", place(section, run, at), instr.display(f.wave))?;
    }
    writeln!(out, "    help:    {}", f.help())?;
    Ok(())
}

/// An instruction's address, and the symbol it is behind.
fn place(section: &Section<'_>, run: &Run, at: usize) -> String {
    let offset = run.offsets.get(at).copied().unwrap_or_default();
    let address = section.address_of(offset);
    let before = section.symbols.iter().rev().find(|s| s.offset <= offset && !matches!(s.kind, SymbolKind::Data(_)));
    before.map_or_else(|| format!("0x{address:x}"), |s| format!("0x{address:x} <{}+0x{:x}>", s.name, offset - s.offset))
}
