//! Places of fragments, the forms of branches, and the contents of sections.

use crate::model::{Relocation, RelocationKind, RelocationTarget, Section, SectionId};

use super::error::AssembleError;
use super::fragment::{Fixup, PlacedFixup, Position, Stream, Variable};
use super::jump::{self, Condition, Far};
use super::{Label, SectionKind};

/// The size of an instruction cache line in bytes, to which the end of code is padded.
const CACHE_LINE: u64 = 128;

/// The number of cache lines that a processor fetches ahead at most.
const PREFETCHED_LINES: u64 = 3;

/// Chooses the forms of branches: all are near at first, and those out of range become far until none is. Growing code never
/// brings a label nearer than its branch reaches, but for padding, and a branch that is far stays so; hence this ends.
pub fn relax(streams: &mut [Stream; 4], labels: &[Option<Position>]) -> Result<(), AssembleError> {
    loop {
        for stream in streams.iter_mut() {
            let sizes = sizes(stream)?;
            stream.fragments.resize(sizes);
        }
        let grown = out_of_range(streams, labels)?;
        if grown.is_empty() {
            return Ok(());
        }
        let mut grown = grown.into_iter().peekable();
        for (section, stream) in streams.iter_mut().enumerate() {
            for (nth, variable) in stream.fragments.kinds_mut().enumerate() {
                if grown.next_if_eq(&(section, nth)).is_some()
                    && let Variable::Branch { is_far, .. } = variable
                {
                    *is_far = true;
                }
            }
        }
    }
}

/// The section and the index of each near branch that does not reach its label.
fn out_of_range(streams: &[Stream; 4], labels: &[Option<Position>]) -> Result<Vec<(usize, usize)>, AssembleError> {
    let mut found = Vec::new();
    for (section, stream) in streams.iter().enumerate() {
        for (nth, fragment) in stream.fragments.iter().enumerate() {
            let Variable::Branch { to, far, is_far: false, .. } = &fragment.kind else { continue };
            let (target, offset) = place(*to, labels, streams)?;
            if target != section {
                return Err(AssembleError::OtherSection { label: *to });
            }
            let distance = offset.cast_signed() - fragment.begin().cast_signed() - 4;
            if distance % 4 != 0 {
                return Err(AssembleError::Misaligned { label: *to });
            }
            if i16::try_from(distance / 4).is_err() {
                if *far == Far::No {
                    return Err(AssembleError::OutOfRange { label: *to, dwords: distance / 4 });
                }
                found.push((section, nth));
            }
        }
    }
    Ok(found)
}

/// The sizes of the variable fragments.
fn sizes(stream: &Stream) -> Result<Vec<u64>, AssembleError> {
    let mut before = 0u64;
    let mut sizes = Vec::with_capacity(stream.fragments.len());
    for fragment in stream.fragments.iter() {
        let begin = fragment.offset() + before;
        let size = match &fragment.kind {
            Variable::Align(align) => begin.checked_next_multiple_of(*align).ok_or(AssembleError::TooLarge)? - begin,
            Variable::Branch { condition, far, is_far: true, .. } => {
                4 * (far.dwords() + u64::from(condition.is_some()))
            }
            Variable::Branch { .. } => 4,
        };
        before += size;
        if before > i32::MAX as u64 {
            return Err(AssembleError::TooLarge);
        }
        sizes.push(size);
    }
    if stream.bytes.len() as u64 + before > i32::MAX as u64 { Err(AssembleError::TooLarge) } else { Ok(sizes) }
}

/// The section of a label and its place there.
pub fn place(label: Label, labels: &[Option<Position>], streams: &[Stream; 4]) -> Result<(usize, u64), AssembleError> {
    let position = labels.get(label.0).copied().flatten().ok_or(AssembleError::Unbound { label })?;
    let before = streams[position.section].fragments.size_before(position.fragment);
    Ok((position.section, position.offset + before))
}

/// Writes the contents of a section.
pub fn emit(
    kind: SectionKind,
    streams: &[Stream; 4],
    labels: &[Option<Position>],
    ids: &[Option<SectionId>; 4],
    section: &mut Section,
) -> Result<(), AssembleError> {
    let index = kind as usize;
    let stream = &streams[index];
    let is_code = kind == SectionKind::Text;
    section.align = if is_code { 4 } else { 1 };
    section.bytes.reserve(stream.bytes.len() + usize::try_from(stream.fragments.size()).unwrap_or(0));
    let mut done = Ok(());
    stream.fragments.write(&stream.bytes, &mut section.bytes, |fragment, bytes| match &fragment.kind {
        Variable::Align(align) => {
            section.align = section.align.max(*align);
            pad(bytes, *align, is_code.then(jump::nop));
        }
        Variable::Branch { condition, to, far, is_far } => {
            let code = place(*to, labels, streams).and_then(|(_, target)| {
                let distance = target.cast_signed() - fragment.begin().cast_signed();
                let code = branch(*condition, *far, *is_far, distance);
                code.ok_or(AssembleError::Pair { first: far.pair().map_or(0, |pair| pair.first()) })
            });
            match code {
                Ok(code) => bytes.extend(code.iter().flat_map(|dword| dword.to_le_bytes())),
                Err(error) if done.is_ok() => done = Err(error),
                Err(_) => {}
            }
        }
    });
    done?;
    for PlacedFixup { fragment, offset, fixup } in &stream.fixups {
        let here = offset + stream.fragments.size_before(*fragment);
        apply(*fixup, (index, here), labels, streams, ids, section)?;
    }
    if is_code {
        pad(&mut section.bytes, CACHE_LINE, Some(jump::code_end()));
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
fn pad(bytes: &mut Vec<u8>, align: u64, dword: Option<u32>) {
    let len = bytes.len() as u64;
    let rest = usize::try_from(len.next_multiple_of(align) - len).unwrap_or(0);
    match dword {
        None => bytes.resize(bytes.len() + rest, 0),
        Some(dword) => {
            bytes.resize(bytes.len() + rest % 4, 0);
            bytes.extend((0..rest / 4).flat_map(|_| dword.to_le_bytes()));
        }
    }
}

/// Fills a field, or adds a relocation for it.
fn apply(
    fixup: Fixup,
    (index, here): (usize, u64),
    labels: &[Option<Position>],
    streams: &[Stream; 4],
    ids: &[Option<SectionId>; 4],
    section: &mut Section,
) -> Result<(), AssembleError> {
    match fixup {
        Fixup::Symbol { kind, symbol, addend } => {
            let target = RelocationTarget::Symbol(symbol);
            section.relocations.push(Relocation { offset: here, kind, target, addend });
        }
        Fixup::Distance { label } => {
            let (target, offset) = place(label, labels, streams)?;
            if target == index {
                // Sections have at most 2 GiB.
                let distance = (offset.cast_signed() - here.cast_signed()) as i32;
                let at = here as usize;
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
