//! The Rust that a set expands to, in four parts: [`tables`] (what decoding, text and parsing walk), [`raw`] (the bare
//! layouts), [`types`] (`Instr`, a struct for each format, `Opcode`), [`build`] (typed builders).

use std::fmt::Write as _;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::fault::Fault;
use crate::head::Head;
use crate::model::{Field, Part, Set};
use crate::names::NO_NAMES;

pub mod build;
mod lines;
mod quick;
mod raw;
mod shared;
mod tables;
mod types;

/// `VOP3SD` becomes `Vop3sd`, `DPP16` becomes `Dpp16`.
fn camel(name: &Ident) -> Ident {
    let text = name.to_string();
    let mut out = String::new();
    for part in text.split('_') {
        let (first, rest) = part.split_at(1.min(part.len()));
        out.push_str(&first.to_uppercase());
        out.push_str(&rest.to_lowercase());
    }
    Ident::new(&out, name.span())
}

fn snake(name: &str) -> Ident {
    ident(&name.to_lowercase())
}

/// The words that the compiler takes for no name of its own accord.
const KEYWORDS: [&str; 47] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut",
    "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe",
    "unsized", "use", "virtual", "where", "while", "yield",
];

/// A name as an identifier; one that Rust lets nothing have, with a `_` behind it.
fn ident(name: &str) -> Ident {
    if NO_NAMES.contains(&name) {
        return Ident::new(&format!("{name}_"), Span::call_site());
    }
    let make = if KEYWORDS.contains(&name) { Ident::new_raw } else { Ident::new };
    make(name, Span::call_site())
}

fn bits_text(field: &Field, base: u8) -> String {
    let run = |p: &Part| {
        let lo = (u32::from(p.word) - u32::from(base)) * 32 + u32::from(p.lo);
        let hi = lo + u32::from(p.width) - 1;
        if hi == lo { format!("{lo}") } else { format!("{hi}:{lo}") }
    };
    let runs: Vec<String> = field.parts.iter().map(run).collect();
    format!("[{}]", runs.join(", "))
}

/// Numbers as the elements of an array. They are written as text, which the compiler reads at once: one after the other, as
/// `quote!` hands them over, they take several times as long.
fn numbers<T: Copy + Into<u64>>(all: &[T]) -> TokenStream {
    read(all.iter().fold(String::new(), |text, n| number(text, (*n).into())))
}

/// Lists of so many numbers as the elements of an array.
fn rows<T: Copy + Into<u64>, const N: usize>(all: &[[T; N]]) -> TokenStream {
    read(all.iter().fold(String::new(), |mut text, row| {
        text.push('[');
        let mut text = row.iter().fold(text, |text, n| number(text, (*n).into()));
        text.push_str("],");
        text
    }))
}

fn number(mut text: String, n: u64) -> String {
    // A text takes all that is written into it.
    let _ = write!(text, "{n},");
    text
}

/// By the compiler alone: `proc_macro2` would read it twice, once by itself.
fn read(text: String) -> TokenStream {
    let fault = |e: proc_macro::LexError| Fault::new(Span::call_site(), e.to_string()).to_compile_error();
    text.parse::<proc_macro::TokenStream>().map_or_else(fault, TokenStream::from)
}

pub fn set(head: &Head, set: &Set) -> TokenStream {
    let raw = raw::layouts(set);
    let words = types::words(set);
    let opcode = types::opcodes(set);
    let tables = tables::tables(head, set);
    let structs: TokenStream =
        set.formats.iter().enumerate().map(|(i, f)| types::format_struct(head, f, i as u8)).collect();
    let instr = types::instr(head, set);
    let build = head.build.as_ref().map(|b| build::module(b, set));
    quote!(#raw #words #opcode #tables #structs #instr #build)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_names_all_the_same() {
        for (name, written) in [("type", "r#type"), ("in", "r#in"), ("ty", "ty"), ("v_add_f32", "v_add_f32")] {
            assert_eq!(ident(name).to_string(), written);
        }
        assert_eq!(snake("MATCH").to_string(), "r#match");
    }
}
