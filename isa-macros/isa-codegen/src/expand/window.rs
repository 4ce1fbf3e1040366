//! The decode window: the bits of the first dword by which the decoder finds the formats to try.

use isa_schema::FixedBits;

use crate::model::{Format, Set};

/// The bits of the first dword that the window covers, and the candidate formats for each of their values.
pub(super) struct Window {
    /// The lowest bit.
    pub(super) lo: u8,
    /// The number of bits.
    pub(super) width: u8,
    /// For each value of the bits: the indices of the formats to try, the most specific first.
    pub(super) candidates: Vec<Vec<u8>>,
}

/// The number of bits in the window.
const WIDTH: u32 = 9;

/// Chooses the window: the consecutive bits that the formats of the set fix most often.
pub(super) fn window(set: &Set) -> Window {
    let masks: Vec<u32> = set.formats.iter().map(|f| f.fixed.mask[0]).collect();
    let ones = (1 << WIDTH) - 1;
    let score = |lo: u32| masks.iter().map(|m| (m >> lo & ones).count_ones()).sum::<u32>();
    let lo = (0..=32 - WIDTH).max_by_key(|&lo| (score(lo), lo)).unwrap_or(0);
    let window = ones << lo;
    let mut formats: Vec<(u32, u8, Vec<[u32; 2]>)> =
        set.formats.iter().enumerate().map(|(i, f)| (fixed_bit_count(f), i as u8, patterns(f, window))).collect();
    formats.sort_by_key(|(fixed_bits, ..)| std::cmp::Reverse(*fixed_bits));
    let candidates = (0..1u32 << WIDTH).map(|value| {
        let matches =
            |patterns: &[[u32; 2]]| patterns.iter().any(|[mask, pattern]| (pattern ^ value << lo) & mask == 0);
        formats.iter().filter(|(.., patterns)| matches(patterns)).map(|(_, i, _)| *i).collect()
    });
    Window { lo: lo as u8, width: WIDTH as u8, candidates: candidates.collect() }
}

/// Returns the number of bits that a format fixes.
fn fixed_bit_count(format: &Format) -> u32 {
    format.fixed.mask.iter().map(|m| m.count_ones()).sum()
}

/// Returns the bit patterns, as mask and value, that the format's rows have inside the window, each once.
fn patterns(format: &Format, window: u32) -> Vec<[u32; 2]> {
    let component = &format.components[0];
    let mut patterns = Vec::new();
    let mut add = |fixed: &FixedBits| {
        let pattern = [fixed.mask[0] & window, fixed.value[0] & fixed.mask[0] & window];
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    };
    // Include values that match the format but none of its rows, because the error of the format is more precise.
    if format.fixed.mask[0] & window != 0 {
        add(&format.fixed);
    }
    for encoding in &component.encodings {
        let mut fixed = format.fixed;
        fixed.set(&component.opcode, encoding.number);
        add(&fixed);
    }
    patterns
}
