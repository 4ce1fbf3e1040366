//! Sections, the subsections that they consist of, and addresses in them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use amdgpu_object::fragments::{Fragments, VariableFragment};
use object::elf;

use crate::layout::address::Address;
use crate::layout::fragment::{FragmentContents, FragmentKind};
use crate::layout::padding::{Padding, fill, pad};

/// The largest section without contents (`SHT_NOBITS`), in bytes.
const MAX_VIRTUAL_SIZE: u64 = 1 << 40;

/// The properties that identify a section.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct SectionKey {
    /// The name.
    pub name: String,
    /// The signature of its group.
    pub group: Option<String>,
    /// The symbol whose section it belongs to (`SHF_LINK_ORDER`).
    pub linked_to: Option<String>,
    /// The number after `unique`.
    pub unique: Option<u32>,
}

/// A section.
#[derive(Debug)]
pub struct Section {
    /// The properties that identify it.
    pub key: SectionKey,
    /// `sh_type`.
    pub kind: u32,
    /// `sh_flags`.
    pub flags: u64,
    /// `sh_entsize`.
    pub entry_size: u64,
    /// Whether its group is a COMDAT group.
    pub is_comdat: bool,
    /// The largest alignment that it needs.
    pub align: u64,
    /// Its subsections by their numbers, in ascending order.
    subsections: BTreeMap<u32, u32>,
    /// Its bytes, after layout.
    pub bytes: Vec<u8>,
    /// Its size in bytes, after layout.
    pub size: u64,
}

impl Section {
    /// An empty section.
    pub fn new(key: SectionKey, kind: u32, flags: u64) -> Self {
        Self {
            // LLVM aligns `.text` to the size of an instruction word, and other sections by request.
            align: if key.name == ".text" && key.unique.is_none() { 4 } else { 1 },
            key,
            kind,
            flags,
            entry_size: 0,
            is_comdat: false,
            subsections: BTreeMap::new(),
            bytes: Vec::new(),
            size: 0,
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.key.name
    }

    /// Whether it holds instructions.
    pub fn is_executable(&self) -> bool {
        self.flags & elf::SHF_EXECINSTR.0 != 0
    }

    /// Whether it has a size and no contents.
    pub fn is_nobits(&self) -> bool {
        self.kind == elf::SHT_NOBITS.0
    }
}

/// A part of a section: `.subsection N`. A section consists of its subsections in the order of their numbers.
#[derive(Debug)]
pub struct Subsection {
    /// The index of its section.
    pub section: u32,
    /// The contents, without fragments of unknown size. Empty in a section without contents.
    pub bytes: Vec<u8>,
    /// The size so far of a subsection without contents.
    virtual_size: u64,
    is_code: bool,
    is_nobits: bool,
    /// Whether its beginning is the beginning of the section.
    is_first: bool,
    /// The fragments among the bytes whose sizes only layout knows. Addresses have their numbers.
    pub fragments: Fragments<FragmentContents>,
    /// Which of the bytes are not instructions.
    pub data: Vec<Range<usize>>,
    /// Up to which byte the registers of the instructions are counted.
    pub counted: usize,
    /// Where it begins in the section, after layout.
    pub start: u64,
}

/// Why bytes cannot be appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendError {
    /// The sections would be too large.
    TooLarge,
    /// The section has no contents (`SHT_NOBITS`), and a byte is not 0.
    NoContents,
    /// The padding of an alignment is wrong.
    Padding(&'static str),
}

impl Subsection {
    fn new(section: u32, is_code: bool, is_nobits: bool, is_first: bool) -> Self {
        Self {
            section,
            bytes: Vec::new(),
            virtual_size: 0,
            is_code,
            is_nobits,
            is_first,
            fragments: Fragments::default(),
            data: Vec::new(),
            counted: 0,
            start: 0,
        }
    }

    /// Bytes that it holds, without fragments of unknown size.
    pub fn len(&self) -> u64 {
        if self.is_nobits { self.virtual_size } else { self.bytes.len() as u64 }
    }

    /// Its end, if this is its index.
    pub fn end(&self, index: u32) -> Address {
        Address { subsection: index, fragment: self.fragments.current(), offset: self.len() }
    }

    /// Whether instructions can be appended: the section has contents.
    pub fn has_contents(&self) -> bool {
        !self.is_nobits
    }

