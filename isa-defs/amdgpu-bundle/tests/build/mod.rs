//! Writes containers, byte by byte as LLVM's sources and documentation lay them out.

#![allow(dead_code, reason = "each test program uses its part")]

use std::io::Write;

use amdgpu_bundle::{Damage, ImageKind, Limits, visit};
use flate2::write::ZlibEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

pub const ZLIB: u16 = 0;
pub const ZSTD: u16 = 1;

/// The header of an ELF file for AMD GPUs, and a text that tells it from others.
pub fn code(mach: u32, text: &str) -> Vec<u8> {
    [&elf(224, mach, &[])[..], text.as_bytes()].concat()
}

/// An ELF file of a machine with sections.
pub fn elf(machine: u16, flags: u32, sections: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend([1u16, machine].iter().flat_map(|v| v.to_le_bytes()));
    file.extend(1u32.to_le_bytes());
    file.resize(64, 0);
    file[48..52].copy_from_slice(&flags.to_le_bytes());
    file[52..54].copy_from_slice(&64u16.to_le_bytes());
    if sections.is_empty() {
        return file;
    }
    let (mut names, mut headers) = (vec![0u8], vec![0u8; 64]);
    let mut section = |file: &mut Vec<u8>, name: &str, kind: u32, content: &[u8]| {
        headers.extend([names.len() as u32, kind].iter().flat_map(|v| v.to_le_bytes()));
        headers.extend([0, 0, file.len() as u64, content.len() as u64].iter().flat_map(|v| v.to_le_bytes()));
        headers.extend([0u64, 1, 0].iter().flat_map(|v| v.to_le_bytes()));
        names.extend(name.bytes().chain([0]));
        file.extend(content);
    };
    for (name, content) in sections {
        section(&mut file, name, 1, content);
    }
    let mut all = names_of(sections);
    all.extend(b".shstrtab\0");
    section(&mut file, ".shstrtab", 3, &all);
    let start = file.len() as u64;
    file.extend(&headers);
    file[40..48].copy_from_slice(&start.to_le_bytes());
    let count = sections.len() as u16 + 2;
    for (at, value) in [(58, 64), (60, count), (62, count - 1)] {
        file[at..at + 2].copy_from_slice(&value.to_le_bytes());
    }
    file
}

fn names_of(sections: &[(&str, &[u8])]) -> Vec<u8> {
    let names = sections.iter().flat_map(|(name, _)| name.bytes().chain([0]));
    [0].into_iter().chain(names).collect()
}

/// An offload bundle, whose images begin at multiples of `align`.
pub fn bundle(entries: &[(&str, &[u8])], align: usize) -> Vec<u8> {
    let table: usize = entries.iter().map(|(id, _)| 24 + id.len()).sum();
    let mut out = b"__CLANG_OFFLOAD_BUNDLE__".to_vec();
    out.extend((entries.len() as u64).to_le_bytes());
    let mut at = (32 + table).next_multiple_of(align);
    let mut images = Vec::new();
    for (id, image) in entries {
        out.extend([at as u64, image.len() as u64, id.len() as u64].iter().flat_map(|v| v.to_le_bytes()));
        out.extend(id.bytes());
        images.push((at, image));
        at = (at + image.len()).next_multiple_of(align);
    }
    for (at, image) in images {
        out.resize(at, 0);
        out.extend(*image);
    }
    out
}

