//! Addresses and places in the file, and the segments that map them.

use object::elf;
use object::write::elf::{Encoder, ProgramHeader};

use super::output::{Output, Rank};
use super::symbols::Meaning;
use super::{LARGEST_ADDRESS, LinkError, PAGE};
use crate::limits::Limits;

/// The order of the sections in the file, and its segments.
#[derive(Debug)]
pub struct FileLayout {
    /// The outputs in the order of their section headers.
    pub order: Vec<usize>,
    pub segments: Vec<ProgramHeader>,
}

/// The sections of a segment, as a range of `FileLayout::order`.
struct Load {
    begin: usize,
    end: usize,
    flags: elf::ProgramFlags,
}

/// Assigns addresses and places in the file. `dynamic` is the output with the entries for the dynamic linker.
pub fn assign(
    outputs: &mut [Output],
    meanings: &[Meaning],
    dynamic: usize,
    limits: Limits,
) -> Result<FileLayout, LinkError> {
    let order = order(outputs, meanings);
    if order.len() >= usize::from(elf::SHN_LORESERVE) - 1 {
        return Err(LinkError::TooLarge { reason: format!("{} sections", order.len()) });
    }
    for (index, nth) in (1u32..).zip(&order) {
        outputs[*nth].index = index;
    }
    let loads = loads(outputs, &order);
    let notes = runs(&order, |nth| outputs[*nth].rank == Rank::Note);
    // The table of segments itself, the dynamic section, read-only data after relocation, and the stack have one each.
    let count = loads.len() + notes.len() + 4;
    let encoder = Encoder::new(object::Endianness::Little, true, elf::EM_AMDGPU);
    let table = (encoder.file_header_size(), count as u64 * encoder.program_header_size());
    let end = place(outputs, &order, &loads, table.0 + table.1, limits)?;
    place_not_loaded(outputs, &order, end, limits)?;

    let mut segments = vec![segment(elf::PT_PHDR, elf::PF_R, 8, (table.0, table.0), table.1, table.1)];
    for (nth, load) in loads.iter().enumerate() {
        let sections = &order[load.begin..load.end];
        let mut header = cover(outputs, sections, elf::PT_LOAD, load.flags);
        header.p_align = sections.iter().map(|nth| outputs[*nth].align).fold(PAGE, u64::max);
        if nth == 0 {
            // The headers of the file are loaded, too.
            header.p_filesz += header.p_offset;
            header.p_memsz += header.p_vaddr;
            (header.p_offset, header.p_vaddr, header.p_paddr) = (0, 0, 0);
        }
        segments.push(header);
    }
    let write = elf::PF_R | elf::PF_W;
    segments.push(cover(outputs, &[dynamic], elf::PT_DYNAMIC, write));
    let is_relro = |rank| (Rank::Relro..=Rank::RelroPadding).contains(&rank);
    let relro: Vec<usize> = order.iter().filter(|nth| is_relro(outputs[**nth].rank)).copied().collect();
    let mut header = cover(outputs, &relro, elf::PT_GNU_RELRO, elf::PF_R);
    header.p_align = 1;
    segments.push(header);
    segments.push(segment(elf::PT_GNU_STACK, write, 0, (0, 0), 0, 0));
    segments.extend(notes.iter().map(|(begin, end)| cover(outputs, &order[*begin..*end], elf::PT_NOTE, elf::PF_R)));
    Ok(FileLayout { order, segments })
}

/// The outputs by rank, without empty ones that no symbol names.
fn order(outputs: &[Output], meanings: &[Meaning]) -> Vec<usize> {
    let mut is_named = vec![false; outputs.len()];
    for meaning in meanings {
        if let Meaning::Place(output, _) = meaning {
            is_named[*output] = true;
        }
    }
    let is_kept = |nth: &usize| outputs[*nth].size != 0 || is_named[*nth] || outputs[*nth].rank == Rank::RelroPadding;
    let mut order: Vec<usize> = (0..outputs.len()).filter(is_kept).collect();
    order.sort_by_key(|nth| outputs[*nth].rank);
    order
}

