//! A file that should be a code object: both listings, or an error in one line.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    if let Err(error) = isa_cli::whole::listings(file, &mut std::io::sink()) {
        assert_eq!(error.lines().count(), 1, "{error:?}");
    }
});
