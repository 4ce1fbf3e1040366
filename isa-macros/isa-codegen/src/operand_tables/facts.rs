//! The facts that the clauses of a class state.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ast::{ClassDecl, Clause, SetExpr};
use crate::spanned::SpannedStr;

/// The facts of a class's clauses.
#[derive(Default)]
pub struct Facts<'a> {
    pub half: Option<u8>,
    pub is_dword: bool,
    pub of_mode: bool,
    pub dwords: Option<u8>,
    pub counted: bool,
    pub off: Option<Option<&'a SpannedStr>>,
    pub says: Option<&'a SpannedStr>,
    pub expects: Option<&'a SpannedStr>,
    pub misaligned: bool,
    pub prints: Option<&'a SetExpr>,
    pub prints_all: bool,
    pub signs: Vec<String>,
    pub there: Option<&'a SpannedStr>,
}

impl<'a> Facts<'a> {
    /// Collects the clauses of a class.
    pub fn new(class: &'a ClassDecl) -> Facts<'a> {
        let mut facts = Facts::default();
        for clause in &class.clauses {
            match clause {
                Clause::Half(bit) => facts.half = Some(*bit),
                Clause::Dword => facts.is_dword = true,
                Clause::DwordsOfMode => facts.of_mode = true,
                Clause::Dwords(n) => facts.dwords = Some(*n),
                Clause::DwordsFn(_) | Clause::DwordsSum(..) => facts.counted = true,
                Clause::There(field, _) => {
                    facts.counted = true;
                    facts.there = Some(field);
                }
                Clause::Off(name) => facts.off = Some(name.as_ref()),
                Clause::Says(text) => facts.says = Some(text),
                Clause::Expects(text) => facts.expects = Some(text),
                Clause::Prints { misaligned, all, set } => {
                    facts.misaligned |= *misaligned;
                    facts.prints_all |= *all;
                    facts.prints = Some(set).filter(|set| !set.is_empty());
                }
                Clause::Signs(names) => facts.signs = names.iter().map(ToString::to_string).collect(),
                _ => {}
            }
        }
        facts
    }

    /// Whether a function or fields say how many registers the operand has.
    pub fn is_counted(&self) -> bool {
        self.counted
    }

    /// Returns the modifiers that change the text, unless a const parameter says which they are.
    pub fn signs_of_names(&self) -> TokenStream {
        let signs = self.signs.iter().filter(|name| !name.contains('{'));
        quote!(&[#(#signs),*])
    }
}
