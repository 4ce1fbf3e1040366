//! The seed corpus of the fuzz targets: the golden vectors as code, as lines and as programs, and an example.

use std::fs;

use anyhow::{Context, Result};
use isa_tests::paths::root;
use isa_tests::vectors::golden;
use rdna3::Wave;

/// How many golden instructions make a piece of code or a program.
const TOGETHER: usize = 20;
/// A program with one of everything that programs have.
const PROGRAM: &str = include_str!("seeds/program.s");
/// A program with macros, repetitions and conditions.
const MACROS: &str = include_str!("../../examples/macros.s");

/// A compressed bundle.
const BUNDLE: &[u8] = include_bytes!("../../isa-defs/amdgpu-bundle/tests/files/two.ccob");

/// Writes `fuzz/corpus`.
pub fn run() -> Result<()> {
    let corpus = root().join("fuzz/corpus");
    let lines = golden()?;
    let mut counts = [0; 5];
    let mut put = |target: usize, name: &str, bytes: &[u8]| -> Result<()> {
        let folder = corpus.join(["decode", "parse", "program", "elf", "bundle"][target]);
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
    put(2, "macros", MACROS.as_bytes())?;
    let folder = root().join("examples");
    let mut objects: Vec<_> = folder.read_dir()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    objects.retain(|path| path.extension().is_some_and(|x| x == "co" || x == "o"));
    for path in objects {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        put(3, &name, &fs::read(&path)?)?;
    }
    put(4, "two.ccob", BUNDLE)?;
    println!("{}: decode, parse, program, elf, bundle: {counts:?} files", corpus.display());
    Ok(())
}
