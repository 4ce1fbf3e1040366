//! The raw layouts: a bitfield for each format and each tail.
//!
//! Their fields are read only. The writers that bitfield-struct makes are four functions for each field, which took a tenth
//! of the time to compile the rows of RDNA3 and panic at values that are too wide.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::{camel, snake};
use crate::model::Set;
use crate::tree::What;

/// The raw layouts: a bitfield for each format and each tail.
pub(super) fn layouts(set: &Set) -> TokenStream {
    let blocks = set.formats.iter().map(|f| f.block).chain(set.tails.iter().copied());
    let layouts = blocks.map(|block| {
        let name = camel(&block.name);
        let width = block.width.value as u32;
        let mut runs = Vec::new();
        for f in block.fields.iter().filter(|f| !f.bits.is_empty()) {
            let mut below: u32 = f.bits.iter().map(|r| r.hi - r.lo + 1).sum();
            for run in &f.bits {
                below -= run.hi - run.lo + 1;
                let name = if f.bits.len() == 1 {
                    snake(f.name.as_str())
                } else {
                    format_ident!("{}_{}_{}", f.name.to_string().to_lowercase(), run.hi, run.lo)
                };
                let fixed = match &f.what {
                    What::Fixed(n) => n.value,
                    What::Reserved(n) => *n,
                    _ => 0,
                };
                // The runs share the value, the first one its highest bits.
                let fixed = fixed >> below & (u64::MAX >> (63 - (run.hi - run.lo)));
                runs.push((run.lo, run.hi - run.lo + 1, name, f, fixed));
            }
        }
        runs.sort_by_key(|r| r.0);
        let fields = runs.iter().map(|(lo, bits, name, field, fixed)| {
            let hi = lo + bits - 1;
            let doc = format!("{} [{hi}:{lo}].", field.name);
            let doc = [quote!(#[doc = #doc])].into_iter().collect::<TokenStream>();
            let ty = match bits {
                1 => quote!(bool),
                2..=8 => quote!(u8),
                9..=16 => quote!(u16),
                _ => quote!(u32),
            };
            let full = matches!(bits, 8 | 16 | 32);
            let value = if *bits == 1 {
                let set = *fixed != 0;
                quote!(#set)
            } else {
                let n = Literal::u64_unsuffixed(*fixed);
                quote!(#n)
            };
            let size = *bits as usize;
            let attr = if full || *bits == 1 {
                quote!(#[bits(access = RO, default = #value)])
            } else {
                quote!(#[bits(#size, access = RO, default = #value)])
            };
            quote!(#doc #attr pub #name: #ty,)
        });
        let int = if width == 32 { quote!(u32) } else { quote!(u64) };
        let doc = format!("The bits of {}.", block.name);
        quote! {
            #[doc = #doc]
            #[::isa::__private::bitfield(#int)]
            #[derive(PartialEq, Eq, Hash)]
            pub struct #name { #(#fields)* }
        }
    });
    quote! {
        /// The raw layouts of the microcode formats and of the dwords that may follow: every field, as it is. What changes
        /// fields are the checked `with_*` of the formats' own types.
        pub mod raw { #(#layouts)* }
    }
}
