//! Damaged files: each gives an error of one line, no crash, and memory in proportion to its size.

use std::error::Error;

use allocation_counter::measure;
use amdgpu_dis::{CodeCounts, Limits, LintOptions, Options, open};
use isa_tests::elf::*;

/// Reads all that a listing has. Returns whether every word was read.
fn list(bytes: &[u8]) -> Result<bool, Box<dyn Error>> {
    let options = Options::default();
    let mut all_read = true;
    for image in open(bytes, &options).images? {
        let sections = image.listing(&options)?.sections;
        all_read &= CodeCounts::new(&sections).all.bytes <= bytes.len() as u64;
        for section in &sections {
            let mut end = 0;
            for row in section.rows() {
                all_read &= !row.is_unread();
                assert_eq!(row.offset, end, "rows follow each other");
                end += row.bytes.len();
                assert!(!row.to_string().is_empty());
                let _ = (row.target(), row.content.remark(true), section.address_of(row.offset));
            }
            assert_eq!(end, section.bytes.len());
            for relocation in &section.relocations {
                assert!(!relocation.text().is_empty());
            }
            let possible = LintOptions { possible: true, padding: true, has_shader_parts: false };
            assert!(section.lint(possible).iter().all(|finding| finding.here.offset < end));
            let blocks = section.blocks();
            assert!(blocks.iter().all(|block| block.successors.iter().all(|next| *next < blocks.len())));
        }
    }
    Ok(all_read)
}

/// Disassembles a file. Panics if that takes more memory than a constant plus a multiple of the size of the file.
fn listed(bytes: &[u8]) -> Result<bool, String> {
    const FIXED: u64 = 1 << 20;
    // Blocks and the lint keep the instructions.
    const TIMES: u64 = 64;
    let mut said = Ok(true);
    let used = measure(|| said = list(bytes).map_err(|error| error.to_string()));
    let most = FIXED + TIMES * bytes.len() as u64;
    assert!(used.bytes_max <= most, "{} bytes for a file of {}", used.bytes_max, bytes.len());
    if let Err(error) = &said {
        assert_eq!(error.lines().count(), 1, "{error:?}");
    }
    said
}

fn refused(bytes: &[u8], part: &str) {
    let error = listed(bytes).unwrap_err();
    assert!(error.contains(part), "{error:?}, not {part:?}");
}

fn kernel() -> Elf {
    let code = Elf::new(DYN).code(".text", 0x1000, ENDPGM.repeat(8)).data(".rodata", 0x2000, descriptor(true, -0x1000));
    code.symbol("k", FUNC, 1, 0x1000, 32).symbol("k.kd", OBJECT, 2, 0x2000, 64)
}

/// Returns the offset of a section header. Sections are counted from 1.
fn header(bytes: &[u8], nth: usize) -> usize {
    u64::from_le_bytes(*bytes[40..].first_chunk().unwrap()) as usize + 64 * nth
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

/// Numbers that no field should hold.
const CLAIMS: [u64; 8] = [1, 63, 0xffff, 1 << 31, u32::MAX as u64, 1 << 32, i64::MAX as u64, u64::MAX];

#[test]
fn every_byte_of_a_small_file_changed() {
    let whole = kernel().bytes();
    assert_eq!(listed(&whole), Ok(true));
    for at in 0..whole.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            let _ = listed(&bytes);
        }
    }
}

#[test]
fn cut_anywhere() {
    let whole = kernel().bytes();
    for length in 0..whole.len() {
        assert!(listed(&whole[..length]).is_err(), "{length}");
    }
}

#[test]
fn headers_that_lie() {
    let whole = kernel().bytes();
    // The file's header: entry, program headers, section headers, their sizes and counts.
    for (at, width) in [(24, 8), (32, 8), (40, 8), (52, 2), (54, 2), (56, 2), (58, 2), (60, 2), (62, 2)] {
        for claim in CLAIMS {
            let mut bytes = whole.clone();
            put(&mut bytes, at, &claim.to_le_bytes()[..width]);
            let _ = listed(&bytes);
        }
    }
    // Every field of every section's header: a claim of 4 GiB or more of code, symbols or names among them.
    for nth in 0..6 {
        for (at, width) in [(0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 4), (44, 4), (48, 8), (56, 8)] {
            for claim in CLAIMS {
                let mut bytes = whole.clone();
                let at = header(&whole, nth) + at;
                put(&mut bytes, at, &claim.to_le_bytes()[..width]);
                let _ = listed(&bytes);
            }
        }
    }
    for claim in [33 + whole.len() as u64, 1 << 32, u64::MAX] {
        let mut bytes = whole.clone();
        let at = header(&whole, 1) + 32;
        put(&mut bytes, at, &claim.to_le_bytes());
        refused(&bytes, "section .text should end");
    }
}

#[test]
fn claims_of_4_gib_are_errors() {
    let whole = kernel().bytes();
    // The code, the symbols, their names and the sections' names begin or end past its end; the data are not read
    // except for descriptors.
    for nth in [1, 3, 4, 5] {
        for field in [24, 32] {
            for claim in CLAIMS.into_iter().filter(|claim| *claim >= u32::MAX.into()) {
                let mut bytes = whole.clone();
                let at = header(&whole, nth) + field;
                put(&mut bytes, at, &claim.to_le_bytes());
                assert!(listed(&bytes).is_err(), "section {nth}, field {field}: {claim:#x}");
            }
        }
    }
    // Enough sections that the first one holds their number.
    for claim in CLAIMS.into_iter().filter(|claim| *claim >= 1 << 31) {
        let mut bytes = whole.clone();
        put(&mut bytes, 60, &0u16.to_le_bytes());
        let at = header(&whole, 0) + 32;
        put(&mut bytes, at, &claim.to_le_bytes());
        assert!(listed(&bytes).is_err(), "{claim:#x} sections");
    }
    // Code that the file does not hold, and code that says it is compressed.
    for (field, value) in [(4, &8u32.to_le_bytes()[..]), (8, &0x806u64.to_le_bytes())] {
        let mut bytes = whole.clone();
        let at = header(&whole, 1) + field;
        put(&mut bytes, at, value);
        put(&mut bytes, header(&whole, 1) + 32, &(1u64 << 32).to_le_bytes());
        let said = listed(&bytes);
        assert!(field == 4 || said.is_err(), "{said:?}");
    }
}

