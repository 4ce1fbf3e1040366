//! Listings as text, in two forms.
//!
//! **tsv** is for programs: `address \t bytes \t text \t section`, one row for each instruction or piece of data.
//!
//! **text** is for people, and is assembly: the instruction comes first, its address and bytes follow as a comment in the
//! columns and the case of llvm-objdump, so that the two can be compared line by line. Headings, symbols and branch
//! targets of llvm-objdump are assembly here: `.section` directives, `name:` and `L0:` lines.

mod notes;
mod paint;

use std::convert::Infallible;
use std::io::{self, Write};
use std::ops::Range;

use amdgpu_arch::hex;
use amdgpu_arch::{Arch, InstructionSet, MAX_DWORDS, wave_name, with_set};
use isa::Text;

use crate::file_sections::ListedRelocation;
use crate::labels::Labels;
use crate::section::{CodeSection, Row, RowContent, RowVisitor};
use crate::symbol::{CodeSymbol, SymbolKind, WaveRule};
use notes::Notes;
use paint::Paint;

pub use notes::Shown;

/// The column of the comments, counted from the end of the tab.
const COMMENTS: usize = 59;

/// Bytes gathered before a write: a listing is millions of short rows.
const BUFFER: usize = 1 << 16;

/// The style of a listing for people.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextStyle {
    /// Whether the text has the colours of a terminal.
    pub is_colored: bool,
    /// Whether there are remarks on unused fields that hold something else than encoding writes.
    pub is_strict: bool,
    /// What is beside the instructions.
    pub shown: Shown,
}

