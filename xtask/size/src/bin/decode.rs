//! Decodes.
#![no_std]
#![no_main]

use rdna_rows::{Instr, Wave};
use size as _;

/// How many dwords an instruction takes, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn _start(words: &[u32; 3]) -> usize {
    core::hint::black_box(Instr::decode(words, Wave::W32)).map_or(0, |(_, length)| length)
}
