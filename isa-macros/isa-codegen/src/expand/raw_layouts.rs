//! The raw layouts, `mod raw`: a bitfield for each format and each suffix dword.
//!
//! Their fields are read-only. bitfield-struct generates four writers for a field, which panic at values that are too
//! wide, and which took 10 % of the compile time of RDNA3's rows.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::tokens::{camel_case, method_name};
use crate::ast::{Block, FieldContent, FieldDecl, SpannedBitRange};
use crate::model::Set;
use quote::format_ident;

/// A bit range of a field, as a field of a bitfield.
struct RawField<'a> {
    range: &'a SpannedBitRange,
    name: proc_macro2::Ident,
    field: &'a FieldDecl,
    /// The default value: the constant of a fixed or reserved field.
    default: u64,
}

/// Generates the module `raw`.
pub(super) fn raw_module(set: &Set) -> TokenStream {
    let blocks = set.formats.iter().map(|f| f.block).chain(set.suffix_dwords.iter().copied());
    let layouts = blocks.map(layout);
    quote! {
        /// The raw layouts of the microcode formats and of their suffix dwords: every field as a read-only number. To
        /// change a field, use the checked `with_*` methods of the format's own type.
        pub mod raw { #(#layouts)* }
    }
}

/// Generates the bitfield of a block.
fn layout(block: &Block) -> TokenStream {
    let name = camel_case(&block.name);
    let width = block.width.value as u32;
    let fields = raw_fields(block);
    let fields = fields.iter().map(|RawField { range, name, field, default }| {
        let (hi, lo, bits) = (range.hi, range.lo, range.width());
        let doc = format!("{} [{hi}:{lo}].", field.name);
        let doc = quote!(#[doc = #doc]);
        let ty = match bits {
            1 => quote!(bool),
            2..=8 => quote!(u8),
            9..=16 => quote!(u16),
            _ => quote!(u32),
        };
        let fills_type = matches!(bits, 8 | 16 | 32);
        let value = if bits == 1 {
            let is_set = *default != 0;
            quote!(#is_set)
        } else {
            let n = Literal::u64_unsuffixed(*default);
            quote!(#n)
        };
        let size = bits as usize;
        let attr = if fills_type || bits == 1 {
            quote!(#[bits(access = RO, default = #value)])
        } else {
            quote!(#[bits(#size, access = RO, default = #value)])
        };
        quote!(#doc #attr pub #name: #ty,)
    });
    // Rust lacks an integer of 96 bits.
    let spare = (width == 96).then(|| quote!(#[bits(32)] __: u32,));
    let int = match width {
        32 => quote!(u32),
        64 => quote!(u64),
        _ => quote!(u128),
    };
    let doc = format!("The bits of {}.", block.name);
    quote! {
        #[doc = #doc]
        #[::isa::__private::bitfield(#int)]
        #[derive(PartialEq, Eq, Hash)]
        pub struct #name { #(#fields)* #spare }
    }
}

/// Returns all bit ranges of a block, the lowest first.
fn raw_fields(block: &Block) -> Vec<RawField<'_>> {
    let mut fields = Vec::new();
    for field in block.fields.iter().filter(|f| !f.bits.is_empty()) {
        let mut bits_below = field.width();
        for range in &field.bits {
            bits_below -= range.width();
            let name = if field.bits.len() == 1 {
                method_name(field.name.as_str())
            } else {
                format_ident!("{}_{}_{}", field.name.to_string().to_lowercase(), range.hi, range.lo)
            };
            let constant = match &field.content {
                FieldContent::Fixed(n) => n.value,
                FieldContent::Reserved(n) => *n,
                _ => 0,
            };
            // The ranges share the constant; the first holds its most significant bits.
            let default = constant >> bits_below & (u64::MAX >> (63 - (range.hi - range.lo)));
            fields.push(RawField { range, name, field, default });
        }
    }
    fields.sort_by_key(|f| f.range.lo);
    fields
}