    /// The size, after layout.
    pub fn size(&self) -> u64 {
        self.len() + self.fragments.size()
    }
}

/// All sections, and where statements go.
#[derive(Debug)]
pub struct Sections {
    list: Vec<Section>,
    subsections: Vec<Subsection>,
    index: HashMap<SectionKey, u32>,
    /// The index of the subsection that statements go to.
    current: u32,
    /// The index of the subsection before it; `None` if a program has not left its first one.
    previous: Option<u32>,
    stack: Vec<(u32, Option<u32>)>,
    /// Bytes of all subsections but the current one.
    elsewhere: u64,
    /// The most bytes that all sections hold together: a `.fill` by mistake is an error, not the end of memory.
    limit: u64,
}

impl Sections {
    /// Creates an empty `.text` with this capacity in bytes, and a limit on the bytes of all sections.
    pub fn new(capacity: usize, limit: u64) -> Self {
        let mut sections = Self {
            list: Vec::new(),
            subsections: Vec::new(),
            index: HashMap::new(),
            current: 0,
            previous: None,
            stack: Vec::new(),
            elsewhere: 0,
            limit,
        };
        let key = SectionKey { name: ".text".into(), ..SectionKey::default() };
        let flags = elf::SHF_ALLOC.0 | elf::SHF_EXECINSTR.0;
        let text = sections.find_or_add(key, || (elf::SHT_PROGBITS.0, flags));
        sections.subsection(text, 0);
        // A buffer that grows is copied. If the reservation fails, the buffer grows.
        let _ = sections.current_mut().bytes.try_reserve(capacity);
        sections
    }

    /// All sections; the first is `.text`.
    pub fn list(&self) -> &[Section] {
        &self.list
    }

    /// The section of a subsection.
    pub fn section_of(&self, subsection: u32) -> u32 {
        self.subsections.get(subsection as usize).map_or(0, |subsection| subsection.section)
    }

    /// All subsections.
    pub fn subsections(&self) -> &[Subsection] {
        &self.subsections
    }

    /// All subsections.
    pub fn subsections_mut(&mut self) -> &mut [Subsection] {
        &mut self.subsections
    }

    /// The indices of the subsections of a section, in the order of their numbers.
    pub fn parts(&self, section: u32) -> impl Iterator<Item = u32> + use<'_> {
        self.list.get(section as usize).into_iter().flat_map(|section| section.subsections.values().copied())
    }

    /// Returns the section with this key. Adds one with the type and flags of `new` if it is missing.
    pub fn find_or_add(&mut self, key: SectionKey, new: impl FnOnce() -> (u32, u64)) -> u32 {
        if let Some(found) = self.index.get(&key) {
            return *found;
        }
        let (kind, flags) = new();
        let at = self.list.len() as u32;
        self.index.insert(key.clone(), at);
        self.list.push(Section::new(key, kind, flags));
        at
    }

    /// The beginning of the section with this name and nothing else that distinguishes it.
    pub fn start_of(&self, name: &str) -> Option<Address> {
        let section = *self.index.get(&SectionKey { name: name.into(), ..SectionKey::default() })?;
        Some(Address { subsection: self.parts(section).next()?, fragment: 0, offset: 0 })
    }

    /// A section, whose contents have not been laid out.
    pub fn get_mut(&mut self, section: u32) -> Option<&mut Section> {
        self.list.get_mut(section as usize)
    }

    fn subsection(&mut self, section: u32, number: u32) -> u32 {
        let next = self.subsections.len() as u32;
        let Some(found) = self.list.get_mut(section as usize) else { return 0 };
        let subsection = *found.subsections.entry(number).or_insert(next);
        if subsection != next {
            return subsection;
        }
        self.subsections.push(Subsection::new(section, found.is_executable(), found.is_nobits(), number == 0));
        next
    }

    /// Continues in another subsection.
    fn enter(&mut self, subsection: u32) {
        self.elsewhere += self.stored(self.current);
        self.current = subsection;
        self.elsewhere -= self.stored(subsection);
    }

    fn stored(&self, subsection: u32) -> u64 {
        self.subsections.get(subsection as usize).map_or(0, |subsection| subsection.bytes.len() as u64)
    }

    /// `.section`: continues in this subsection of a section.
    pub fn switch(&mut self, section: u32, number: u32) {
        self.previous = Some(self.current);
        let subsection = self.subsection(section, number);
        self.enter(subsection);
    }

    /// `.subsection`: continues in another subsection of the same section.
    pub fn switch_subsection(&mut self, number: u32) {
        self.switch(self.section_of(self.current), number);
    }

    /// `.pushsection`: remembers where statements go.
    pub fn push(&mut self) {
        self.stack.push((self.current, self.previous));
    }

