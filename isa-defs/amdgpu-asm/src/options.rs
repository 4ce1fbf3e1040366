//! What the caller decides about an assembly.

use amdgpu_arch::{Reader, Wave};

use crate::include::IncludeResolver;
use crate::lex::cursor::Cursor;
use crate::target::{Llvm, Target};

/// The options of an assembly.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// The instruction set, and the processor if the program has to be for one.
    pub target: Target,
    /// The lanes of a wave, on which the text of instructions depends.
    pub wave: Wave,
    /// The version of LLVM whose words the program gets; `None` leaves it to the target triple of the program.
    pub llvm: Option<Llvm>,
    /// Symbols with numbers as values, besides those that the target defines.
    pub symbols: Vec<(String, i64)>,
    /// Where included files are found; `None` makes each of them an error.
    pub includes: Option<&'a dyn IncludeResolver>,
    /// Whether to keep the source and the address of each statement, for [`Assembly::listing`](crate::Assembly::listing) and
    /// [`Assembly::statements`](crate::Assembly::statements).
    pub listing: bool,
    /// Limits on what a program takes.
    pub limits: Limits,
}

impl Options<'_> {
    /// Returns the options for a target and a wave size, with defaults for everything else.
    #[must_use]
    pub fn new(target: Target, wave: Wave) -> Self {
        let limits = Limits::default();
        Self { target, wave, llvm: None, symbols: Vec::new(), includes: None, listing: false, limits }
    }

    /// Returns the parser and decoder of the instruction set.
    pub(crate) fn reader(&self) -> Reader {
        Reader::new(self.target.arch, self.wave)
    }
}

/// Limits on the memory and time that a program takes. Each of them is an error of the program that exceeds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The number of diagnostics after which assembly stops.
    pub diagnostics: usize,
    /// The number of fields whose values depend on addresses.
    pub fixups: usize,
    /// The bytes of the text that macros, repetitions and included files expand to.
    pub expanded_bytes: usize,
    /// The bytes of all sections together.
    pub section_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { diagnostics: 100_000, fixups: 3_000_000, expanded_bytes: 1 << 25, section_bytes: 1 << 28 }
    }
}

/// Returns a number of bytes in MiB, if it is a multiple of one.
pub(crate) fn mebibytes(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

/// Reads the definition of a symbol, `NAME=NUMBER`, as command lines have it (`--defsym`). `None` for anything else.
#[must_use]
pub fn parse_definition(text: &str) -> Option<(String, i64)> {
    let mut input = Cursor::new(text, 0);
    let name = input.word();
    let minus = !name.is_empty() && input.eat("=") && input.eat("-");
    match input.number() {
        Some(Ok(number)) if text.contains('=') && input.done() && !name.is_empty() => {
            Some((name.into(), if minus { number.wrapping_neg() } else { number }))
        }
        _ => None,
    }
}
