//! LLVM's tools, against which tests hold the library.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use isa_tests::needs::llvm;

/// A tool of LLVM 22, or `None` and a message that a comparison is left out.
pub fn tool(name: &str) -> Option<Command> {
    let package = name.strip_prefix("llvm-").map_or(name, |_| "llvm").replace("ld.lld", "lld");
    let name = format!("{name}-22");
    let tool = llvm("objects as LLVM writes them", &name, &format!("{package}-22"))?;
    let mut command = Command::new("timeout");
    command.arg("60").arg(tool);
    Some(command)
}

/// A path for a test's files, which has to have its own name.
pub fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    folder.join(name)
}

/// Assembles a program with llvm-mc. Returns the object, or the messages; `None` if llvm-mc is not installed.
pub fn assemble(name: &str, program: &str, triple: &str, options: &[&str]) -> Option<Result<Vec<u8>, String>> {
    let mut command = tool("llvm-mc")?;
    let (source, object) = (path(&format!("{name}.s")), path(&format!("{name}.o")));
    fs::write(&source, program).unwrap();
    command.args([&format!("-triple={triple}"), "-filetype=obj", "-o"]).arg(&object).arg(&source).args(options);
    let output = command.output().unwrap();
    Some(if output.status.success() { Ok(fs::read(&object).unwrap()) } else { Err(text(&output)) })
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines of a program at which llvm-mc reports errors. `None` if it is not installed.
#[allow(dead_code, reason = "not every test program needs it")]
pub fn refused_lines(name: &str, program: &str, triple: &str, options: &[&str]) -> Option<Vec<usize>> {
    let messages = assemble(name, program, triple, options)?.err().unwrap_or_default();
    let line = |message: &str| {
        let (_, place) = message.split_once(&format!("{name}.s:"))?;
        message.contains(": error:").then(|| place.split(':').next()?.parse().ok()).flatten()
    };
    Some(messages.lines().filter_map(line).collect())
}
