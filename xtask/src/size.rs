//! The size that decoding and printing add to a program without std: `xtask/size` has a program that does nothing, one that
//! decodes and one that prints. Their code and constants are compared with each other and with limits.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;
use object::{Object, ObjectSection, SectionFlags, elf};

use crate::nostd::{folder, installed};

/// Programs without std are linked for it.
const TARGET: &str = "thumbv7em-none-eabihf";
/// The programs, and how many KiB they may have above the first.
const PROGRAMS: [(&str, f64); 3] = [("nothing", 0.0), ("decode", 128.0), ("print", 400.0)];

/// Builds the programs and weighs them.
pub fn run() -> Result<()> {
    if !installed(TARGET)? {
        println!("LEFT OUT: {TARGET}, rustup target add {TARGET} installs it");
        return Ok(());
    }
    let folder = folder()?.with_file_name("size");
    let manifest = root().join("xtask/size/Cargo.toml");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--release", "-q", "--locked", "--target", TARGET, "--manifest-path"]).arg(manifest);
    if !command.arg("--target-dir").arg(&folder).status().context("cargo cannot be started")?.success() {
        bail!("xtask/size does not build");
    }
    let mut base = [0; 2];
    for (name, most) in PROGRAMS {
        let path = folder.join(TARGET).join("release").join(name);
        let file = fs::read(&path).with_context(|| format!("{} is not there", path.display()))?;
        let [code, data] = weigh(&object::File::parse(&*file)?);
        if name == "nothing" {
            base = [code, data];
            continue;
        }
        let (code, data) = (code - base[0], data - base[1]);
        let kib = (code + data) as f64 / 1024.0;
        println!("{TARGET}: {name} adds {code} bytes of code and {data} of constants: {kib:.1} KiB, {most:.0} at most");
        if kib > most {
            bail!("{name} has grown beyond {most:.0} KiB");
        }
    }
    Ok(())
}

/// How many bytes of code and of other things are loaded.
fn weigh(file: &object::File<'_>) -> [u64; 2] {
    let mut sizes = [0; 2];
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
        if sh_flags.0 & elf::SHF_ALLOC.0 != 0 {
            sizes[usize::from(sh_flags.0 & elf::SHF_EXECINSTR.0 == 0)] += section.size();
        }
    }
    sizes
}
