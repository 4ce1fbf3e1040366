//! Containers, alone and within each other: each image is found, with its place.

mod build;

use amdgpu_bundle::{Format, Limits, Reason, format};
use build::*;

const HIP: &str = "hipv4-amdgcn-amd-amdhsa--gfx1100";
const HOST: &str = "host-x86_64-unknown-linux-gnu-";

/// The images of a file without damage.
fn found(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let (images, damages) = images(file);
    assert_eq!(damages, []);
    images
}

fn names(file: &[u8]) -> Vec<String> {
    found(file).into_iter().map(|(name, _)| name).collect()
}

fn two() -> (Vec<u8>, Vec<u8>) {
    (code(0x41, "first"), code(0x43, "second"))
}

fn bundle_of_two() -> Vec<u8> {
    let (a, b) = two();
    bundle(&[(HOST, b""), (HIP, &a), ("hipv4-amdgcn-amd-amdhsa--gfx1150", &b)], 4096)
}

#[test]
fn a_code_object_is_its_own_image() {
    let file = code(0x41, "text");
    assert_eq!(found(&file), [(": 41".to_owned(), file)]);
    assert_eq!(found(b""), []);
    assert_eq!(found(b"int main() {}"), []);
    assert_eq!(names(b"BC\xc0\xde"), [": Bitcode"]);
}

#[test]
fn bundles_follow_each_other_with_padding() {
    let (a, b) = two();
    let one = bundle_of_two();
    let expected = |number: usize, kind: &str| {
        [
            (format!("{kind}bundle {number} {HIP}: 41"), a.clone()),
            (format!("{kind}bundle {number} hipv4-amdgcn-amd-amdhsa--gfx1150: 43"), b.clone()),
        ]
    };
    assert_eq!(found(&one), expected(1, ""));
    let compressed = |version, method| ccob(version, method, &one);
    let mut file = Vec::new();
    let mut all = Vec::new();
    let mut number = 0;
    for version in 1..=3 {
        for method in [ZLIB, ZSTD] {
            for (kind, bytes) in [("compressed ", compressed(version, method)), ("", one.clone())] {
                file.extend(bytes);
                // Padding to a page, to nothing, and to an odd number of bytes.
                file.resize(file.len() + [0, 1, 4096 - file.len() % 4096][number % 3], 0);
                number += 1;
                all.extend(expected(number, kind));
            }
        }
    }
    assert_eq!(found(&file), all);
    // The same in a section of a program, and other sections beside it.
    let host = elf(62, 0, &[(".text", b"code"), (".hip_fatbin", &file), (".data", b"CCO")]);
    let in_section: Vec<_> =
        all.into_iter().map(|(name, bytes)| (format!("section .hip_fatbin, {name}"), bytes)).collect();
    assert_eq!(found(&host), in_section);
}

#[test]
fn bundles_as_clang_compresses_them() {
    let file = include_bytes!("files/two.ccob");
    let expected =
        [format!("compressed bundle 1 {HIP}: 41"), "compressed bundle 1 hipv4-amdgcn-amd-amdhsa--gfx1150: 43".into()];
    assert_eq!(names(file), expected);
    // 95 of them in a section, as onnxruntime has.
    let many = file.repeat(95);
    let found = names(&elf(62, 0, &[(".hip_fatbin", &many)]));
    assert_eq!(found.len(), 190);
    assert_eq!(found[189], "section .hip_fatbin, compressed bundle 95 hipv4-amdgcn-amd-amdhsa--gfx1150: 43");
}

#[test]
fn offload_binaries_of_all_versions() {
    let (a, b) = two();
    let expected = |number: usize, kind: &str| {
        let id = |arch| format!("{kind}offload binary {number} hip-amdgcn-amd-amdhsa-{arch}");
        [(format!("{}: 41", id("gfx1100")), a.clone()), (format!("{}: 43", id("gfx1150")), b.clone())]
    };
    let entries: [(&str, &[u8]); 2] = [("gfx1100", &a), ("gfx1150", &b)];
    assert_eq!(found(&offload_binary(2, None, &entries)), expected(1, ""));
    assert_eq!(found(&offload_binary(3, None, &entries)), expected(1, ""));
    assert_eq!(found(&offload_binary(3, Some(ZLIB), &entries)), expected(1, "compressed "));
    assert_eq!(found(&offload_binary(3, Some(ZSTD), &entries)), expected(1, "compressed "));
    // Version 1 has one entry.
    let both = [offload_binary(1, None, &entries[..1]), offload_binary(1, None, &entries[1..])].concat();
    let [first, _] = expected(1, "");
    let [_, second] = expected(2, "");
    assert_eq!(found(&both), [first, second]);
    let host = elf(62, 0, &[(".llvm.offloading", &both)]);
    assert_eq!(names(&host)[1], "section .llvm.offloading, offload binary 2 hip-amdgcn-amd-amdhsa-gfx1150: 43");
}

