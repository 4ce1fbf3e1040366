//! Merging of equal strings and constants: sections with `SHF_MERGE`.
//!
//! The result has lld's layout, so that addresses after it, and with them descriptors and distances, are the same.

use std::collections::HashMap;

use object::elf;
use twox_hash::XxHash3_64;

use crate::model::Section;

/// The number of parts in which lld merges, each on a separate thread.
const SHARDS: usize = 32;

/// A piece of a section: a string with its end, or a constant.
struct Piece<'a> {
    offset: u64,
    bytes: &'a [u8],
    /// The part that merges it.
    shard: usize,
}

/// Merged sections.
#[derive(Debug)]
pub struct Merged {
    pub bytes: Vec<u8>,
    pub align: u64,
    /// For each section, where each of its pieces begins, and where in `bytes` it is.
    pub pieces: Vec<Vec<(u64, u64)>>,
}

/// The sections that are merged with each other: those with equal keys. `None`: the section is not merged.
pub fn key(section: &Section) -> Option<(u64, u64, u64)> {
    let flags = elf::SectionFlags(section.flags);
    let has = |flag: elf::SectionFlags| flags.0 & flag.0 != 0;
    let size = section.entry_size;
    let is_merged = has(elf::SHF_MERGE)
        && has(elf::SHF_ALLOC)
        && !has(elf::SHF_WRITE)
        && section.kind == elf::SHT_PROGBITS.0
        && section.relocations.is_empty()
        && size != 0
        && !section.bytes.is_empty()
        && (section.bytes.len() as u64).is_multiple_of(size);
    let is_string = has(elf::SHF_STRINGS);
    let end = usize::try_from(size).ok().and_then(|size| section.bytes.len().checked_sub(size));
    let ends = end.is_some_and(|end| section.bytes[end..].iter().all(|byte| *byte == 0));
    let align = if is_string { section.align.max(1) } else { 0 };
    (is_merged && (ends || !is_string)).then_some((section.flags, size, align))
}

fn pieces(section: &Section) -> Vec<Piece<'_>> {
    let size = usize::try_from(section.entry_size).unwrap_or(usize::MAX);
    let is_string = section.flags & elf::SHF_STRINGS.0 != 0;
    let mut pieces = Vec::new();
    let mut begin = 0;
    let mut entry = 0;
    for bytes in section.bytes.chunks_exact(size) {
        entry += size;
        if is_string && bytes.iter().any(|byte| *byte != 0) {
            continue;
        }
        // The end of a string is not hashed.
        let hashed = &section.bytes[begin..if is_string { entry - size } else { entry }];
        let hash = XxHash3_64::oneshot(hashed) as u32;
        let shard = (hash >> (u32::BITS - SHARDS.ilog2())) as usize;
        pieces.push(Piece { offset: begin as u64, bytes: &section.bytes[begin..entry], shard });
        begin = entry;
    }
    pieces
}

/// Merges sections with equal keys.
pub fn merge(sections: &[&Section]) -> Merged {
    let align = sections.iter().map(|section| section.align.max(1)).fold(1, u64::max);
    let all: Vec<Vec<Piece<'_>>> = sections.iter().map(|section| pieces(section)).collect();
    let mut shards: [(HashMap<&[u8], u64>, u64); SHARDS] = std::array::from_fn(|_| (HashMap::new(), 0));
    for piece in all.iter().flatten() {
        let (offsets, size) = &mut shards[piece.shard];
        offsets.entry(piece.bytes).or_insert_with(|| {
            let offset = size.next_multiple_of(align);
            *size = offset + piece.bytes.len() as u64;
            offset
        });
    }
    let mut end = 0u64;
    let mut begins = [0; SHARDS];
    for (begin, (_, size)) in begins.iter_mut().zip(&shards) {
        if *size > 0 {
            end = end.next_multiple_of(align);
        }
        *begin = end;
        end += size;
    }
    let place = |piece: &Piece<'_>| begins[piece.shard] + shards[piece.shard].0.get(piece.bytes).copied().unwrap_or(0);
    let mut bytes = vec![0; usize::try_from(end).unwrap_or(0)];
    for piece in all.iter().flatten() {
        if let Some(field) = usize::try_from(place(piece)).ok().and_then(|at| bytes.get_mut(at..at + piece.bytes.len()))
        {
            field.copy_from_slice(piece.bytes);
        }
    }
    let pieces = all.iter().map(|pieces| pieces.iter().map(|piece| (piece.offset, place(piece))).collect()).collect();
    Merged { bytes, align, pieces }
}
