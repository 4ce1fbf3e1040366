//! Addresses of a loaded code object as users know them: symbol, instruction, source line.

use std::collections::VecDeque;

use amdgpu_arch::{Instr, Reader};
use amdgpu_dis::{SourceLines, SourceLocation};
use amdgpu_dispatch::{CODE_BASE, Session};
use amdgpu_object::{CodeObject, Kernel, Segment, printable};

use crate::demangle;
use crate::error::ReportError;

/// How many bytes before an instruction its neighbours are looked for at most: a multiple of 4. The symbol of a damaged file may begin
/// hundreds of megabytes before it.
const FARTHEST: u64 = 1 << 16;

/// Resolves addresses of a kernel's code to symbols, instructions and source lines, and back.
pub struct Places<'a> {
    object: &'a CodeObject<'a>,
    segment: &'a Segment<'a>,
    /// The set and the wave size of the code.
    reader: Reader,
    lines: Option<SourceLines<'a>>,
}

impl<'a> Places<'a> {
    /// The places of the code in a segment. `file` is the code object's file, which may have line tables.
    #[must_use]
    pub fn new(object: &'a CodeObject<'a>, segment: &'a Segment<'a>, reader: Reader, file: &'a [u8]) -> Self {
        Self { object, segment, reader, lines: SourceLines::new(file) }
    }

    /// Creates the places of the kernel that is launched. `file` is the code object's file.
    #[must_use]
    pub fn of(session: &'a Session<'_>, file: &'a [u8]) -> Self {
        let kernel = session.kernel;
        Self::new(kernel.object(), session.code, Reader::new(kernel.arch(), kernel.wave()), file)
    }

    /// The instruction at an address, if there is one.
    #[must_use]
    pub fn instr(&self, pc: u64) -> Option<Instr> {
        let start = usize::try_from(pc.checked_sub(self.segment.address)?).ok()?;
        let (words, _) = self.segment.bytes.get(start..)?.as_chunks::<4>();
        let words: Vec<u32> =
            words.iter().take(amdgpu_arch::MAX_DWORDS).map(|word| u32::from_le_bytes(*word)).collect();
        match self.reader.decode(&words) {
            Ok((instr, _)) => Some(instr),
            Err(error) => error.noncanonical(),
        }
    }

    /// The text of the instruction at an address.
    #[must_use]
    pub fn text(&self, pc: u64) -> Option<String> {
        Some(self.instr(pc)?.to_string())
    }

    /// The symbol at an address, with the distance from it.
    #[must_use]
    pub fn symbol(&self, pc: u64) -> Option<String> {
        let symbol = self.object.symbol_at(pc)?;
        Some(format!("{}+{:#x}", printable(symbol.name.as_bytes()), pc - symbol.address))
    }

    /// The demangled symbol at an address, with the distance from it; without the symbol if it is the kernel's.
    #[must_use]
    pub fn distance(&self, pc: u64, kernel: &Kernel) -> Option<String> {
        let symbol = self.object.symbol_at(pc)?;
        let name = if symbol.name == kernel.name { String::new() } else { demangle::readable(&symbol.name) };
        Some(format!("{name}+{:#x}", pc - symbol.address))
    }

    /// The demangled symbol at an address, with the distance from it.
    #[must_use]
    pub fn readable(&self, pc: u64) -> Option<String> {
        let symbol = self.object.symbol_at(pc)?;
        Some(format!("{}+{:#x}", demangle::readable(&symbol.name), pc - symbol.address))
    }

