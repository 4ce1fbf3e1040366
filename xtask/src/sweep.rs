//! Decodes a sample of all words: of each RDNA set every upper half of the first dword, of GCN every first dword of the formats
//! that the crate reads, with some of everything else.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use anyhow::{Result, bail};
use isa::{DecodeError, Isa};
use isa_tests::sets::{Set, encode, format};
use isa_tests::vectors::hex;

use crate::rng::Rng;

/// How much to try.
#[derive(clap::Args)]
pub struct Args {
    /// RDNA: how many lower halves for each upper half of the first dword
    #[arg(long, default_value_t = 32)]
    pub low: usize,
    /// How many second and third dwords for each first one
    #[arg(long, default_value_t = 8)]
    pub more: usize,
    /// GCN: try only one first dword in N
    #[arg(long, default_value_t = 1)]
    pub step: usize,
}

/// The number of decoded words of one format.
#[derive(Default)]
struct Counts {
    canonical: u64,
    odd: u64,
}

/// The results of all words.
struct Sweep {
    begin: Instant,
    counts: BTreeMap<(&'static str, &'static str), Counts>,
    refused: u64,
    tried: u64,
    text: isa::Text,
}

/// Prints counts for each format. Returns an error if something panics or if words do not round-trip.
pub fn run(args: &Args) -> Result<()> {
    let mut rng = Rng::new(7);
    let mut sweep =
        Sweep { begin: Instant::now(), counts: BTreeMap::new(), refused: 0, tried: 0, text: isa::Text::new() };
    for high in 0..=u16::MAX {
        for _ in 0..args.low {
            let first = u32::from(high) << 16 | rng.word() >> 16;
            sweep.first::<rdna3::Rdna3>(first, args.more, &mut rng)?;
            sweep.first::<rdna3_5::Rdna3_5>(first, args.more.div_ceil(8), &mut rng)?;
            sweep.first::<rdna4::Rdna4>(first, args.more.div_ceil(8), &mut rng)?;
        }
    }
    sweep.print();
    isa_tests::each_gcn_set!(S => sweep.formats::<S>(args, &mut rng)?);
    Ok(())
}

impl Sweep {
    /// Every first dword with the fixed bits of a format, of a generation.
    fn formats<S: Set>(&mut self, args: &Args, rng: &mut Rng) -> Result<()> {
        for format in S::tables().formats {
            let (mask, value) = (format.fixed.mask[0], format.fixed.value[0]);
            let free = (0..32).filter(|bit| mask >> bit & 1 == 0).collect::<Vec<u32>>();
            for n in (0..1u64 << free.len()).step_by(args.step) {
                let first = free.iter().enumerate().fold(value, |w, (i, bit)| w | ((n >> i & 1) as u32) << bit);
                self.first::<S>(first, args.more.div_ceil(8), rng)?;
            }
        }
        self.print();
        Ok(())
    }

    /// A first dword with this many others.
    fn first<S: Set>(&mut self, first: u32, more: usize, rng: &mut Rng) -> Result<()> {
        for _ in 0..more {
            let words = [first, rng.word(), rng.word()];
            for (name, mode) in S::MODES {
                self.tried += 1;
                // Writing text costs most: a sample is enough.
                let print = self.tried % 16 == 1;
                let text = &mut self.text;
                match catch_unwind(AssertUnwindSafe(|| visit::<S>(&words, *mode, print, text))) {
                    Ok(Ok(Some((format, canonical)))) => {
                        let set = S::generation().unwrap_or(S::VECTORS);
                        let entry = self.counts.entry((set, format)).or_default();
                        *(if canonical { &mut entry.canonical } else { &mut entry.odd }) += 1;
                    }
                    Ok(Ok(None)) => self.refused += 1,
                    Ok(Err(what)) => bail!("{name} {}: {what}", hex(&words)),
                    Err(_) => bail!("{name} {}: panicked", hex(&words)),
                }
            }
        }
        Ok(())
    }

    /// Prints what has been counted since it was last printed.
    fn print(&mut self) {
        println!("{:<8} {:<10} {:>12} {:>14}", "set", "format", "canonical", "non-canonical");
        for ((set, format), count) in &self.counts {
            println!("{set:<8} {format:<10} {:>12} {:>14}", count.canonical, count.odd);
        }
        let decoded: u64 = self.counts.values().map(|c| c.canonical + c.odd).sum();
        let Sweep { tried, refused, .. } = self;
        println!("{tried} words: {decoded} decoded, {refused} refused, in {:.1} s", self.begin.elapsed().as_secs_f64());
        *self = Sweep {
            begin: Instant::now(),
            counts: BTreeMap::new(),
            refused: 0,
            tried: 0,
            text: std::mem::replace(&mut self.text, isa::Text::new()),
        };
    }
}

/// Decodes and encodes words once: the format and whether every field is canonical, or what went wrong.
fn visit<S: Isa>(
    words: &[u32; 3],
    mode: S::Mode,
    print: bool,
    text: &mut isa::Text,
) -> Result<Option<(&'static str, bool)>, &'static str> {
    let (instr, canonical) = match isa::decode::<S>(words, mode) {
        Ok((instr, length)) if length != encode::<S>(&instr).len() => return Err("decode and len disagree"),
        Ok((instr, _)) => (instr, true),
        Err(DecodeError::NonCanonical { instr, .. }) => (instr, false),
        Err(DecodeError::Truncated { .. }) => return Err("three dwords are said to be too few"),
        Err(_) => return Ok(None),
    };
    let encoded = encode::<S>(&instr);
    if !words.starts_with(&encoded) || encoded.is_empty() {
        return Err("the words do not come back");
    }
    let short = encoded.get(..encoded.len() - 1).unwrap_or_default();
    if !matches!(isa::decode::<S>(short, mode), Err(DecodeError::Truncated { .. })) {
        return Err("a word less is not said to be too few");
    }
    if print {
        text.clear();
        let (format, words) = S::parts(&instr);
        isa::write_text::<S>(format, words, isa::length::<S>(format, &words) as u8, mode, text);
        if text.is_empty() {
            return Err("no text");
        }
    }
    Ok(Some((format::<S>(&instr), canonical)))
}
