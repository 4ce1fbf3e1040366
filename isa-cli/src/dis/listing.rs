//! The two forms of a listing.
//!
//! **tsv** is for programs: `address \t bytes \t text \t section`, one row for each instruction or piece of data.
//!
//! **text** is for people, and is assembly again: what a line *does* stands first, where the eye and an assembler
//! look for it, and what the bytes *are* stands behind it as a comment, in the columns and the case of llvm-objdump,
//! so that the two can be compared line by line. What llvm-objdump says in headings, symbols and branch targets, is
//! said here in assembly's own way: `name:` and `L0:` lines.

use std::convert::Infallible;
use std::io::Write;
use std::ops::Range;
use std::sync::mpsc;
use std::thread;

use isa::Text;

use crate::arch::Arch;
use crate::failure::Failure;
use crate::hex;

use super::code::{Content, Row, Section, SymbolKind};
use super::labels::Labels;
use super::paint::Paint;

/// The column of the comments, counted from the end of the tab.
const COMMENTS: usize = 59;

/// Bytes gathered before a write: a listing is millions of short rows.
const BUFFER: usize = 1 << 16;

/// How the text listing is written.
pub struct Style {
    paint: Paint,
}

impl Style {
    /// With colours or without.
    pub fn new(colors: bool) -> Self {
        let paint = Paint::new(colors);
        Self { paint }
    }
}

