//! Conversions to tokens: identifiers, numbers, and the bits of fields.

use std::fmt::Write as _;

use isa_schema::{BitRange, FixedBits, Row};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::error::Error;
use crate::model::VariantBits;
use crate::names::INVALID_IDENTS;

/// Converts the name of a block to that of a type: `VOP3SD` becomes `Vop3sd`, `DPP16` becomes `Dpp16`.
pub fn camel_case(name: &Ident) -> Ident {
    let text = name.to_string();
    let mut out = String::new();
    for part in text.split('_') {
        let (first, rest) = part.split_at(1.min(part.len()));
        out.push_str(&first.to_uppercase());
        out.push_str(&rest.to_lowercase());
    }
    Ident::new(&out, name.span())
}

/// Converts the name of a field to that of a method: `VSRC1` becomes `vsrc1`.
pub(super) fn method_name(name: &str) -> Ident {
    ident(&name.to_lowercase())
}

/// Rust's keywords, except [`INVALID_IDENTS`], sorted.
const KEYWORDS: [&str; 47] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut",
    "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe",
    "unsized", "use", "virtual", "where", "while", "yield",
];

/// Converts a name to an identifier. A keyword becomes a raw identifier; a name that cannot be raw gets a `_` suffix.
pub(super) fn ident(name: &str) -> Ident {
    if INVALID_IDENTS.contains(&name) {
        return Ident::new(&format!("{name}_"), Span::call_site());
    }
    let make = if KEYWORDS.binary_search(&name).is_ok() { Ident::new_raw } else { Ident::new };
    make(name, Span::call_site())
}

/// Formats the bits of a field as the guide does: `[31:26, 7]`.
pub(super) fn bit_ranges(bits: &[BitRange]) -> String {
    let ranges: Vec<String> = bits.iter().map(BitRange::to_string).collect();
    format!("[{}]", ranges.join(", "))
}

/// Returns a bit range as an `isa::tables::BitRange`.
pub(super) fn bit_range(range: &BitRange) -> TokenStream {
    let BitRange { lo, width } = *range;
    quote!(::isa::tables::BitRange::new(#lo, #width))
}

/// Returns the bits of a field as an `isa::tables::FieldBits`. No bits become a range of width 0.
pub(super) fn field_bits(bits: &[BitRange]) -> TokenStream {
    let (first, rest) = bits.split_first().unwrap_or((&BitRange::NONE, &[]));
    let first = bit_range(first);
    if rest.is_empty() {
        // rustc evaluates each `&[]` in a constant by itself.
        return quote!(::isa::tables::FieldBits::of(#first));
    }
    let rest = rest.iter().map(bit_range);
    quote!(::isa::tables::FieldBits { first: #first, rest: &[#(#rest),*] })
}

/// Returns fixed bits as an `isa::tables::FixedBits`.
pub(super) fn fixed(fixed: &FixedBits) -> TokenStream {
    let FixedBits { mask, value } = fixed;
    quote!(::isa::tables::FixedBits { mask: [#(#mask),*], value: [#(#value),*] })
}

/// Returns the bits of a variant as an `isa::tables::VariantBits`.
pub(super) fn variant_bits(bits: &VariantBits) -> TokenStream {
    let (written, required) = (fixed(&bits.written), bits.required.mask);
    quote! {
        ::isa::tables::VariantBits { written: #written, required: &[#(#required),*] }
    }
}

/// Returns an optional mode as an `Option` of the mode type.
pub(super) fn optional_mode(mode: Option<&str>) -> TokenStream {
    match mode {
        None => quote!(::core::option::Option::None),
        Some(name) => {
            let name = Ident::new(name, Span::call_site());
            quote!(::core::option::Option::Some(__Mode::#name))
        }
    }
}

/// Returns numbers as the elements of an array.
///
/// The numbers are formatted to one string, which rustc lexes at once. Literal tokens from `quote!` cross the
/// proc-macro bridge one by one, which takes several times as long.
pub(super) fn numbers<T: Copy + Into<u64>>(all: &[T]) -> TokenStream {
    lex(all.iter().fold(String::new(), |text, n| push_number(text, (*n).into())))
}

/// Returns the rows of a table as an expression of the type `isa_schema::Rows`.
pub(super) fn rows<R: Row>(all: &[R]) -> TokenStream {
    let mut packed: Vec<u64> = Vec::new();
    all.iter().for_each(|row| row.pack(&mut |number| packed.push(number)));
    let (name, packed) = (Ident::new(R::NAME, Span::call_site()), numbers(&packed));
    quote!(private::schema::Rows::<private::schema::#name>::new(&[#packed]))
}

/// Returns the rows of a table as an expression that is an array.
pub(super) fn table<R: Row>(all: &[R]) -> TokenStream {
    let (rows, count) = (rows(all), all.len());
    quote!(#rows.table::<#count>())
}

/// Returns arrays of `N` numbers as the elements of an array. See [`numbers`].
pub(super) fn arrays<T: Copy + Into<u64>, const N: usize>(all: &[[T; N]]) -> TokenStream {
    lex(all.iter().fold(String::new(), |mut text, array| {
        text.push('[');
        let mut text = array.iter().fold(text, |text, n| push_number(text, (*n).into()));
        text.push_str("],");
        text
    }))
}

/// Returns the error of a set whose tables have too many elements.
pub(super) fn too_large() -> TokenStream {
    quote!(::core::compile_error!("the set is too large for its tables, which have 16-bit indices\nhelp: split it into two sets");)
}

/// Appends a number and a comma.
fn push_number(mut text: String, n: u64) -> String {
    // Writing to a string cannot fail.
    let _ = write!(text, "{n},");
    text
}

/// Lexes a string with rustc's lexer. `proc_macro2` would first lex it with its own.
pub(super) fn lex(text: String) -> TokenStream {
    let error = |e: proc_macro::LexError| Error::new(Span::call_site(), e.to_string()).to_compile_error();
    text.parse::<proc_macro::TokenStream>().map_or_else(error, TokenStream::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_become_raw_identifiers() {
        for (name, written) in [("type", "r#type"), ("in", "r#in"), ("ty", "ty"), ("v_add_f32", "v_add_f32")] {
            assert_eq!(ident(name).to_string(), written);
        }
        assert_eq!(method_name("MATCH").to_string(), "r#match");
    }
}
