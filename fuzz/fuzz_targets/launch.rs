//! A code object whose kernels are run.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| isa_fuzz::run("launch", input));