#[test]
fn tables_that_are_each_other_and_themselves() {
    let whole = kernel().bytes();
    // Sections 3, 4 and 5 are the symbols, their names and the sections' names; a link may go anywhere.
    for nth in 1..6 {
        for link in 0..7u32 {
            for kind in [1u32, 2, 3, 11, 18] {
                let mut bytes = whole.clone();
                let at = header(&whole, nth);
                put(&mut bytes, at + 4, &kind.to_le_bytes());
                put(&mut bytes, at + 40, &link.to_le_bytes());
                let _ = listed(&bytes);
            }
        }
    }
}

#[test]
fn symbols_that_lie() {
    for value in CLAIMS {
        for size in CLAIMS {
            for section in [1, 2, 3, 7, 0xff00, 0xffff] {
                let kinds = [NOTYPE, OBJECT, FUNC, 15];
                let elf = kinds.iter().fold(kernel(), |elf, kind| elf.symbol("x", *kind, section, value, size));
                let _ = listed(&elf.symbol("y.kd", NOTYPE, section, value, size).bytes());
            }
        }
    }
    // A descriptor whose code is before or after everything.
    for entry in [i64::MIN, -1, 1, i64::MAX] {
        let elf =
            Elf::new(DYN).code(".text", u64::MAX - 3, ENDPGM.repeat(8)).data(".rodata", 8, descriptor(false, entry));
        assert_eq!(listed(&elf.symbol("k.kd", OBJECT, 2, 8, 64).bytes()), Ok(true));
    }
}

#[test]
fn many_symbols_and_long_names() {
    const LONG: &str = match std::str::from_utf8(&[b'n'; 60_000]) {
        Ok(name) => name,
        Err(_) => "",
    };
    let many = (0..20_000).fold(kernel(), |elf, n| elf.symbol("s", NOTYPE, 1, 0x1000 + 4 * (n % 8), 4));
    assert_eq!(listed(&many.bytes()), Ok(true));
    assert_eq!(listed(&kernel().symbol(LONG, FUNC, 1, 0x1004, 4).bytes()), Ok(true));
}

#[test]
fn many_symbols_of_one_long_name() {
    const LONG: &str = match std::str::from_utf8(&[b'n'; 60_000]) {
        Ok(name) => name,
        Err(_) => "",
    };
    // Each names a separate place, so that all would be listed: 120 MB of one name.
    let code = Elf::new(DYN).code(".text", 0x1000, ENDPGM.repeat(2_000));
    let elf =
        (0..2_000).fold(code.symbol(LONG, FUNC, 1, 0x1000, 4), |elf, n| elf.symbol("", NOTYPE, 1, 0x1000 + 4 * n, 4));
    let mut bytes = elf.bytes();
    let table = elf.sections.len() + 1;
    let at = u64::from_le_bytes(*bytes[header(&bytes, table) + 24..].first_chunk().unwrap()) as usize;
    for nth in 2..=2_001 {
        put(&mut bytes, at + 24 * nth, &1u32.to_le_bytes());
    }
    refused(&bytes, "names");
    // A caller that knows the file can allow it.
    let limits = Limits { name_factor: usize::MAX, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let images = open(&bytes, &options).images.expect("the file is its image");
    assert!(images[0].listing(&options).is_ok());
}

#[test]
fn descriptors_whose_code_is_in_every_section() {
    // Each of 1,000 descriptors has its own entry, and each of 1,000 empty sections claims all addresses.
    let entries = (0..1_000).flat_map(|n| descriptor(false, 4 * n - 0x2000)).collect();
    let elf = Elf::new(DYN).code(".text", 0x1000, ENDPGM.repeat(8)).data(".rodata", 0x2000, entries);
    let elf = (0..1_000).fold(elf, |elf, _| elf.code(".t", 0, Vec::new()));
    let elf = (0..1_000).fold(elf, |elf, n| elf.symbol("k.kd", OBJECT, 2, 0x2000 + 64 * n, 64));
    let mut bytes = elf.bytes();
    for nth in 3..=1_002 {
        let at = header(&bytes, nth);
        put(&mut bytes, at + 32, &(1u64 << 40).to_le_bytes());
    }
    refused(&bytes, "section .t should end");
}

#[test]
fn sections_upon_each_other() {
    // 2,000 sections of code that are all the same 256 KiB would make a listing of half a GiB from one file.
    let elf = (0..2_000).fold(Elf::new(DYN).code(".text", 0, vec![0; 1 << 18]), |elf, _| elf.code(".t", 0, Vec::new()));
    let mut bytes = elf.bytes();
    for nth in 2..=2_001 {
        let at = header(&bytes, nth);
        let first: [u8; 16] = *bytes[header(&bytes, 1) + 24..].first_chunk().unwrap();
        put(&mut bytes, at + 24, &first);
    }
    refused(&bytes, "overlap");
}
