//! Compares the rate of `isa_decode_many` with that of Rust's decoder, for 10,000 words of compiled code. `decode_rate rust 20` and
//! `decode_rate c 20` decode them 20 times with one of the two and print nothing, so that valgrind can count its instructions.

use std::mem::MaybeUninit;
use std::ptr;
use std::time::{Duration, Instant};

use amdgpu_isa::{ISA_NO_OPCODE, isa_arch, isa_decode_many, isa_instr, isa_status};
use rdna3::{Instr, Wave};

const WORDS: usize = 10_000;
/// Measurements of each decoder, in turn.
const ROUNDS: usize = 400;

/// Returns words of real code, without those that are not instructions.
fn words() -> Vec<u32> {
    let file = include_bytes!("../../../examples/histogram.gfx1100.co");
    let (dwords, _) = file.as_chunks::<4>();
    let dwords: Vec<u32> = dwords.iter().map(|dword| u32::from_le_bytes(*dword)).collect();
    let mut code = Vec::new();
    let mut at = 0;
    while let Some(rest) = dwords.get(at..).filter(|rest| !rest.is_empty()) {
        match Instr::decode(rest, Wave::W32) {
            // Zeros and small numbers, which are not code, are few opcodes.
            Ok((_, length)) if rest[0] > 0xFFFF => {
                code.extend_from_slice(&rest[..length]);
                at += length;
            }
            _ => at += 1,
        }
    }
    let mut words: Vec<u32> = code.iter().copied().cycle().take(WORDS - 3).collect();
    // The last instruction may be cut off by the end: s_nop.
    words.resize(WORDS, 0xBF80_0000);
    words
}

/// Decodes in Rust into an array of the caller's.
#[inline(never)]
fn in_rust(words: &[u32], out: &mut [MaybeUninit<Instr>]) -> usize {
    let (mut count, mut at) = (0, 0);
    for place in out {
        let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) else { break };
        match Instr::decode(rest, Wave::W32) {
            Ok((instr, length)) => {
                place.write(instr);
                at += length;
            }
            Err(_) => at += 1,
        }
        count += 1;
    }
    count
}

/// Decodes through the function of the header.
#[inline(never)]
fn in_c(words: &[u32], out: &mut [isa_instr], flags: u32) -> usize {
    let mut count = 0;
    // SAFETY: the pointers are to arrays of these lengths.
    let status = unsafe {
        isa_decode_many(
            isa_arch::Rdna3 as u32,
            32,
            flags,
            words.as_ptr(),
            words.len(),
            out.as_mut_ptr(),
            size_of::<isa_instr>(),
            out.len(),
            &raw mut count,
            ptr::null_mut(),
            ptr::null_mut(),
        )
    };
    assert_eq!(status, isa_status::Ok, "words are decoded");
    count
}

fn time(work: impl FnOnce() -> usize) -> (Duration, usize) {
    let begin = Instant::now();
    let count = std::hint::black_box(work());
    (begin.elapsed(), count)
}

fn main() {
    let words = words();
    let empty = isa_instr {
        words: [0; 3],
        offset: 0,
        opcode: ISA_NO_OPCODE,
        dwords: 0,
        format: 0,
        arch: 0,
        wave: 0,
        flags: 0,
        reserved: 0,
    };
    let mut instrs = vec![empty; WORDS];
    let mut places = vec![MaybeUninit::uninit(); WORDS];
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [decoder, rounds] = &arguments[..] {
        let decode: &mut dyn FnMut() -> usize = match decoder.as_str() {
            "rust" => &mut || in_rust(&words, &mut places),
            "c" => &mut || in_c(&words, &mut instrs, 0),
            other => panic!("the decoder is `rust` or `c`, not `{other}`"),
        };
        for _ in 0..rounds.parse().expect("a number of rounds") {
            std::hint::black_box(decode());
        }
        return;
    }
    let mut best = [Duration::MAX; 3];
    let mut counts = [0; 3];
    for _ in 0..ROUNDS {
        let measured = [
            time(|| in_rust(&words, &mut places)),
            time(|| in_c(&words, &mut instrs, 0)),
            time(|| in_c(&words, &mut instrs, 1)),
        ];
        for ((best, count), (duration, decoded)) in best.iter_mut().zip(&mut counts).zip(measured) {
            *best = duration.min(*best);
            *count = decoded;
        }
    }
    assert_eq!(counts, [counts[0]; 3], "both decode the same instructions");
    let [rust, c, opcodes] = best.map(|best| WORDS as f64 / best.as_secs_f64() / 1e6);
    println!("{} instructions in {WORDS} words; the best of {ROUNDS} rounds, in millions of words a second", counts[0]);
    println!("Rust {rust:.0}, isa_decode_many {c:.0} ({:.2} of Rust), with opcodes {opcodes:.0}", c / rust);
}
