//! Places of fragments, the forms of branches, and the contents of sections.

use crate::model::{Relocation, RelocationKind, RelocationTarget, Section, SectionId};

use super::error::AssembleError;
use super::fragment::{Fixup, Fragment, Position, Stream};
use super::jump::{self, Condition, Far};
use super::{Label, SectionKind};

/// The size of an instruction cache line in bytes, to which the end of code is padded.
const CACHE_LINE: u64 = 128;

/// The number of cache lines that a processor fetches ahead at most.
const PREFETCHED_LINES: u64 = 3;

/// Where each fragment of a section begins, and its end, in bytes.
#[derive(Debug)]
pub struct Layout {
    begins: Vec<u64>,
    end: u64,
}

/// Chooses the forms of branches: all are near at first, and those out of range become far until none is. Growing code never
/// brings a label nearer than its branch reaches, but for padding, and a branch that is far stays so; hence this ends.
pub fn relax(streams: &mut [Stream; 4], labels: &[Option<Position>]) -> Result<Vec<Layout>, AssembleError> {
    loop {
        let layouts = streams.iter().map(lay_out).collect::<Result<Vec<_>, _>>()?;
        let mut has_grown = false;
        for (section, stream) in streams.iter_mut().enumerate() {
            for (nth, fragment) in stream.fragments.iter_mut().enumerate() {
                let Fragment::Branch { to, far, is_far: is_far @ false, .. } = fragment else { continue };
                let (target, offset) = place(*to, labels, &layouts)?;
                if target != section {
                    return Err(AssembleError::OtherSection { label: *to });
                }
                let distance = offset.cast_signed() - layouts[section].begins[nth].cast_signed() - 4;
                if distance % 4 != 0 {
                    return Err(AssembleError::Misaligned { label: *to });
                }
                if i16::try_from(distance / 4).is_err() {
                    if *far == Far::No {
                        return Err(AssembleError::OutOfRange { label: *to, dwords: distance / 4 });
                    }
                    (*is_far, has_grown) = (true, true);
                }
            }
        }
        if !has_grown {
            return Ok(layouts);
        }
    }
}

fn lay_out(stream: &Stream) -> Result<Layout, AssembleError> {
    let mut end = 0u64;
    let mut begins = Vec::with_capacity(stream.fragments.len());
    for fragment in &stream.fragments {
        begins.push(end);
        end = match fragment {
            Fragment::Bytes(bytes, _) => end + bytes.len() as u64,
            Fragment::Align(align) => end.checked_next_multiple_of(*align).ok_or(AssembleError::TooLarge)?,
            Fragment::Branch { condition, far, is_far: true, .. } => {
                end + 4 * (far.dwords() + u64::from(condition.is_some()))
            }
            Fragment::Branch { .. } => end + 4,
        };
        if end > i32::MAX as u64 {
            return Err(AssembleError::TooLarge);
        }
    }
    Ok(Layout { begins, end })
}

/// The section of a label and its place there.
pub fn place(label: Label, labels: &[Option<Position>], layouts: &[Layout]) -> Result<(usize, u64), AssembleError> {
    let position = labels.get(label.0).copied().flatten().ok_or(AssembleError::Unbound { label })?;
    let begin = layouts[position.section].begins[position.fragment];
    Ok((position.section, begin + position.offset as u64))
}

/// Writes the contents of a section.
pub fn emit(
    kind: SectionKind,
    streams: &[Stream; 4],
    labels: &[Option<Position>],
    layouts: &[Layout],
    ids: &[Option<SectionId>; 4],
    section: &mut Section,
) -> Result<(), AssembleError> {
    let index = kind as usize;
    let layout = &layouts[index];
    let is_code = kind == SectionKind::Text;
    section.align = if is_code { 4 } else { 1 };
    section.bytes.reserve(usize::try_from(layout.end).unwrap_or(0));
    for (fragment, begin) in streams[index].fragments.iter().zip(&layout.begins) {
        match fragment {
            Fragment::Bytes(bytes, fixups) => {
                let base = section.bytes.len();
                section.bytes.extend(bytes);
                for (offset, fixup) in fixups {
                    apply(*fixup, (index, begin + *offset as u64), base + offset, labels, layouts, ids, section)?;
                }
            }
            Fragment::Align(align) => {
                section.align = section.align.max(*align);
                pad(section, *align, is_code.then(jump::nop));
            }
            Fragment::Branch { condition, to, far, is_far } => {
                let (_, target) = place(*to, labels, layouts)?;
                let distance = target.cast_signed() - begin.cast_signed();
                let code = branch(*condition, *far, *is_far, distance);
                let code = code.ok_or(AssembleError::Pair { first: far.pair().map_or(0, |pair| pair.first()) })?;
                section.bytes.extend(code.iter().flat_map(|dword| dword.to_le_bytes()));
            }
        }
    }
    if is_code {
        pad(section, CACHE_LINE, Some(jump::code_end()));
        let lines = CACHE_LINE * PREFETCHED_LINES / 4;
        section.bytes.extend((0..lines).flat_map(|_| jump::code_end().to_le_bytes()));
    }
    section.size = section.bytes.len() as u64;
    Ok(())
}

/// The dwords of a branch whose target is `distance` bytes after its beginning.
fn branch(condition: Option<Condition>, far: Far, is_far: bool, distance: i64) -> Option<Vec<u32>> {
    if !is_far {
        let dwords = i16::try_from((distance - 4) / 4).ok()?;
        return jump::near(condition, dwords).map(|words| words.to_vec());
    }
    let Some(condition) = condition else { return jump::far(far, distance) };
    let mut code = jump::near(Some(condition.inverse()), i16::try_from(far.dwords()).ok()?)?.to_vec();
    code.extend(jump::far(far, distance - 4)?);
    Some(code)
}

/// Fills up to a multiple of `align` bytes, with whole dwords in code and zeros elsewhere.
fn pad(section: &mut Section, align: u64, dword: Option<u32>) {
    let len = section.bytes.len() as u64;
    let rest = usize::try_from(len.next_multiple_of(align) - len).unwrap_or(0);
    match dword {
        None => section.bytes.resize(section.bytes.len() + rest, 0),
        Some(dword) => {
            section.bytes.resize(section.bytes.len() + rest % 4, 0);
            section.bytes.extend((0..rest / 4).flat_map(|_| dword.to_le_bytes()));
        }
    }
}

/// Fills a field, or adds a relocation for it.
fn apply(
    fixup: Fixup,
    (index, here): (usize, u64),
    at: usize,
    labels: &[Option<Position>],
    layouts: &[Layout],
    ids: &[Option<SectionId>; 4],
    section: &mut Section,
) -> Result<(), AssembleError> {
    match fixup {
        Fixup::Symbol { kind, symbol, addend } => {
            let target = RelocationTarget::Symbol(symbol);
            section.relocations.push(Relocation { offset: here, kind, target, addend });
        }
        Fixup::Distance { label } => {
            let (target, offset) = place(label, labels, layouts)?;
            if target == index {
                // Sections have at most 2 GiB.
                let distance = (offset.cast_signed() - here.cast_signed()) as i32;
                if let Some(field) = section.bytes.get_mut(at..at + 4) {
                    field.copy_from_slice(&distance.to_le_bytes());
                }
            } else {
                let id = ids[target].ok_or(AssembleError::OtherSection { label })?;
                let (kind, target) = (RelocationKind::Rel32, RelocationTarget::Section(id));
                section.relocations.push(Relocation { offset: here, kind, target, addend: offset.cast_signed() });
            }
        }
    }
    Ok(())
}
