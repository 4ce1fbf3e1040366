//! Changes of the libraries' interfaces since an earlier commit, found by cargo-semver-checks.

use std::env;
use std::process::Command;

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;

/// The libraries whose interfaces are for others; the tool does not look at proc-macro crates.
const LIBRARIES: [&str; 21] = [
    "isa-core",
    "isa-body",
    "isa-schema",
    "isa-exec",
    "isa-parallel",
    "isa-runtime",
    "amdgpu-arch",
    "amdgpu-asm",
    "amdgpu-bundle",
    "amdgpu-dis",
    "amdgpu-dispatch",
    "amdgpu-memory",
    "amdgpu-object",
    "amdgpu-report",
    "amdgpu-operands",
    "gcn-rows",
    "gcn",
    "rdna-rows",
    "rdna3",
    "rdna3_5",
    "rdna4",
];

/// The arguments of `cargo xtask semver`.
#[derive(clap::Args)]
pub struct Args {
    /// The commit whose interfaces are the baseline
    #[arg(long, value_name = "COMMIT")]
    baseline: String,
    /// As what kind of release to judge the changes
    #[arg(long, value_name = "KIND", default_value = "minor", value_parser = ["major", "minor", "patch"])]
    release: String,
}

/// Runs it for one library after the other, also after one has failed.
pub fn run(args: &Args) -> Result<()> {
    let cargo = || Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    if !cargo().args(["semver-checks", "--version"]).output().is_ok_and(|output| output.status.success()) {
        println!(
            "LEFT OUT: cargo-semver-checks is not installed; cargo install --locked cargo-semver-checks installs it"
        );
        return Ok(());
    }
    let mut broken = Vec::new();
    for library in LIBRARIES {
        println!("\n==== {library}");
        let mut command = cargo();
        command.args(["semver-checks", "check-release", "--package", library, "--release-type", &args.release]);
        command.args(["--baseline-rev", &args.baseline]).current_dir(root());
        if !command.status().context("cargo cannot be started")?.success() {
            broken.push(library);
        }
    }
    if broken.is_empty() {
        println!("\nno library has changed beyond a {} release since {}", args.release, args.baseline);
        return Ok(());
    }
    bail!("changes beyond a {} release since {}, or no answer: {}", args.release, args.baseline, broken.join(", "))
}
