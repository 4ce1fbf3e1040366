//! All forms: every value of every field, and every pair of fields.

use std::collections::HashSet;

use isa::tables::{Field, FieldBits};
use isa_tests::sets::WaveSet;
use rdna3::Wave;

use super::{Depth, Failure, Job, Worker};
use crate::generate::{RowVariant, Words, targets};
use crate::rng::Rng;

/// How many instructions of a form each field is varied in, for each wave size: the first without modifiers.
const BASES: usize = 3;
/// Fields up to this width are walked in full in every base; wider ones up to [`FULL`] in the first alone.
const CHEAP: u32 = 10;
/// Fields up to this width are walked in full; wider ones at many values.
const FULL: u32 = 16;
/// Where the random numbers begin.
const SEED: u64 = 12;

/// The walk over all forms.
pub struct AllFields<S: WaveSet> {
    targets: Vec<RowVariant<S>>,
    /// Of each shape in each form the first row: its pairs of fields are walked.
    pairs: HashSet<usize>,
    stride: usize,
}

impl<S: WaveSet> AllFields<S> {
    pub fn new(stride: usize) -> Self {
        let targets = targets::<S>();
        let mut seen = HashSet::new();
        let first = |(i, t): (usize, &RowVariant<S>)| {
            let key = (t.format.name, t.component, t.slot.shape, t.suffix_dword, t.variant_bit);
            seen.insert(key).then_some(i)
        };
        let pairs = targets.iter().enumerate().filter_map(first).collect();
        AllFields { targets, pairs, stride: stride.max(1) }
    }
}

impl<S: WaveSet> Job<S> for AllFields<S> {
    fn name(&self) -> &'static str {
        if S::MACHINES.is_empty() { "fields" } else { "fields of RDNA4" }
    }

    fn parts(&self) -> usize {
        self.targets.len().div_ceil(self.stride)
    }

    fn run(&self, part: usize, worker: &mut Worker<S>) -> Result<(), Failure> {
        let at = part * self.stride;
        let Some(target) = self.targets.get(at) else { return Ok(()) };
        let fields: Vec<&FieldBits> =
            target.format.fields.iter().filter(|f| varies(target, f)).map(|f| &f.bits).collect();
        let names = target.names();
        for wave in [Wave::W32, Wave::W64] {
            let mut rng = Rng::named(SEED, names.iter().map(String::as_str));
            for base in 0..BASES {
                let words = target.words(wave, &mut rng, base == 0);
                for bits in &fields {
                    single(worker, words, bits, wave, base == 0, &mut rng)?;
                }
                // With a stride the pairs of a sample are walked in this base alone.
                if base == 1 && self.pairs.contains(&at) {
                    for (n, a) in fields.iter().enumerate() {
                        for b in fields.iter().skip(n + 1) {
                            pair(worker, words, (a, b), wave)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether the form has a field that could hold something else: all but the opcode that names the row and the bits
/// that name the format.
fn varies<S: WaveSet>(target: &RowVariant<S>, field: &Field) -> bool {
    let here = field.suffix_dword == 0 || usize::from(field.suffix_dword) == target.suffix_dword;
    let own = target.format.components.get(target.component).is_some_and(|c| c.opcode == field.bits);
    let mut all: Words = [0; 3];
    field.bits.set(&mut all, u32::MAX);
    let free = all.iter().zip(&target.format.fixed.mask).any(|(field, fixed)| field & !fixed != 0);
    here && !own && free
}

/// Every value of one field.
fn single<S: WaveSet>(
    worker: &mut Worker<S>,
    mut words: Words,
    bits: &FieldBits,
    wave: Wave,
    first: bool,
    rng: &mut Rng,
) -> Result<(), Failure> {
    let width = bits.width();
    let mut visit = |code: u32| {
        bits.set(&mut words, code);
        worker.visit(&words, 3, wave, Depth::Text).map(drop)
    };
    if width <= CHEAP || width <= FULL && first {
        return (0..1u32 << width).try_for_each(visit);
    }
    wide(width, rng).into_iter().try_for_each(&mut visit)
}

/// Values of a field that has too many: small ones of either sign, those with one or two bits set or clear, floats, and
/// random ones.
fn wide(width: u32, rng: &mut Rng) -> Vec<u32> {
    let mut out: Vec<u32> = (0..300).flat_map(|n: u32| [n, n.wrapping_neg()]).collect();
    for a in 0..width {
        for b in a..width {
            let set = 1 << a | 1 << b;
            out.extend([set, !set]);
        }
    }
    for whole in [0.5f32, 1.0, 2.0, 4.0, 0.1, 65504.0, 1e30, 0.159_154_94] {
        for x in [whole, -whole] {
            let half = x.to_bits() >> 16;
            out.extend([x.to_bits(), half, half << 16, half << 16 | half, f64::from(x).to_bits() as u32]);
            out.push((f64::from(x).to_bits() >> 32) as u32);
        }
    }
    // Inline constants of 16 bits.
    for half in [0x3800, 0x3c00, 0x4000, 0x4400, 0x3118] {
        out.extend([half, half | 0x8000, half << 16, half << 16 | half]);
    }
    out.extend((0..300).map(|_| rng.word()));
    out
}

/// Two fields at all pairs of telling values.
fn pair<S: WaveSet>(
    worker: &mut Worker<S>,
    mut words: Words,
    (a, b): (&FieldBits, &FieldBits),
    wave: Wave,
) -> Result<(), Failure> {
    let others = telling(b.width());
    for x in telling(a.width()) {
        a.set(&mut words, x);
        for y in &others {
            b.set(&mut words, *y);
            worker.visit(&words, 3, wave, Depth::Text)?;
        }
    }
    Ok(())
}

/// Returns representative values of a field: all values of a narrow field; for a field of registers or sources, some registers of
/// each residue that matters for a bank, an alignment or a half, the ends of each file, and every special code.
fn telling(width: u32) -> Vec<u32> {
    let ranges: &[(u32, u32)] = match width {
        0..=6 => &[(0, 63)],
        7 => &[(0, 4), (103, 109), (122, 127)],
        8 => &[(0, 4), (103, 109), (122, 130), (192, 194), (208, 208), (230, 231), (233, 243), (248, 255)],
        9 => &[(0, 4), (103, 109), (122, 130), (192, 194), (208, 208), (230, 243), (247, 260), (382, 385), (508, 511)],
        _ => &[(0, 4), (7, 8), (63, 64), (127, 128)],
    };
    let most = (1u64 << width) - 1;
    let high = if width > 9 { vec![most / 2, most / 2 + 1, most - 63, most - 1, most] } else { Vec::new() };
    let all = ranges.iter().flat_map(|(from, to)| u64::from(*from)..=u64::from(*to)).chain(high);
    all.filter(|n| *n <= most).map(|n| n as u32).collect()
}
