//! LLVM's assembler, run as a program.

use std::collections::HashSet;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::machine::Machine;
use crate::process;

/// The program.
pub const PROGRAM: &str = "llvm-mc-22";
const LIMIT: Duration = Duration::from_secs(120);

/// The hex digits that each line assembles to; `None` for a line that LLVM refuses.
pub fn assemble<'a>(lines: impl Iterator<Item = &'a str>, machine: &Machine) -> Result<Vec<Option<String>>> {
    let lines: Vec<&str> = lines.collect();
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let mut command = Command::new(PROGRAM);
    command.args(["-triple=amdgcn-amd-amdhsa", "-show-encoding"]);
    command.arg(format!("-mcpu={}", machine.cpu)).arg(format!("-mattr={}", machine.features));
    let (out, err) = process::filter(&mut command, lines.join("\n") + "\n", LIMIT)?;
    // Messages are `<stdin>:3:9: error: …`; lines without one give an encoding each, in order.
    let number = |message: &str| {
        let mut parts = message.strip_prefix("<stdin>:")?.splitn(3, ':');
        let line = parts.next()?.parse::<usize>().ok()?;
        parts.nth(1)?.trim_start().starts_with("error").then_some(line)
    };
    let refused: HashSet<usize> = err.lines().filter_map(number).collect();
    let mut encodings = out.lines().filter_map(|line| {
        let (_, list) = line.split_once("encoding: [")?;
        Some(list.trim_end_matches(']').split(',').map(|byte| byte.trim_start_matches("0x")).collect::<String>())
    });
    let answers: Vec<Option<String>> =
        (1..=lines.len()).map(|n| if refused.contains(&n) { None } else { encodings.next() }).collect();
    let given = answers.iter().filter(|a| a.is_some()).count();
    if given + refused.len() != lines.len() || encodings.next().is_some() {
        bail!("{PROGRAM}: {} lines in, {given} encodings and {} errors out", lines.len(), refused.len());
    }
    Ok(answers)
}