/// The ranges of consecutive sections for which `f` holds.
fn runs(order: &[usize], f: impl Fn(&usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    for (nth, _) in order.iter().enumerate().filter(|(_, output)| f(output)) {
        match runs.last_mut() {
            Some((_, end)) if *end == nth => *end = nth + 1,
            _ => runs.push((nth, nth + 1)),
        }
    }
    runs
}

fn access(rank: Rank) -> elf::ProgramFlags {
    match rank {
        Rank::Note | Rank::Table | Rank::ReadOnly | Rank::NotLoaded => elf::PF_R,
        Rank::Code => elf::PF_R | elf::PF_X,
        Rank::WritableCode => elf::PF_R | elf::PF_W | elf::PF_X,
        Rank::Relro | Rank::RelroZeros | Rank::RelroPadding | Rank::Data | Rank::Zeros => elf::PF_R | elf::PF_W,
    }
}

/// Returns the loaded segments: one for each change of the access rights, and one after the sections that are read-only after
/// relocation.
fn loads(outputs: &[Output], order: &[usize]) -> Vec<Load> {
    let mut loads: Vec<Load> = Vec::new();
    let mut was_padding = false;
    for (at, nth) in order.iter().enumerate() {
        let rank = outputs[*nth].rank;
        if rank == Rank::NotLoaded {
            break;
        }
        let flags = access(rank);
        match loads.last_mut() {
            Some(load) if load.flags == flags && !was_padding => load.end = at + 1,
            _ => loads.push(Load { begin: at, end: at + 1, flags }),
        }
        was_padding = rank == Rank::RelroPadding;
    }
    loads
}

/// Places the sections that are loaded after the headers and returns where they end in the file.
///
/// A segment begins on the next page, at the same offset in its page at which the segment before it ends, so that the file needs no
/// padding between them. Place and address agree modulo the alignment of the segment.
fn place(
    outputs: &mut [Output],
    order: &[usize],
    loads: &[Load],
    headers: u64,
    limits: Limits,
) -> Result<u64, LinkError> {
    let too_large = || LinkError::TooLarge { reason: "its sections and their alignments".into() };
    let (mut address, mut offset) = (headers, headers);
    for (nth, load) in loads.iter().enumerate() {
        let sections = &order[load.begin..load.end];
        let align = sections.iter().map(|nth| outputs[*nth].align).fold(PAGE, u64::max);
        if nth > 0 {
            address = address.next_multiple_of(PAGE) + address % PAGE;
        }
        let first = &outputs[sections[0]];
        address = address
            .checked_next_multiple_of(first.align)
            .filter(|end| *end <= LARGEST_ADDRESS)
            .ok_or_else(too_large)?;
        if align > limits.file_bytes {
            return Err(too_large());
        }
        let distance = address.wrapping_sub(offset) % align;
        offset += if nth > 0 { distance } else { address - offset };
        let (base, begin) = (address, offset);
        for nth in sections {
            let output = &mut outputs[*nth];
            if output.rank == Rank::RelroPadding {
                output.size = address.wrapping_neg() % PAGE;
            }
            address = address.checked_next_multiple_of(output.align).ok_or_else(too_large)?;
            output.address = address;
            // Zeros have no place in the file; that of the first section of a segment says how the segment is mapped.
            output.offset = if output.has_contents() || address == base { begin + (address - base) } else { offset };
            if output.rank != Rank::RelroPadding {
                address = address.checked_add(output.size).ok_or_else(too_large)?;
            }
            if output.has_contents() {
                offset = begin + (address - base);
            }
            if address > LARGEST_ADDRESS || offset > limits.file_bytes {
                return Err(too_large());
            }
        }
    }
    Ok(offset)
}

fn place_not_loaded(outputs: &mut [Output], order: &[usize], mut offset: u64, limits: Limits) -> Result<(), LinkError> {
    for nth in order {
        let output = &mut outputs[*nth];
        if output.rank == Rank::NotLoaded {
            let align = output.align.min(PAGE);
            offset = offset.next_multiple_of(align);
            output.offset = offset;
            if output.has_contents() {
                offset += output.size;
            }
        }
    }
    if offset > limits.file_bytes.saturating_mul(2) {
        return Err(LinkError::TooLarge { reason: "its sections that are not loaded".into() });
    }
    Ok(())
}

/// A segment of consecutive sections.
fn cover(outputs: &[Output], sections: &[usize], kind: elf::ProgramType, flags: elf::ProgramFlags) -> ProgramHeader {
    let Some(first) = sections.first().map(|nth| &outputs[*nth]) else {
        return segment(kind, flags, 1, (0, 0), 0, 0);
    };
    let (mut file, mut memory, mut align) = (0, 0, 1);
    for output in sections.iter().map(|nth| &outputs[*nth]) {
        let end = output.address - first.address + output.size;
        memory = memory.max(end);
        if output.has_contents() {
            file = end;
        }
        align = align.max(output.align);
    }
    segment(kind, flags, align, (first.offset, first.address), file, memory)
}

fn segment(
    p_type: elf::ProgramType,
    p_flags: elf::ProgramFlags,
    p_align: u64,
    (p_offset, p_vaddr): (u64, u64),
    p_filesz: u64,
    p_memsz: u64,
) -> ProgramHeader {
    ProgramHeader { p_type, p_flags, p_offset, p_vaddr, p_paddr: p_vaddr, p_filesz, p_memsz, p_align }
}
