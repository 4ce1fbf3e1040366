//! Other programs, run with input and a time limit.

use std::env;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The program `isa`, which is built beside this one.
pub fn program() -> Result<PathBuf> {
    let here = env::current_exe()?;
    let path = here.parent().unwrap_or_else(|| Path::new(".")).join("isa");
    if !path.exists() {
        bail!("{} is not there: cargo build --release --workspace makes it", path.display());
    }
    Ok(path)
}

/// Runs a program with `input` on its standard input and gives what it wrote to both outputs. It is ended when it takes
/// longer than `limit`.
pub fn filter(command: &mut Command, input: String, limit: Duration) -> Result<(String, String)> {
    let name = command.get_program().to_string_lossy().into_owned();
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().with_context(|| format!("{name} cannot be started"))?;
    let stdin = child.stdin.take();
    let writer = thread::spawn(move || stdin.map(|mut to| to.write_all(input.as_bytes())));
    let readers = [
        child.stdout.take().map(|from| thread::spawn(move || slurp(from))),
        child.stderr.take().map(|from| thread::spawn(move || slurp(from))),
    ];
    let begin = Instant::now();
    while child.try_wait()?.is_none() {
        if begin.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("{name} took longer than {} s", limit.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
    // A program that stops reading early says why on its standard error.
    let _ = writer.join();
    let [out, err] = readers.map(|r| r.and_then(|thread| thread.join().ok()).unwrap_or_default());
    Ok((out, err))
}

fn slurp(mut from: impl Read) -> String {
    let mut bytes = Vec::new();
    // The output before an error is kept: the caller sees that lines are missing.
    let _ = from.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs a program to its end; `None` if it was ended because it took longer than `limit`.
pub fn output(command: &mut Command, limit: Duration) -> Result<Option<Output>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().with_context(|| format!("{name} cannot be started"))?;
    let readers = [
        child.stdout.take().map(|from| thread::spawn(move || slurp(from))),
        child.stderr.take().map(|from| thread::spawn(move || slurp(from))),
    ];
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if begin.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let [_, stderr] = readers.map(|r| r.and_then(|thread| thread.join().ok()).unwrap_or_default());
    Ok(status.map(|status| Output { success: status.success(), stderr }))
}

/// How a program ended and what it wrote to its standard error.
pub struct Output {
    /// Whether its exit status is 0.
    pub success: bool,
    /// Its standard error.
    pub stderr: String,
}
