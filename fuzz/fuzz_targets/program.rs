//! A whole program in assembly, whose listing or faults are written.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    for wave64 in [false, true] {
        isa_cli::whole::program(source, wave64, &mut std::io::sink()).unwrap();
    }
});
