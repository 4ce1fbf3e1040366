//! Requirements of some tests outside the repository: programs of LLVM 22, and `../shared`.
//!
//! Where it is absent, a test leaves a comparison out. Standard error says so once for each reason in a run of cargo, and [`summary`]
//! lists all comparisons at the end. `cargo test` shows these lines although the tests pass: the harness captures what `print!` and
//! `eprint!` write, not the handle itself.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::paths::{root, shared};

/// The file that lists what the test programs of this run of cargo leave out: a line for each comparison, the reason first.
fn record() -> PathBuf {
    #[cfg(unix)]
    let run = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let run = std::process::id();
    root().join(format!("target/left-out/{run}"))
}

/// Returns what has been left out in this run of cargo: the comparisons by their reasons.
fn recorded() -> BTreeMap<String, Vec<String>> {
    // An older run may have had a process of the same number.
    let is_recent = |path: &PathBuf| {
        let changed = fs::metadata(path).and_then(|data| data.modified());
        changed.is_ok_and(|at| at.elapsed().unwrap_or_default() < Duration::from_secs(3600))
    };
    let lines = Some(record()).filter(is_recent).and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (reason, what) in lines.lines().filter_map(|line| line.split_once('\t')) {
        let of_reason = all.entry(reason.to_string()).or_default();
        if of_reason.iter().all(|other| other != what) {
            of_reason.push(what.to_string());
        }
    }
    all
}

/// Writes to standard error itself. A test does not fail because nobody reads it.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Records that `what` is left out, why, and how to have it checked. Says it if it is the first comparison with this reason.
pub fn left_out(what: &str, why: &str, remedy: &str) {
    static RECORD: Mutex<()> = Mutex::new(());
    let _one_at_a_time = RECORD.lock().unwrap_or_else(PoisonError::into_inner);
    let reason = format!("{why}; {remedy}");
    let mut all = recorded();
    if !all.contains_key(&reason) {
        say(&format!("LEFT OUT: {what}: {reason}"));
    }
    all.entry(reason).or_default().push(what.to_string());
    let lines = all.iter().flat_map(|(reason, all)| all.iter().map(move |what| format!("{reason}\t{what}\n")));
    let path = record();
    let _ = path.parent().map(fs::create_dir_all);
    // Without the record, the line is said again.
    let _ = fs::write(path, lines.collect::<String>());
}

/// Lists what has been left out in this run of cargo, and forgets it. The last test program calls it.
pub fn summary() {
    for (reason, all) in recorded() {
        say(&format!("LEFT OUT: {} comparisons ({}): {reason}", all.len(), all.join(", ")));
    }
    say(
        "LEFT OUT: compile errors, all calls of builders, comparisons with LLVM beyond the golden vectors: `cargo xtask ci` checks them",
    );
    let _ = fs::remove_file(record());
}

/// The llvm-mc of LLVM 22 to compare `what` with: the path in `LLVM_MC`, or `llvm-mc-22`. Says that it is left out where that cannot
/// be started.
#[must_use]
pub fn llvm_mc(what: &str) -> Option<String> {
    program(
        what,
        &std::env::var("LLVM_MC").unwrap_or_else(|_| "llvm-mc-22".into()),
        "llvm-22",
        "; LLVM_MC=PATH names another",
    )
}

/// A program of LLVM 22 such as `llvm-readelf-22`, which `package` of Debian has. Says that `what` is left out where it cannot be
/// started.
#[must_use]
pub fn llvm(what: &str, name: &str, package: &str) -> Option<String> {
    program(what, name, package, "")
}

fn program(what: &str, name: &str, package: &str, otherwise: &str) -> Option<String> {
    let mut command = Command::new(name);
    let runs = command.arg("--version").stdin(Stdio::null()).output().is_ok_and(|output| output.status.success());
    if !runs {
        left_out(
            what,
            &format!("{name} cannot be started"),
            &format!("`apt-get install {package}` has it checked{otherwise}"),
        );
    }
    runs.then(|| name.to_string())
}

/// A file or folder of `../shared`. Says that `what` is left out where it is absent.
#[must_use]
pub fn shared_for(what: &str, path: &str) -> Option<PathBuf> {
    let found = shared(path);
    if found.is_none() {
        left_out(
            what,
            &format!("../shared/{path} does not exist"),
            "put ../shared beside the repository to have it checked",
        );
    }
    found
}
