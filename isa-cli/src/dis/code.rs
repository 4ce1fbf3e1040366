//! A section of code: its symbols, which parts of it are instructions and for which wave size, and the rows it makes.

use std::fmt::Write;
use std::ops::Range;

use isa::Text;

use crate::arch::{Arch, DecodeError, Instr, Reads, Wave, item, quick, wave_name, with_set};

/// An executable section.
pub struct Section<'a> {
    /// As it may be shown: no control characters.
    pub name: String,
    /// Of its first byte.
    pub address: u64,
    /// What it holds.
    pub bytes: &'a [u8],
    /// By offset.
    pub symbols: Vec<Symbol>,
    /// In order, without gaps; together all of `bytes`.
    pieces: Vec<Piece>,
}

/// A name for a place in a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// From the section's start.
    pub offset: usize,
    /// As it may be shown.
    pub name: String,
    /// What stands there.
    pub kind: SymbolKind,
}

/// What a symbol says of the bytes behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// Code that has a descriptor, which gives the wave size.
    Kernel(Wave),
    /// Code called from kernels: nothing says its wave size, so it takes 32.
    Function,
    /// A place in the code before it.
    Label,
    /// This many bytes that are no code.
    Data(usize),
    /// A kernel's descriptor: data too.
    Descriptor(usize),
}

