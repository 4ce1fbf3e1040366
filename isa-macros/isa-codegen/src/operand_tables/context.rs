//! Context of the generators of operand classes: the tables, and queries about a class.

use proc_macro2::TokenStream;

use crate::ast::{ClassDecl, Clause, OperandTables};

/// The tables, and the generations that share them.
pub(super) struct Context<'a> {
    pub(super) tables: &'a OperandTables,
    /// The generations of each module of tables.
    pub(super) generations: &'a [Vec<String>],
}

/// Returns whether a class has a clause.
pub(super) fn has(class: &ClassDecl, is: fn(&Clause) -> bool) -> bool {
    class.clauses.iter().any(is)
}

/// Returns the function of a class for one of its parts.
pub(super) fn hook<'a>(class: &'a ClassDecl, kind: &str) -> Option<&'a TokenStream> {
    class.clauses.iter().find_map(|c| match c {
        Clause::Hook(name, path) if name.as_str() == kind => Some(path),
        Clause::Check(path, _) if kind == "check" => Some(path),
        _ => None,
    })
}

/// Returns whether a class has a function for one of its parts.
pub(super) fn hooked(class: &ClassDecl, kind: &str) -> bool {
    hook(class, kind).is_some()
}