    /// The name of the symbol at an address.
    #[must_use]
    pub fn name(&self, pc: u64) -> Option<&'a str> {
        Some(&self.object.symbol_at(pc)?.name)
    }

    /// The instruction at an address and up to `count` on each side of it, with their addresses.
    #[must_use]
    pub fn around(&self, pc: u64, count: usize) -> Vec<(u64, String)> {
        // Instructions have no ends to go back from: the way leads from the symbol, or from a place that is not too far.
        let symbol = self.object.symbol_at(pc).map_or(pc, |symbol| symbol.address.max(self.segment.address));
        let mut at = symbol.max(pc.saturating_sub(FARTHEST));
        let mut before = VecDeque::new();
        while at < pc {
            before.push_back(at);
            if before.len() > count {
                before.pop_front();
            }
            at += self.instr(at).map_or(4, |instr| instr.size() as u64);
        }
        if at != pc {
            before.clear();
        }
        let mut listed: Vec<(u64, String)> = before.into_iter().map(|at| (at, self.item(at).0)).collect();
        at = pc;
        for _ in 0..=count {
            if self.instr(at).is_none() {
                break;
            }
            let (text, bytes) = self.item(at);
            listed.push((at, text));
            at += bytes;
        }
        listed
    }

    /// The text of what is at an address in the code, and its size in bytes.
    fn item(&self, pc: u64) -> (String, u64) {
        match self.instr(pc) {
            Some(instr) => (instr.to_string(), instr.size() as u64),
            None => ("not an instruction".into(), 4),
        }
    }

    /// The source of the instruction at an address.
    #[must_use]
    pub fn location(&self, pc: u64) -> Option<SourceLocation> {
        self.lines.as_ref()?.location(pc.checked_sub(CODE_BASE)?)
    }

    /// The file and line of the source at an address.
    #[must_use]
    pub fn line(&self, pc: u64) -> Option<String> {
        self.location(pc).map(|location| location.to_string())
    }

    /// Returns the address that a text names: an address as listings have it, or a symbol, mangled or not.
    ///
    /// # Errors
    /// The text is neither.
    pub fn resolve(&self, text: &str) -> Result<u64, ReportError> {
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        let code = || self.object.symbols.iter().filter(|symbol| symbol.is_code);
        let named = code().find(|symbol| symbol.name == text);
        let named = named.or_else(|| code().find(|symbol| demangle::demangled(&symbol.name).as_deref() == Some(text)));
        if let Some(symbol) = named {
            return Ok(symbol.address);
        }
        let address = text.strip_prefix("0x").and_then(hex).or_else(|| hex(text));
        let address = address.map(|address| if address < CODE_BASE { address + CODE_BASE } else { address });
        let address = address.filter(|address| self.instr(*address).is_some());
        address.ok_or_else(|| ReportError::UnknownPlace { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use amdgpu_arch::{Arch, Wave};
    use amdgpu_asm::{Options, Target, assemble};

    use super::*;

    /// The places around the end of code after a number of instructions with 4 and 8 bytes in turns.
    fn around_end(pairs: usize) -> Vec<String> {
        let pair = "s_mov_b32 s0, 0x12345678\ns_nop 0\n";
        let source = format!(".globl f\n.type f,@function\nf:\n{}s_endpgm\n", pair.repeat(pairs));
        let program = assemble(&source, &Options::new(Target::parse("gfx1100").unwrap(), Wave::W32)).unwrap();
        let file = program.to_code_object().unwrap();
        let object = CodeObject::load(&file, CODE_BASE).unwrap();
        let code = object.segments.iter().find(|segment| segment.is_executable).unwrap();
        let reader = Reader::new(Arch::Rdna3, Wave::W32);
        let places = Places::new(&object, code, reader, &file);
        let start = places.resolve("f").unwrap();
        let end = start + 12 * pairs as u64;
        let listed = places.around(end, 2);
        assert!(listed.iter().any(|(address, _)| *address == end));
        listed.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn neighbours_are_found_from_the_symbol() {
        let expected = ["s_mov_b32 s0, 0x12345678", "s_nop 0", "s_endpgm"];
        assert_eq!(around_end(1), expected);
        assert_eq!(around_end(3), expected);
        assert_eq!(around_end(0), ["s_endpgm"]);
    }

    #[test]
    fn neighbours_are_found_far_from_the_symbol() {
        assert_eq!(around_end(100_000), ["s_mov_b32 s0, 0x12345678", "s_nop 0", "s_endpgm"]);
    }
}