impl SymbolKind {
    /// What a listing says beside the name.
    pub fn remark(self) -> String {
        match self {
            Self::Kernel(wave) => format!("kernel, {}", wave_name(wave)),
            Self::Function => "function".into(),
            Self::Label => String::new(),
            Self::Data(size) => format!("data, {size} bytes"),
            Self::Descriptor(size) => format!("kernel descriptor, {size} bytes of data"),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Piece {
    start: usize,
    end: usize,
    /// None: data.
    wave: Option<Wave>,
}

/// What one row of a listing shows.
pub struct Row<'a> {
    /// From the section's start.
    pub offset: usize,
    /// What the row holds.
    pub bytes: &'a [u8],
    /// What it means.
    pub content: Content,
}

/// What a row's bytes are.
pub enum Content {
    /// An instruction.
    Instr(Instr),
    /// An instruction but for a field that should be unused; the error names it.
    NonCanonical(Instr, DecodeError),
    /// Of an encoding that is not read, whose name this is.
    Outside(&'static str),
    /// No instruction, and why.
    Unknown(DecodeError),
    /// Not to be read as code.
    Data,
}

impl Row<'_> {
    /// The instruction, canonical or not.
    pub fn instr(&self) -> Option<&Instr> {
        match &self.content {
            Content::Instr(instr) | Content::NonCanonical(instr, _) => Some(instr),
            Content::Outside(_) | Content::Unknown(_) | Content::Data => None,
        }
    }

    /// Where a branch goes, from the section's start.
    #[inline]
    pub fn target(&self) -> Option<i64> {
        let end = i64::try_from(self.offset + self.bytes.len()).ok()?;
        end.checked_add(self.instr()?.branch()?)
    }

    /// Whether the row should have been an instruction and is none.
    pub fn unread(&self) -> bool {
        matches!(self.content, Content::Unknown(_))
    }

    /// The row as assembly, in place of what the buffer held: an instruction as LLVM writes it, anything else as the directive that makes its bytes.
    #[inline]
    pub fn text(&self, out: &mut Text) {
        out.clear();
        match self.instr() {
            Some(instr) => instr.write(out),
            None => directive(self.bytes, out),
        }
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

impl<'a> Section<'a> {
    /// The name that bytes without a container go by.
    pub const RAW: &'static str = "raw";

    /// Code of which nothing is known but its wave size.
    pub fn raw(bytes: &'a [u8], wave: Wave) -> Self {
        Self::new(Self::RAW.into(), 0, bytes, Vec::new(), Some(wave))
    }

    /// A section with symbols; those outside of it are left out. `wave` overrides what they say.
    pub fn new(name: String, address: u64, bytes: &'a [u8], mut symbols: Vec<Symbol>, wave: Option<Wave>) -> Self {
        symbols.retain(|s| s.offset < bytes.len());
        symbols.sort_by(|a, b| (a.offset, &a.name).cmp(&(b.offset, &b.name)));
        symbols.dedup();
        let pieces = pieces(&symbols, bytes.len(), wave);
        Self { name, address, bytes, symbols, pieces }
    }

    /// The address of an offset. A damaged file may place a section at the end of all addresses.
    pub fn address_of(&self, offset: usize) -> u64 {
        self.address.wrapping_add(offset as u64)
    }

    /// Hands every row to `each`, in order.
    pub fn rows<E>(&self, arch: Arch, mut each: impl FnMut(Row<'a>) -> Result<(), E>) -> Result<(), E> {
        with_set!(arch, S => self.rows_of::<S, E>(0..self.bytes.len(), &mut each))
    }

    /// The same, in the set `S`, of a part, which begins with a row of its own and ends before another: one that is not of
    /// a group, as [`Content::Outside`] can be.
    #[inline(always)]
    pub fn rows_of<S: Reads, E>(&self, part: Range<usize>, each: &mut impl Each<'a, E>) -> Result<(), E> {
        for piece in &self.pieces {
            let (mut offset, until) = (piece.start.max(part.start), piece.end.min(part.end));
            if offset >= until {
                continue;
            }
            let Some(wave) = piece.wave else {
                for (i, bytes) in self.bytes[offset..until].chunks(4).enumerate() {
                    each.row(Row { offset: offset + 4 * i, bytes, content: Content::Data })?;
                }
                continue;
            };
            // What stands behind the part still decides what its last words are.
            let bytes = &self.bytes[..piece.end];
            while offset < until {
                // Apart from all else, so that what is made of nearly all words stays in registers.
                if let Some((instr, size)) = quick::<S>(wave, &bytes[offset..]) {
                    each.row(Row { offset, bytes: &bytes[offset..offset + size], content: Content::Instr(instr) })?;
                    offset += size;
                } else {
                    offset = any_row::<S, E>(wave, bytes, offset, each)?;
                }
            }
        }
        Ok(())
    }
}

/// What is done with rows. A closure does too; what is written as a type can be inlined wherever it is called.
pub trait Each<'a, E> {
    /// Takes the next row.
    fn row(&mut self, row: Row<'a>) -> Result<(), E>;
}

impl<'a, E, F: FnMut(Row<'a>) -> Result<(), E>> Each<'a, E> for F {
    fn row(&mut self, row: Row<'a>) -> Result<(), E> {
        self(row)
    }
}

/// The row, or the rows of a group, at this offset, which is within `bytes`; where they end.
#[inline(never)]
fn any_row<'a, S: Reads, E>(
    wave: Wave,
    bytes: &'a [u8],
    offset: usize,
    each: &mut impl Each<'a, E>,
) -> Result<usize, E> {
    let (result, size) = item::<S>(wave, &bytes[offset..]);
    let end = offset + size;
    let content = match result {
        Ok(instr) => Content::Instr(instr),
        // A row for each dword, as the directives that stand there have.
        Err(DecodeError::Outside(name)) => {
            for (i, bytes) in bytes[offset..end].chunks(4).enumerate() {
                each.row(Row { offset: offset + 4 * i, bytes, content: Content::Outside(name) })?;
            }
            return Ok(end);
        }
        Err(error) => match error.noncanonical() {
            Some(instr) => Content::NonCanonical(instr, error),
            None => Content::Unknown(error),
        },
    };
    each.row(Row { offset, bytes: &bytes[offset..end], content })?;
    Ok(end)
}

/// Splits a section of `size` bytes at its symbols: reading starts afresh at each, as the hardware would, and the wave
/// size is that of the last kernel or function. `symbols` are sorted.
fn pieces(symbols: &[Symbol], size: usize, wave: Option<Wave>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut add = |start: usize, end: usize, wave: Option<Wave>| {
        if start < end {
            pieces.push(Piece { start, end, wave });
        }
    };
    let mut current = Wave::W32;
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
        add(at, start, Some(wave.unwrap_or(current)));
        at = start;
        let kernel = here.iter().find_map(|s| match s.kind {
            SymbolKind::Kernel(wave) => Some(wave),
            _ => None,
        });
        let data = here.iter().find_map(|s| match s.kind {
            SymbolKind::Data(size) | SymbolKind::Descriptor(size) => Some(size),
            _ => None,
        });
        let function = here.iter().any(|s| s.kind == SymbolKind::Function);
        match (kernel, data) {
            (Some(kernel), _) => current = kernel,
            (None, _) if function => current = Wave::W32,
            (None, Some(bytes)) => {
                at = start.saturating_add(bytes).min(size);
                add(start, at, None);
            }
            (None, None) => {}
        }
    }
    add(at, size, Some(wave.unwrap_or(current)));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(offset: usize, kind: SymbolKind) -> Symbol {
        let name = format!("at{offset}");
        Symbol { offset, name, kind }
    }

    fn split(symbols: &[Symbol], size: usize, wave: Option<Wave>) -> Vec<(usize, usize, char)> {
        let letter = |p: &Piece| match p.wave {
            None => 'd',
            Some(Wave::W32) => '3',
            Some(Wave::W64) => '6',
        };
        let pieces = pieces(symbols, size, wave);
        pieces.iter().map(|p| (p.start, p.end, letter(p))).collect()
    }

    #[test]
    fn wave_size_follows_the_kernels() {
        let symbols =
            [symbol(8, SymbolKind::Kernel(Wave::W64)), symbol(12, SymbolKind::Label), symbol(20, SymbolKind::Function)];
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
            symbol(68, SymbolKind::Kernel(Wave::W64)),
            symbol(72, SymbolKind::Data(usize::MAX)),
        ];
        let expected = [(0, 4, '3'), (4, 68, 'd'), (68, 72, '6'), (72, 100, 'd')];
        assert_eq!(split(&symbols, 100, None), expected);
        assert_eq!(split(&[], 0, None), []);
    }

    #[test]
    fn directives_make_the_bytes_again() {
        let text = |bytes: &[u8]| {
            let mut out = Text::new();
            let content = Content::Data;
            Row { offset: 0, bytes, content }.text(&mut out);
            out.as_str().to_owned()
        };
        assert_eq!(text(&[1, 2, 3, 0xff]), ".long 0xff030201");
        assert_eq!(text(&[1]), ".byte 0x01");
        assert_eq!(text(&[1, 2, 0xfe]), ".byte 0x01, 0x02, 0xfe");
    }
}
