//! Notes: records in sections of type `SHT_NOTE`.

use crate::metadata::Value;
use crate::model::Section;

/// `NT_AMD_HSA_ISA_NAME`: the target, as a text.
const NT_AMD_HSA_ISA_NAME: u32 = 11;

/// `NT_AMD_PAL_METADATA`: registers of PAL and their values, in pairs of 32 bits.
pub const NT_AMD_PAL_METADATA: u32 = 12;

/// `NT_AMDGPU_METADATA`: metadata of HSA or PAL, as MessagePack.
const NT_AMDGPU_METADATA: u32 = 32;

/// A record in a note section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Who defines [`kind`](Self::kind), without the NUL byte at the end: `AMDGPU`, or `AMD` for older kinds.
    pub name: String,
    /// `NT_*`.
    pub kind: u32,
    /// The contents.
    pub desc: Vec<u8>,
}

impl Note {
    /// Creates the note of a document of metadata, of HSA or PAL.
    #[must_use]
    pub fn metadata(document: &Value) -> Self {
        Self { name: "AMDGPU".into(), kind: NT_AMDGPU_METADATA, desc: document.to_message_pack() }
    }

    /// Creates the note that `.amd_amdgpu_isa` makes: the target, as in `amdgcn-amd-amdpal--gfx1100`.
    #[must_use]
    pub fn isa_name(target: &str) -> Self {
        Self { name: "AMD".into(), kind: NT_AMD_HSA_ISA_NAME, desc: target.into() }
    }

    /// Returns whether the contents are metadata of HSA or PAL, as MessagePack.
    #[must_use]
    pub fn is_metadata(&self) -> bool {
        self.name == "AMDGPU" && self.kind == NT_AMDGPU_METADATA
    }

    /// Appends the note to the contents of a section, all of whose parts are padded to four bytes.
    pub fn append_to(&self, section: &mut Vec<u8>) {
        // A note of 4 GiB does not fit into memory that an assembler uses.
        let len = |len: usize| u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes();
        section.extend(len(self.name.len() + 1));
        section.extend(len(self.desc.len()));
        section.extend(self.kind.to_le_bytes());
        section.extend(self.name.bytes());
        section.push(0);
        section.resize(section.len().next_multiple_of(4), 0);
        section.extend(&self.desc);
        section.resize(section.len().next_multiple_of(4), 0);
    }

    /// Reads the notes of a section. `None` if one ends past the section or has a name that is not UTF-8.
    #[must_use]
    pub fn parse_all(mut section: &[u8]) -> Option<Vec<Self>> {
        let mut notes = Vec::new();
        while !section.is_empty() {
            let (header, rest) = section.split_first_chunk::<12>()?;
            let (words, _) = header.as_chunks::<4>();
            let word = |nth: usize| u32::from_le_bytes(words[nth]);
            let (name, rest) = take_padded(rest, word(0))?;
            let (desc, rest) = take_padded(rest, word(1))?;
            let name = name.strip_suffix(b"\0").unwrap_or(name);
            notes.push(Self { name: String::from_utf8(name.into()).ok()?, kind: word(2), desc: desc.into() });
            section = rest;
        }
        Some(notes)
    }
}

/// The first `len` bytes and what follows their padding, which the last part of a section may lack.
fn take_padded(bytes: &[u8], len: u32) -> Option<(&[u8], &[u8])> {
    let len = usize::try_from(len).ok()?;
    let taken = bytes.get(..len)?;
    let rest = bytes.get(len.checked_next_multiple_of(4)?..).unwrap_or_default();
    Some((taken, rest))
}

impl Section {
    /// Creates the section `.note` that holds notes. It is loaded with the code if `is_loaded`, as code objects of HSA have it;
    /// those of PAL do not.
    #[must_use]
    pub fn notes(notes: &[Note], is_loaded: bool) -> Self {
        let flags = if is_loaded { object::elf::SHF_ALLOC.0 } else { 0 };
        let mut section = Self::new(".note", object::elf::SHT_NOTE.0, flags);
        section.align = 4;
        for note in notes {
            note.append_to(&mut section.bytes);
        }
        section.size = section.bytes.len() as u64;
        section
    }
}
