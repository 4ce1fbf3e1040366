//! The seed corpus of the fuzz targets: `isa_tests::seeds`, and compiled kernels and programs as assembly and as code objects.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use isa_tests::paths::root;
use isa_tests::seeds::{Seed, add_object, seeds};

use crate::{execute, programs};

/// The processors that kernels are compiled for, and the byte of the target `program` that selects their set and wave32.
const PROCESSORS: [(&str, u8); 3] = [("gfx1100", 0), ("gfx1151", 2), ("gfx1200", 4)];

/// The largest assembly: changes of longer ones find little for their time.
const MAX_ASSEMBLY: usize = 20_000;

/// Writes `fuzz/corpus`.
pub fn run() -> Result<()> {
    let mut all = seeds()?;
    match programs::lacking() {
        None => PROCESSORS.into_iter().try_for_each(|(processor, first)| compiled(processor, first, &mut all))?,
        Some(why) => println!("LEFT OUT: seeds of compiled kernels, {why}"),
    }
    let corpus = root().join("fuzz/corpus");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in &all {
        let folder = corpus.join(seed.target);
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        fs::write(folder.join(&seed.name), &seed.bytes).with_context(|| format!("{} cannot be written", seed.name))?;
        *counts.entry(seed.target).or_default() += 1;
    }
    println!("{}: {counts:?} files", corpus.display());
    Ok(())
}

/// Adds the kernels of tests/kernels as assembly, and the programs of tests/programs as code objects.
fn compiled(processor: &str, first: u8, seeds: &mut Vec<Seed>) -> Result<()> {
    programs::compiled(&["O2"], processor, |label, text, is_wave64| {
        if text.len() <= MAX_ASSEMBLY {
            let name = format!("{processor}-{}", label.replace(['/', ' '], "-"));
            seeds.push(Seed::selecting("program", name, &[first | u8::from(is_wave64)], text.as_bytes()));
        }
        Ok(())
    })?;
    programs::in_scratch(|scratch| {
        for source in execute::sources("")? {
            let name = format!("{processor}-{}", execute::name(&source));
            let file = scratch.join(&name);
            // Programs that a processor lacks instructions for are not compiled.
            if execute::compile(&source, processor, &[execute::C, &["-O2"]].concat(), &file)?.is_none() {
                add_object(seeds, &name, &fs::read(&file)?);
            }
        }
        Ok(())
    })
}
