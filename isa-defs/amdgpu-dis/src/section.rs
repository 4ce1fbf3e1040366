//! A section of code: its symbols, the parts of it that are instructions and their wave sizes, and its rows.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::ops::Range;

use amdgpu_arch::{Arch, DecodeError, Instr, InstructionSet, Wave, decode_fast, item, with_set};
use isa::Text;

use crate::file_sections::{ListedRelocation, SectionContent};
use crate::symbol::{CodeSymbol, SymbolKind};

/// An executable section.
#[derive(Debug)]
pub struct CodeSection<'a> {
    /// The name, control characters escaped.
    pub name: String,
    /// The instruction set that its bytes are read in.
    pub arch: Arch,
    /// The address of the first byte.
    pub address: u64,
    /// The contents.
    pub bytes: &'a [u8],
    /// By offset.
    pub symbols: Vec<CodeSymbol>,
    /// By offset.
    pub relocations: Vec<ListedRelocation>,
    /// In order, without gaps; together all of `bytes`.
    pieces: Vec<Piece>,
    /// The offsets whose rows are listed: in order, apart.
    selected: Vec<Range<usize>>,
}

/// How the code of a section is read where symbols do not say it.
#[derive(Debug, Clone, Copy)]
pub struct WaveSizes {
    /// The wave size before the first kernel or function.
    pub default: Wave,
    /// The wave size of all code, which overrides that of symbols.
    pub given: Option<Wave>,
}

#[derive(Debug, PartialEq, Eq)]
struct Piece {
    start: usize,
    end: usize,
    /// `None`: data.
    wave: Option<Wave>,
}

/// A row of a listing.
#[derive(Debug)]
pub struct Row<'a> {
    /// From the section's start.
    pub offset: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Their meaning.
    pub content: RowContent,
}

/// The meaning of a row's bytes.
#[derive(Debug)]
pub enum RowContent {
    /// An instruction.
    Instr(Instr),
    /// An instruction but for a reserved code; the error names its field.
    NonCanonical(Instr, DecodeError),
    /// Part of an instruction whose encoding no crate reads; its name.
    Outside(&'static str),
    /// Not an instruction, and why.
    Unknown(DecodeError),
    /// Not to be read as code.
    Data,
}

impl RowContent {
    /// Returns why a row is not an instruction, or not a canonical one. `is_strict`: remarks on unused fields, too.
    #[cold]
    #[must_use]
    pub fn remark(&self, is_strict: bool) -> Option<String> {
        match self {
            Self::Data => None,
            Self::Instr(instr) if is_strict => instr.unused_field().map(|unused| format!("non-canonical: {unused}")),
            Self::Instr(_) => None,
            Self::NonCanonical(_, error) => Some(format!("non-canonical: {error}")),
            Self::Unknown(error) => Some(error.to_string()),
            Self::Outside(name) => Some((*name).into()),
        }
    }
}

impl Row<'_> {
    /// Returns the instruction, canonical or not.
    #[must_use]
    pub fn instr(&self) -> Option<&Instr> {
        match &self.content {
            RowContent::Instr(instr) | RowContent::NonCanonical(instr, _) => Some(instr),
            RowContent::Outside(_) | RowContent::Unknown(_) | RowContent::Data => None,
        }
    }

    /// Returns where a branch goes, from the section's start.
    #[inline]
    #[must_use]
    pub fn target(&self) -> Option<i64> {
        let end = i64::try_from(self.offset + self.bytes.len()).ok()?;
        end.checked_add(self.instr()?.branch()?)
    }

    /// Returns whether the row should have been an instruction and is not one.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        matches!(self.content, RowContent::Unknown(_))
    }

    /// Writes the row as assembly, in place of the old contents of the buffer: an instruction as LLVM writes it, anything else
    /// as a directive with its bytes.
    #[inline]
    pub fn text(&self, out: &mut Text) {
        out.clear();
        match self.instr() {
            Some(instr) => instr.write(out),
            None => directive(self.bytes, out),
        }
    }
}

/// The text of the row.
impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::new();
        self.text(&mut text);
        f.write_str(text.as_str())
    }
}

/// Writes the directive that makes these bytes.
fn directive(bytes: &[u8], out: &mut Text) {
    // A text does not fail, and no row is longer than one.
    let _ = match *bytes {
        [a, b, c, d] => write!(out, ".long 0x{:08x}", u32::from_le_bytes([a, b, c, d])),
        _ => {
            out.push(".byte ");
            bytes.iter().enumerate().try_for_each(|(i, byte)| {
                let comma = if i == 0 { "" } else { ", " };
                write!(out, "{comma}0x{byte:02x}")
            })
        }
    };
}

impl<'a> CodeSection<'a> {
    /// The name of bytes without a container.
    pub const RAW: &'static str = "raw";

