//! Other names of symbols: versions, and what refers to them.

use std::collections::HashMap;
use std::ops::Range;

use crate::expression::tree::{Expr, SymbolId};
use crate::symbol_table::Symbols;

/// Other names of symbols.
#[derive(Debug, Default)]
pub(crate) struct Aliases {
    /// The `.symver` directives.
    versions: Vec<Version>,
    /// The symbols that relocations and the symbol table have in place of others, by `.symver`.
    renamed: HashMap<SymbolId, SymbolId>,
    /// The symbols that `.cg_profile` names, and where.
    profiled: Vec<(SymbolId, Range<usize>)>,
}

impl Aliases {
    /// Adds a `.symver` directive.
    pub(crate) fn push_version(&mut self, version: Version) {
        self.versions.push(version);
    }

    /// Removes the `.symver` directives, which need the definitions of all symbols. They are added again when they are checked.
    pub(crate) fn take_versions(&mut self) -> Vec<Version> {
        std::mem::take(&mut self.versions)
    }

    /// Replaces a symbol in relocations and in the symbol table. Returns whether no other symbol replaces it.
    pub(crate) fn rename(&mut self, symbol: SymbolId, to: SymbolId) -> bool {
        *self.renamed.entry(symbol).or_insert(to) == to
    }

    /// Returns whether another symbol replaces this one.
    pub(crate) fn is_renamed(&self, symbol: SymbolId) -> bool {
        self.renamed.contains_key(&symbol)
    }

    /// Adds a symbol that `.cg_profile` names.
    pub(crate) fn push_profiled(&mut self, symbol: SymbolId, span: Range<usize>) {
        self.profiled.push((symbol, span));
    }

    /// Returns the symbols that `.cg_profile` names, and where.
    pub(crate) fn profiled(&self) -> &[(SymbolId, Range<usize>)] {
        &self.profiled
    }

    /// The first name with a version.
    pub(crate) fn first_version(&self) -> Option<&str> {
        self.versions.first().map(|version| version.name.as_str())
    }

    /// The symbol of the symbol table that a relocation names for this symbol.
    pub(crate) fn named_by_relocation(&self, symbols: &Symbols, id: SymbolId) -> SymbolId {
        let id = symbols.weak_target(id).unwrap_or(id);
        self.renamed.get(&id).copied().unwrap_or(id)
    }

    /// The symbol without a definition that this symbol is a version of.
    pub(crate) fn undefined_base(&self, symbols: &Symbols, id: SymbolId) -> Option<SymbolId> {
        let Some(Expr::Symbol { id: base, .. }) = symbols.symbol(id)?.variable() else { return None };
        (self.renamed.get(base) == Some(&id) && symbols.definition(*base).is_none()).then_some(*base)
    }
}

/// A `.symver` directive.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) symbol: SymbolId,
    /// The name with the version, as written: `f@V1`, `f@@V1` for the default version, `f@@@V1` for the default version if the
    /// symbol is defined.
    pub(crate) name: String,
    /// Whether the symbol table has the symbol by its own name too, if it is defined.
    pub(crate) is_kept: bool,
    /// Where the name is in the source.
    pub(crate) span: Range<usize>,
}
