//! Mnemonics in text, and the disagreements that the project has written down.

use std::collections::HashSet;
use std::fs;

use isa_tests::paths::root;

/// The mnemonics of a line of assembly, without what LLVM appends for the encoding: one, or two of a dual-issue pair.
pub fn mnemonics(text: &str) -> impl Iterator<Item = &str> {
    text.split(" :: ").filter_map(|half| half.split_ascii_whitespace().next()).map(bare)
}

/// A mnemonic without the suffix that names its encoding.
pub fn bare(mut name: &str) -> &str {
    for suffix in ["_dpp", "_e32", "_e64"] {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    name
}

/// The mnemonics in a section of `docs/reference/disagreements.md`.
pub struct Disagreements(Option<HashSet<String>>);

impl Disagreements {
    /// Reads the section with this title. A page that is not there names nothing.
    pub fn read(section: &str) -> Self {
        let page = fs::read_to_string(root().join("docs/reference/disagreements.md")).ok();
        let opcodes = |text: String| {
            let sections = text.split("\n## ").filter(|s| s.split('\n').next() == Some(section));
            sections.flat_map(|s| s.split('`').skip(1).step_by(2).map(str::to_lowercase)).collect()
        };
        Disagreements(page.map(opcodes))
    }

    /// Whether the page is there.
    pub const fn exists(&self) -> bool {
        self.0.is_some()
    }

    /// Whether they name this mnemonic in backticks.
    pub fn names(&self, mnemonic: &str) -> bool {
        self.0.as_ref().is_some_and(|names| names.contains(&mnemonic.to_lowercase()))
    }
}