    /// `.popsection`: continues where the last `push` was; whether there was one.
    pub fn pop(&mut self) -> bool {
        let Some((current, previous)) = self.stack.pop() else { return false };
        self.previous = previous;
        self.enter(current);
        true
    }

    /// `.previous`: continues in the subsection before this one. Returns whether there was one.
    pub fn swap(&mut self) -> bool {
        let Some(back) = self.previous else { return false };
        self.previous = Some(self.current);
        self.enter(back);
        true
    }

    /// The subsection that statements go to.
    pub fn current(&self) -> &Subsection {
        // The current subsection is always one of them.
        self.subsections.get(self.current as usize).unwrap_or(&self.subsections[0])
    }

    /// The subsection that statements go to.
    pub fn current_mut(&mut self) -> &mut Subsection {
        let at = self.current as usize;
        let at = if at < self.subsections.len() { at } else { 0 };
        &mut self.subsections[at]
    }

    /// The section that statements go to.
    pub fn current_section(&self) -> u32 {
        self.section_of(self.current)
    }

    /// Where the next byte goes.
    pub fn here(&self) -> Address {
        self.current().end(self.current)
    }

    /// The most bytes that all sections hold together.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// How many bytes can be appended.
    pub fn room(&self) -> u64 {
        let current = self.current();
        let most = if current.is_nobits { MAX_VIRTUAL_SIZE } else { self.limit.saturating_sub(self.elsewhere) };
        most.saturating_sub(current.len())
    }

