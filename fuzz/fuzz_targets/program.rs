//! A whole program in assembly: its listing, relocations and files, or its errors.
#![no_main]

use amdgpu_arch::Wave;
use amdgpu_asm::{Options, Target, assemble};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    for wave in [Wave::W32, Wave::W64] {
        let options = Options { listing: true, ..Options::new(Target::parse("gfx1100").unwrap(), wave) };
        match assemble(source, &options) {
            Ok(assembly) => {
                assert!(assembly.listing().iter().all(|row| !row.source.is_empty()));
                assert!(assembly.relocations().count() <= source.len());
                let _ = (assembly.to_object_file(), assembly.to_code_object());
            }
            Err(errors) => assert!(!errors.to_string().is_empty()),
        }
    }
});
