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
/// How the label before each line begins.
const LABEL: &str = "line_";

/// The hex digits that each line assembles to; `None` for a line that LLVM refuses.
pub fn assemble<'a>(lines: impl Iterator<Item = &'a str>, machine: &Machine) -> Result<Vec<Option<String>>> {
    let lines: Vec<&str> = lines.collect();
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let mut command = Command::new(PROGRAM);
    command.args(["-triple=amdgcn-amd-amdhsa", "-show-encoding"]);
    command.arg(format!("-mcpu={}", machine.cpu)).arg(format!("-mattr={}", machine.features));
    // LLVM gives an encoding for some lines that it refuses, those with `nv` for one; labels say to which line it belongs.
    let input: String = lines.iter().enumerate().map(|(n, line)| format!("{LABEL}{n}:\n{line}\n")).collect();
    let (out, err) = process::filter(&mut command, input, LIMIT)?;
    // Messages are `<stdin>:3:9: error: …`.
    let number = |message: &str| {
        let mut parts = message.strip_prefix("<stdin>:")?.splitn(3, ':');
        let line = parts.next()?.parse::<usize>().ok()?;
        parts.nth(1)?.trim_start().starts_with("error").then(|| line.div_ceil(2) - 1)
    };
    let refused: HashSet<usize> = err.lines().filter_map(number).collect();
    let mut answers: Vec<Option<String>> = vec![None; lines.len()];
    let (mut at, mut labels) = (None, 0);
    for line in out.lines() {
        if let Some(label) = line.strip_prefix(LABEL).and_then(|rest| rest.split(':').next()) {
            at = label.parse::<usize>().ok();
            labels += 1;
        } else if let Some((_, list)) = line.split_once("encoding: [") {
            let bytes = list.trim_end_matches(']').split(',').map(|byte| byte.trim_start_matches("0x")).collect();
            if let Some(n) = at.filter(|n| !refused.contains(n)) {
                answers[n] = Some(bytes);
            }
        }
    }
    let given = answers.iter().filter(|a| a.is_some()).count();
    if labels != lines.len() || given + refused.len() != lines.len() {
        bail!("{PROGRAM}: {} lines in, {given} encodings and {} errors out", lines.len(), refused.len());
    }
    Ok(answers)
}