    /// Appends bytes.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), AppendError> {
        if bytes.len() as u64 > self.room() {
            return Err(AppendError::TooLarge);
        }
        let current = self.current_mut();
        if !current.is_nobits {
            current.bytes.extend_from_slice(bytes);
        } else if bytes.iter().any(|byte| *byte != 0) {
            return Err(AppendError::NoContents);
        } else {
            current.virtual_size += bytes.len() as u64;
        }
        Ok(())
    }

    /// Appends `value`, of `size` bytes, `count` times. Beyond eight bytes a value is zero.
    pub fn fill(&mut self, count: u64, size: usize, value: i64) -> Result<(), AppendError> {
        let bytes = count.saturating_mul(size as u64);
        if bytes > self.room() {
            return Err(AppendError::TooLarge);
        }
        let current = self.current_mut();
        if !current.is_nobits {
            fill(&mut current.bytes, count, size, value);
        } else if value != 0 {
            return Err(AppendError::NoContents);
        } else {
            current.virtual_size += bytes;
        }
        Ok(())
    }

    /// Pads to a multiple of `align`, unless that takes more than `most` bytes.
    pub fn align(
        &mut self,
        align: u64,
        padding: Padding,
        most: Option<u64>,
        span: Range<usize>,
    ) -> Result<(), AppendError> {
        let section = self.current_section();
        if let Some(section) = self.get_mut(section) {
            section.align = section.align.max(align);
        }
        let current = self.current_mut();
        let is_known = current.fragments.is_empty() && current.is_first;
        if !is_known {
            self.push_variable(FragmentKind::Align { align, padding, most }, span);
            return Ok(());
        }
        current.fragments.end_fragment();
        let missing = current.len().next_multiple_of(align.max(1)) - current.len();
        if most.is_some_and(|most| missing > most) {
            return Ok(());
        }
        padding.check(missing).map_err(AppendError::Padding)?;
        if missing > self.room() {
            return Err(AppendError::TooLarge);
        }
        let current = self.current_mut();
        if !current.is_nobits {
            pad(&mut current.bytes, missing, padding, current.is_code);
        } else if matches!(padding, Padding::Value(value, _) if value != 0) {
            return Err(AppendError::NoContents);
        } else {
            current.virtual_size += missing;
        }
        Ok(())
    }

    /// Starts a new fragment: distances across this place are not known before layout.
    pub fn end_fragment(&mut self) {
        self.current_mut().fragments.end_fragment();
    }

    /// Whether the offset of the next byte in its section is known before layout.
    pub fn is_offset_known(&self) -> bool {
        let current = self.current();
        current.fragments.is_empty() && current.is_first
    }

    /// Appends a fragment whose size only layout knows.
    pub fn push_variable(&mut self, kind: FragmentKind, span: Range<usize>) {
        let current = self.current_mut();
        let offset = current.len();
        current.fragments.push(offset, FragmentContents { kind, span, value: 0 });
    }

    /// Places the subsections of each section after each other; whether any has moved.
    pub fn place_subsections(&mut self) -> bool {
        let mut has_changed = false;
        for section in &self.list {
            let mut start = 0;
            for part in section.subsections.values() {
                let Some(part) = self.subsections.get_mut(*part as usize) else { continue };
                has_changed |= part.start != start;
                part.start = start;
                start += part.size();
            }
        }
        has_changed
    }

    /// Takes the bytes of all sections.
    pub fn take_bytes(&mut self) -> Vec<Vec<u8>> {
        self.list.iter_mut().map(|section| std::mem::take(&mut section.bytes)).collect()
    }

    /// Puts the bytes of all sections back.
    pub fn set_bytes(&mut self, bytes: Vec<Vec<u8>>) {
        for (section, bytes) in self.list.iter_mut().zip(bytes) {
            section.bytes = bytes;
        }
    }

    /// The offset of an address in its section, after layout.
    pub fn offset(&self, address: Address) -> u64 {
        let subsection = self.subsections.get(address.subsection as usize);
        subsection.map_or(0, |part| part.start + address.offset + part.fragments.size_before(address.fragment))
    }

    /// Assembles the bytes of all sections from their subsections, after layout; `variable` writes the bytes of a fragment of
    /// unknown size into a section that may hold code.
    pub fn assemble(&mut self, variable: impl Fn(&VariableFragment<FragmentContents>, bool, &mut Vec<u8>)) {
        let subsections = &mut self.subsections;
        for section in &mut self.list {
            section.size = 0;
            for part in section.subsections.values() {
                let Some(part) = subsections.get_mut(*part as usize) else { continue };
                section.size += part.size();
                if part.is_nobits {
                    continue;
                }
                let bytes = std::mem::take(&mut part.bytes);
                if section.bytes.is_empty() && part.fragments.is_empty() {
                    section.bytes = bytes;
                    continue;
                }
                let is_code = part.is_code;
                part.fragments.write(&bytes, &mut section.bytes, |fragment, bytes| variable(fragment, is_code, bytes));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_and_limits() {
        let mut code = Sections::new(0, 1 << 28);
        code.fill(1, 1, 7).unwrap();
        code.align(8, Padding::Default, None, 0..0).unwrap();
        assert_eq!(code.current().bytes, [7, 0, 0, 0, 0, 0, 0x80, 0xbf]);
        code.align(16, Padding::Default, Some(4), 0..0).unwrap();
        assert_eq!(code.current().len(), 8);
        code.align(16, Padding::Value(0x0102_0304, 4), None, 0..0).unwrap();
        assert_eq!(code.current().bytes[8..], [4, 3, 2, 1, 4, 3, 2, 1]);
        assert_eq!(code.list()[0].align, 16);
        assert_eq!(code.fill(u64::MAX, 8, 0), Err(AppendError::TooLarge));
        assert_eq!(code.align(1 << 40, Padding::Default, None, 0..0), Err(AppendError::TooLarge));
        assert_eq!((code.current().len(), code.here().fragment), (16, 4));
    }

    #[test]
    fn sections_without_contents_hold_zeros() {
        let mut sections = Sections::new(0, 1 << 28);
        let key = SectionKey { name: ".bss".into(), ..SectionKey::default() };
        let bss = sections.find_or_add(key, || (elf::SHT_NOBITS.0, 3));
        sections.switch(bss, 0);
        sections.fill(1 << 33, 1, 0).unwrap();
        sections.append(&[0; 4]).unwrap();
        assert_eq!(sections.append(&[0, 1]), Err(AppendError::NoContents));
        assert_eq!(sections.fill(1, 1, 1), Err(AppendError::NoContents));
        sections.align(16, Padding::Default, None, 0..0).unwrap();
        assert_eq!(sections.here().offset, (1 << 33) + 16);
        sections.swap();
        assert_eq!((sections.here().offset, sections.room()), (0, 1 << 28));
    }

    #[test]
    fn subsections_follow_their_numbers() {
        let mut sections = Sections::new(0, 1 << 28);
        sections.append(&[1]).unwrap();
        sections.switch_subsection(2);
        sections.append(&[4]).unwrap();
        sections.push();
        sections.switch_subsection(1);
        sections.append(&[3]).unwrap();
        assert!(sections.pop() && !sections.pop());
        sections.append(&[5]).unwrap();
        sections.switch_subsection(0);
        sections.append(&[2]).unwrap();
        assert!(sections.parts(0).eq([0, 2, 1]));
        sections.assemble(|_, _, _| {});
        assert_eq!(sections.list()[0].bytes, [1, 2, 3, 4, 5]);
    }
}