    /// Returns code without symbols.
    #[must_use]
    pub fn raw(bytes: &'a [u8], arch: Arch, wave: Wave) -> Self {
        let content = SectionContent { bytes, ..SectionContent::default() };
        Self::new(Self::RAW.into(), arch, content, WaveSizes { default: wave, given: None })
    }

    /// Returns a section with symbols and relocations in order; symbols outside of it are left out.
    pub(crate) fn new(name: String, arch: Arch, content: SectionContent<'a>, waves: WaveSizes) -> Self {
        let SectionContent { address, bytes, mut symbols, relocations, .. } = content;
        symbols.retain(|s| s.offset < bytes.len());
        let pieces = pieces(&symbols, bytes.len(), waves);
        Self {
            name,
            arch,
            address,
            bytes,
            symbols,
            relocations,
            pieces,
            selected: std::iter::once(0..bytes.len()).collect(),
        }
    }

    /// Selects the offsets whose rows are listed.
    pub fn select(&mut self, mut ranges: Vec<Range<usize>>) {
        ranges.sort_unstable_by_key(|range| range.start);
        self.selected.clear();
        for range in ranges {
            match self.selected.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => self.selected.push(range),
            }
        }
    }

    /// Returns the selected offsets of a part.
    pub fn selected(&self, part: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let (start, end) = (part.start, part.end);
        let within = self.selected.iter().map(move |range| range.start.max(start)..range.end.min(end));
        within.filter(|range| !range.is_empty())
    }

    /// Returns whether the row at an offset is listed.
    #[must_use]
    pub fn is_selected(&self, offset: usize) -> bool {
        self.selected.iter().any(|range| range.contains(&offset))
    }

    /// Returns the offsets of the code or data that a symbol names: up to the next symbol. Labels do not end a function.
    #[must_use]
    pub fn range_of(&self, symbol: &CodeSymbol) -> Range<usize> {
        let ends = |other: &&CodeSymbol| {
            other.offset > symbol.offset && (symbol.kind == SymbolKind::Label || other.kind != SymbolKind::Label)
        };
        let next = self.symbols.iter().find(ends).map_or(self.bytes.len(), |next| next.offset);
        symbol.offset..match symbol.kind {
            SymbolKind::Data(size) | SymbolKind::Descriptor(size) => next.min(symbol.offset.saturating_add(size)),
            _ => next,
        }
    }

    /// Replaces the names of symbols and relocations, such as by those of the sources.
    pub fn rename(&mut self, name_of: impl Fn(&str) -> String) {
        for symbol in &mut self.symbols {
            symbol.rename(&name_of);
        }
        for relocation in &mut self.relocations {
            relocation.name = name_of(&relocation.name);
        }
    }

    /// Declares bytes to be data, though no symbol says so. The ranges are in order.
    pub fn mark_data(&mut self, ranges: &[Range<usize>]) {
        let mut pieces = Vec::new();
        let mut ranges = ranges.iter().peekable();
        for piece in self.pieces.drain(..) {
            let mut at = piece.start;
            while let Some(range) = ranges.peek().filter(|range| range.start < piece.end) {
                let (start, end) = (range.start.max(at), range.end.min(piece.end));
                if at < start {
                    pieces.push(Piece { start: at, end: start, wave: piece.wave });
                }
                if start < end {
                    pieces.push(Piece { start, end, wave: None });
                }
                at = at.max(end);
                if range.end > piece.end {
                    break;
                }
                ranges.next();
            }
            if at < piece.end {
                pieces.push(Piece { start: at, end: piece.end, wave: piece.wave });
            }
        }
        self.pieces = pieces;
    }

    /// Returns the address of an offset. A damaged file may place a section at the end of all addresses: it is counted modulo 2⁶⁴.
    #[must_use]
    pub fn address_of(&self, offset: usize) -> u64 {
        self.address.wrapping_add(offset as u64)
    }

    /// Returns the selected rows in order. A loop over many rows is faster with [`try_for_each_row`](Self::try_for_each_row).
    #[must_use]
    pub fn rows(&self) -> Rows<'_, 'a> {
        Rows { section: self, parts: self.selected.iter().cloned().collect(), read: VecDeque::new() }
    }

    /// Calls `each` with every selected row, in order.
    ///
    /// # Errors
    /// The first one of `each`.
    pub fn try_for_each_row<E>(&self, mut each: impl FnMut(Row<'a>) -> Result<(), E>) -> Result<(), E> {
        with_set!(self.arch, S => self.selected.iter().try_for_each(|part| self.visit_rows::<S, E>(part.clone(), &mut each)))
    }

    /// Hands the rows of a part to `each`, in the set `S`, which is that of the section. The part begins and ends between rows, and not
    /// within an instruction that has several ([`RowContent::Outside`]).
    ///
    /// # Errors
    /// The first one of `each`.
    #[inline(always)]
    pub fn visit_rows<S: InstructionSet, E>(
        &self,
        part: Range<usize>,
        each: &mut impl RowVisitor<'a, E>,
    ) -> Result<(), E> {
        let first = self.pieces.partition_point(|piece| piece.end <= part.start);
        for piece in self.pieces.iter().skip(first).take_while(|piece| piece.start < part.end) {
            let (mut offset, until) = (piece.start.max(part.start), piece.end.min(part.end));
            let Some(wave) = piece.wave else {
                for (i, bytes) in self.bytes[offset..until].chunks(4).enumerate() {
                    each.row(Row { offset: offset + 4 * i, bytes, content: RowContent::Data })?;
                }
                continue;
            };
            // The last instruction of the part may depend on the words after it.
            let bytes = &self.bytes[..piece.end];
            while offset < until {
                // In a separate function, so that the result of the fast path stays in registers.
                if let Some((instr, size)) = decode_fast::<S>(wave, &bytes[offset..]) {
                    each.row(Row { offset, bytes: &bytes[offset..offset + size], content: RowContent::Instr(instr) })?;
                    offset += size;
                } else {
                    offset = any_row::<S, E>(wave, bytes, offset, each)?;
                }
            }
        }
        Ok(())
    }
}

