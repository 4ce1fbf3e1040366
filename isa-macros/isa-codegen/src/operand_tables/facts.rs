//! The facts that the clauses of a class state.

use proc_macro2::TokenStream;
use quote::quote;

use super::tokens::flag;
use crate::ast::{Asked, ClassDecl, Clause, ModifierBit, SetExpr, ThereField};
use crate::spanned::SpannedStr;

/// Where the half of a 16-bit register is.
#[derive(Clone, Copy, Default)]
pub enum Half<'a> {
    /// Operands of 16 bits are whole registers.
    #[default]
    None,
    /// In a bit of the code.
    Bit(u8),
    /// The functions of the class know.
    Functions,
    /// In a bit of a modifier; the function tells it.
    By(&'a ModifierBit, &'a TokenStream),
}

/// The modifiers with a sign, by flags of the row.
pub type SignCases = [(Option<SpannedStr>, ModifierBit)];

/// The facts of a class's clauses.
#[derive(Default)]
pub struct Facts<'a> {
    pub half: Half<'a>,
    pub constants: &'a [(Option<SpannedStr>, SpannedStr)],
    pub of_mode: bool,
    pub dwords: Option<u8>,
    pub counted: bool,
    pub off: Option<Option<&'a SpannedStr>>,
    pub says: Option<&'a SpannedStr>,
    pub expects: Option<&'a SpannedStr>,
    pub misaligned: bool,
    pub prints: Option<&'a SetExpr>,
    pub prints_all: bool,
    pub neg: &'a SignCases,
    pub abs: &'a SignCases,
    pub signs: Option<&'a TokenStream>,
    pub there: Option<&'a ThereField>,
    pub check: Option<(&'a TokenStream, &'a Asked)>,
}

