//! `isa asm` and llvm-mc on one source file.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::assembler::PROGRAM;
use crate::process;
use crate::programs::contents::Contents;

/// How long an assembler may take.
const LIMIT: Duration = Duration::from_secs(20);

/// The processor that a program is assembled for.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    pub triple: &'a str,
    pub processor: &'a str,
    /// LLVM's features to set.
    pub features: &'a str,
    pub wave64: bool,
}

impl Target<'static> {
    pub const GFX1100: Self = Self { triple: "amdgcn-amd-amdhsa", processor: "gfx1100", features: "", wave64: false };
}

/// The result of an assembler: a file, or messages.
pub type AssemblerAnswer = Result<Vec<u8>, String>;

/// The output of `isa asm`.
#[derive(Clone, Copy)]
pub enum Emit {
    Object,
    CodeObject,
}

/// The answer of `isa asm`.
pub fn ours(program: &Path, source: &Path, target: Target<'_>, emit: Emit, to: &Path) -> Result<AssemblerAnswer> {
    let mut command = Command::new(program);
    command.args(["asm", "--arch", target.processor, "--wave", if target.wave64 { "64" } else { "32" }]);
    command.args([
        "--emit",
        match emit {
            Emit::Object => "obj",
            Emit::CodeObject => "co",
        },
    ]);
    command.arg(source).arg("-o").arg(to);
    answer(&mut command, to)
}

/// The answer of llvm-mc.
pub fn llvm(source: &Path, target: Target<'_>, to: &Path) -> Result<AssemblerAnswer> {
    let mut command = Command::new(PROGRAM);
    command.arg(format!("-triple={}", target.triple)).arg(format!("-mcpu={}", target.processor));
    let wave = if target.wave64 { "+wavefrontsize64" } else { "" };
    command.arg(format!("-mattr={}", [wave, target.features].join(",").trim_matches(',')));
    command.arg("-filetype=obj").arg(source).arg("-o").arg(to);
    answer(&mut command, to)
}

fn answer(command: &mut Command, to: &Path) -> Result<AssemblerAnswer> {
    let Some(output) = process::output(command, LIMIT)? else {
        return Ok(Err(format!("took longer than {} s", LIMIT.as_secs())));
    };
    Ok(if output.success { Ok(std::fs::read(to)?) } else { Err(output.stderr) })
}

/// How both answers on a program compare.
pub enum Outcome {
    /// Both give the same bytes: their number.
    Equal(usize),
    /// Both refuse the program.
    BothRefuse,
    /// llvm-mc crashes or does not end.
    NoAnswer,
    /// `isa` refuses what LLVM accepts, with these messages.
    Refused(String),
    /// LLVM refuses what `isa` accepts, with these messages.
    Accepted(String),
    /// The bytes differ.
    Differ(Vec<String>),
}

/// Compares both answers.
pub fn outcome(ours: AssemblerAnswer, llvm: AssemblerAnswer) -> Result<Outcome> {
    Ok(match (ours, llvm) {
        (_, Err(messages)) if !messages.contains(": error: ") => Outcome::NoAnswer,
        (Err(_), Err(_)) => Outcome::BothRefuse,
        (Err(messages), Ok(_)) => Outcome::Refused(messages),
        (Ok(_), Err(messages)) => Outcome::Accepted(messages),
        (Ok(ours), Ok(llvm)) => {
            let (ours, llvm) = (Contents::of(&ours)?, Contents::of(&llvm)?);
            let differences = ours.differences(&llvm);
            if differences.is_empty() { Outcome::Equal(llvm.size()) } else { Outcome::Differ(differences) }
        }
    })
}