/// Writes rows separated by tabs and returns whether every word was read.
pub fn tsv(out: &mut impl Write, sections: &[Section<'_>], arch: Arch) -> Result<bool, Failure> {
    let mut all_read = true;
    let mut lines: Vec<u8> = Vec::with_capacity(2 * BUFFER);
    let mut text = Text::new();
    for section in sections {
        section.rows(arch, |row| {
            all_read &= !row.unread();
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

/// Writes the listing for people and returns whether every word was read.
pub fn text(
    out: &mut impl Write,
    title: &str,
    sections: &[Section<'_>],
    arch: Arch,
    style: Style,
) -> Result<bool, Failure> {
    let mut lines = Lines::new(style.paint);
    lines.title(title);
    let mut all_read = true;
    let mut first_label = 0;
    for section in sections {
        let labels = Labels::find(section, arch, first_label);
        first_label = labels.next();
        lines.section(section);
        flush(out, &mut lines.lines, 0)?;
        let list = |part: &Range<usize>| list(section, &labels, arch, part, style.paint);
        in_turn(&labels.parts, list, |(lines, read)| {
            all_read &= read;
            Ok(out.write_all(&lines)?)
        })?;
    }
    flush(out, &mut lines.lines, 0)?;
    Ok(all_read)
}

/// Lists a part of a section; whether every word of it was read.
fn list(section: &Section<'_>, labels: &Labels, arch: Arch, part: &Range<usize>, paint: Paint) -> (Vec<u8>, bool) {
    let mut lines = Lines::new(paint);
    // A dword takes about 90 bytes of text.
    lines.lines.reserve(24 * part.len());
    let mut all_read = true;
    let before = section.symbols.partition_point(|s| s.offset < part.start);
    let mut symbols = section.symbols.iter().skip(before).peekable();
    let mut places = labels.from(part.start).peekable();
    let _ = section.rows_of(arch, part.clone(), |row| {
        all_read &= !row.unread();
        // A symbol inside a row (damaged, or in the middle of data) is told before it.
        let end = row.offset + row.bytes.len();
        while let Some(symbol) = symbols.next_if(|s| s.offset < end) {
            lines.symbol(&symbol.name, symbol.kind, section.address_of(symbol.offset));
        }
        if let Some((_, number)) = places.next_if(|(place, _)| *place == row.offset) {
            lines.label(&Labels::name(number));
        }
        lines.row(section, labels, &row);
        Ok::<(), Infallible>(())
    });
    (lines.lines, all_read)
}

/// Makes something of each part, on as many threads as there are processors, and hands what comes of them to `take` in
/// their order. No more than two results of each thread wait.
fn in_turn<P: Sync, R: Send>(
    parts: &[P],
    make: impl Fn(&P) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let workers = if parts.len() < 2 { 1 } else { thread::available_parallelism().map_or(1, usize::from) };
    if workers < 2 {
        return parts.iter().try_for_each(|part| take(make(part)));
    }
    thread::scope(|scope| {
        let make = &make;
        let made: Vec<_> = (0..workers.min(parts.len()))
            .map(|nth| {
                let (give, made) = mpsc::sync_channel(1);
                // Where nobody takes any more, the output is closed.
                scope.spawn(move || {
                    parts.iter().skip(nth).step_by(workers).try_for_each(|part| give.send(make(part)).map_err(drop))
                });
                made
            })
            .collect();
        let mut results = made.iter().cycle().take(parts.len()).map_while(|made| made.recv().ok());
        results.try_for_each(&mut take)
    })
}

/// Writes lines out once there are so many bytes of them.
fn flush(out: &mut impl Write, lines: &mut Vec<u8>, most: usize) -> Result<(), Failure> {
    if lines.len() >= most {
        out.write_all(lines)?;
        lines.clear();
    }
    Ok(())
}

/// Lines on their way out.
struct Lines {
    paint: Paint,
    /// What is to be written.
    lines: Vec<u8>,
    /// Room for an instruction's text, whose length decides how far the comment stands.
    text: Text,
}

impl Lines {
    fn new(paint: Paint) -> Self {
        Lines { paint, lines: Vec::new(), text: Text::new() }
    }

    fn title(&mut self, title: &str) {
        self.paint.comment(&mut self.lines, format!("// {title}").as_bytes());
        self.lines.push(b'\n');
    }

    fn section(&mut self, section: &Section<'_>) {
        let directive = match section.name.as_str() {
            ".text" | Section::RAW => ".text".to_owned(),
            name => format!(".section {name},\"ax\",@progbits"),
        };
        self.lines.extend_from_slice(b"\n\t");
        self.paint.instruction(&mut self.lines, directive.as_bytes());
        self.lines.push(b'\n');
    }

    fn symbol(&mut self, name: &str, kind: SymbolKind, address: u64) {
        let colon = format!("{name}:");
        if kind != SymbolKind::Label {
            self.lines.push(b'\n');
        }
        self.paint.label(&mut self.lines, colon.as_bytes());
        // A label begins in the first column, eight before the instructions.
        self.pad(colon.chars().count(), COMMENTS + 8);
        let remark = kind.remark();
        let blank = if remark.is_empty() { "" } else { " " };
        self.paint.comment(&mut self.lines, format!("// {address:012X}:{blank}{remark}").as_bytes());
        self.lines.push(b'\n');
    }

    fn label(&mut self, label: &str) {
        self.paint.label(&mut self.lines, format!("{label}:").as_bytes());
        self.lines.push(b'\n');
    }

    fn row(&mut self, section: &Section<'_>, labels: &Labels, row: &Row<'_>) {
        row.text(&mut self.text);
        self.lines.push(b'\t');
        self.paint.instruction(&mut self.lines, self.text.as_bytes());
        // Instructions are ASCII.
        self.pad(self.text.len(), COMMENTS);
        let paint = self.paint;
        paint.comment_with(&mut self.lines, |out| words(out, section.address_of(row.offset), row.bytes));

        if let Some(label) = labels.destination(section, row) {
            self.paint.comment(&mut self.lines, b" <");
            self.paint.label(&mut self.lines, label.as_bytes());
            self.paint.comment(&mut self.lines, b">");
        }
        let remark = match &row.content {
            Content::Instr(_) | Content::Data => None,
            Content::NonCanonical(_, error) => Some(format!(" // non-canonical: {error}")),
            Content::Unknown(error) => Some(format!(" // {error}")),
            Content::Outside(name) => Some(format!(" // {name}")),
        };
        if let Some(remark) = remark {
            self.paint.remark(&mut self.lines, remark.as_bytes());
        }
        self.lines.push(b'\n');
    }

    /// Blanks up to a column; one at least.
    fn pad(&mut self, width: usize, column: usize) {
        let blanks = column.saturating_sub(width).max(1);
        self.lines.resize(self.lines.len() + blanks, b' ');
    }
}

/// Appends what stands behind an instruction: its address and its bytes as dwords, as llvm-objdump has them.
fn words(out: &mut Vec<u8>, address: u64, bytes: &[u8]) {
    let mut place = *b"// 000000000000:";
    if address >> 48 == 0 {
        hex::upper(address, &mut place[3..15]);
        out.extend_from_slice(&place);
    } else {
        let _ = write!(out, "// {address:X}:");
    }
    let (dwords, rest) = bytes.as_chunks::<4>();
    for dword in dwords {
        let mut word = *b" 00000000";
        hex::upper(u32::from_le_bytes(*dword).into(), &mut word[1..]);
        out.extend_from_slice(&word);
    }
    if !rest.is_empty() {
        // As a dword: the last byte in memory is the highest.
        out.push(b' ');
        rest.iter().rev().for_each(|byte| {
            let mut digits = [0; 2];
            hex::upper((*byte).into(), &mut digits);
            out.extend_from_slice(&digits);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::elf::Object;
    use super::*;

    const KERNELS: &[u8] = include_bytes!("../../../examples/matmul.gfx1100.co");

    /// Both listings of a file, if it can be read at all.
    fn listings(bytes: &[u8]) -> Result<(String, String), String> {
        let object = Object::parse(bytes)?;
        let arch = object.arch()?;
        let sections = object.sections(None)?;
        let (mut rows, mut lines) = (Vec::new(), Vec::new());
        let done = "writing to memory";
        tsv(&mut rows, &sections, arch).expect(done);
        let title = object.title();
        text(&mut lines, &title, &sections, arch, Style::new(true)).expect(done);
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
        // xorshift: the same damage in every run.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
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
