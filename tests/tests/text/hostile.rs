//! Hostile inputs of each library: the functions of the fuzz targets on seeds, and on seeds with random changes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use isa_tests::random::numbers;
use isa_tests::seeds::{Seed, seeds};

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

/// How many changed inputs each target gets.
const CHANGED: usize = 150;

/// Changes an input: bytes, lengths, pieces.
fn change(bytes: &mut Vec<u8>, other: &[u8], next: &mut impl FnMut(usize) -> usize) {
    for _ in 0..=next(4) {
        let at = next(bytes.len().max(1));
        match next(7) {
            0 => bytes.truncate(at),
            1 => {
                bytes.splice(at.min(bytes.len()).., other.iter().skip(next(other.len().max(1))).copied()).for_each(drop)
            }
            2 => {
                let piece: Vec<u8> = bytes.iter().skip(at).take(next(64)).copied().collect();
                let to = next(bytes.len().max(1)).min(bytes.len());
                bytes.splice(to..to, piece).for_each(drop);
            }
            3 => bytes.iter_mut().skip(at).take(4).for_each(|byte| *byte = [0, 0xff, 0x7f, 0x80][at % 4]),
            4 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << next(8)),
            5 => bytes.iter_mut().skip(at & !3).take(4).for_each(|byte| *byte = next(256) as u8),
            _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = next(256) as u8),
        }
    }
}

/// Runs a target on seeds and changed ones. A failure names the input.
fn check(target: &str) {
    // The tests share them.
    static ALL: LazyLock<Vec<Seed>> = LazyLock::new(|| seeds().expect("the seeds"));
    let mine: Vec<&Seed> = ALL.iter().filter(|seed| seed.target == target).collect();
    assert!(!mine.is_empty(), "seeds of {target}");
    let mut next = numbers();
    // All seeds of a target take long in a debug build.
    let step = mine.len() / 60 + 1;
    for seed in mine.iter().step_by(step) {
        run(target, &seed.name, &seed.bytes);
    }
    for _ in 0..CHANGED {
        let (seed, other) = (mine[next(mine.len())], mine[next(mine.len())]);
        let mut bytes = seed.bytes.clone();
        change(&mut bytes, &other.bytes, &mut next);
        run(target, &format!("{}, changed", seed.name), &bytes);
    }
}

fn run(target: &str, name: &str, bytes: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| targets::run(target, bytes))).is_err() {
        panic!("{target}: {name}: {}", bytes.escape_ascii());
    }
}

macro_rules! tests {
    ($($target:ident)*) => {
        $(
            #[test]
            fn $target() {
                check(stringify!($target));
            }
        )*

        #[test]
        fn every_target_has_a_test() {
            assert_eq!(targets::TARGETS.map(|(name, _)| name), [$(stringify!($target)),*]);
        }
    };
}

tests! { decode parse program elf bundle object launch execute cases names }
