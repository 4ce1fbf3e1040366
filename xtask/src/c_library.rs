//! The C library: builds and installs it, and runs its tests and examples.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;

use crate::python::{self, bindings_target};
use crate::valgrind::{self, VALGRIND};

/// The arguments of `cargo xtask c-library`.
#[derive(clap::Args)]
pub struct Args {
    /// Where to install: include, lib, lib/pkgconfig and lib/cmake are created there
    #[arg(long, value_name = "FOLDER")]
    prefix: PathBuf,
}

/// The names of the compilers, and of the program that knows their flags.
const COMPILERS: [&str; 3] = ["cc", "c++", "pkg-config"];
/// Random calls in CI, and those under valgrind, where each takes a hundred times as long.
const CALLS: &str = "20000";
const CALLS_UNDER_VALGRIND: &str = "2000";
/// How many times the host instructions of Rust's decoder `isa_decode_many` may execute, so that it has 0.9 of its rate.
const MOST_INSTRUCTIONS: f64 = 1.11;

/// Builds and installs the library.
pub fn run(args: &Args) -> Result<()> {
    build()?;
    install(&args.prefix)
}

/// Returns why the examples cannot be built.
pub fn lacking() -> Option<String> {
    let missing = COMPILERS.into_iter().find(|program| !starts(program))?;
    Some(format!("{missing} cannot be started; Debian's packages build-essential and pkg-config have it"))
}

/// Returns why the library is not checked with valgrind.
pub fn lacking_valgrind() -> Option<String> {
    lacking().or_else(valgrind::lacking)
}

/// Returns why the library is not used from CMake.
pub fn lacking_cmake() -> Option<String> {
    let cmake = || (!starts("cmake")).then(|| "cmake cannot be started; Debian's package cmake has it".into());
    lacking().or_else(cmake)
}