#[test]
fn containers_within_each_other() {
    let (a, _) = two();
    let inner = ccob(3, ZSTD, &bundle_of_two());
    let outer = bundle(&[("hip-amdgcn-amd-amdhsa--gfx1100", &inner)], 1);
    let path = "bundle 1, entry hip-amdgcn-amd-amdhsa--gfx1100, compressed bundle 1";
    assert_eq!(names(&outer)[0], format!("{path} {HIP}: 41"));
    let image_is_bundle = offload_binary(1, None, &[("gfx1100", &bundle(&[(HIP, &a)], 8))]);
    let path = "offload binary 1, entry hip-amdgcn-amd-amdhsa-gfx1100, bundle 1";
    assert_eq!(names(&image_is_bundle), [format!("{path} {HIP}: 41")]);
    // Archives of programs, bundles and code objects; a bundle of archives, as clang-offload-bundler --type=a writes for devices.
    let host = elf(62, 0, &[("__CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx1100", b"BC\xc0\xde")]);
    let library =
        archive(&[("k.co", &a), ("b.hipfb", &outer), ("none.o", &elf(62, 0, &[(".text", b"")])), ("r.o", &host)]);
    let expected = [
        "member k.co: 41".to_owned(),
        format!("member b.hipfb, bundle 1, entry hip-amdgcn-amd-amdhsa--gfx1100, compressed bundle 1 {HIP}: 41"),
        "member b.hipfb, bundle 1, entry hip-amdgcn-amd-amdhsa--gfx1100, compressed bundle 1 hipv4-amdgcn-amd-amdhsa--gfx1150: 43".into(),
        "member r.o, section __CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx1100 hip-amdgcn-amd-amdhsa--gfx1100: Bitcode".into(),
    ];
    assert_eq!(names(&library), expected);
    let devices = bundle(&[("hip-amdgcn-amd-amdhsa--gfx1100", &archive(&[("k.co", &a)]))], 1);
    assert_eq!(names(&devices), ["bundle 1, entry hip-amdgcn-amd-amdhsa--gfx1100, member k.co: 41"]);
}

#[test]
fn nesting_has_a_limit() {
    let mut file = code(0x41, "");
    for _ in 0..7 {
        file = bundle(&[(HIP, &file)], 1);
    }
    let (images, damages) = images(&file);
    assert_eq!(images, []);
    assert_eq!(damages.iter().map(|damage| damage.reason.clone()).collect::<Vec<_>>(), [Reason::Depth { limit: 6 }]);
}

#[test]
fn damage_has_a_place_and_ends_nothing() {
    let one = bundle_of_two();
    let sound = ccob(2, ZLIB, &one);
    let mut broken = sound.clone();
    let middle = broken.len() / 2;
    broken[middle] ^= 0xff;
    let mut version = sound.clone();
    version[4] = 9;
    let mut claim = ccob(3, ZSTD, &one);
    claim[16..24].copy_from_slice(&(1u64 << 60).to_le_bytes());
    let mut size = ccob(3, ZLIB, &one);
    size[16..24].copy_from_slice(&(one.len() as u64 - 1).to_le_bytes());
    let file = [&sound[..], &broken, &version, &claim, &size, &sound].concat();
    let host = elf(62, 0, &[(".hip_fatbin", &file)]);
    let (images, damages) = images(&host);
    assert_eq!(images.len(), 4);
    assert!(images[3].0.contains("compressed bundle 6"), "{}", images[3].0);
    let told: Vec<String> = damages.iter().map(ToString::to_string).collect();
    let parts = [
        "section .hip_fatbin, bundle 2 at byte 0: the compressed bytes are damaged",
        "section .hip_fatbin, bundle 3 at byte 0: version 9 of the format is unknown",
        "section .hip_fatbin, bundle 4 at byte 0: the header claims 1152921504606846976 bytes, which",
        "section .hip_fatbin, bundle 5 at byte 0: the header claims",
    ];
    assert_eq!(told.len(), parts.len(), "{told:#?}");
    for (told, part) in told.iter().zip(parts) {
        assert!(told.starts_with(part), "{told}");
    }
}

#[test]
fn an_entry_past_the_end_is_named() {
    let mut file = bundle_of_two();
    file.truncate(file.len() - 1);
    let (images, damages) = images(&file);
    assert_eq!(images.len(), 1);
    let told: Vec<String> = damages.iter().map(ToString::to_string).collect();
    let expected = "bundle 1 at byte 8192: entry hipv4-amdgcn-amd-amdhsa--gfx1150 should end at byte 8262, and there are 8261 bytes";
    assert_eq!(told, [expected]);
}

#[test]
fn decompression_has_limits() {
    let one = bundle_of_two();
    let file = ccob(3, ZSTD, &one).repeat(3);
    let mut limits = Limits::default();
    limits.stream_bytes = one.len() as u64 - 1;
    let (found, damages) = within(&file, &limits);
    assert_eq!((found.len(), damages.len()), (0, 3));
    assert!(damages[0].to_string().contains("exceed the limit of"), "{}", damages[0]);
    limits.stream_bytes = one.len() as u64;
    limits.total_bytes = 2 * one.len() as u64;
    let (found, damages) = within(&file, &limits);
    assert_eq!((found.len(), damages.len()), (4, 1));
}

#[test]
fn thin_archives_have_other_files() {
    let (_, damages) = images(b"!<thin>\n");
    assert_eq!(damages[0].reason, Reason::ThinArchive);
}

#[test]
fn formats_by_their_first_bytes() {
    let formats = [
        (code(0x41, ""), Format::CodeObject),
        (elf(62, 0, &[]), Format::Host),
        (archive(&[]), Format::Archive),
        (bundle(&[], 1), Format::Bundle),
        (ccob(1, ZLIB, b""), Format::CompressedBundle),
        (offload_binary(2, None, &[]), Format::OffloadBinary),
        (b"BC\xc0\xde".to_vec(), Format::Bitcode),
        (b"text".to_vec(), Format::Other),
        (Vec::new(), Format::Other),
    ];
    for (file, expected) in formats {
        assert_eq!(format(&file), expected);
    }
}
