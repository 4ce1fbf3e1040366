//! Files whose headers share their contents: reading takes no more memory than a small multiple of the file.

use amdgpu_object::{CodeObject, KernelMetadata, KernelSettings, LoadError, Metadata, ReadError, read_object};

/// Where contents begin: after the header of the file.
const CONTENTS: u64 = 64;

/// How many headers share the same contents. They and the contents have about the same size, which all of them together exceed by far.
const COUNT: usize = 4_000;

/// A section header.
#[derive(Clone, Copy, Default)]
struct Header {
    kind: u32,
    flags: u64,
    /// From the beginning of the contents.
    offset: u64,
    size: u64,
    link: u32,
    info: u32,
    entry_size: u64,
}

const PROGBITS: u32 = 1;
const SYMTAB: u32 = 2;
const STRTAB: u32 = 3;
const RELA: u32 = 4;
const NOTE: u32 = 7;
const DYNSYM: u32 = 11;
const GROUP: u32 = 17;

const REL: u16 = 1;
const DYN: u16 = 3;

/// A file with these contents, a null section, and the sections.
fn elf(kind: u16, contents: &[u8], sections: &[Header], segments: usize) -> Vec<u8> {
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 64, 4, 0, 0, 0, 0, 0, 0, 0];
    let contents = [contents, &vec![0; contents.len().next_multiple_of(8) - contents.len()]].concat();
    let headers = CONTENTS + contents.len() as u64;
    file.extend(kind.to_le_bytes());
    file.extend(224u16.to_le_bytes());
    file.extend(1u32.to_le_bytes());
    let segment_headers = headers + 64 * (sections.len() as u64 + 1);
    file.extend([0, if segments > 0 { segment_headers } else { 0 }, headers].iter().flat_map(|v| v.to_le_bytes()));
    file.extend(0x41u32.to_le_bytes());
    let counts = [64, 56, segments as u16, 64, sections.len() as u16 + 1, 1];
    file.extend(counts.iter().flat_map(|v| v.to_le_bytes()));
    file.extend(&contents);
    for header in [Header::default()].iter().chain(sections) {
        file.extend([0, header.kind].iter().flat_map(|v| v.to_le_bytes()));
        file.extend([header.flags, 0, CONTENTS + header.offset, header.size].iter().flat_map(|v| v.to_le_bytes()));
        file.extend([header.link, header.info].iter().flat_map(|v| v.to_le_bytes()));
        file.extend([8, header.entry_size].iter().flat_map(|v| v.to_le_bytes()));
    }
    for _ in 0..segments {
        file.extend([1u32, 4].iter().flat_map(|v| v.to_le_bytes()));
        // An empty segment in memory, with all of the contents in the file.
        let fields = [CONTENTS, 0, 0, contents.len() as u64, 0, 1];
        file.extend(fields.iter().flat_map(|v| v.to_le_bytes()));
    }
    file
}

/// The string table, at the beginning of the contents.
const NAMES: Header = Header { kind: STRTAB, flags: 0, offset: 0, size: 8, link: 0, info: 0, entry_size: 0 };

fn refused(file: &[u8]) {
    assert_eq!(read_object(file), Err(ReadError::Elf { reason: "its parts overlap".into() }));
}

#[test]
fn contents() {
    let section = Header { kind: PROGBITS, flags: 2, offset: 64, size: 100_000, ..Header::default() };
    refused(&elf(REL, &[0; 100_064], &[vec![NAMES], vec![section; COUNT]].concat(), 0));
}

