//! Generation of the runs of a code space.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ast::{CodeRun, RunFit, RunKind};
use crate::spanned::SpannedStr;

/// Converts the name of a register file to a variant: `flat_scratch` becomes `FlatScratch`.
pub fn variant(name: &SpannedStr) -> Ident {
    let parts = name.as_str().split('_').map(|part| {
        let (first, rest) = part.split_at(1.min(part.len()));
        first.to_uppercase() + rest
    });
    Ident::new(&parts.collect::<String>(), name.span())
}

/// The alias of the type of operand values: a path may begin with `super`, which means another module in the tables.
pub fn value_alias() -> TokenStream {
    quote!(__OperandValue)
}

/// The alias of the enum of register files.
pub fn file_alias() -> TokenStream {
    quote!(__OperandFile)
}

/// Returns a run as an `isa::class::CodeRun`.
pub fn run_table(run: &CodeRun) -> TokenStream {
    let file = file_alias();
    let (first, count) = (run.first as u16, (run.last - run.first + 1) as u16);
    let fit = match run.fit {
        RunFit::Run => quote!(Run),
        RunFit::Any => quote!(Any),
        RunFit::One => quote!(One),
    };
    let (name, number) = run.file.as_ref().map_or((&run.name, 0), |(name, number)| (name, *number));
    let variant = variant(name);
    let kind = match &run.kind {
        RunKind::Numbered(prefix) => {
            let (halves, aligned) = (run.has_halves, run.is_aligned);
            quote!(Numbered { file: #file::#variant, prefix: #prefix, halves: #halves, is_aligned: #aligned })
        }
        RunKind::Names(names) => {
            let (each, all) = names.split_at(usize::from(count));
            let each = each.iter().map(SpannedStr::as_str);
            let all = all.first().map_or("", SpannedStr::as_str);
            let also = run.also.iter().map(SpannedStr::as_str);
            quote!(Names { file: #file::#variant, number: #number, each: &[#(#each),*], all: #all, also: &[#(#also),*] })
        }
        RunKind::Integers(first, last) => {
            let (first, step) = (*first as i16, if last < first { -1i8 } else { 1 });
            quote!(Integers(#first, #step))
        }
        RunKind::Floats(all) => {
            let floats = float_tables(run.first, all);
            quote!(Floats(&[#(#floats),*]))
        }
        RunKind::Literal(_) => quote!(Literal),
    };
    let rule = SpannedStr::or_empty(run.rule.as_ref());
    quote! {
        ::isa::class::CodeRun { first: #first, count: #count, fit: ::isa::class::Fit::#fit, kind: ::isa::class::RunKind::#kind, rule: #rule }
    }
}

/// Returns numbers as `isa::InlineFloat`s.
pub fn float_tables(first: u32, all: &[(String, f64)]) -> Vec<TokenStream> {
    let table = |(at, (text, value)): (usize, &(String, f64))| {
        let (code, short) = (first as u16 + at as u16, *value as f32);
        if f64::from(short) == *value {
            return quote!(::isa::InlineFloat::new(#code, #text, #short));
        }
        // It is rounded in an `f32`, whose shortest text is written, and truncated in a `bf16`.
        let name = format!("{short:?}");
        let (f32, f64, f16) = (short.to_bits(), value.to_bits(), half_bits(short));
        let bf16 = (f32 >> 16) as u16;
        let value: f64 = name.parse().unwrap_or(*value);
        quote! {
            ::isa::InlineFloat { code: #code, name: #name, value: #value, f16: #f16, bf16: #bf16, f32: #f32, f64: #f64 }
        }
    };
    all.iter().enumerate().map(table).collect()
}

/// Returns the bits of a normal number as an `f16`, rounded to nearest even.
fn half_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let rounded = bits + 0xfff + (bits >> 13 & 1);
    let magnitude = ((rounded & 0x7fff_ffff) >> 13).wrapping_sub((127 - 15) << 10);
    ((bits >> 16 & 0x8000) | magnitude & 0x7fff) as u16
}
