//! Decodes a sample of all words: every upper half of the first dword with some of everything else.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use anyhow::{Result, bail};
use isa_tests::vectors::hex;
use rdna3::{DecodeError, Instr, Wave};

use crate::rng::Rng;

/// How much to try.
#[derive(clap::Args)]
pub struct Args {
    /// How many lower halves for each upper half of the first dword
    #[arg(long, default_value_t = 32)]
    pub low: usize,
    /// How many second and third dwords for each first one
    #[arg(long, default_value_t = 8)]
    pub more: usize,
}

/// What became of the words of one format.
#[derive(Default)]
struct Counts {
    canonical: u64,
    odd: u64,
}

/// Prints counts for each format; an error if something panics or does not come back as it was.
pub fn run(args: &Args) -> Result<()> {
    let begin = Instant::now();
    let mut rng = Rng::new(7);
    let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
    let (mut refused, mut tried) = (0u64, 0u64);
    let mut text = isa::Text::new();
    for high in 0..=u16::MAX {
        for _ in 0..args.low {
            let low = rng.word() >> 16;
            for _ in 0..args.more {
                let words = [u32::from(high) << 16 | low, rng.word(), rng.word()];
                for wave in [Wave::W32, Wave::W64] {
                    tried += 1;
                    // Writing text costs most: a sample is enough.
                    let print = tried % 16 == 1;
                    let outcome = catch_unwind(AssertUnwindSafe(|| visit(&words, wave, print, &mut text)));
                    match outcome {
                        Ok(Ok(Some((format, canonical)))) => {
                            let entry = counts.entry(format).or_default();
                            *(if canonical { &mut entry.canonical } else { &mut entry.odd }) += 1;
                        }
                        Ok(Ok(None)) => refused += 1,
                        Ok(Err(what)) => bail!("{wave:?} {}: {what}", hex(&words)),
                        Err(_) => bail!("{wave:?} {}: panicked", hex(&words)),
                    }
                }
            }
        }
    }
    println!("{:<10} {:>12} {:>14}", "format", "canonical", "non-canonical");
    for (format, count) in &counts {
        println!("{format:<10} {:>12} {:>14}", count.canonical, count.odd);
    }
    let decoded: u64 = counts.values().map(|c| c.canonical + c.odd).sum();
    println!("{tried} words: {decoded} decoded, {refused} refused, in {:.1} s", begin.elapsed().as_secs_f64());
    Ok(())
}

/// Decodes and encodes words once: the format and whether every field is canonical, or what went wrong.
fn visit(
    words: &[u32; 3],
    wave: Wave,
    print: bool,
    text: &mut isa::Text,
) -> Result<Option<(&'static str, bool)>, &'static str> {
    let (instr, canonical) = match Instr::decode(words, wave) {
        Ok((instr, length)) if length != instr.len() => return Err("decode and len disagree"),
        Ok((instr, _)) => (instr, true),
        Err(DecodeError::NonCanonical { instr, .. }) => (instr, false),
        Err(DecodeError::Truncated { .. }) => return Err("three dwords are said to be too few"),
        Err(_) => return Ok(None),
    };
    let encoded = instr.encode();
    if !words.starts_with(&encoded) || encoded.is_empty() {
        return Err("the words do not come back");
    }
    let short = encoded.get(..encoded.len() - 1).unwrap_or_default();
    if !matches!(Instr::decode(short, wave), Err(DecodeError::Truncated { .. })) {
        return Err("a word less is not said to be too few");
    }
    if print {
        text.clear();
        instr.write(wave, text);
        if text.is_empty() {
            return Err("no text");
        }
    }
    Ok(Some((instr.format(), canonical)))
}
