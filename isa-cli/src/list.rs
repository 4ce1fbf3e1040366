//! `isa list`: the instructions of a set with their formats.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use amdgpu_arch::{Arch, TargetSelection, with_set};
use isa::Isa;
use regex_lite::{Regex, RegexBuilder};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::info::instruction::row;
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

/// An instruction.
struct Listed {
    /// As LLVM prints it.
    mnemonic: &'static str,
    /// In the order of the set's formats.
    formats: Vec<&'static str>,
    /// Older mnemonics, and that in pairs.
    aliases: Vec<&'static str>,
}

/// Runs `isa list`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let arch = args.arch.as_ref().map_or(Arch::Rdna3, |wanted| wanted.arch);
    let (formats, mut listed) = with_set!(arch, S => (formats::<S>(), instructions::<S>()));
    if let Some(wanted) = &args.format {
        let format = formats.iter().find(|format| format.eq_ignore_ascii_case(wanted));
        let format = *format.ok_or_else(|| Failure::Message(unknown_format(arch, &formats, wanted)))?;
        listed.retain(|instruction| instruction.formats.contains(&format));
    }
    if let Some(regex) = &args.grep {
        let is_match = |listed: &Listed| {
            std::iter::once(&listed.mnemonic).chain(&listed.aliases).any(|mnemonic| regex.is_match(mnemonic))
        };
        listed.retain(is_match);
    }
    if listed.is_empty() {
        return Err(Failure::Message(format!("{} has no such instruction", arch.name())));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if args.json {
        let instruction =
            |listed: &Listed| json!({"name": listed.mnemonic, "formats": listed.formats, "aliases": listed.aliases});
        writeln!(out, "{:#}", listed.iter().map(instruction).collect::<Value>())?;
    } else {
        let width = listed.iter().map(|listed| listed.mnemonic.len()).max().unwrap_or_default();
        for Listed { mnemonic, formats, aliases } in &listed {
            write!(out, "{mnemonic:width$}  {}", formats.join(" "))?;
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
    I::formats().iter().map(|format| format.name).collect()
}

/// Returns the instructions of a set, by mnemonic.
fn instructions<I: Isa>() -> Vec<Listed> {
    let new = |_| Listed { mnemonic: "", formats: Vec::new(), aliases: Vec::new() };
    let mut listed: Vec<Listed> = I::mnemonics().iter().map(new).collect();
    let mut entries: Vec<_> = I::entries().iter().collect();
    entries.sort_by_key(|entry| entry.format);
    for entry in entries {
        let Some((format, component, index, _)) = row::<I>(entry) else { continue };
        let Some(listed) = listed.get_mut(usize::from(index)) else { continue };
        let Some(slot) = component.slots.get(usize::from(entry.slot)) else { continue };
        if listed.mnemonic.is_empty() {
            listed.mnemonic = component.text(slot.number);
        }
        if !listed.formats.contains(&format.name) {
            listed.formats.push(format.name);
        }
        if entry.name != listed.mnemonic && !listed.aliases.contains(&entry.name) {
            listed.aliases.push(entry.name);
        }
    }
    listed.retain(|listed| !listed.mnemonic.is_empty());
    listed.sort_by_key(|listed| listed.mnemonic);
    listed
}
