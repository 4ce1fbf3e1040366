//! Modifiers with each of their values on each kind of instruction: what encodes has text that reads back.

use std::collections::{BTreeMap, HashSet};

use isa::Text;
use isa_tests::property;
use isa_tests::sets::{WaveSet, encode, opcodes, read_back};
use isa_tests::vectors::golden_of;
use rdna3::Instruction;

/// The widest modifier of which all values are tried.
const ALL_VALUES: u32 = 4;
/// How often a modifier is tried at least, times the factor of `PROPERTY_CASES`.
const ROUNDS: usize = 3;

/// Numbers that look random.
fn next(state: &mut u32) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state
}

/// States each modifier of each kind of instruction with each value, beside other modifiers with random ones, and reads the text
/// again. Returns how many instructions encode.
fn check<S: WaveSet>() -> usize {
    let mut kinds = HashSet::new();
    let mut failures: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let (mut state, mut checked, mut text) = (1, 0, Text::new());
    let rounds = property::count(ROUNDS) as u32;
    for line in golden_of::<S>().unwrap() {
        let wave = line.mode();
        let Ok((instr, _)) = isa::decode::<S>(&line.words(), wave) else { continue };
        let (format, words) = S::parts(&instr);
        if !kinds.insert((
            opcodes::<S>(&instr),
            format,
            isa::suffix_dword::<S>(format, &words),
            line.text.contains(" glc"),
        )) {
            continue;
        }
        let Ok(inst) = isa::inst::lift::<S>(&instr, encode::<S>(&instr).len() as u8, wave) else { continue };
        let own: Vec<_> =
            S::inst_tables().modifiers.iter().copied().filter(|modifier| inst.has_modifier(*modifier)).collect();
        for modifier in &own {
            let width = (0..32).find(|bits| inst.try_with(*modifier, 1 << bits).is_err()).unwrap_or(32);
            for round in 0..(1 << width.min(ALL_VALUES)).max(rounds) {
                let value = if width <= ALL_VALUES { round } else { next(&mut state) };
                let mask = u32::MAX.checked_shr(32 - width).unwrap_or(0);
                let mut changed = inst.with(*modifier, value & mask);
                for other in &own {
                    if other != modifier && next(&mut state).is_multiple_of(4) {
                        changed = changed.try_with(*other, next(&mut state) % 8).unwrap_or(changed);
                    }
                }
                let Ok(built) = changed.encode(wave) else { continue };
                checked += 1;
                if let Err(error) = read_back::<S>(&built, wave, &mut text) {
                    let key = format!("{:?} {}", built.microcode(), modifier.name);
                    failures.entry(key).or_insert((0, error)).0 += 1;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} kinds of {checked}: {failures:#?}", failures.len());
    checked
}

#[test]
fn what_modifiers_build_reads_back() {
    let checked = check::<rdna3::Rdna3>();
    assert!(checked > 20_000, "{checked}");
}

#[test]
fn what_modifiers_build_reads_back_in_rdna3_5() {
    let checked = check::<rdna3_5::Rdna3_5>();
    assert!(checked > 20_000, "{checked}");
}

#[test]
fn what_modifiers_build_reads_back_in_rdna4() {
    let checked = check::<rdna4::Rdna4>();
    assert!(checked > 20_000, "{checked}");
}
