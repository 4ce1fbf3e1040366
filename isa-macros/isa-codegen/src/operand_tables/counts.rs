//! The number of an operand's registers, where fields of the instruction decide it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::context::{Context, has};
use super::facts::Facts;
use super::tokens::{flag, option};
use super::valid_codes::Case;
use crate::ast::{ClassDecl, Clause, DwordsBase, DwordsSum, DwordsTerm, OperandTables, ThereField};
use crate::spanned::SpannedStr;

impl Context<'_> {
    /// Generates the function `dwords` of a class whose number of registers fields decide.
    pub(super) fn dwords_fn(&self, class: &ClassDecl) -> TokenStream {
        let count = class.clauses.iter().find_map(|clause| match clause {
            Clause::DwordsSum(sum) => Some(sum_of(sum)),
            Clause::DwordsPart(divisor, mode) => {
                let at = self.tables.mode_index(mode);
                let set = self.target().1;
                Some(quote! {
                    let is_part = <#set as ::isa::Isa>::mode_index(cx.mode) == #at;
                    cx.ty.dwords() / if is_part { #divisor } else { 1 }
                })
            }
            Clause::There(there) => Some(there_of(there)),
            _ => None,
        });
        let Some(count) = count else { return quote!() };
        let ((param, set), name) = (self.target(), &class.name);
        let (of_class, of_name) = match &class.param {
            Some((n, _)) => (quote!(<const #n: usize>), quote!(<#n>)),
            None => (quote!(), quote!()),
        };
        quote! {
            impl #of_class #name #of_name {
                /// Returns how many registers an operand has.
                fn dwords<#param>(cx: &::isa::Cx<'_, #set>) -> u8 {
                    #count
                }
            }
        }
    }
}

/// How many registers an operand has, as `isa::class::Count`.
pub enum Count<'a> {
    /// The number that the type takes. For a lane mask, these numbers by the index of the mode.
    Type(Vec<u8>),
    /// The number that the type takes, divided by these numbers by the index of the mode.
    Part(Vec<u8>),
    /// A fixed number.
    Fixed(u8),
    /// A number that a function returns.
    Dependent,
    /// The sum of other fields, and the error for another number.
    Sum(&'a DwordsSum, Option<&'a SpannedStr>),
}

impl<'a> Count<'a> {
    /// Returns the number of registers of a class.
    pub fn new(tables: &OperandTables, class: &'a ClassDecl, facts: &Facts<'a>) -> Self {
        for clause in &class.clauses {
            match clause {
                Clause::DwordsSum(sum) => return Count::Sum(sum, facts.says),
                Clause::DwordsPart(divisor, mode) => {
                    return Count::Part(tables.modes().iter().map(|m| if m == mode { *divisor } else { 1 }).collect());
                }
                Clause::There(_) => return Count::Fixed(1),
                _ => {}
            }
        }
        if has(class, |c| matches!(c, Clause::Depends(..))) {
            return Count::Dependent;
        }
        match (facts.dwords, tables.masks.as_ref().filter(|_| facts.of_mode)) {
            (Some(dwords), _) => Count::Fixed(dwords),
            (None, Some((counts, _))) => Count::Type(counts.clone()),
            (None, None) => Count::Type(Vec::new()),
        }
    }
}

impl ToTokens for Count<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let count = match self {
            Count::Type(by_mode) => quote!(Type(&[#(#by_mode),*])),
            Count::Part(by_mode) => quote!(Part(&[#(#by_mode),*])),
            Count::Fixed(count) => quote!(Fixed(#count)),
            Count::Dependent => quote!(Dependent),
            Count::Sum(sum, says) => count_sum(sum, &option(says.map(|says| says.as_str()).map(|says| quote!(#says)))),
        };
        tokens.extend(quote!(::isa::class::Count::#count));
    }
}

/// Returns the code that adds up a number of registers.
fn sum_of(sum: &DwordsSum) -> TokenStream {
    let base = sum.base.iter().rev().fold(quote!(0u8), |other, (name, base)| {
        let base = match base {
            DwordsBase::Fixed(n) => quote!(#n),
            DwordsBase::Type => quote!(cx.ty.dwords()),
            DwordsBase::Lanes => quote!(cx.ty.lanes()),
        };
        match name.as_ref().map(flag) {
            Some(flag) => quote!(if cx.has(#flag) { #base } else { #other }),
            None => base,
        }
    });
    let terms = sum.terms.iter().map(|DwordsTerm { adds, field, code }| {
        let is_set = match (&sum.raw, code) {
            (Some(_), None) => {
                let field = accessor(field);
                quote!(raw.#field())
            }
            (Some(_), Some(code)) => {
                let field = accessor(field);
                quote!(u32::from(raw.#field()) == u32::from(#code))
            }
            (None, code) => is_code(field, code.unwrap_or(1)),
        };
        quote!(.saturating_add(if #is_set { #adds } else { 0 }))
    });
    let raw = sum.raw.as_ref().map(|raw| quote!(let raw = #raw::from_bits(cx.low64());));
    quote!(#raw (#base) #(#terms)*)
}

/// Returns the code that counts the register of an operand that may not exist.
fn there_of(ThereField { field, is_by_digit, raw }: &ThereField) -> TokenStream {
    let name = accessor(field);
    match (raw, is_by_digit) {
        (Some(raw), false) => quote!(u8::from(#raw::from_bits(cx.low64()).#name())),
        (Some(raw), true) => {
            quote!(u8::from(#raw::from_bits(cx.low64()).#name() >> ::isa::class::last_digit(cx.name) & 1 == 1))
        }
        (None, false) => {
            let is_set = is_code(field, 1);
            quote!(u8::from(#is_set))
        }
        (None, true) => {
            let name = field.as_str();
            quote!(u8::from(cx.sibling(#name).is_some_and(|(code, _)| code >> ::isa::class::last_digit(cx.name) & 1 == 1)))
        }
    }
}

/// Returns the code that looks up whether a field holds a code.
fn is_code(field: &SpannedStr, code: u16) -> TokenStream {
    let (name, code) = (field.as_str(), u32::from(code));
    quote!(cx.sibling(#name).is_some_and(|(code, _)| code == #code))
}

/// Returns the accessor of a field.
fn accessor(field: &SpannedStr) -> Ident {
    Ident::new(field.as_str(), field.span())
}

/// Returns a sum as an `isa::class::Count`. `rule` is the error for another number of registers, an `Option`.
fn count_sum(sum: &DwordsSum, rule: &TokenStream) -> TokenStream {
    let base = sum.base.iter().map(|(name, base)| {
        let case = Case::of_flag(name.as_ref());
        let base = match base {
            DwordsBase::Fixed(n) => quote!(Fixed(#n)),
            DwordsBase::Type => quote!(Type),
            DwordsBase::Lanes => quote!(Lanes),
        };
        quote!((#case, ::isa::class::CountBase::#base))
    });
    let terms = sum.terms.iter().map(|DwordsTerm { adds, field, code }| {
        let (name, code) = (field.as_str(), code.unwrap_or(1));
        quote!(::isa::class::CountTerm { name: #name, code: #code, adds: #adds })
    });
    quote!(Sum(&::isa::class::CountSum { base: &[#(#base),*], terms: &[#(#terms),*], rule: #rule }))
}