pub fn compress(method: u16, bytes: &[u8]) -> Vec<u8> {
    if method == ZSTD {
        return compress_to_vec(bytes, CompressionLevel::Fastest);
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A compressed bundle of a version.
pub fn ccob(version: u16, method: u16, bytes: &[u8]) -> Vec<u8> {
    let data = compress(method, bytes);
    let mut out = b"CCOB".to_vec();
    out.extend([version, method].iter().flat_map(|v| v.to_le_bytes()));
    let size = bytes.len() as u64;
    match version {
        1 => out.extend((size as u32).to_le_bytes()),
        2 => out.extend([24 + data.len() as u32, size as u32].iter().flat_map(|v| v.to_le_bytes())),
        _ => out.extend([32 + data.len() as u64, size].iter().flat_map(|v| v.to_le_bytes())),
    }
    // The sum that nobody looks at.
    out.extend([0xA5; 8]);
    out.extend(data);
    out
}

/// An offload binary of a version, whose entries have a triple, an arch and an image.
pub fn offload_binary(version: u32, method: Option<u16>, entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (header, string) = (if version < 3 { 32 } else { 40 }, if version == 1 { 16 } else { 24 });
    let mut strings: Vec<u8> = b"triple\0arch\0amdgcn-amd-amdhsa\0".to_vec();
    let table = header + 40 * entries.len();
    let strings_at = table + 2 * string * entries.len();
    let archs: Vec<usize> = entries
        .iter()
        .map(|(arch, _)| {
            let at = strings.len();
            strings.extend(arch.bytes().chain([0]));
            at
        })
        .collect();
    let mut image_at = (strings_at + strings.len()).next_multiple_of(8);
    let (mut body, mut maps, mut images): (Vec<u8>, Vec<u8>, Vec<u8>) = Default::default();
    for (index, ((arch, image), arch_at)) in entries.iter().zip(archs).enumerate() {
        body.extend([1u16, 4].iter().flat_map(|v| v.to_le_bytes()));
        body.extend([0; 4]);
        let fields = [table + 2 * string * index, 2, image_at, image.len()];
        body.extend(fields.iter().flat_map(|v| (*v as u64).to_le_bytes()));
        for (key, value, size) in [(0, 12, 17), (7, arch_at, arch.len())] {
            maps.extend([strings_at + key, strings_at + value].iter().flat_map(|v| (*v as u64).to_le_bytes()));
            if version > 1 {
                maps.extend((size as u64).to_le_bytes());
            }
        }
        images.extend(*image);
        image_at += image.len();
    }
    body.extend(maps);
    body.extend(strings);
    body.resize(body.len() + (header + body.len()).next_multiple_of(8) - header - body.len(), 0);
    body.extend(images);
    body.resize((header + body.len()).next_multiple_of(8) - header, 0);
    let inflated = header + body.len();
    let body = method.map_or(body.clone(), |method| compress(method, &body));
    let mut out = vec![0x10, 0xFF, 0x10, 0xAD];
    out.extend(version.to_le_bytes());
    let count = if version == 1 { 40 } else { entries.len() };
    out.extend([header + body.len(), header, count].iter().flat_map(|v| (*v as u64).to_le_bytes()));
    if version >= 3 {
        out.extend((if method.is_some() { inflated as u64 } else { 0 }).to_le_bytes());
    }
    out.extend(body);
    out
}

/// A static library.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, content) in members {
        out.extend(
            format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", format!("{name}/"), 0, 0, 0, 644, content.len()).bytes(),
        );
        out.extend(*content);
        if content.len() % 2 == 1 {
            out.push(b'\n');
        }
    }
    out
}

/// The images of a file: path, ID and kind, and their bytes.
pub fn images(file: &[u8]) -> (Vec<(String, Vec<u8>)>, Vec<Damage>) {
    within(file, &Limits::default())
}

pub fn within(file: &[u8], limits: &Limits) -> (Vec<(String, Vec<u8>)>, Vec<Damage>) {
    let (mut images, mut damages) = (Vec::new(), Vec::new());
    visit(file, limits, &mut |found| match found {
        Ok(image) => {
            let id = image.id.map_or_else(String::new, |id| format!(" {id}"));
            let kind = match image.kind {
                ImageKind::CodeObject { flags } => format!("{flags:x}"),
                kind => format!("{kind:?}"),
            };
            images.push((format!("{}{id}: {kind}", image.path), image.bytes.to_vec()));
        }
        Err(damage) => damages.push(damage),
    });
    (images, damages)
}
