//! `isa explain`: one instruction, drawn bit by bit, with what it reads, writes and computes.

use std::io::{self, Write};
use std::process::ExitCode;

use amdgpu_arch::hex::{self, Accept};
use amdgpu_arch::{Instr, Reader, TargetSelection, Wave};
use amdgpu_report::Explanation;

use crate::arguments::wave_parser;
use crate::failure::Failure;

/// The arguments of `isa explain`.
#[derive(clap::Args)]
#[command(after_help = "Exit status: 0 for an instruction, 1 for anything else, 2 for wrong usage.\n\
    Examples:\n  isa explain v_add_f32 v0, v1, v2\n  isa explain 01050006\n  isa explain --json 'global_load_b128 v[0:3], v4, s[2:3]'")]
pub struct Args {
    /// An instruction: its text, or its bytes in hex in the order of memory
    #[arg(value_name = "HEX|TEXT", required = true, num_args = 1.., allow_hyphen_values = true)]
    instruction: Vec<String>,
    /// Instruction set: rdna3, rdna3.5, rdna4, gcn1.0, gcn1.1, gcn1.2, gcn1.4, or LLVM's name of a processor that has one of them
    #[arg(long, visible_alias = "mcpu", value_parser = TargetSelection::parse, default_value = "rdna3")]
    arch: TargetSelection,
    /// Work-items of a wave
    #[arg(long, value_name = "32|64", value_parser = wave_parser(), default_value = "32")]
    wave: Wave,
    /// As a JSON document
    #[arg(long)]
    json: bool,
}

/// Runs `isa explain`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let reader = Reader::new(args.arch.arch, args.wave);
    let text = args.instruction.join(" ");
    let instr = read(&text, reader).map_err(Failure::Message)?;
    let explained = Explanation::new(&instr, reader).map_err(|error| Failure::Message(error.to_string()))?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", explained.to_json())?;
    } else {
        explained.write(&mut out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads hex, if the text is nothing else, or assembly.
fn read(text: &str, reader: Reader) -> Result<Instr, String> {
    let is_hex = |c: char| c.is_ascii_hexdigit() || c.is_ascii_whitespace() || ",[]xX".contains(c);
    if text.chars().all(is_hex) {
        return hex::instr(text.as_bytes(), reader, Accept::ReservedCodes).map_err(|error| error.to_string());
    }
    reader.parse(text).map_err(|error| format!("column {}: {error}", error.start + 1))
}
