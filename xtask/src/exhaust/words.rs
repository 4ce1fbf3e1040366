//! All first dwords.

use std::marker::PhantomData;

use isa::MAX_DWORDS;
use isa_tests::sets::WaveSet;
use rdna3::Wave;

use super::{Depth, Failure, Job, Worker};
use crate::generate::{RowVariant, space, targets};
use crate::rng::Rng;

/// The number of first dwords in a part.
const PART: u64 = 1 << 20;
/// The number of continuations (second and third dwords) for each format and suffix.
const BEHIND: usize = 64;
/// One instruction in this many gets all checks of [`Depth::Text`].
const DEEP: u32 = 1024;
/// One in this many one-dword instructions is also decoded with other dwords after it.
const FOLLOWED: u32 = 16;
/// The seed of the random numbers.
const SEED: u64 = 11;

/// The walk over all first dwords in both wave sizes.
pub struct AllWords<S> {
    stride: u32,
    /// The index of the format whose fixed bits match each upper half of a dword.
    formats: Vec<u8>,
    /// By format, then by suffix with none first: second and third dwords of instructions. The last list of a format is random.
    behind: Vec<Vec<Vec<[u32; 2]>>>,
    set: PhantomData<fn() -> S>,
}

impl<S: WaveSet> AllWords<S> {
    pub fn new(stride: u32) -> Self {
        let of = |high: u32| space::<S>(&[high << 16, 0, 0]).map_or(u8::MAX, |at| at as u8);
        let formats = (0..=u32::from(u16::MAX)).map(of).collect();
        let all = targets::<S>();
        let behind = S::tables().formats.iter().map(|format| {
            let mut rng = Rng::named(SEED, [format.name]);
            let mut pools: Vec<Vec<[u32; 2]>> = (0..=format.suffix_dwords.len())
                .map(|suffix_dword| {
                    let fits = |t: &&RowVariant<S>| t.format.name == format.name && t.suffix_dword == suffix_dword;
                    let fitting: Vec<_> = all.iter().filter(fits).collect();
                    pool(&fitting, &mut rng)
                })
                .filter(|pool| !pool.is_empty())
                .collect();
            pools.push((0..BEHIND).map(|_| [rng.word(), rng.word()]).collect());
            pools
        });
        AllWords { stride, formats, behind: behind.collect(), set: PhantomData }
    }
}

/// Returns continuations of instructions of these encoding variants. The dword after the instruction is random.
fn pool<S: WaveSet>(targets: &[&RowVariant<S>], rng: &mut Rng) -> Vec<[u32; 2]> {
    if targets.is_empty() {
        return Vec::new();
    }
    let one = |_| {
        let target = targets[rng.below(targets.len())];
        let wave = if rng.once_in(2) { Wave::W32 } else { Wave::W64 };
        let mut words = target.words(wave, rng, false);
        for word in words.iter_mut().take(MAX_DWORDS).skip(target.len()) {
            *word = rng.word();
        }
        [words[1], words[2]]
    };
    (0..BEHIND).map(one).collect()
}

/// Returns a hash of a number, to select numbers without regard to their order.
const fn mixed(n: u32) -> u32 {
    let n = (n ^ n >> 16).wrapping_mul(0x7feb_352d);
    let n = (n ^ n >> 15).wrapping_mul(0x846c_a68b);
    n ^ n >> 16
}

impl<S: WaveSet> Job<S> for AllWords<S> {
    fn name(&self) -> &'static str {
        if S::MACHINES.is_empty() { "words" } else { "words of RDNA4" }
    }

    fn parts(&self) -> usize {
        ((1u64 << 32) / PART) as usize
    }

    fn run(&self, part: usize, worker: &mut Worker<S>) -> Result<(), Failure> {
        let start = part as u64 * PART;
        let mut at = start + u64::from(mixed(part as u32) % self.stride);
        while at < start + PART {
            let first = at as u32;
            at += u64::from(self.stride);
            let bits = mixed(first);
            let depth = if bits.is_multiple_of(DEEP) { Depth::Text } else { Depth::Words };
            for wave in [Wave::W32, Wave::W64] {
                let alone = worker.visit(&[first, 0, 0], 1, wave, depth)?;
                let followed = (bits >> 8).is_multiple_of(FOLLOWED);
                if alone.is_none() && !followed {
                    continue;
                }
                let format = self.formats.get((first >> 16) as usize).copied().unwrap_or(u8::MAX);
                let Some(pools) = self.behind.get(usize::from(format)) else { continue };
                for (n, pool) in pools.iter().enumerate() {
                    let Some(&[second, third]) = pool.get((bits >> 6) as usize % BEHIND) else { continue };
                    let words = [first, second, third];
                    // A sample in depth, another one for each pool.
                    let deep = bits.wrapping_add(n as u32 * 7).is_multiple_of(DEEP);
                    let depth = if deep { Depth::Text } else { Depth::Words };
                    if worker.visit(&words, 3, wave, depth)?.is_some() {
                        return Err(Failure { words, wave, what: "three dwords are said to be too few".into() });
                    }
                    if alone.is_none() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}
