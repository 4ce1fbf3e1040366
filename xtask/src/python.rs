//! The Python package: builds and installs it in a virtual environment, and runs its tests.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;

/// The interpreter.
const PYTHON: &str = "python3";

/// Returns why the package cannot be built.
pub fn lacking() -> Option<String> {
    let output = Command::new(PYTHON).args(["-c", "import ensurepip, venv, ctypes"]).output();
    match output {
        Ok(output) if output.status.success() => None,
        Ok(_) => Some("python3 has no venv or pip; Debian's package python3-venv has them".into()),
        Err(_) => Some("python3 cannot be started; Debian's packages python3 and python3-venv have it".into()),
    }
}

/// Formats and lints the binding, installs the package with its dependencies from PyPI, and runs pytest and mypy.
pub fn run() -> Result<()> {
    let package = root().join("bindings/python");
    let environment = root().join("target/python-venv");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    execute(Command::new(&cargo).args(["fmt", "--check"]), &package)?;
    execute(Command::new(&cargo).args(["clippy", "--release", "--locked", "--", "-D", "warnings"]), &package)?;
    execute(Command::new(PYTHON).args(["-m", "venv", "--clear"]).arg(&environment), &package)?;
    let python = environment.join("bin/python");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ".[test]"];
    execute(Command::new(&python).args(pip), &package)?;
    execute(Command::new(&python).args(["-m", "pytest", "-q", "-ra"]), &package)?;
    let mut mypy = Command::new(&python);
    mypy.args(["-m", "mypy", "--strict"]).args(STUBS).args(["tests", "examples"]).env("MYPYPATH", "python");
    execute(&mut mypy, &package)
}

/// The type stubs of the package.
const STUBS: [&str; 4] = [
    "python/amdgpu_isa/__init__.pyi",
    "python/amdgpu_isa/_errors.pyi",
    "python/amdgpu_isa/_native.pyi",
    "python/amdgpu_isa/triton/__init__.pyi",
];

fn execute(command: &mut Command, folder: &Path) -> Result<()> {
    let status = command.current_dir(folder).status().with_context(|| format!("{command:?} cannot be started"))?;
    if status.success() { Ok(()) } else { bail!("{command:?}: {status}") }
}
