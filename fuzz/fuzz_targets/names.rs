//! Names of symbols, targets and kinds of findings.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| isa_fuzz::run("names", input));
