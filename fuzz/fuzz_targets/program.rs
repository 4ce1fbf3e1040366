//! A whole program in assembly.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| isa_fuzz::run("program", input));
