//! A program that is being assembled.

use std::ops::Range;

use amdgpu_arch::Reader;

use crate::diagnostic::Diagnostic;
use crate::expand::state::ExpansionState;
use crate::layout::address::Address;
use crate::layout::fixup::{Fixups, Relocation};
use crate::layout::section::Sections;
use crate::lex::parts::Text;
use crate::options::{Limits, Options, mebibytes};
use crate::source_map::Expansions;
use crate::state::aliases::Aliases;
use crate::state::debug_info::DebugInfo;
use crate::state::kernels::Kernels;
use crate::state::metadata::Metadata;
use crate::state::report::Report;
use crate::symbol_table::Symbols;
use crate::target::ObjectTarget;

/// A statement that put bytes into a section.
#[derive(Debug)]
pub struct StatementBytes {
    /// Where the bytes begin.
    pub start: Address,
    /// Where they end.
    pub end: Address,
    /// The statement, in the file.
    pub span: Range<usize>,
}

/// A program that is being assembled.
pub struct Program<'a> {
    pub(crate) reader: Reader,
    pub(crate) limits: Limits,
    /// Whether `rows` is filled.
    pub(crate) keeps_rows: bool,
    pub(crate) report: Report,
    pub(crate) expansion: ExpansionState<'a>,
    /// Text that is not a part of the file.
    pub(crate) expansions: Expansions,
    /// All sections.
    pub(crate) sections: Sections,
    pub(crate) symbols: Symbols,
    pub(crate) aliases: Aliases,
    pub(crate) fixups: Fixups,
    /// The relocations, which a linker resolves.
    pub(crate) relocations: Vec<Relocation>,
    /// The processor and the operating system, as far as the program names them.
    pub(crate) target: ObjectTarget,
    pub(crate) kernels: Kernels,
    pub(crate) metadata: Metadata,
    pub(crate) debug: DebugInfo,
    /// The statements and their addresses, for a listing.
    pub(crate) rows: Vec<StatementBytes>,
}

impl<'a> Program<'a> {
    /// Returns a program without any line.
    pub(crate) fn new(text: Text<'_>, options: &Options<'a>) -> Self {
        let mut symbols = Symbols::default();
        symbols.family = options.target.arch.family().unwrap_or_default();
        for (name, value) in options.target.symbols() {
            symbols.predefine(name, value);
        }
        for (name, value) in &options.symbols {
            symbols.predefine(name, *value);
        }
        Self {
            reader: options.reader(),
            limits: options.limits,
            keeps_rows: options.listing,
            report: Report::default(),
            expansion: ExpansionState::new(options.includes),
            expansions: Expansions::new(text.size(), options.limits.expanded_bytes),
            sections: Sections::new(text.size() / 4, options.limits.section_bytes),
            symbols,
            aliases: Aliases::default(),
            fixups: Fixups::default(),
            relocations: Vec::new(),
            target: ObjectTarget::new(options.target, options.llvm),
            kernels: Kernels::default(),
            metadata: Metadata::default(),
            debug: DebugInfo::default(),
            rows: Vec::new(),
        }
    }

    /// Ends the assembly if errors or fields that wait for layout would fill the memory.
    pub(crate) fn check_limits(&mut self, at: usize) {
        if let Some(why) = self.limit() {
            self.report.end();
            self.report.push(Diagnostic::new(at..at, why));
        }
    }

    /// Returns the error of the limit that the program exceeds.
    pub(crate) fn limit(&self) -> Option<String> {
        if self.report.len() >= self.limits.diagnostics {
            Some("after this many errors, the rest is not assembled".into())
        } else if self.fixups.len() >= self.limits.fixups {
            Some(format!("more than {} values depend on addresses that are not known yet", self.limits.fixups))
        } else {
            None
        }
    }

    /// Returns the error for sections that are too large.
    pub(crate) fn too_large(&self, span: Range<usize>) -> Diagnostic {
        let limit = mebibytes(self.limits.section_bytes);
        Diagnostic::new(span, format!("the sections would be larger than {limit} together"))
    }
}
