//! What the fuzz targets begin with: the golden vectors as code, as lines and as programs, and real code objects.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use isa_tests::vectors::{golden, root, shared};
use rdna3::Wave;

use crate::listing;

/// How many golden instructions make a piece of code or a program.
const TOGETHER: usize = 20;
/// Files above this size are no seeds: a fuzzer changes a few bytes of them in a second.
const LARGEST: u64 = 64 << 10;

/// A program with one of everything that programs have.
const PROGRAM: &str = include_str!("seeds/program.s");

/// Writes `fuzz/corpus`.
pub fn run() -> Result<()> {
    let corpus = root().join("fuzz/corpus");
    let lines = golden()?;
    let mut counts = [0; 4];
    let mut put = |target: usize, name: &str, bytes: &[u8]| -> Result<()> {
        let folder = corpus.join(["decode", "parse", "program", "elf"][target]);
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        counts[target] += 1;
        fs::write(folder.join(name), bytes).with_context(|| format!("{name} cannot be written"))
    };
    for (nth, line) in lines.iter().enumerate().step_by(3) {
        put(1, &format!("line{nth}"), line.text.as_bytes())?;
    }
    for (wave, tag) in [(Wave::W32, 0u8), (Wave::W64, 1)] {
        let mine: Vec<_> = lines.iter().filter(|line| line.mode() == wave).collect();
        for (nth, chunk) in mine.chunks(TOGETHER).enumerate() {
            let words = chunk.iter().flat_map(|line| line.words()).flat_map(u32::to_le_bytes);
            let code: Vec<u8> = std::iter::once(tag).chain(words).collect();
            put(0, &format!("code{tag}-{nth}"), &code)?;
            if nth % 4 == 0 {
                let text: Vec<&str> = chunk.iter().map(|line| line.text.as_str()).collect();
                put(2, &format!("lines{tag}-{nth}"), text.join("\n").as_bytes())?;
            }
        }
    }
    put(2, "program", PROGRAM.as_bytes())?;
    let mut objects = listing::objects(&root().join("examples"))?;
    objects.extend(shared("corpus").map(|folder| listing::objects(&folder)).transpose()?.unwrap_or_default());
    for path in objects.iter().filter(|path| fs::metadata(path).is_ok_and(|m| m.len() <= LARGEST)) {
        let name = path.file_name().map(Path::new).unwrap_or(path).display().to_string();
        put(3, &name, &fs::read(path)?)?;
    }
    println!("{}: decode, parse, program, elf: {counts:?} files", corpus.display());
    Ok(())
}
