//! A file that should be a code object: rows, blocks and findings, or an error in one line.
#![no_main]

use std::error::Error;

use amdgpu_dis::{LintOptions, Options, open};
use libfuzzer_sys::fuzz_target;

/// Reads all that a listing has.
fn list(file: &[u8]) -> Result<(), Box<dyn Error>> {
    let options = Options::default();
    for image in open(file, &options).images? {
        for section in &image.listing(&options)?.sections {
            drop(section.lint(LintOptions::default()));
            let blocks = section.blocks();
            let rows = section.rows().inspect(|row| drop((row.to_string(), row.content.remark(true), row.target())));
            assert!(blocks.len() <= rows.count());
        }
    }
    Ok(())
}

fuzz_target!(|file: &[u8]| {
    if let Err(error) = list(file) {
        let error = error.to_string();
        assert_eq!(error.lines().count(), 1, "{error:?}");
    }
});
