//! The shaders of another compiler, ACO, in `../shared/aco`: each S_WAITCNT_DEPCTR is taken out.

use anyhow::{Context, Result};
use rdna3::Wave;

use super::{Change, Linted, Program, Tally};
use rdna3::flags;

/// Takes out the waits of all shaders.
pub fn run(tally: &mut Tally) -> Result<()> {
    let folder = isa_tests::paths::root().join("../shared/aco/cases");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("LEFT OUT: the shaders of ACO, {} is not there", folder.display());
        return Ok(());
    };
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path)?;
        let wave = if text.lines().next().is_some_and(|line| line.contains("wave=64")) { Wave::W64 } else { Wave::W32 };
        let words = || {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.flat_map(|line| line.split(';').next().unwrap_or_default().split_whitespace())
        };
        let words = words().map(|word| u32::from_str_radix(word.trim_start_matches("0x"), 16));
        let words = words.collect::<Result<Vec<u32>, _>>().with_context(|| format!("{name} is not hex"))?;
        match name.split_once('_') {
            Some(("gfx1100", _)) => shader::<rdna3::Instr>(&name, &words, wave, tally)?,
            Some(("gfx1150", _)) => shader::<rdna3_5::Instr>(&name, &words, wave, tally)?,
            _ => {}
        }
    }
    Ok(())
}

fn shader<I: Linted>(name: &str, words: &[u32], wave: Wave, tally: &mut Tally) -> Result<()> {
    let instrs = I::read(words, wave)?;
    let mut program = Program::new(&instrs, wave, &[]);
    for finding in program.certain() {
        tally.before.entry(finding.rule.id()).or_default()[0] += 1;
        tally.show(&format!("a certain finding: {}", finding.rule.id()), name, &program, finding.at, "");
    }
    for at in (0..instrs.len()).filter(|&at| instrs[at].flags() & flags::WAITS_ALU != 0) {
        tally.take_out("ACO: ", name, &mut program, (&instrs, wave), &Change { at, original: None });
        program.replace(at, instrs[at]);
    }
    Ok(())
}