#[test]
fn relocations() {
    // R_AMDGPU_ABS64 against the null symbol, at offset 0 of section 3.
    let mut contents = vec![0; 128];
    contents.extend([0u64, 3, 0].repeat(COUNT).iter().flat_map(|v| v.to_le_bytes()));
    let symbols = Header { kind: SYMTAB, offset: 64, size: 24, link: 1, info: 1, entry_size: 24, ..Header::default() };
    let text = Header { kind: PROGBITS, flags: 2, offset: 88, size: 8, ..Header::default() };
    let size = 24 * COUNT as u64;
    let table = Header { kind: RELA, offset: 128, size, link: 2, info: 3, entry_size: 24, ..Header::default() };
    let file = elf(REL, &contents, &[NAMES, symbols, text, table], 0);
    assert_eq!(read_object(&file).unwrap().sections[0].relocations.len(), COUNT);
    refused(&elf(REL, &contents, &[vec![NAMES, symbols, text], vec![table; COUNT]].concat(), 0));
}

#[test]
fn groups() {
    let mut contents = vec![0; 128];
    contents.extend([3u32].repeat(10 * COUNT).iter().flat_map(|v| v.to_le_bytes()));
    let symbols = Header { kind: SYMTAB, offset: 64, size: 48, link: 1, info: 2, entry_size: 24, ..Header::default() };
    let text = Header { kind: PROGBITS, flags: 2, offset: 112, size: 8, ..Header::default() };
    let size = 40 * COUNT as u64;
    let group = Header { kind: GROUP, offset: 128, size, link: 2, info: 1, entry_size: 4, ..Header::default() };
    assert_eq!(read_object(&elf(REL, &contents, &[NAMES, symbols, text, group], 0)).unwrap().groups.len(), 1);
    refused(&elf(REL, &contents, &[vec![NAMES, symbols, text], vec![group; COUNT]].concat(), 0));
}

fn cannot_be_loaded(file: &[u8], expected: &str) {
    match CodeObject::load(file, 0) {
        Err(LoadError::Elf { reason }) => assert_eq!(reason, expected),
        other => panic!("{expected}: {:?}", other.map(|object| object.kernels.len())),
    }
}

#[test]
fn notes() {
    let mut metadata = Metadata::new("amdgcn-amd-amdhsa--gfx1100");
    let kernel = |nth| KernelMetadata::new(&format!("k{nth}"), &KernelSettings::wave32());
    metadata.kernels.extend((0..400).map(kernel));
    let mut contents = vec![0; 64];
    metadata.to_note().append_to(&mut contents);
    let size = contents.len() as u64 - 64;
    let note = Header { kind: NOTE, flags: 2, offset: 64, size, ..Header::default() };
    cannot_be_loaded(&elf(DYN, &contents, &[vec![NAMES], vec![note; COUNT]].concat(), 0), "its notes overlap");
}

#[test]
fn undefined_symbols() {
    // A name of 4 KB, a symbol that has it, and relocations against that symbol.
    let mut contents = vec![0];
    contents.extend([b'x'; 4095]);
    contents.push(0);
    contents.resize(4104, 0);
    contents.extend([0; 24]);
    contents.extend([1u32, 0x10, 0, 0, 0, 0].iter().flat_map(|v| v.to_le_bytes()));
    contents.extend([0u64, 3 | 1 << 32, 0].repeat(COUNT).iter().flat_map(|v| v.to_le_bytes()));
    let names = Header { size: 4104, ..NAMES };
    let symbols = Header { kind: DYNSYM, flags: 2, offset: 4104, size: 48, link: 1, info: 1, entry_size: 24 };
    let size = 24 * COUNT as u64;
    let table = Header { kind: RELA, flags: 2, offset: 4152, size, link: 2, info: 0, entry_size: 24 };
    // One table: the name is told once.
    let file = elf(DYN, &contents, &[names, symbols, table], 0);
    let once = CodeObject::load(&file, 0);
    assert_eq!(once, Err(LoadError::Undefined { names: vec!["x".repeat(4095)] }));
    let file = elf(DYN, &contents, &[vec![names, symbols], vec![table; COUNT]].concat(), 0);
    cannot_be_loaded(&file, "its relocations overlap");
}

#[test]
fn segments() {
    let file = elf(DYN, &vec![0; 1 << 20], &[NAMES], COUNT);
    cannot_be_loaded(&file, "its segments are larger than 1 GiB");
}
