//! A relocatable object, a code object or metadata.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| isa_fuzz::run("object", input));