fn starts(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn folder() -> PathBuf {
    root().join("bindings/c")
}

fn target() -> PathBuf {
    bindings_target()
}

fn example(name: &str) -> PathBuf {
    target().join("release/examples").join(name)
}

/// Where CI installs the library.
fn prefix() -> PathBuf {
    root().join("target/c-prefix")
}

fn saxpy() -> PathBuf {
    root().join("bindings/python/examples/saxpy.s")
}

/// Formats and lints the crate, runs its tests and random calls, and builds and runs the examples, also with the address sanitizer.
pub fn check() -> Result<()> {
    cargo(&["fmt", "--check"])?;
    let header = ["run", "--quiet", "--locked", "--manifest-path", "header/Cargo.toml", "--target-dir"];
    let mut compare = Command::new(program());
    compare.args(header).arg(target().join("header")).args(["--", "--check"]).current_dir(folder());
    execute(&mut compare)?;
    cargo(&["clippy", "--release", "--locked", "--all-targets", "--", "-D", "warnings"])?;
    cargo(&["test", "--release", "--locked"])?;
    build()?;
    check_guide()?;
    if python::lacking().is_none() {
        check_features()?;
    }
    execute(Command::new(example("random_calls")).args([CALLS]))?;
    install(&prefix())?;
    for (variant, flags) in [("plain", &[][..]), ("sanitized", &["-fsanitize=address", "-g"])] {
        build_examples(&prefix().join(variant), flags)?;
        run_examples(&prefix().join(variant), &[])?;
    }
    Ok(())
}

/// The examples that the guide shows word for word.
const GUIDE_EXAMPLES: [&str; 2] = ["decode_loop.c", "check_kernel.c"];

/// Checks that the guide shows the examples word for word.
fn check_guide() -> Result<()> {
    let guide = fs::read_to_string(root().join("docs/guide/c.md"))?;
    for name in GUIDE_EXAMPLES {
        let source = fs::read_to_string(folder().join("examples").join(name))?;
        if !guide.contains(&format!("```c\n{source}```\n")) {
            bail!("docs/guide/c.md does not show bindings/c/examples/{name} as it is");
        }
    }
    Ok(())
}

/// Checks that both crates of the workspace enable the same features of what they depend on: others are compiled twice.
fn check_features() -> Result<()> {
    let [library, package] = [features("amdgpu-isa-c")?, features("amdgpu-isa-python")?];
    let differing: Vec<_> = library.iter().filter(|line| !package.contains(line)).collect();
    let is_own = |line: &&&String| line.starts_with("amdgpu-isa-c ");
    match differing.iter().find(|line| !is_own(line)) {
        None if differing.len() == 1 => Ok(()),
        None => bail!("`cargo tree` does not list amdgpu-isa-c"),
        Some(line) => bail!("the Python package has other features than the C library, which has `{line}`"),
    }
}

/// Returns the crates that a crate of the workspace depends on, with their versions and features.
fn features(package: &str) -> Result<Vec<String>> {
    let mut tree = Command::new(program());
    tree.args(["tree", "--locked", "--edges", "normal,build", "--prefix", "none", "--no-dedupe"]);
    tree.args(["--format", "{p} {f}", "--package", package]).current_dir(folder());
    let output = tree.output().with_context(|| format!("{tree:?} cannot be started"))?;
    if !output.status.success() {
        bail!("{tree:?}: {}{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    let mut lines: Vec<_> = String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect();
    lines.sort();
    lines.dedup();
    Ok(lines)
}

/// Runs the examples and random calls under valgrind; leaks are errors. The step before has built them.
pub fn check_valgrind() -> Result<()> {
    const MEMORY_CHECK: [&str; 7] = [
        VALGRIND,
        "--quiet",
        "--error-exitcode=9",
        "--leak-check=full",
        // Without `possible`: the standard library and crossbeam keep pointers into blocks, and pointers with tags.
        "--errors-for-leak-kinds=definite,indirect",
        "--show-leak-kinds=definite,indirect",
        "--fair-sched=yes",
    ];
    run_examples(&prefix().join("plain"), &MEMORY_CHECK)?;
    let mut calls = Command::new(VALGRIND);
    calls.args(&MEMORY_CHECK[1..]).arg(example("random_calls")).args([CALLS_UNDER_VALGRIND]);
    execute(&mut calls)?;
    check_decode_rate()
}

/// Counts the host instructions of `isa_decode_many` and of Rust's decoder: their times differ from run to run by more than is allowed.
fn check_decode_rate() -> Result<()> {
    const ROUNDS: &str = "20";
    let instructions = |decoder: &str, rounds: &str| valgrind::instructions(&example("decode_rate"), [decoder, rounds]);
    let of_rounds = |decoder: &str| Ok(instructions(decoder, ROUNDS)? - instructions(decoder, "0")?);
    let [rust, c]: [Result<f64>; 2] = ["rust", "c"].map(of_rounds);
    let (rust, c) = (rust?, c?);
    let times = c / rust;
    println!("isa_decode_many executes {times:.3} times the host instructions of Rust's decoder");
    if times > MOST_INSTRUCTIONS {
        bail!(
            "isa_decode_many executes {times:.3} times the host instructions of Rust's decoder, {MOST_INSTRUCTIONS} times are allowed"
        );
    }
    Ok(())
}

/// Builds and tests the examples with CMake. The step before has installed the library.
pub fn check_cmake() -> Result<()> {
    let build = root().join("target/c-cmake");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(folder().join("examples")).arg("-B").arg(&build);
    execute(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix().display())))?;
    execute(Command::new("cmake").arg("--build").arg(&build))?;
    execute(Command::new("ctest").arg("--output-on-failure").current_dir(&build))
}

fn build() -> Result<()> {
    cargo(&["build", "--release", "--locked", "--lib", "--examples"])
}

/// Copies the header, the libraries and the files of pkg-config and CMake to a prefix.
fn install(prefix: &Path) -> Result<()> {
    let (from, built) = (folder(), target().join("release"));
    let manifest = fs::read_to_string(from.join("Cargo.toml"))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    let version = version.context("bindings/c/Cargo.toml has no version")?;
    let mut parts = version.split('.');
    let (major, minor) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let [include, lib] = ["include", "lib"].map(|name| prefix.join(name));
    let [pkgconfig, cmake] = ["pkgconfig", "cmake/amdgpu_isa"].map(|name| lib.join(name));
    for folder in [&include, &pkgconfig, &cmake] {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    copy(&from.join("include/amdgpu_isa.h"), &include.join("amdgpu_isa.h"))?;
    copy(&built.join("libamdgpu_isa.a"), &lib.join("libamdgpu_isa.a"))?;
    let full = format!("libamdgpu_isa.so.{version}");
    copy(&built.join("libamdgpu_isa.so"), &lib.join(&full))?;
    for link in [format!("libamdgpu_isa.so.{major}"), "libamdgpu_isa.so".into()] {
        let link = lib.join(link);
        if fs::symlink_metadata(&link).is_ok() {
            fs::remove_file(&link)?;
        }
        std::os::unix::fs::symlink(&full, &link).with_context(|| link.display().to_string())?;
    }
    copy(&from.join("cmake/amdgpu_isaConfig.cmake"), &cmake.join("amdgpu_isaConfig.cmake"))?;
    for (template, to) in [
        ("amdgpu_isa.pc.in", pkgconfig.join("amdgpu_isa.pc")),
        ("cmake/amdgpu_isaConfigVersion.cmake.in", cmake.join("amdgpu_isaConfigVersion.cmake")),
    ] {
        let text = fs::read_to_string(from.join(template))?;
        let text = text.replace("@VERSION@", version).replace("@MAJOR@", major).replace("@MINOR@", minor);
        fs::write(&to, text).with_context(|| to.display().to_string())?;
    }
    println!("installed to {}", prefix.display());
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("{} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Compiles the examples through pkg-config: with the shared library, the last one also with the other.
fn build_examples(to: &Path, flags: &[&str]) -> Result<()> {
    fs::create_dir_all(to)?;
    let shared = pkg_config(&["--cflags", "--libs"])?;
    let mut linked = pkg_config(&["--cflags", "--libs", "--static"])?;
    // The archive instead of the library that the linker prefers.
    for flag in &mut linked {
        if flag == "-lamdgpu_isa" {
            *flag = format!("{}/lib/libamdgpu_isa.a", prefix().display());
        }
    }
    let examples = folder().join("examples");
    let programs = [
        ("cc", "-std=c99", "disasm.c", "disasm", &shared),
        ("cc", "-std=c99", "decode_loop.c", "decode_loop", &shared),
        ("cc", "-std=c99", "check_kernel.c", "check_kernel", &shared),
        ("c++", "-std=c++17", "saxpy.cpp", "saxpy", &shared),
        ("c++", "-std=c++17", "saxpy.cpp", "saxpy-static", &linked),
    ];
    for (compiler, standard, source, program, libraries) in programs {
        let mut command = Command::new(compiler);
        command.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror"]).args(flags);
        execute(command.arg(examples.join(source)).arg("-o").arg(to.join(program)).args(libraries))?;
    }
    Ok(())
}

fn pkg_config(arguments: &[&str]) -> Result<Vec<String>> {
    let mut command = Command::new("pkg-config");
    command.args(arguments).arg("amdgpu_isa").env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"));
    let output = command.output().with_context(|| format!("{command:?} cannot be started"))?;
    if !output.status.success() {
        bail!("{command:?}: {}{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?.split_whitespace().map(str::to_owned).collect())
}

/// Runs the examples, perhaps with a program before them.
fn run_examples(programs: &Path, before: &[&str]) -> Result<()> {
    let histogram = root().join("examples/histogram.gfx1100.co");
    let with_saxpy = Some(saxpy());
    let examples = [
        ("disasm", None),
        ("decode_loop", None),
        ("check_kernel", Some(histogram)),
        ("saxpy", with_saxpy.clone()),
        ("saxpy-static", with_saxpy),
    ];
    for (program, file) in examples {
        let path = programs.join(program);
        let mut command = match before {
            [] => Command::new(path),
            [first, rest @ ..] => {
                let mut command = Command::new(first);
                command.args(rest).arg(path);
                command
            }
        };
        command.args(file);
        execute(command.env("LD_LIBRARY_PATH", prefix().join("lib")))?;
    }
    Ok(())
}

fn program() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

fn cargo(arguments: &[&str]) -> Result<()> {
    execute(Command::new(program()).args(arguments).current_dir(folder()).env("CARGO_TARGET_DIR", target()))
}

fn execute(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("{command:?} cannot be started"))?;
    if status.success() { Ok(()) } else { bail!("{command:?}: {status}") }
}
