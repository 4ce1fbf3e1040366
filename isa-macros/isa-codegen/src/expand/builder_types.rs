//! The types of typed builders: `mod types` for the types of operands, `mod groups` for sets of modifiers.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use super::tokens::camel_case;
use crate::lists::entry;
use crate::ty::{Class, Type};
use quote::format_ident;

/// Returns the name of an operand type in `mod types`: `f16x2` becomes `F16x2`.
pub(super) fn type_name(ty: Type) -> String {
    let name = ty.to_string();
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

/// Generates the module `types`: a type for each operand type, with the traits that slots can require.
pub(super) fn element_types(all: &[(String, Type)], span: Span) -> TokenStream {
    let items = all.iter().map(|(name, ty)| {
        let ident = Ident::new(name, span);
        let text = name.to_lowercase();
        if ty.class() == Class::Mask {
            return quote_spanned! {span=>
                /// A lane mask: one bit for each lane of the wave.
                #[derive(Clone, Copy, Debug)]
                pub struct Mask;
                impl ::isa::build::Dwords<1> for Mask {}
                impl ::isa::build::Dwords<2> for Mask {}
                impl ::isa::build::Whole for Mask {}
                impl ::isa::build::Narrow for Mask {}
            };
        }
        let bits = ty.total_bits();
        let dwords = usize::from(ty.dwords());
        let half = if bits == 16 { format_ident!("RegisterHalf") } else { format_ident!("Whole") };
        let narrow = (bits <= 64).then(|| quote_spanned!(span=> impl ::isa::build::Narrow for #ident {}));
        let float = (ty.is_float() || ty.class() == Class::Bits)
            .then(|| quote_spanned!(span=> impl ::isa::build::TakesFloat for #ident {}));
        let doc = format!("The operand type `{text}`: {bits} bits.");
        quote_spanned! {span=>
            #[doc = #doc]
            #[derive(Clone, Copy, Debug)]
            pub struct #ident;
            impl ::isa::build::Dwords<#dwords> for #ident {}
            impl ::isa::build::#half for #ident {}
            #narrow
            #float
        }
    });
    quote_spanned! {span=>
        /// The operand types.
        pub mod types { #(#items)* }
    }
}

/// The markers of a group, sorted, each with the modifier that it stands for and the modifier's class. Suffixes and components
/// of dual-issue formats are not modifiers.
pub(super) type Markers = Vec<(String, Option<(String, String)>)>;

/// Groups of instructions with the same modifiers. Each group becomes a type that implements their markers.
#[derive(Default)]
pub(super) struct Groups {
    /// The name of the type for a set of markers, sorted by markers.
    names: Vec<(Markers, String)>,
}

impl Groups {
    /// Returns the group with these markers. A new group is named after the mnemonic.
    pub(super) fn intern(&mut self, markers: Markers, mnemonic: &str) -> String {
        let new_name = || format!("Like{}", camel_case(&Ident::new(mnemonic, Span::call_site())));
        entry(&mut self.names, markers, new_name).clone()
    }

    /// Generates the module `groups`.
    pub(super) fn items(&self, isa: &Ident, span: Span) -> TokenStream {
        let items = self.names.iter().map(|(markers, name)| {
            let name = Ident::new(name, span);
            let list: Vec<String> = markers.iter().map(|(m, _)| format!("`{m}`")).collect();
            let doc = match list.is_empty() {
                true => "Instructions without modifiers.".into(),
                false => format!("Instructions with the modifiers {}.", list.join(", ")),
            };
            let markers = markers.iter().map(|(marker, field)| {
                let marker = Ident::new(marker, span);
                let field = field.as_ref().map(|(modifier, class)| {
                    let modifier = Ident::new(&modifier.to_uppercase(), span);
                    let class: TokenStream = class.parse().unwrap_or_default();
                    quote_spanned! {span=>
                        const FIELD: ::isa::build::ModifierRange = ::isa::build::ModifierRange::new(
                            super::super::modifiers::#modifier,
                            <super::super::__operands::#class as ::isa::Operand<super::super::#isa>>::PLACING,
                        );
                    }
                });
                quote_spanned!(span=> impl super::has::#marker for #name { #field })
            });
            quote_spanned! {span=>
                #[doc = #doc]
                #[derive(Clone, Copy, Debug)]
                pub struct #name;
                #(#markers)*
            }
        });
        quote_spanned! {span=>
            /// Groups of instructions with the same modifiers.
            pub mod groups { #(#items)* }
        }
    }
}
