//! Builds for other targets.
//!
//! The step "no std" shows that the run-time crates need neither std nor an allocator: it links `xtask/no-std`, which uses them all,
//! for a target without std and as a WebAssembly module, which must not import a function. The step "other hosts" compiles the
//! executor for a host of 32 bits and for a big-endian one, and the program `isa` for Windows.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;

/// The targets, and what comes of a build for each.
const TARGETS: [(&str, &str); 2] =
    [("thumbv7em-none-eabihf", "libno_std.a"), ("wasm32-unknown-unknown", "no_std.wasm")];

/// The packages of the executor.
const EXECUTOR: &[&str] = &["-p", "isa-exec", "-p", "amdgpu-dispatch", "-p", "rdna3", "--features", "rdna3/exec"];

/// Other hosts, and the packages that must compile for them.
const HOSTS: [(&str, &[&str]); 3] = [
    ("i686-unknown-linux-gnu", EXECUTOR),
    // The other crates of the executor have nothing that depends on the order of bytes.
    ("s390x-unknown-linux-gnu", &["-p", "isa-exec"]),
    ("x86_64-pc-windows-gnu", &["-p", "isa-cli"]),
];

/// The packages that must not build, and the errors of the compiler.
const CONTROLS: [(&str, [&str; 2]); 2] = [
    ("control-std", ["can't find crate for `std`", "found duplicate lang item `panic_impl`"]),
    ("control-alloc", ["no global memory allocator found", "no global memory allocator found"]),
];

/// Why nothing can be built, if none of the targets is installed.
pub fn lacking() -> Option<String> {
    let names = TARGETS.map(|(target, _)| target);
    let none = names.iter().all(|target| !matches!(installed(target), Ok(true)));
    none.then(|| format!("no core library for {}; rustup target add installs one", names.join(" or ")))
}

/// Builds for each target whose core library is installed, then again with what must fail.
pub fn run() -> Result<()> {
    for (target, product) in TARGETS {
        if !installed(target)? {
            println!("LEFT OUT: {target}, rustup target add {target} installs it");
            continue;
        }
        let folder = folder()?;
        if let Err(said) = build(target, &folder, &[])? {
            bail!("{target}: {said}");
        }
        let path = folder.join(target).join("release").join(product);
        let bytes = fs::read(&path).with_context(|| format!("{} is not there", path.display()))?;
        if product.ends_with(".wasm") && imports(&bytes)? {
            bail!("{} asks for functions from outside", path.display());
        }
        for (feature, reasons) in CONTROLS {
            match build(target, &folder, &["--features", feature])? {
                Ok(()) => bail!("{target}: {feature} builds: this check is worth nothing"),
                Err(said) if reasons.iter().any(|reason| said.contains(reason)) => {}
                Err(said) => bail!("{target}: {feature} fails for another reason: {said}"),
            }
        }
        println!("{target}: {product} built, {} bytes; with std and with alloc it does not build", bytes.len());
    }
    Ok(())
}

/// Returns why the other hosts cannot be compiled for: the targets that are not installed.
pub fn lacking_hosts() -> Option<String> {
    let missing: Vec<&str> =
        HOSTS.iter().map(|(target, _)| *target).filter(|target| !matches!(installed(target), Ok(true))).collect();
    let names = missing.join(" ");
    (!missing.is_empty()).then(|| format!("no std for {names}; `rustup target add {names}` installs it"))
}

/// Checks packages for each of the other hosts.
pub fn check_hosts() -> Result<()> {
    for (target, packages) in HOSTS {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // The profile of the other steps, whose macros need not be built again.
        command.args(["check", "--release", "-q", "--locked", "--target", target]).args(packages);
        let status = command.current_dir(root()).status().context("cargo cannot be started")?;
        if !status.success() {
            bail!("{} do not compile for {target}", packages.join(" "));
        }
        println!("{target}: compiles");
    }
    Ok(())
}

/// Whether the core library is there for a target.
pub fn installed(target: &str) -> Result<bool> {
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", target]).current_dir(root()).output();
    let output = output.context("rustc cannot be started")?;
    Ok(output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// Where it is built: beside what this program was built into.
pub fn folder() -> Result<PathBuf> {
    let program = env::current_exe()?;
    Ok(program.parent().and_then(Path::parent).context("this program stands nowhere")?.join("no-std"))
}

/// Builds it; what the compiler says if it does not build.
fn build(target: &str, folder: &Path, more: &[&str]) -> Result<Result<(), String>> {
    let manifest = root().join("xtask/no-std/Cargo.toml");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "-q", "--locked", "--target", target, "--manifest-path"]).arg(manifest);
    command.arg("--target-dir").arg(folder).args(more);
    let output = command.output().context("cargo cannot be started")?;
    Ok(if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) })
}

/// Whether a WebAssembly module has a section of imports.
fn imports(module: &[u8]) -> Result<bool> {
    const IMPORTS: u8 = 2;
    let mut rest = module.strip_prefix(b"\0asm\x01\0\0\0").context("not a WebAssembly module")?;
    while let [id, behind @ ..] = rest {
        let (mut length, mut at) = (0usize, 0);
        loop {
            let byte = *behind.get(at).context("a section without a length")?;
            length |= usize::from(byte & 0x7f) << (7 * at);
            at += 1;
            if byte < 0x80 || at == 5 {
                break;
            }
        }
        if *id == IMPORTS {
            return Ok(true);
        }
        rest = behind.get(at + length..).context("a section goes past the end")?;
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::imports;

    #[test]
    fn sections() {
        let module = |sections: &[u8]| [b"\0asm\x01\0\0\0", sections].concat();
        assert!(!imports(&module(&[])).unwrap());
        assert!(!imports(&module(&[1, 2, 0, 0, 0, 0x80, 0])).unwrap());
        assert!(imports(&module(&[1, 2, 0, 0, 2, 1, 0])).unwrap());
        assert!(imports(&module(&[1, 9, 0])).is_err());
        assert!(imports(b"ELF").is_err());
    }
}
