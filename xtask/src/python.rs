//! The Python package: builds and installs it in a virtual environment, and runs its tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;

/// The interpreter.
const PYTHON: &str = "python3";
/// The interpreter of the system, which has Debian's packages.
const SYSTEM_PYTHON: &str = "/usr/bin/python3";
/// What examples need beyond the dependencies of the tests. Triton needs torch, whose package on PyPI has CUDA, so that it has to be there.
const TRITON: &str = "triton==3.6.0";
const TINYGRAD: &str = "tinygrad==0.14.0";

/// The target directory of the workspaces of bindings, which compile the same libraries with the same features.
pub fn bindings_target() -> PathBuf {
    root().join("target/bindings")
}

/// Returns whether an interpreter can import torch.
fn has_torch(python: &str) -> bool {
    Command::new(python).args(["-c", "import torch, ensurepip"]).output().is_ok_and(|output| output.status.success())
}

/// Installs packages that some tests can do without: those tests are left out where it fails.
fn install_if_possible(python: &Path, packages: &[&str]) {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "30"]).args(packages);
    if !pip.status().is_ok_and(|status| status.success()) {
        println!("LEFT OUT: {} cannot be installed from PyPI: the tests of examples that need it", packages.join(", "));
    }
}

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
    let lints = ["clippy", "--release", "--locked", "--", "-D", "warnings"];
    execute(Command::new(&cargo).args(lints).env("CARGO_TARGET_DIR", bindings_target()), &package)?;
    let with_torch = [PYTHON, SYSTEM_PYTHON].into_iter().find(|python| has_torch(python));
    let mut venv = Command::new(with_torch.unwrap_or(PYTHON));
    venv.args(["-m", "venv", "--clear"]).args(with_torch.map(|_| "--system-site-packages")).arg(&environment);
    execute(&mut venv, &package)?;
    let python = environment.join("bin/python");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ".[test]"];
    execute(Command::new(&python).args(pip).env("CARGO_TARGET_DIR", bindings_target()), &package)?;
    install_if_possible(&python, &[TINYGRAD]);
    if with_torch.is_some() {
        install_if_possible(&python, &[TRITON]);
    } else {
        println!("LEFT OUT: no torch, which Debian's package python3-torch has: the tests of Triton's kernels");
    }
    // Tests that are left out are listed with the reason.
    execute(Command::new(&python).args(["-m", "pytest", "-q", "-ra"]), &package)?;
    let mut mypy = Command::new(&python);
    mypy.args(["-m", "mypy", "--strict"]).args(STUBS).args(["tests", "examples"]).env("MYPYPATH", "python");
    execute(&mut mypy, &package)
}

/// The type stubs of the package, and the modules with annotations in the code.
const STUBS: [&str; 6] = [
    "python/amdgpu_isa/__init__.pyi",
    "python/amdgpu_isa/_errors.pyi",
    "python/amdgpu_isa/_native.pyi",
    "python/amdgpu_isa/triton/__init__.pyi",
    "python/amdgpu_isa/_cuda.py",
    "python/amdgpu_isa/pytest_plugin.py",
];

fn execute(command: &mut Command, folder: &Path) -> Result<()> {
    let status = command.current_dir(folder).status().with_context(|| format!("{command:?} cannot be started"))?;
    if status.success() { Ok(()) } else { bail!("{command:?}: {status}") }
}