impl<'a> Facts<'a> {
    /// Collects the clauses of a class.
    pub fn new(class: &'a ClassDecl) -> Facts<'a> {
        let mut facts = Facts::default();
        for clause in &class.clauses {
            match clause {
                Clause::Half(u8::MAX) => facts.half = Half::Functions,
                Clause::Half(bit) => facts.half = Half::Bit(*bit),
                Clause::HalfBy(bit, path) => facts.half = Half::By(bit, path),
                Clause::Constants(cases) => facts.constants = cases,
                Clause::DwordsOfMode => facts.of_mode = true,
                Clause::Dwords(n) => facts.dwords = Some(*n),
                Clause::DwordsFn(_) | Clause::DwordsSum(_) | Clause::DwordsPart(..) => facts.counted = true,
                Clause::There(field) => {
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
                Clause::Sign { is_absolute: false, cases } => facts.neg = cases,
                Clause::Sign { is_absolute: true, cases } => facts.abs = cases,
                Clause::Signs(path) => facts.signs = Some(path),
                Clause::Check(path, asked) => facts.check = Some((path, asked)),
                _ => {}
            }
        }
        facts
    }

    /// Whether a function or fields say how many registers the operand has.
    pub fn is_counted(&self) -> bool {
        self.counted
    }

    /// Whether operands of 16 bits can be halves of registers.
    pub fn has_halves(&self) -> bool {
        !matches!(self.half, Half::None)
    }

    /// Returns the cases of what constants mean, as `(isa::Case, isa::class::Constants)`.
    pub fn constant_cases(&self) -> TokenStream {
        let cases = self.constants.iter().map(|(name, meaning)| {
            let (case, meaning) = (case_of(name.as_ref()), constant_meaning(meaning));
            quote!((#case, #meaning))
        });
        quote!(&[#(#cases),*])
    }

    /// Returns what constants mean in rows without a flag that says otherwise.
    pub fn usual_constants(&self) -> TokenStream {
        let usual = self.constants.iter().find(|(flag, _)| flag.is_none());
        usual.map_or(quote!(::isa::class::Constants::Type), |(_, meaning)| constant_meaning(meaning))
    }

    /// Returns the flags of rows in which constants mean one of these.
    pub fn flags_of_constants(&self, is_one: impl Fn(&str) -> bool) -> TokenStream {
        let cases = self.constants.iter().filter(|(_, meaning)| is_one(meaning.as_str()));
        let all = cases.filter_map(|(name, _)| name.as_ref()).map(flag);
        quote!(0 #(| #all)*)
    }

    /// Returns the flags of rows in which other modifiers than the usual ones have the signs.
    pub fn flags_of_signs(&self) -> TokenStream {
        let all = self.neg.iter().chain(self.abs).filter_map(|(name, _)| name.as_ref()).map(flag);
        quote!(0 #(| #all)*)
    }

    /// Returns the names of the modifiers that usually have the signs, for a value of the const parameter.
    pub fn sign_names(&self, class: &ClassDecl, nth: u8) -> Vec<String> {
        let usual = self.neg.iter().chain(self.abs).filter(|(flag, _)| flag.is_none());
        usual.map(|(_, bit)| bit.name_for(class, nth)).collect()
    }
}

impl ModifierBit {
    /// Returns the name for a value of the const parameter.
    pub fn name_for(&self, class: &ClassDecl, nth: u8) -> String {
        match &class.param {
            Some((param, _)) => self.name.replace(&format!("{{{param}}}"), &nth.to_string()),
            None => self.name.clone(),
        }
    }

    /// Returns an `isa::inst::BitOf` for a value of the const parameter.
    pub fn bit_of(&self, class: &ClassDecl, nth: u8) -> TokenStream {
        let (name, bit) = (self.name_for(class, nth), self.bit.unwrap_or(nth));
        quote!(::isa::inst::BitOf::new(#name, #bit))
    }
}

impl Asked {
    /// Returns an expression that is true where the function of a `check` clause is not asked.
    pub fn is_exempt(&self) -> TokenStream {
        match self {
            Asked::Always | Asked::Of(_) => quote!(false),
            Asked::BesideDword => quote!(cx.suffix_dword == 0),
            Asked::NotZero => quote!(code == 0),
            Asked::InRows(name) => {
                let flag = flag(name);
                quote!(!cx.has(#flag))
            }
        }
    }
}

/// Returns the valid codes that decoding accepts without the function of a `check` clause, of a class that has the codes
/// `all` but for that function; and the condition to ask it.
pub fn checked_codes(class: &ClassDecl, all: &TokenStream) -> Option<(TokenStream, TokenStream)> {
    let (path, asked) = Facts::new(class).check?;
    let none = quote!(::isa::ValidCodes::NONE);
    let codes = match asked {
        Asked::Always | Asked::Of(_) => none,
        Asked::BesideDword => all.clone(),
        Asked::NotZero => quote!(::isa::ValidCodes::Within(0)),
        Asked::InRows(name) => {
            let flag = flag(name);
            quote!(::isa::ValidCodes::Cases(&[(::isa::Case::Flag(#flag), #none), (::isa::Case::Else, #all)]))
        }
    };
    let exempt = asked.is_exempt();
    Some((codes, quote!((#exempt || #path(cx, code)))))
}

/// Returns the case of a flag, `Else` if there is none.
pub fn case_of(name: Option<&SpannedStr>) -> TokenStream {
    match name {
        Some(name) => {
            let flag = flag(name);
            quote!(::isa::Case::Flag(#flag))
        }
        None => quote!(::isa::Case::Else),
    }
}

/// The meaning of the constants of a number that a suffix dword holds.
pub const LITERAL_ITSELF: &str = "literal";

/// Whether a number is the constant in a suffix dword.
pub fn is_literal(class: &ClassDecl) -> bool {
    Facts::new(class).constants.iter().any(|(_, meaning)| *meaning == *LITERAL_ITSELF)
}

/// The meanings of constants, and the variants of `isa::class::Constants`.
pub const CONSTANT_MEANINGS: [(&str, &str); 7] = [
    ("typed", "Type"),
    ("dword", "Dword"),
    ("half_float", "HalfFloat"),
    ("any_half_float", "AnyHalfFloat"),
    ("half_bits", "HalfBits"),
    ("both_halves", "BothHalves"),
    ("element", "Element"),
];

fn constant_meaning(name: &SpannedStr) -> TokenStream {
    let known = CONSTANT_MEANINGS.iter().find(|(known, _)| *name == **known);
    let variant = proc_macro2::Ident::new(known.map_or("Type", |(_, variant)| variant), name.span());
    quote!(::isa::class::Constants::#variant)
}