/// Writes a listing for programs, whose rows have the columns address, bytes, text and section with tabs between them. Returns whether
/// every word was read.
///
/// # Errors
/// `out` does not take the text.
pub fn write_tsv(out: &mut impl Write, sections: &[CodeSection<'_>]) -> io::Result<bool> {
    let mut all_read = true;
    let mut lines: Vec<u8> = Vec::with_capacity(2 * BUFFER);
    let mut text = Text::new();
    for section in sections {
        section.try_for_each_row(|row| {
            all_read &= !row.is_unread();
            write!(lines, "{:x}\t", section.address_of(row.offset))?;
            hex::push(&mut lines, row.bytes);
            lines.push(b'\t');
            row.text(&mut text);
            lines.extend_from_slice(text.as_bytes());
            lines.push(b'\t');
            lines.extend_from_slice(section.name.as_bytes());
            lines.push(b'\n');
            flush(out, &mut lines, BUFFER)
        })?;
    }
    flush(out, &mut lines, 0)?;
    Ok(all_read)
}

/// Writes a listing for people, which is assembly again: instructions, with addresses and words as comments. Its first line is a comment
/// with the title. Returns whether every word was read. Large sections are printed on several threads.
///
/// # Errors
/// `out` does not take the text.
pub fn write_text(
    out: &mut (impl Write + Send),
    title: &str,
    sections: &[CodeSection<'_>],
    arch: Arch,
    style: TextStyle,
) -> io::Result<bool> {
    with_set!(arch, S => text_of::<S>(out, title, sections, style))
}

fn text_of<S: InstructionSet>(
    out: &mut (impl Write + Send),
    title: &str,
    sections: &[CodeSection<'_>],
    style: TextStyle,
) -> io::Result<bool> {
    let mut lines = Lines::new(style);
    lines.title(title);
    let mut all_read = true;
    let mut first_label = 0;
    for section in sections {
        let labels = Labels::find::<S>(section, first_label);
        let notes = Notes::of(section, style.shown);
        first_label = labels.next();
        lines.section(section);
        flush(out, &mut lines.lines, 0)?;
        isa_parallel::ordered_map(
            &labels.parts,
            || Lines::new(style),
            |part, lines| list::<S>(section, &labels, &notes, part, lines),
            |read, lines| {
                all_read &= read;
                flush(out, &mut lines.lines, 0)
            },
        )?;
        notes.summary.iter().for_each(|text| lines.note(text));
    }
    flush(out, &mut lines.lines, 0)?;
    Ok(all_read)
}

/// Lists a part of a section; whether every word of it was read.
fn list<S: InstructionSet>(
    section: &CodeSection<'_>,
    labels: &Labels,
    notes: &Notes,
    part: &Range<usize>,
    lines: &mut Lines,
) -> bool {
    let symbols = &section.symbols[section.symbols.partition_point(|s| s.offset < part.start)..];
    let relocations = &section.relocations[section.relocations.partition_point(|r| r.offset < part.start)..];
    let notes = lines.shown.any().then_some(notes);
    let mut listing = Listing { section, labels, notes, symbols, relocations, lines, all_read: true };
    let Ok(()) = section.visit_rows::<S, Infallible>(part.clone(), &mut listing);
    listing.all_read
}

/// The state of listing a part of a section.
struct Listing<'a> {
    section: &'a CodeSection<'a>,
    labels: &'a Labels,
    /// What is shown beside the rows, if anything is.
    notes: Option<&'a Notes>,
    /// Symbols at or after the next row.
    symbols: &'a [CodeSymbol],
    /// Relocations at or after the next row.
    relocations: &'a [ListedRelocation],
    lines: &'a mut Lines,
    all_read: bool,
}

impl RowVisitor<'_, Infallible> for Listing<'_> {
    #[inline(always)]
    fn row(&mut self, row: Row<'_>) -> Result<(), Infallible> {
        self.all_read &= !row.is_unread();
        // A symbol inside a row (of a damaged file, or in the middle of data) is listed before it.
        let end = row.offset + row.bytes.len();
        while let Some((symbol, rest)) = self.symbols.split_first().filter(|(symbol, _)| symbol.offset < end) {
            self.lines.symbol(&symbol.name, &symbol.kind, self.section.address_of(symbol.offset));
            self.symbols = rest;
        }
        if let Some(number) = self.labels.at(row.offset) {
            self.lines.label(number);
        }
        if let Some(notes) = self.notes {
            self.lines.before(notes, row.offset);
        }
        self.lines.row(self.section, self.labels, &row);
        while let Some((relocation, rest)) = self.relocations.split_first().filter(|(r, _)| r.offset < end) {
            self.lines.relocation(relocation);
            self.relocations = rest;
        }
        if let Some(note) = self.notes.and_then(|notes| notes.after(row.offset)) {
            self.lines.after(note);
        }
        self.lines.end();
        Ok(())
    }
}

/// Returns the remark of a listing beside the name of a symbol.
#[must_use]
pub fn symbol_remark(kind: &SymbolKind) -> String {
    match kind {
        SymbolKind::Function(wave, WaveRule::Given) => format!("function, {} (--wave)", wave_name(*wave)),
        kind => kind.to_string(),
    }
}

/// Writes the lines if they have at least `most` bytes.
fn flush(out: &mut impl Write, lines: &mut Vec<u8>, most: usize) -> io::Result<()> {
    if lines.len() >= most {
        out.write_all(lines)?;
        lines.clear();
    }
    Ok(())
}

/// Lines to be written.
struct Lines {
    paint: Paint,
    strict: bool,
    shown: Shown,
    /// Their bytes.
    lines: Vec<u8>,
    /// A buffer for the text of one instruction, whose length determines the column of the comment.
    text: Text,
}

impl Lines {
    fn new(TextStyle { is_colored, is_strict: strict, shown }: TextStyle) -> Self {
        Lines { paint: Paint::new(is_colored), strict, shown, lines: Vec::new(), text: Text::new() }
    }

    fn title(&mut self, title: &str) {
        self.paint.comment(&mut self.lines, format!("// {title}").as_bytes());
        self.lines.push(b'\n');
    }

    fn section(&mut self, section: &CodeSection<'_>) {
        let directive = match section.name.as_str() {
            ".text" | CodeSection::RAW => ".text".to_owned(),
            name => format!(".section {name},\"ax\",@progbits"),
        };
        self.lines.extend_from_slice(b"\n\t");
        self.paint.instruction(&mut self.lines, directive.as_bytes());
        self.lines.push(b'\n');
    }

    fn symbol(&mut self, name: &str, kind: &SymbolKind, address: u64) {
        let colon = format!("{name}:");
        if *kind != SymbolKind::Label {
            self.lines.push(b'\n');
        }
        self.paint.label(&mut self.lines, colon.as_bytes());
        // A label begins in the first column, eight before the instructions.
        self.pad(colon.chars().count(), COMMENTS + 8);
        let remark = symbol_remark(kind);
        let blank = if remark.is_empty() { "" } else { " " };
        self.paint.comment(&mut self.lines, format!("// {address:012X}:{blank}{remark}").as_bytes());
        self.lines.push(b'\n');
    }

    fn label(&mut self, number: usize) {
        self.paint.label_with(&mut self.lines, |out| {
            Labels::name(number, out);
            out.push(b':');
        });
        self.lines.push(b'\n');
    }

    #[inline(always)]
    fn row(&mut self, section: &CodeSection<'_>, labels: &Labels, row: &Row<'_>) {
        row.text(&mut self.text);
        let address = section.address_of(row.offset);
        if !self.plain(address, row.bytes) {
            self.any(address, row.bytes);
        }
        if let Some(target) = row.target() {
            self.paint.comment(&mut self.lines, b" <");
            self.paint.label_with(&mut self.lines, |out| labels.destination(section, target, out));
            self.paint.comment(&mut self.lines, b">");
        }
        if self.strict || !matches!(row.content, RowContent::Instr(_) | RowContent::Data) {
            self.remark(&row.content);
        }
    }

    /// Ends the line of a row.
    #[inline(always)]
    fn end(&mut self) {
        self.lines.push(b'\n');
    }

    /// Writes what is shown before a row: a comment, and the margin.
    #[cold]
    fn before(&mut self, notes: &Notes, offset: usize) {
        if let Some(note) = notes.before(offset) {
            self.note(note);
        }
        if let Some(margin) = notes.margin(offset) {
            self.paint.comment(&mut self.lines, margin.as_bytes());
        }
    }

    /// Writes a comment on a separate line.
    fn note(&mut self, note: &str) {
        self.paint.comment(&mut self.lines, format!("\t// {note}").as_bytes());
        self.lines.push(b'\n');
    }

    /// Appends a comment to the line of a row.
    #[cold]
    fn after(&mut self, note: &str) {
        self.paint.comment(&mut self.lines, format!(" // {note}").as_bytes());
    }

    /// Appends a relocation to the line of the row that it changes.
    #[cold]
    fn relocation(&mut self, relocation: &ListedRelocation) {
        self.paint.comment(&mut self.lines, format!(" // {}", relocation.text()).as_bytes());
    }

    /// Writes a row of the common shape with copies of constant length. Returns `false` for any other row.
    #[inline(always)]
    fn plain(&mut self, address: u64, bytes: &[u8]) -> bool {
        let (dwords, rest) = bytes.as_chunks::<4>();
        if self.paint.is_on() || address >> 48 != 0 || dwords.len() > MAX_DWORDS || !rest.is_empty() {
            return false;
        }
        // Bytes are written in place: assembling them in an array first causes store-forwarding stalls.
        let (begin, text) = (self.lines.len(), self.text.as_bytes());
        let width = COMMENTS.max(1 + text.len());
        self.lines.extend_from_slice(&PLAIN);
        if width > COMMENTS {
            self.lines.truncate(begin + 1);
            self.lines.extend_from_slice(text);
            self.lines.extend_from_slice(&PLAIN[COMMENTS..]);
        } else if let Some(to) = self.lines.get_mut(begin + 1..begin + 1 + text.len()) {
            to.copy_from_slice(text);
        }
        let comment = self.lines.get_mut(begin + width..).and_then(<[u8]>::first_chunk_mut);
        let Some(comment): Option<&mut [u8; PLAIN.len() - COMMENTS]> = comment else { return false };
        comment[4..8].copy_from_slice(&hex::upper((address >> 32) as u32)[4..]);
        comment[8..16].copy_from_slice(&hex::upper(address as u32));
        for (place, dword) in comment[17..].as_chunks_mut::<9>().0.iter_mut().zip(dwords) {
            place[1..].copy_from_slice(&hex::upper(u32::from_le_bytes(*dword)));
        }
        self.lines.truncate(begin + width + 17 + 9 * dwords.len());
        true
    }

    /// Writes any row.
    #[inline(never)]
    fn any(&mut self, address: u64, bytes: &[u8]) {
        self.lines.push(b'\t');
        self.paint.instruction(&mut self.lines, self.text.as_bytes());
        // Instructions are ASCII.
        self.pad(self.text.len(), COMMENTS);
        self.paint.comment_with(&mut self.lines, |out| words(out, address, bytes));
    }

    /// Appends why a row is not an instruction, or not a canonical one.
    #[cold]
    fn remark(&mut self, content: &RowContent) {
        if let Some(remark) = content.remark(self.strict) {
            self.paint.remark(&mut self.lines, format!(" // {remark}").as_bytes());
        }
    }

    /// Appends blanks up to a column, at least one.
    fn pad(&mut self, width: usize, column: usize) {
        let blanks = column.saturating_sub(width).max(1);
        self.lines.resize(self.lines.len() + blanks, b' ');
    }
}

/// The template of a line for the longest instruction: a tab, blanks for the text, and the comment of [`words`].
const PLAIN: [u8; COMMENTS + 17 + 9 * MAX_DWORDS] = {
    let mut line = [b' '; COMMENTS + 17 + 9 * MAX_DWORDS];
    line[0] = b'\t';
    (line[COMMENTS + 1], line[COMMENTS + 2], line[COMMENTS + 16]) = (b'/', b'/', b':');
    line
};

/// Appends the comment of a row: its address and its bytes as dwords, as llvm-objdump writes them.
fn words(out: &mut Vec<u8>, address: u64, bytes: &[u8]) {
    // Writing to memory does not fail.
    let _ = write!(out, "// {address:012X}:");
    for dword in bytes.chunks(4) {
        // The last byte in memory is the highest digit of an incomplete dword, too.
        out.push(b' ');
        let _ = dword.iter().rev().try_for_each(|byte| write!(out, "{byte:02X}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, open};

    const KERNELS: &[u8] = include_bytes!("../../../examples/matmul.gfx1100.co");

    /// Both listings of a file, if it can be read at all.
    fn listings(bytes: &[u8]) -> Result<(String, String), String> {
        let options = Options::default();
        let images = open(bytes, &options).images.map_err(|error| error.to_string())?;
        let image = images.first().ok_or("no image")?;
        let listing = image.listing(&options).map_err(|error| error.to_string())?;
        let (sections, arch) = (listing.sections, listing.arch);
        let (mut rows, mut lines) = (Vec::new(), Vec::new());
        let done = "writing to memory";
        write_tsv(&mut rows, &sections).expect(done);
        let style = TextStyle { is_colored: true, ..TextStyle::default() };
        write_text(&mut lines, &listing.processor, &sections, arch, style).expect(done);
        let utf8 = |bytes| String::from_utf8(bytes).expect("a listing is UTF-8");
        Ok((utf8(rows), utf8(lines)))
    }

    #[test]
    fn both_forms_tell_the_same() {
        let (rows, lines) = listings(KERNELS).expect("the example is sound");
        let lines = anstream::adapter::strip_str(&lines).to_string();
        let told = |line: &str| line.split("//").next().unwrap_or("").trim().to_owned();
        let code = lines.lines().filter(|l| l.starts_with('\t')).skip(1).map(told);
        let texts = rows.lines().map(|row| row.split('\t').nth(2).unwrap_or("").to_owned());
        assert!(code.eq(texts));
        assert!(lines.contains("\nmatmul:"), "{lines}");
        assert!(lines.contains("\nreduce_sum:"), "{lines}");
        assert!(lines.contains("kernel, wave32"), "{lines}");
    }

    #[test]
    fn rows_cover_every_byte_once() {
        let (rows, _) = listings(KERNELS).expect("the example is sound");
        let mut next = None;
        for row in rows.lines() {
            let fields: Vec<_> = row.split('\t').collect();
            assert_eq!(fields.len(), 4, "{row}");
            let address = u64::from_str_radix(fields[0], 16).expect("an address in hex");
            assert_eq!(address, next.unwrap_or(address), "{row}");
            next = Some(address + fields[1].len() as u64 / 2);
        }
    }

    #[test]
    fn damaged_files_never_panic() {
        let mut random = isa_tests::random::numbers();
        let mut read = 0;
        for _ in 0..1500 {
            let mut bytes = KERNELS.to_vec();
            for _ in 0..=random(4) {
                // The tables at the end and the header are where damage tells; code is most of the rest.
                let at = match random(3) {
                    0 => random(64),
                    1 => bytes.len() - 1 - random(1600),
                    _ => random(bytes.len()),
                };
                bytes[at] = [0, 0xff, 0x80, random(256) as u8][random(4)];
            }
            if random(8) == 0 {
                bytes.truncate(random(bytes.len()));
            }
            read += usize::from(listings(&bytes).is_ok());
        }
        assert!(read > 100, "too damaged to say much: {read} could be read");
    }
}
