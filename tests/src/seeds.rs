//! Inputs that hostile ones are made of: well-formed inputs of each fuzz target (`fuzz/src/lib.rs`), from files of the repository.

use std::fs;
use std::io;
use std::path::Path;

use crate::paths::root;
use crate::sets::Set;
use crate::vectors::{Line, golden_of};

/// How many golden instructions make a piece of code or a program.
const TOGETHER: usize = 20;

/// An input of a fuzz target.
#[derive(Debug, Clone)]
pub struct Seed {
    /// The name of the target.
    pub target: &'static str,
    /// The name of the input.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
}

impl Seed {
    /// Creates an input.
    pub fn new(target: &'static str, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { target, name: name.into(), bytes: bytes.into() }
    }

    /// Creates an input that begins with bytes that select a set, a wave size and more.
    #[must_use]
    pub fn selecting(target: &'static str, name: String, first: &[u8], rest: &[u8]) -> Self {
        Self { target, name, bytes: [first, rest].concat() }
    }
}

/// Returns the seeds that need no other programs.
///
/// # Errors
/// A file cannot be read.
pub fn seeds() -> io::Result<Vec<Seed>> {
    let mut seeds = Vec::new();
    let mut arch = 0;
    let mut all = Ok(());
    crate::each_set!(S => {
        all = all.and(instructions::<S>(arch, &mut seeds));
        arch += 1;
    });
    all?;
    programs(&mut seeds)?;
    files(&mut seeds)?;
    texts(&mut seeds);
    Ok(seeds)
}

/// Adds golden instructions of a set as lines, code, programs and kernels. `arch` is its index in the list of sets.
fn instructions<S: Set>(arch: u8, seeds: &mut Vec<Seed>) -> io::Result<()> {
    let lines = golden_of::<S>()?;
    for (column, _) in S::MODES {
        let wide = u8::from(*column == "wave64");
        let first = arch << 1 | wide;
        let mine: Vec<&Line> = lines.iter().filter(|line| line.wave == *column).collect();
        for (nth, line) in mine.iter().enumerate().step_by(3) {
            seeds.push(Seed::selecting("parse", format!("line{first}-{nth}"), &[first], line.text.as_bytes()));
        }
        for (nth, chunk) in mine.chunks(TOGETHER).enumerate() {
            let words = chunk.iter().flat_map(|line| line.words()).flat_map(u32::to_le_bytes);
            let code: Vec<u8> = words.collect();
            seeds.push(Seed::selecting("decode", format!("code{first}-{nth}"), &[first], &code));
            if nth % 4 == 0 {
                let text: Vec<&str> = chunk.iter().map(|line| line.text.as_str()).collect();
                seeds.push(Seed::selecting(
                    "program",
                    format!("lines{first}-{nth}"),
                    &[first],
                    text.join("\n").as_bytes(),
                ));
            }
            if arch < 3 {
                let selection = [nth as u8, first, (nth as u8).wrapping_mul(5)];
                seeds.push(Seed::selecting("execute", format!("code{first}-{nth}"), &selection, &code));
            }
        }
    }
    Ok(())
}

/// Adds programs, and the beginnings of what tests assemble.
fn programs(seeds: &mut Vec<Seed>) -> io::Result<()> {
    for path in ["tests/src/seeds/program.s", "examples/macros.s", "examples/squares.s"] {
        let text = fs::read(root().join(path))?;
        for first in [0, 1, 2, 4, 64, 12] {
            seeds.push(Seed::selecting("program", format!("{}{first}", name(Path::new(path))), &[first], &text));
        }
        seeds.push(Seed::new("object", name(Path::new(path)), text));
    }
    Ok(())
}

/// Adds code objects and containers.
fn files(seeds: &mut Vec<Seed>) -> io::Result<()> {
    let mut paths = Vec::new();
    for entry in root().join("examples").read_dir()? {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|kind| kind == "co" || kind == "o")) {
        add_object(seeds, &name(path), &fs::read(path)?);
    }
    let bundles = root().join("isa-defs/amdgpu-bundle/tests/files");
    for entry in bundles.read_dir()? {
        let path = entry?.path();
        seeds.push(Seed::new("bundle", name(&path), fs::read(&path)?));
    }
    Ok(())
}

/// Adds a code object as an input of all targets that read one.
pub fn add_object(seeds: &mut Vec<Seed>, name: &str, file: &[u8]) {
    for target in ["elf", "object", "bundle"] {
        seeds.push(Seed::new(target, name, file));
    }
    seeds.push(Seed::selecting("launch", name.to_owned(), &[128], file));
}

/// Adds cases, names and metadata.
fn texts(seeds: &mut Vec<Seed>) {
    const CASES: [&str; 3] = [
        r#"{"name": 1, "code_hex": "02060002000081bf0000b0bf", "init": {"v": {"0": [1, 2]}, "s": {"3": 7}, "exec": 3, "scc": 1}}"#,
        r#"{"code_hex": "0000b0bf", "wave": 64, "mode": 960, "code_addr": 4096, "init": {"waves": [{"vcc": 1}, {"m0": 2}],
            "mem": [{"addr": 65536, "hex": "0011", "size": 64}], "lds": [{"addr": 0, "hex": "ff"}], "scratch": {"1": []}}}"#,
        r#"{"code_hex": "f0ff82bf"}"#,
    ];
    for (nth, case) in CASES.iter().enumerate() {
        for first in [0, 2, 4, 8] {
            let line = case.replace('\n', " ");
            seeds.push(Seed::selecting("cases", format!("case{nth}-{first}"), &[first], line.as_bytes()));
        }
    }
    const NAMES: [&str; 9] = [
        "_ZN2ns4fillEPii",
        "_RNvCs1234_7mycrate3foo",
        "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
        "race,missing-wait,-hazard",
        "race * [kernel.cl]\nhazard fill a.c:*",
        "amdgcn-amd-amdhsa--gfx90a:xnack+:sramecc-",
        "hipv4-amdgcn-amd-amdhsa--gfx1100",
        "NAME=-0x12",
        "0x2c0a (SPI_SHADER_PGM_RSRC1_VS)",
    ];
    for (nth, text) in NAMES.iter().enumerate() {
        seeds.push(Seed::new("names", format!("name{nth}"), *text));
    }
    seeds.push(Seed::new(
        "object",
        "yaml",
        "amdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n    .args: [{.size: 8}]\n",
    ));
    seeds.push(Seed::new("object", "pal", "amdpal.pipelines: [{.registers: {0x2c0a (X): 1}}]\n"));
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
