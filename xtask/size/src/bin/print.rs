//! Decodes and prints.
#![no_std]
#![no_main]

use rdna_rows::isa::Text;
use rdna_rows::{Instr, Wave};
use size as _;

/// How many dwords an instruction takes, or 0; its text is appended to the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn _start(words: &[u32; 3], text: &mut Text) -> usize {
    core::hint::black_box(Instr::decode(words, Wave::W32)).map_or(0, |(instr, length)| {
        instr.write(Wave::W32, text);
        length
    })
}
