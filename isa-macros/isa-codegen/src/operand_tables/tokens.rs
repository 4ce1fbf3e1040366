//! Tokens that several generators of operand classes use.

use isa_schema::ConstantEncoding;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::ast::{Arm, ArmCond, ClassDecl, Clause};
use crate::spanned::SpannedStr;
use quote::format_ident;

/// Converts the name of a flag to a constant: `scalar_d` becomes `SCALAR_D`.
pub fn flag(name: &SpannedStr) -> TokenStream {
    let ident = Ident::new(&name.as_str().to_uppercase(), name.span());
    quote!(__operand_flags::#ident)
}

/// Returns the union of flags.
pub fn flags(names: &[SpannedStr]) -> TokenStream {
    let all = names.iter().map(flag);
    quote!(0 #(| #all)*)
}

/// Returns the type of constants as an `isa::class::ConstantEncoding`.
pub fn constant_encoding(encoding: ConstantEncoding) -> TokenStream {
    let variant = Ident::new(&format!("{encoding:?}"), Span::call_site());
    quote!(::isa::class::ConstantEncoding::#variant)
}

/// Returns an optional value as an `Option`.
pub fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// Returns the flags of rows in which a class is something else than its last case.
pub fn unless<'a>(class: &ClassDecl, arms: impl Iterator<Item = &'a Arm>) -> TokenStream {
    let of_arms = arms.filter_map(|arm| match &arm.cond {
        Some(ArmCond::Flag(name)) => Some(flag(name)),
        _ => None,
    });
    let of_clauses = class.clauses.iter().filter_map(|c| match c {
        Clause::Unless(names) => Some(flags(names)),
        _ => None,
    });
    quote!(0 #(| #of_arms)* #(| #of_clauses)*)
}

/// Returns the name of a constant of a class: `CODES_SRC`.
pub fn constant(prefix: &str, class: &ClassDecl) -> Ident {
    format_ident!("{prefix}_{}", class.name.to_string().to_uppercase())
}