/// The selected rows of a section.
#[derive(Debug)]
pub struct Rows<'s, 'a> {
    section: &'s CodeSection<'a>,
    /// The offsets that are not yet read.
    parts: VecDeque<Range<usize>>,
    /// Rows that are read: several, if an instruction has several.
    read: VecDeque<Row<'a>>,
}

impl<'a> Iterator for Rows<'_, 'a> {
    type Item = Row<'a>;

    fn next(&mut self) -> Option<Row<'a>> {
        while self.read.is_empty() {
            let part = self.parts.front_mut()?;
            let read = &mut self.read;
            let mut visitor = |row: Row<'a>| {
                // The rows of an instruction that has several are read together.
                let is_whole = !matches!(row.content, RowContent::Outside(_));
                read.push_back(row);
                if is_whole { Err(()) } else { Ok(()) }
            };
            let section = self.section;
            let stopped = with_set!(section.arch, S => section.visit_rows::<S, ()>(part.clone(), &mut visitor));
            match (stopped, self.read.back()) {
                (Err(()), Some(last)) => part.start = last.offset + last.bytes.len(),
                _ => {
                    self.parts.pop_front();
                }
            }
        }
        self.read.pop_front()
    }
}

/// A consumer of rows: a closure, or a type whose method can be inlined at every call.
pub trait RowVisitor<'a, E> {
    /// Takes the next row. The visit ends at the first error.
    ///
    /// # Errors
    /// Those of the visitor.
    fn row(&mut self, row: Row<'a>) -> Result<(), E>;
}

impl<'a, E, F: FnMut(Row<'a>) -> Result<(), E>> RowVisitor<'a, E> for F {
    fn row(&mut self, row: Row<'a>) -> Result<(), E> {
        self(row)
    }
}

/// The row, or the rows of a group, at this offset, which is within `bytes`; where they end.
#[inline(never)]
fn any_row<'a, S: InstructionSet, E>(
    wave: Wave,
    bytes: &'a [u8],
    offset: usize,
    each: &mut impl RowVisitor<'a, E>,
) -> Result<usize, E> {
    let (result, size) = item::<S>(wave, &bytes[offset..]);
    let end = offset + size;
    let content = match result {
        Ok(instr) => RowContent::Instr(instr),
        // A row for each dword, like the directives that are printed for them.
        Err(DecodeError::Outside(name)) => {
            for (i, bytes) in bytes[offset..end].chunks(4).enumerate() {
                each.row(Row { offset: offset + 4 * i, bytes, content: RowContent::Outside(name) })?;
            }
            return Ok(end);
        }
        Err(error) => match error.noncanonical() {
            Some(instr) => RowContent::NonCanonical(instr, error),
            None => RowContent::Unknown(error),
        },
    };
    each.row(Row { offset, bytes: &bytes[offset..end], content })?;
    Ok(end)
}

