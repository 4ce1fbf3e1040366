//! Counts the host instructions of a process with valgrind. Unlike times, they do not depend on the load of the machine.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The program.
pub const VALGRIND: &str = "valgrind";

/// Returns why it cannot be used.
pub fn lacking() -> Option<String> {
    let answer = Command::new(VALGRIND).arg("--version").output();
    let starts = answer.is_ok_and(|answer| answer.status.success());
    (!starts).then(|| format!("{VALGRIND} cannot be started; Debian's package {VALGRIND} has it"))
}

/// Returns how many host instructions a program executes from its start to its end.
pub fn instructions(program: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<f64> {
    let mut command = Command::new(VALGRIND);
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).args(args);
    let output = command.output().with_context(|| format!("{VALGRIND} cannot be started"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{command:?}: {}: {text}", output.status);
    }
    let line =
        text.lines().find(|line| line.contains("refs:")).with_context(|| format!("{VALGRIND} counted nothing"))?;
    let digits: String = line.rsplit(':').next().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    Ok(digits.parse()?)
}
