//! The contents of a code object as analyses see it: sections with their symbols and relocations, and places in them.

use std::ops::Range;

use amdgpu_object::RelocationKind;

use crate::error::ObjectError;
use crate::symbol::{CodeSymbol, SymbolKind};

/// A place in a file: an offset into a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionOffset {
    /// The index of the section.
    pub section: usize,
    /// Bytes from its start.
    pub offset: usize,
}

/// A relocation as a listing prints it and as the call graph follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRelocation {
    /// Bytes from the start of the section whose bytes it changes.
    pub offset: usize,
    /// The number of the relocation type.
    pub number: u32,
    /// The name of the symbol, or of the section if the symbol is a section's; empty without a symbol.
    pub name: String,
    /// The addend.
    pub addend: i64,
    /// Where it points, if that is in this file.
    pub target: Option<SectionOffset>,
}

impl ListedRelocation {
    /// Returns the relocation type; `None` for a number that LLVM does not define.
    #[must_use]
    pub fn kind(&self) -> Option<RelocationKind> {
        RelocationKind::from_number(self.number)
    }

    /// Returns the type, the symbol and the addend, as `llvm-objdump -r` writes them.
    #[must_use]
    pub fn text(&self) -> String {
        let kind = self.kind().map_or_else(|| format!("R_AMDGPU_{}", self.number), |kind| kind.name().to_owned());
        let addend = match (self.name.is_empty(), self.addend) {
            (true, addend) => format!("0x{addend:x}"),
            (false, 0) => String::new(),
            (false, addend) if addend < 0 => format!("-0x{:x}", addend.unsigned_abs()),
            (false, addend) => format!("+0x{addend:x}"),
        };
        format!("{kind} {}{addend}", self.name)
    }
}

/// A section with contents.
#[derive(Debug, Default)]
pub struct SectionContent<'a> {
    /// The address of its first byte; 0 in a relocatable object.
    pub address: u64,
    /// Its bytes; empty if it has none in the file.
    pub bytes: &'a [u8],
    /// Whether it holds code.
    pub is_executable: bool,
    /// By offset.
    pub symbols: Vec<CodeSymbol>,
    /// By offset.
    pub relocations: Vec<ListedRelocation>,
}

/// All sections of a file.
#[derive(Debug, Default)]
pub struct FileSections<'a> {
    /// By index.
    pub sections: Vec<SectionContent<'a>>,
    /// The address and index of each section, by address; empty for a relocatable object, whose sections have none.
    addresses: Vec<(u64, usize)>,
    /// The indices of the symbols in each section that begin a function, a kernel or a data object.
    objects: Vec<Vec<usize>>,
}

impl<'a> FileSections<'a> {
    /// Indexes sections. `is_linked`: they have addresses, so that code can compute the distance to another section.
    pub fn new(sections: Vec<SectionContent<'a>>, is_linked: bool) -> Self {
        let mut addresses: Vec<(u64, usize)> = Vec::new();
        if is_linked {
            // Sections without an address are not loaded.
            let loaded = sections.iter().enumerate().filter(|(_, s)| s.address != 0 && !s.bytes.is_empty());
            addresses.extend(loaded.map(|(index, s)| (s.address, index)));
            addresses.sort_unstable();
        }
        let objects = sections.iter().map(|section| {
            let begins = |symbol: &CodeSymbol| match symbol.kind {
                SymbolKind::Label => false,
                SymbolKind::Data(_) | SymbolKind::Descriptor(_) => true,
                SymbolKind::Kernel(..) | SymbolKind::Function(..) => section.is_executable,
            };
            section.symbols.iter().enumerate().filter(|(_, s)| begins(s)).map(|(i, _)| i).collect()
        });
        let objects = objects.collect();
        Self { sections, addresses, objects }
    }

    /// The place `distance` bytes from the start of `section`: in a linked file it may be in another section.
    pub fn at(&self, section: usize, distance: i64) -> Option<SectionOffset> {
        let from = self.sections.get(section)?;
        match usize::try_from(distance) {
            Ok(offset) if offset < from.bytes.len() => Some(SectionOffset { section, offset }),
            _ => self.at_address(from.address.wrapping_add_signed(distance)),
        }
    }

    /// The place at an address of a linked file.
    pub fn at_address(&self, address: u64) -> Option<SectionOffset> {
        let before = self.addresses.partition_point(|(start, _)| *start <= address);
        let (start, section) = *self.addresses.get(before.checked_sub(1)?)?;
        let offset = usize::try_from(address - start).ok()?;
        (offset < self.sections.get(section)?.bytes.len()).then_some(SectionOffset { section, offset })
    }

    /// The function, kernel or data object that holds a place: where it starts and ends. Data without a symbol is one
    /// pointer long, as a slot of the global offset table.
    pub fn object_at(&self, place: SectionOffset) -> Option<(Option<&CodeSymbol>, Range<usize>)> {
        const POINTER: usize = 8;
        let section = self.sections.get(place.section)?;
        let objects = self.objects.get(place.section)?;
        let symbol = |at: usize| objects.get(at).and_then(|&index| section.symbols.get(index));
        let next = objects.partition_point(|&index| section.symbols[index].offset <= place.offset);
        let end = symbol(next).map_or(section.bytes.len(), |s| s.offset);
        let before = next.checked_sub(1).and_then(symbol);
        match before.map(|s| (s, &s.kind)) {
            Some((symbol, SymbolKind::Data(size) | SymbolKind::Descriptor(size)))
                if place.offset - symbol.offset < *size =>
            {
                Some((before, symbol.offset..symbol.offset.saturating_add(*size).min(end)))
            }
            Some((symbol, SymbolKind::Kernel(..) | SymbolKind::Function(..))) => Some((before, symbol.offset..end)),
            _ if section.is_executable => None,
            _ => Some((None, place.offset..place.offset.saturating_add(POINTER).min(end))),
        }
    }
}

/// Refuses names that are much longer together than the file, by [`Limits::name_factor`](crate::Limits::name_factor).
pub fn check_names(bytes_of_names: usize, bytes_of_file: usize, factor: usize) -> Result<(), ObjectError> {
    if bytes_of_names > factor.saturating_mul(bytes_of_file) {
        return Err(ObjectError::Damaged(format!("the names of its symbols take {bytes_of_names} bytes")));
    }
    Ok(())
}
