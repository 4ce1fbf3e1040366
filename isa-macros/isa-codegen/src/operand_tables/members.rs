//! Members of the implementations of `isa::Operand` that classes of several kinds have.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, hooked};
use super::facts::Facts;
use super::valid_codes::{ValidCodes, highest_code};
use crate::ast::ClassDecl;

impl Context<'_> {
    /// Generates `VALID_CODES`, and `check` with this body.
    pub(super) fn valid_codes(&self, codes: &ValidCodes, check: &TokenStream) -> TokenStream {
        let (_, set) = self.target();
        quote! {
            const VALID_CODES: ::isa::ValidCodes = #codes;
            fn check(cx: &::isa::Cx<'_, #set>, code: u32) -> bool { #check }
        }
    }

    /// Generates the members of a class all of whose codes of `bits` bits are valid.
    pub(super) fn full_codes(&self, bits: u8) -> TokenStream {
        let highest = highest_code(bits);
        let codes = self.valid_codes(&ValidCodes::within_bits(bits), &quote!(code <= #highest));
        quote!(const BITS: u8 = #bits; #codes)
    }

    /// Generates `write` with this body.
    pub(super) fn write_with(&self, body: &TokenStream) -> TokenStream {
        let (_, set) = self.target();
        quote!(fn write(cx: &::isa::Cx<'_, #set>, code: u32, out: &mut ::isa::Text) { #body })
    }

    /// Generates `value` with this body, which returns an `Option` of a value.
    pub(super) fn value_with(&self, body: &TokenStream) -> TokenStream {
        let (_, set) = self.target();
        quote! {
            fn value(cx: &::isa::Cx<'_, #set>, code: u32) -> ::core::option::Option<<#set as ::isa::Isa>::Value> { #body }
        }
    }

    /// Generates `VALUES`, which `of` computes: a function from a code to a value.
    pub(super) fn values_of_codes(&self, of: &TokenStream) -> TokenStream {
        let (_, set) = self.target();
        quote!(const VALUES: ::isa::Values<<#set as ::isa::Isa>::Value> = ::isa::Values::context_free(#of);)
    }

    /// Returns the value of a meaning: `meaning` are the variant of `isa::Meaning` and its content.
    pub(super) fn value_of(&self, meaning: &TokenStream) -> TokenStream {
        let (value, file) = (&self.tables.value, &self.tables.file);
        quote!(<#value>::of(::isa::Meaning::<#file>::#meaning))
    }

    /// Returns an item that only parsers use, under its condition.
    pub(super) fn in_parser(&self, item: &TokenStream) -> TokenStream {
        if cfg!(feature = "parse") { self.tables.parse.item(item) } else { TokenStream::new() }
    }

    /// Returns an item that only operand-level instructions use, under its condition.
    pub(super) fn in_inst(&self, item: &TokenStream) -> TokenStream {
        if cfg!(feature = "inst") { self.tables.inst.item(item) } else { TokenStream::new() }
    }

    /// Returns an item that parsers and operand-level instructions use, under their conditions.
    pub(super) fn in_either(&self, item: &TokenStream) -> TokenStream {
        let is_used = cfg!(any(feature = "parse", feature = "inst"));
        if is_used { self.tables.parse.or(&self.tables.inst).item(item) } else { TokenStream::new() }
    }

    /// Generates `FAST_SYNTAX` with this value.
    pub(super) fn fast_syntax(&self, value: &TokenStream) -> TokenStream {
        self.in_parser(&quote!(const FAST_SYNTAX: &'static ::isa::FastSyntax = #value;))
    }

    /// Generates `DEFERRED` of a class whose text is read twice.
    pub(super) fn deferred(&self) -> TokenStream {
        self.in_parser(&quote!(
            const DEFERRED: bool = true;
        ))
    }

    /// Generates `DEFAULT_CODE` with this function.
    pub(super) fn default_code(&self, function: &TokenStream) -> TokenStream {
        let (_, set) = self.target();
        self.in_parser(&quote! {
            const DEFAULT_CODE: ::core::option::Option<::isa::DefaultCodeFn<#set>> = ::core::option::Option::Some(#function);
        })
    }

    /// Generates `parse` with this body, unless the class has a function for it.
    pub(super) fn parse_with(&self, class: &ClassDecl, body: &TokenStream) -> TokenStream {
        if hooked(class, "read") { quote!() } else { self.parse_by(body) }
    }

    /// Generates `parse` with this body.
    pub(super) fn parse_by(&self, body: &TokenStream) -> TokenStream {
        let (_, set) = self.target();
        self.in_parser(&quote! {
            fn parse(asm: &mut ::isa::Asm<'_, '_, #set>)
                -> ::core::result::Result<::core::option::Option<u32>, ::isa::ParseError>
            {
                #body
            }
        })
    }

    /// Generates `printable` of a class without a table of registers.
    pub(super) fn printable_of(&self, class: &ClassDecl) -> TokenStream {
        self.printable(class, &Facts::new(class), &quote!(::isa::ValidCodes::NONE), &quote!(), &quote!())
    }
}

/// Generates `CHECKED` of a class for which every code is valid.
pub(super) fn unchecked() -> TokenStream {
    quote!(
        const CHECKED: bool = false;
    )
}

/// Generates `MAY_BE_UNUSED` of a class with `is_used`.
pub(super) fn may_be_unused() -> TokenStream {
    quote!(
        const MAY_BE_UNUSED: bool = true;
    )
}

/// Generates `OMIT_IF_ZERO` of a class whose code 0 is not written.
pub(super) fn omit_if_zero() -> TokenStream {
    quote!(
        const OMIT_IF_ZERO: bool = true;
    )
}
