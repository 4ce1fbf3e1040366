//! Requirements of some tests outside the repository: programs of LLVM 22, and `../shared`.
//!
//! Where it is absent, a test leaves a comparison out and a line on standard error says so. `cargo test` shows that line although
//! the test passes: the harness captures what `print!` and `eprint!` write, not the handle itself.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::paths::shared;

/// Says that `what` is left out, why, and how to have it checked. A test program says the same once.
pub fn left_out(what: &str, why: &str, remedy: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let line = format!("LEFT OUT: {what}: {why}; {remedy}");
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(line.clone()) {
        // A test does not fail because nobody reads its standard error.
        let _ = writeln!(io::stderr(), "{line}");
    }
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