/// Splits a section of `size` bytes at its symbols: decoding starts afresh at each, as the hardware would, and the wave
/// size is that of the last kernel or function. `symbols` are sorted.
fn pieces(symbols: &[CodeSymbol], size: usize, waves: WaveSizes) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut add = |start: usize, end: usize, wave: Option<Wave>| {
        if start < end {
            pieces.push(Piece { start, end, wave });
        }
    };
    let mut current = waves.default;
    let mut at = 0;
    let mut rest = symbols;
    while let Some(first) = rest.first() {
        let start = first.offset;
        let here;
        (here, rest) = rest.split_at(rest.partition_point(|s| s.offset == start));
        // Inside data that an earlier symbol claims: a name and no more.
        if start < at {
            continue;
        }
        add(at, start, Some(waves.given.unwrap_or(current)));
        at = start;
        let kernel = here.iter().find_map(|s| match s.kind {
            SymbolKind::Kernel(wave, _) => Some(wave),
            _ => None,
        });
        let data = here.iter().find_map(|s| match s.kind {
            SymbolKind::Data(size) | SymbolKind::Descriptor(size) => Some(size),
            _ => None,
        });
        let function = here.iter().find_map(|s| match s.kind {
            SymbolKind::Function(wave, _) => Some(wave),
            _ => None,
        });
        match (kernel.or(function), data) {
            (Some(wave), _) => current = wave,
            (None, Some(bytes)) => {
                at = start.saturating_add(bytes).min(size);
                add(start, at, None);
            }
            (None, None) => {}
        }
    }
    add(at, size, Some(waves.given.unwrap_or(current)));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbol::{WaveRule, WaveSource};

    const KERNEL64: SymbolKind = SymbolKind::Kernel(Wave::W64, WaveSource::Descriptor);
    const FUNCTION32: SymbolKind = SymbolKind::Function(Wave::W32, WaveRule::Unknown);

    fn symbol(offset: usize, kind: SymbolKind) -> CodeSymbol {
        let name = format!("at{offset}");
        CodeSymbol { offset, name, kind }
    }

    fn split(symbols: &[CodeSymbol], size: usize, wave: Option<Wave>) -> Vec<(usize, usize, char)> {
        let letter = |p: &Piece| match p.wave {
            None => 'd',
            Some(Wave::W32) => '3',
            Some(Wave::W64) => '6',
        };
        let pieces = pieces(symbols, size, WaveSizes { default: Wave::W32, given: wave });
        pieces.iter().map(|p| (p.start, p.end, letter(p))).collect()
    }

    #[test]
    fn wave_size_follows_the_kernels() {
        let symbols = [symbol(8, KERNEL64), symbol(12, SymbolKind::Label), symbol(20, FUNCTION32)];
        let expected = [(0, 8, '3'), (8, 12, '6'), (12, 20, '6'), (20, 32, '3')];
        assert_eq!(split(&symbols, 32, None), expected);
        let all = split(&symbols, 32, Some(Wave::W64));
        assert!(all.iter().all(|p| p.2 == '6'), "{all:?}");
    }

    #[test]
    fn data_is_cut_out() {
        let symbols = [
            symbol(4, SymbolKind::Descriptor(64)),
            symbol(8, SymbolKind::Label),
            symbol(68, KERNEL64),
            symbol(72, SymbolKind::Data(usize::MAX)),
        ];
        let expected = [(0, 4, '3'), (4, 68, 'd'), (68, 72, '6'), (72, 100, 'd')];
        assert_eq!(split(&symbols, 100, None), expected);
        assert_eq!(split(&[], 0, None), []);
    }

    #[test]
    fn data_can_be_marked() {
        let mark = |ranges: &[Range<usize>]| {
            let bytes = [0; 40];
            let symbols = vec![symbol(20, KERNEL64)];
            let content = SectionContent { bytes: &bytes, symbols, ..SectionContent::default() };
            let mut section =
                CodeSection::new("s".into(), Arch::Rdna3, content, WaveSizes { default: Wave::W32, given: None });
            section.mark_data(ranges);
            section.pieces.iter().map(|p| (p.start, p.end, p.wave.is_some())).collect::<Vec<_>>()
        };
        assert_eq!(mark(&[]), [(0, 20, true), (20, 40, true)]);
        assert_eq!(
            mark(&[0..4, 12..24]),
            [(0, 4, false), (4, 12, true), (12, 20, false), (20, 24, false), (24, 40, true)]
        );
        assert_eq!(mark(std::slice::from_ref(&(36..40))), [(0, 20, true), (20, 36, true), (36, 40, false)]);
        assert_eq!(mark(std::slice::from_ref(&(0..40))), [(0, 20, false), (20, 40, false)]);
    }

    #[test]
    fn directives_make_the_bytes_again() {
        let text = |bytes: &[u8]| {
            let mut out = Text::new();
            let content = RowContent::Data;
            Row { offset: 0, bytes, content }.text(&mut out);
            out.as_str().to_owned()
        };
        assert_eq!(text(&[1, 2, 3, 0xff]), ".long 0xff030201");
        assert_eq!(text(&[1]), ".byte 0x01");
        assert_eq!(text(&[1, 2, 0xfe]), ".byte 0x01, 0x02, 0xfe");
    }
}
