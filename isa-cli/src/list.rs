//! `isa list`: the instructions of a set with their formats.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use amdgpu_arch::{Arch, OpcodeEntry, TargetSelection, opcodes, with_set};
use isa::Isa;
use regex_lite::{Regex, RegexBuilder};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::input::printable;

/// The arguments of `isa list`.
#[derive(clap::Args)]
#[command(
    after_help = "Each line has a mnemonic, its formats and, in parentheses, older mnemonics and the mnemonic in dual-issue pairs (VOPD). `isa info MNEMONIC` prints the facts of one.\n\
    Exit status: 0 when there are such instructions, 1 when there are none, 2 for wrong usage."
)]
pub struct Args {
    /// Instruction set: rdna3, rdna3.5, rdna4, gcn1.0, gcn1.1, gcn1.2, gcn1.4 or LLVM's name of a processor [default: rdna3]
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse)]
    arch: Option<TargetSelection>,
    /// Only instructions with an encoding in this format, such as VOP3 or MUBUF; capitals do not matter
    #[arg(long)]
    format: Option<String>,
    /// Only instructions with a mnemonic in which this regular expression matches; capitals do not matter
    #[arg(long, value_name = "RE", value_parser = regex)]
    grep: Option<Regex>,
    /// As JSON: an array with an object for each instruction
    #[arg(long)]
    json: bool,
}

/// Reads a regular expression.
fn regex(text: &str) -> Result<Regex, String> {
    RegexBuilder::new(text).case_insensitive(true).build().map_err(|error| error.to_string())
}

/// Runs `isa list`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let arch = args.arch.as_ref().map_or(Arch::Rdna3, |wanted| wanted.arch);
    let formats = with_set!(arch, S => formats::<S>());
    let mut listed = opcodes(arch);
    if let Some(wanted) = &args.format {
        let format = formats.iter().find(|format| format.eq_ignore_ascii_case(wanted));
        let format = *format.ok_or_else(|| Failure::Message(unknown_format(arch, &formats, wanted)))?;
        listed.retain(|instruction| instruction.formats.contains(&format));
    }
    if let Some(regex) = &args.grep {
        let is_match = |listed: &OpcodeEntry| {
            std::iter::once(&listed.name).chain(&listed.aliases).any(|mnemonic| regex.is_match(mnemonic))
        };
        listed.retain(is_match);
    }
    if listed.is_empty() {
        return Err(Failure::Message(format!("{} has no such instruction", arch.name())));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if args.json {
        let instruction =
            |listed: &OpcodeEntry| json!({"name": listed.name, "formats": listed.formats, "aliases": listed.aliases});
        writeln!(out, "{:#}", listed.iter().map(instruction).collect::<Value>())?;
    } else {
        let width = listed.iter().map(|listed| listed.name.len()).max().unwrap_or_default();
        for OpcodeEntry { name, formats, aliases, .. } in &listed {
            write!(out, "{name:width$}  {}", formats.join(" "))?;
            if !aliases.is_empty() {
                write!(out, "  ({})", aliases.join(" "))?;
            }
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Says that a set does not have a format.
fn unknown_format(arch: Arch, formats: &[&str], wanted: &str) -> String {
    let near = isa::nearest(formats.iter().copied(), &wanted.to_ascii_uppercase());
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let wanted = printable(wanted.as_bytes());
    format!("{} has no format `{wanted}`; it has {}{near}", arch.name(), formats.join(", "))
}

/// Returns the names of the formats of a set.
fn formats<I: Isa>() -> Vec<&'static str> {
    I::tables().formats.iter().map(|format| format.name).collect()
}
