//! The rules of all sets, operand classes, and RDNA4's instructions: texts and words of LLVM 22 for gfx1200 with `+real-true16`, what
//! it refuses, and builders.
#![cfg(all(feature = "rdna3", feature = "rdna4", feature = "parse", feature = "build"))]

mod alu;
mod memory;
mod operands;
mod rules;

use rdna_rows::Wave;
use rdna_rows::rdna4::Instr;

/// Checks that words decode to a text, and that it parses to the words.
fn agree(wave: Wave, words: &[u32], text: &str) {
    let (instr, rest) = Instr::decode(words, wave).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!((instr.display(wave).to_string().as_str(), rest), (text, words.len()));
    let read = Instr::parse(text, wave).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(&read.words()[..read.len()], words, "{text}");
}
