//! Generation of numbers in parts.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::context::{Context, has};
use super::facts::Facts;
use super::members::unchecked;
use super::tokens::option;
use super::valid_codes::ValidCodes;
use crate::ast::{ClassContent, ClassDecl, Clause, NameList, NamedCode, OperandTables, PartDecl, attrs};
use crate::spanned::SpannedStr;
use quote::format_ident;

/// The number of values of a part without names that have a precomputed text.
const READY_VALUES: u32 = 16;

impl PartDecl {
    /// Returns the number of bits.
    pub(super) fn width(&self) -> u8 {
        self.bits.0 - self.bits.1 + 1
    }

    /// Returns a mask of the bits.
    pub(super) fn mask(&self) -> u32 {
        (u32::MAX >> (32 - u32::from(self.width()))) << self.bits.1
    }
}

/// Returns a name as a variant of an enum, with its code and the name itself: `F8_UNORM = 1 "8_UNORM"`.
fn enum_variant(NamedCode { code, name, span }: &NamedCode) -> TokenStream {
    let begins_with_digit = name.starts_with(|c: char| c.is_ascii_digit());
    let variant = Ident::new(&format!("{}{name}", if begins_with_digit { "F" } else { "" }), *span);
    let code = Literal::u32_unsuffixed(*code);
    quote!(#variant = #code #name)
}

/// Generates the static of a list of names.
pub fn list(list: &NameList) -> TokenStream {
    let docs = attrs(&list.docs);
    if let Some(path) = &list.by {
        let (name, variants) = (&list.name, list.names.iter().map(enum_variant));
        return quote!(#path! { #docs pub enum #name { #(#variants,)* } });
    }
    let (name, count, names) = (&list.name, list.names.len(), list.names.iter().map(|named| &named.name));
    if let Some(ty) = &list.codes {
        let pairs = list.names.iter().map(|NamedCode { code, name, .. }| quote!((#code as #ty, #name)));
        return quote! {
            #docs
            pub static #name: [(#ty, &str); #count] = [#(#pairs),*];
        };
    }
    quote! {
        #docs
        pub static #name: [&str; #count] = [#(#names),*];
    }
}

/// Bits of a number that are a field of its type.
struct FieldBits<'a> {
    name: &'a SpannedStr,
    bits: (u8, u8),
    /// The value of the bits 0.
    least: u32,
    /// The list of the names of the values.
    names: Option<&'a SpannedStr>,
}

/// Returns the bits of the parts of a class, or of the arguments of its call.
fn field_bits(content: &ClassContent) -> Vec<FieldBits<'_>> {
    match content {
        ClassContent::Parts(parts, _) => parts
            .iter()
            .map(|part| {
                let names = part.values.as_ref().map(|(list, _)| list);
                FieldBits { name: &part.name, bits: part.bits, least: 0, names }
            })
            .collect(),
        ClassContent::Call(_, arguments) => arguments
            .iter()
            .map(|a| FieldBits { name: &a.name, bits: a.bits, least: a.least, names: a.names.as_ref() })
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns how many parts or arguments a class has.
pub fn count_of_parts(content: &ClassContent) -> usize {
    field_bits(content).len()
}

/// Generates the type of a class that has a field for each part.
pub fn with_fields(docs: &TokenStream, class: &ClassDecl, fields: &[(Ident, TokenStream)]) -> TokenStream {
    let name = &class.name;
    let parts = field_bits(&class.content);
    let members = parts.iter().zip(fields).map(|(part, (field, ty))| {
        let (high, low) = part.bits;
        let (first, last) = (part.least, (1 << (high - low + 1)) - 1 + part.least);
        let names = part.names.map_or(String::new(), |list| format!(", with the names of [`{list}`]"));
        let doc = format!("`{}`, bits {high} to {low}: {first} to {last}{names}.", part.name);
        quote!(#[doc = #doc] pub #field: #ty,)
    });
    let decoded = parts.iter().zip(fields).map(|(part, (field, ty))| {
        let ((high, low), least) = (part.bits, part.least);
        let mask = u32::MAX >> (31 - (high - low));
        quote!(#field: ((code >> #low & #mask) + #least) as #ty,)
    });
    let encoded = parts.iter().zip(fields).map(|(part, (field, _))| {
        let ((high, low), least) = (part.bits, part.least);
        let mask = u32::MAX >> (31 - (high - low));
        quote!((u32::from(self.#field).wrapping_sub(#least) & #mask) << #low)
    });
    quote! {
        #docs
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct #name { #(#members)* }

        impl ::isa::Code for #name {
            fn from_code(code: u32) -> Self {
                #name { #(#decoded)* }
            }

            fn into_code(self) -> u32 {
                #(#encoded)|*
            }
        }
    }
}

impl OperandTables {
    /// Returns the number of names of a list.
    pub(super) fn name_count(&self, list: &SpannedStr) -> usize {
        self.lists.iter().find(|l| l.name == list.as_str()).map_or(0, |l| l.names.len())
    }
}

impl Context<'_> {
    /// Generates the statics of a class of parts.
    pub(super) fn parts_statics(&self, class: &ClassDecl, parts: &[PartDecl], list: Option<&Ident>) -> TokenStream {
        let (table, all) = table_names(class, list);
        let separators = class.clauses.iter().find_map(|c| match c {
            Clause::Between(all) => Some(all.iter().map(SpannedStr::as_str).collect()),
            _ => None,
        });
        let separators = separators.unwrap_or_else(|| vec![" "]);
        let between = separators[0];
        let is_loose = between.trim().is_empty();
        let bytes: Vec<u8> = separators.iter().filter_map(|s| s.trim().bytes().next()).collect();
        let bits = parts.iter().fold(0, |bits, part| bits | part.mask());
        let idle = if has(class, |c| matches!(c, Clause::IdleAll)) { bits } else { 0 };
        let entries = parts.iter().map(|part| {
            let (name, lo, width) = (part.name.as_str(), part.bits.1, part.width());
            let values = part.values.as_ref().map_or(quote!(&[]), |(list, _)| {
                let list = Ident::new(list.as_str(), list.span());
                quote!(&#list)
            });
            let unknown = SpannedStr::or_empty(part.unknown.as_ref());
            quote!(::isa::class::PartOf { name: #name, lo: #lo, width: #width, values: #values, unknown: #unknown })
        });
        let labels = parts.iter().enumerate().map(|(at, part)| {
            let count = match &part.values {
                Some((list, _)) => self.tables.name_count(list),
                None => READY_VALUES.min(1 << part.width()) as usize,
            };
            quote!({
                static LABELS: [::isa::Label; #count] = #all[#at].labels(#between);
                ::isa::class::PartLabels::new(&#all[#at], &LABELS)
            })
        });
        let fast_parts = parts.iter().map(|part| {
            let (name, lo, width) = (part.name.as_str(), part.bits.1, part.width());
            match &part.values {
                None => quote!(::isa::FastPart::new(#name, #lo, #width, &[])),
                Some((list, first)) => {
                    let count = self.tables.name_count(list);
                    let (list, first) = (Ident::new(list.as_str(), list.span()), *first as usize);
                    quote!(::isa::FastPart::new(#name, #lo, #width, {
                        static WORDS: [[::isa::Word; 2]; #count] = ::isa::class::enclosed(&#list, #first);
                        &WORDS
                    }))
                }
            }
        });
        let saturating = class.clauses.iter().find_map(|c| match c {
            Clause::Saturating(text) => Some(text.as_str()),
            _ => None,
        });
        let saturating = saturating.unwrap_or_default();
        let repeats = has(class, |c| matches!(c, Clause::Repeating));
        let hex_others = has(class, |c| matches!(c, Clause::OthersHex));
        let hex_bits = if hex_others { !bits } else { 0 };
        let facts = Facts::new(class);
        let (low, high) = facts.range.unwrap_or((0, i64::from(u16::MAX)));
        let expects = facts.expects.map_or("the name of a part".to_string(), ToString::to_string);
        let rule = facts.number_rule(low, high);
        let (count, name) = (parts.len(), class.name.to_string());
        let doc = format!("The parts of [`{name}`], in the order of text.");
        let visibility = list.map(|_| quote!(pub));
        let fast = format_ident!("{table}_FAST");
        let fast_table = parts.iter().all(|part| part.name.as_str().len() <= 8).then(|| {
            self.in_parser(&quote! {
                static #fast: ::isa::FastParts = ::isa::FastParts {
                    none: #idle,
                    between: ::isa::Word::new(#between, 0, 0),
                    all: &[#(#fast_parts),*],
                };
            })
        });
        quote! {
            #[doc = #doc]
            #visibility static #all: [::isa::class::PartOf; #count] = [#(#entries),*];
            pub(crate) static #table: ::isa::class::Parted = ::isa::class::Parted {
                parts: &#all,
                labels: &[#(#labels),*],
                bits: #bits,
                idle: #idle,
                between: #between,
                separators: &[#(#bytes),*],
                is_loose: #is_loose,
                repeats: #repeats,
                saturating: #saturating,
                hex_bits: #hex_bits,
                states_bits: !#hex_others,
                range: (#low, #high),
                expects: #expects,
                rule: #rule,
            };
            #fast_table
        }
    }

    /// Generates the members of a class of parts.
    pub(super) fn parts(
        &self,
        class: &ClassDecl,
        parts: &[PartDecl],
        list: Option<&Ident>,
        codes: &ValidCodes,
    ) -> TokenStream {
        let (_, set) = self.target();
        let syntax = self.syntax();
        let (table, _) = table_names(class, list);
        let fast = format_ident!("{table}_FAST");
        let bits = parts.iter().fold(0, |bits, part| bits | part.mask());
        let codes = match codes {
            ValidCodes::All => unchecked(),
            ValidCodes::Parts(_) => self.valid_codes(codes, &quote!(#table.is_valid(code))),
            _ => self.valid_codes(codes, &quote!(code & !#bits == 0)),
        };
        // The fast parser reads short names only.
        let is_short = parts.iter().all(|part| part.name.as_str().len() <= 8);
        let fast = option(is_short.then(|| quote!(&#fast)));
        let printable = self.printable_of(class);
        let value = self.value_of(&quote!(Number(code as i32)));
        let values = self.values_of_codes(&quote!(|code| #value));
        let parse = self.parse_by(&quote!(#table.read::<#set, #syntax>(asm).map(::core::option::Option::Some)));
        let fast_syntax = self.fast_syntax(&quote! {
            &::isa::FastSyntax {
                parts: #fast,
                numbers: ::core::option::Option::Some(0xffff),
                ..::isa::FastSyntax::NONE
            }
        });
        quote! {
            #fast_syntax
            const NAMES: ::isa::Names = ::isa::Names::context_free(|code, out| #table.write(code, out));
            #values
            #codes
            #printable
            #parse
        }
    }
}

/// Returns the names of two statics of a class: the `isa::class::Parted`, and the array of its parts.
fn table_names(class: &ClassDecl, list: Option<&Ident>) -> (Ident, Ident) {
    let name = class.name.to_string().to_uppercase();
    (format_ident!("__PARTED_{name}"), list.cloned().unwrap_or_else(|| format_ident!("__PARTS_{name}")))
}
