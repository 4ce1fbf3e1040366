//! A bundle, program or archive: the reader finds images within its limits, or damage in one line.
#![no_main]

use amdgpu_bundle::{Limits, visit};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let mut limits = Limits::default();
    limits.stream_bytes = 1 << 20;
    limits.total_bytes = 1 << 24;
    visit(file, &limits, &mut |found| match found {
        Ok(image) => assert!(image.path.0.len() <= limits.depth && image.path.to_string().lines().count() <= 1),
        Err(damage) => assert_eq!(damage.to_string().lines().count(), 1, "{damage:?}"),
    });
});
