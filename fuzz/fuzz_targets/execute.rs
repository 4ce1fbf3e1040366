//! Bytes as the code of a kernel that is run.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| isa_fuzz::run("execute", input));
