//! The Rust that a set expands to, in four parts: [`tables`] (what decoding, text and parsing walk), [`raw`] (the bare
//! layouts), [`types`] (`Instr`, a struct for each format, `Opcode`), [`build`] (typed builders).

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::handoff::Head;
use crate::model::{Field, Part, Set};

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

fn snake(name: &Ident) -> Ident {
    let text = name.to_string().to_lowercase();
    match syn::parse_str::<Ident>(&text) {
        Ok(mut ident) => {
            ident.set_span(Span::call_site());
            ident
        }
        Err(_) => Ident::new_raw(&text, Span::call_site()),
    }
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
