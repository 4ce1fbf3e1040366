//! Damaged and hostile files: no panic, memory and time in proportion to the file.

mod build;

use std::time::{Duration, Instant};

use allocation_counter::measure;
use amdgpu_bundle::{Limits, visit};
use build::*;
use proptest::prelude::*;

/// Visits a file. Panics if that takes much more memory than the limits and the file allow. Returns the numbers of images and damages.
fn counted(file: &[u8]) -> (usize, usize) {
    /// The memory of decompressors in bytes.
    const FIXED: u64 = 4 << 20;
    let mut limits = Limits::default();
    limits.stream_bytes = 1 << 20;
    limits.total_bytes = 4 << 20;
    let (mut images, mut damages) = (0, 0);
    let used = measure(|| {
        visit(file, &limits, &mut |found| match found {
            Ok(_) => images += 1,
            Err(damage) => {
                damages += 1;
                assert_eq!(damage.to_string().lines().count(), 1);
            }
        });
    });
    // Two copies while a vector grows, and the window of zstd.
    let most = FIXED + 4 * limits.stream_bytes + 8 * file.len() as u64;
    assert!(used.bytes_max <= most, "{} bytes for a file of {}", used.bytes_max, file.len());
    (images, damages)
}

/// A file with everything in it.
fn everything() -> Vec<u8> {
    let (a, b) = (code(0x41, "first"), code(0x43, "second"));
    let one = bundle(&[("host-x86_64-unknown-linux-gnu-", b""), ("hipv4-amdgcn-amd-amdhsa--gfx1100", &a)], 64);
    let offload = offload_binary(2, None, &[("gfx1100", &a), ("gfx1150", &one)]);
    let fat = [&one[..], &ccob(1, ZSTD, &one), &ccob(2, ZLIB, &one), &[0; 7], &ccob(3, ZSTD, &one)].concat();
    let more = [
        offload_binary(1, None, &[("gfx1100", &b)]),
        offload,
        offload_binary(3, Some(ZSTD), &[("gfx1100", &a)]),
        offload_binary(3, Some(ZLIB), &[("gfx1100", &a)]),
    ];
    let host = elf(62, 0, &[(".hip_fatbin", &fat), (".llvm.offloading", &more.concat())]);
    archive(&[("host.o", &host), ("a.co", &a), ("b.ccob", &ccob(3, ZLIB, &one))])
}

#[test]
fn every_byte_changed() {
    let whole = everything();
    assert_eq!(counted(&whole), (11, 0));
    for at in 0..whole.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            counted(&bytes);
        }
    }
}

#[test]
fn cut_anywhere() {
    let whole = everything();
    for end in 0..whole.len() {
        counted(&whole[..end]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fields_of_any_value(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u64>(), 0u32..64), 1..6)) {
        let mut bytes = everything();
        for (at, value, shift) in changes {
            let at = at.index(bytes.len() - 8);
            bytes[at..at + 8].copy_from_slice(&(value >> shift).to_le_bytes());
        }
        counted(&bytes);
    }

    #[test]
    fn any_compressed_bytes(version in 1u16..4, method in 0u16..2, size in 0u64..1 << 22, data in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut file = ccob(version, method, b"");
        file.truncate([0, 20, 24, 32][version as usize]);
        match version {
            1 => file[8..12].copy_from_slice(&(size as u32).to_le_bytes()),
            2 => {
                file[8..12].copy_from_slice(&(24 + data.len() as u32).to_le_bytes());
                file[12..16].copy_from_slice(&(size as u32).to_le_bytes());
            }
            _ => {
                file[8..16].copy_from_slice(&(32 + data.len() as u64).to_le_bytes());
                file[16..24].copy_from_slice(&size.to_le_bytes());
            }
        }
        // A magic number makes more than the first four bytes count.
        if method == ZSTD {
            file.extend([0x28, 0xB5, 0x2F, 0xFD]);
        }
        file.extend(data);
        counted(&file);
    }
}

/// Runs `visit` over a file that is made to take long.
fn quick(file: &[u8]) -> (usize, usize) {
    let start = Instant::now();
    let counts = counted(file);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    counts
}

#[test]
fn tables_that_share_their_bytes() {
    // Magic numbers whose tables are all the rest of the file.
    let mut table = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    table.extend(u64::MAX.to_le_bytes());
    let (_, damages) = quick(&table.repeat(1 << 16));
    assert!(damages > 0);
    // Entries that are all of the same megabyte.
    let megabyte = code(0x41, &"x".repeat(1 << 20));
    let mut file = bundle(&[("hip-amdgcn-amd-amdhsa--gfx1100", &megabyte)], 8);
    let entry = file[32..32 + 24].to_vec();
    let id = file[56..56 + 30].to_vec();
    let entries = [entry, id].concat().repeat(1 << 15);
    file[24..32].copy_from_slice(&(1u64 << 15).to_le_bytes());
    file.splice(32..86, entries);
    let (images, _) = quick(&file);
    assert!(images < 64, "{images}");
    // Entries of an offload binary, and sections, that are compressed bundles of the same bytes.
    let inner = ccob(3, ZSTD, &bundle(&[("hip-amdgcn-amd-amdhsa--gfx1100", &code(0x41, &"y".repeat(1 << 18)))], 8));
    let mut file = offload_binary(2, None, &vec![("gfx1100", &inner[..]); 1 << 12]);
    let first = file[56..72].to_vec();
    for at in 0..1 << 12 {
        file[32 + 40 * at + 24..32 + 40 * at + 40].copy_from_slice(&first);
    }
    quick(&file);
}

#[test]
fn small_files_that_claim_much() {
    for (version, method) in [(1, ZSTD), (2, ZLIB), (3, ZSTD), (3, ZLIB)] {
        let bomb = ccob(version, method, &vec![0; 1 << 22]);
        let (images, damages) = counted(&bomb);
        assert_eq!((images, damages), (0, 1), "{version} {method}");
    }
}
