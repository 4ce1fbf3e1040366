//! Real machine code: every dword decodes, and instructions encode to the same dwords.

use isa_tests::vectors::{dwords, example_code, hex, shared_code};
use rdna3::{Decoder, Wave};

/// Decodes code from end to end; gives how many instructions there are.
fn read_through(code: &[u8]) -> usize {
    let words = dwords(code);
    let mut at = 0;
    let mut count = 0;
    for item in Decoder::new(code, Wave::W32) {
        assert_eq!(item.offset, at * 4);
        let instr = item.result.unwrap_or_else(|e| panic!("at {:#x}: {e}", item.offset));
        let encoded = instr.encode();
        let here = words.get(at..at + encoded.len()).unwrap_or_default();
        assert_eq!(hex(&encoded), hex(here), "at {:#x}: {instr}", item.offset);
        at += encoded.len();
        count += 1;
    }
    assert_eq!(at * 4, code.len());
    count
}

#[test]
fn the_example_kernels_read_through() {
    assert!(read_through(&example_code().unwrap()) > 100);
}

#[test]
fn the_shared_corpus_reads_through() {
    if let Some(code) = shared_code().unwrap() {
        assert!(read_through(&code) > 1_000_000);
    }
}
