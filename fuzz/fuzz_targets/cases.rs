//! Lines of cases in JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| isa_fuzz::run("cases", input));
