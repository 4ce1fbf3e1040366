//! The types of a set: `Instr`, `Opcode`, and for each format a struct with accessors.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

#[cfg(feature = "inst")]
use super::body_docs::body_doc;
use super::tokens::{bit_ranges, camel_case, field_bits, method_name};
use crate::ast::{FieldContent, Row, SetHeader, attrs};
use crate::lists::insert;
use crate::model::{Encoding, Field, Format, Set};
use crate::spanned::SpannedStr;
use quote::format_ident;

/// Generates the module `flags`, with a constant for each flag.
pub(super) fn flags_module(set: &Set) -> TokenStream {
    let is_quirk = |flag: &str| set.formats.iter().any(|f| f.block.quirks.iter().any(|quirk| quirk == flag));
    let consts = set.flags.iter().enumerate().map(|(i, flag)| {
        let name = Ident::new(&flag.to_uppercase(), Span::call_site());
        let kind = if is_quirk(flag) { "quirk" } else { "flag" };
        let doc = format!("Rows with the {kind} `{flag}`.");
        let bit = 1u128 << i;
        quote!(#[doc = #doc] pub const #name: u128 = #bit;)
    });
    let pairs = set.formats.iter().filter(|f| f.components.len() > 1).map(|f| flags_of_pairs(set, f));
    quote! {
        /// The flags of rows, a bit each. [`isa::Cx::has`] tests them.
        pub mod flags { #(#consts)* #(#pairs)* }
    }
}

/// Generates a module with a constant for each flag that a dual-issue format declares: the opcode numbers of each component
/// whose rows have it.
fn flags_of_pairs(set: &Set, format: &Format) -> TokenStream {
    let name = method_name(&format.block.name.to_string());
    let doc = format!(
        "For each flag of {}, the opcode numbers below 64 of each component whose rows have it, a bit each.",
        format.block.name
    );
    let declared =
        set.flags.iter().enumerate().filter(|(_, flag)| format.block.flags.iter().any(|f| f == flag.as_str()));
    let consts = declared.map(|(i, flag)| {
        let name = Ident::new(&flag.to_uppercase(), Span::call_site());
        let doc = format!("Opcode numbers of rows with the flag `{flag}`.");
        let numbers = format.components.iter().map(|c| {
            let has_flag = |encoding: &&Encoding| c.shapes[encoding.shape].flags >> i & 1 == 1;
            c.encodings
                .iter()
                .filter(has_flag)
                .fold(0u64, |bits, e| bits | 1u64.checked_shl(e.number as u32).unwrap_or(0))
        });
        let count = format.components.len();
        quote!(#[doc = #doc] pub const #name: [u64; #count] = [#(#numbers),*];)
    });
    quote!(#[doc = #doc] pub mod #name { #(#consts)* })
}

/// Generates the module `roles`, with a constant for the name of each role.
pub(super) fn roles_module(set: &Set) -> TokenStream {
    let mut roles: Vec<(String, &str)> = Vec::new();
    for role in set.mnemonics.iter().flat_map(|m| &m.row.roles).map(|role| role.name.as_str()) {
        if !roles.iter().any(|(_, known)| *known == role) {
            insert(&mut roles, (role.trim_start_matches("r#").to_uppercase(), role));
        }
    }
    let consts = roles.iter().map(|(name, role)| {
        let name = Ident::new(name, Span::call_site());
        quote!(pub const #name: &str = #role;)
    });
    quote! {
        /// The names of roles, for comparison with [`isa::RowOperand::role`].
        #[allow(missing_docs)]
        pub mod roles { #(#consts)* }
    }
}

/// Generates the enum `Opcode`.
pub(super) fn opcode_enum(header: &SetHeader, set: &Set) -> TokenStream {
    let variants = set.mnemonics.iter().map(|m| {
        let name = Ident::new(&m.name, Span::call_site());
        let docs = attrs(&m.row.docs);
        let roles: Vec<String> = m.row.roles.iter().map(|r| r.name.to_string()).collect();
        let encodings: Vec<String> = m.encoded_in.iter().map(|(f, n)| format!("{f} {n}")).collect();
        let doc = format!("`{} {}`: {}.", m.name.to_lowercase(), roles.join(", "), encodings.join(", "));
        #[cfg(feature = "inst")]
        let doc = doc + &m.row.compiled.as_ref().map(|body| body_doc(body, m.row.dispute())).unwrap_or_default();
        let aliases = doc_aliases(m.row);
        quote!(#docs #[doc = #doc] #aliases #name,)
    });
    let names: Vec<&str> = set.mnemonics.iter().map(|m| m.name.as_str()).collect();
    let idents: Vec<Ident> = names.iter().map(|n| Ident::new(n, Span::call_site())).collect();
    let count = names.len();
    let (isa, mode) = (&header.name, &header.mode);
    let facts = header.in_inst(|| quote!(::isa::__define_opcode_facts!(#isa, #mode);));
    quote! {
        /// The mnemonics in the guide's spelling. All encodings of an instruction share one.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Opcode { #(#variants)* }

        static MNEMONICS: [&str; #count] = [#(#names),*];

        impl Opcode {
            /// All opcodes, in the order of their discriminants.
            pub const ALL: [Opcode; #count] = [#(Opcode::#idents),*];
        }

        ::isa::__define_opcode_methods!();
        #facts
    }
}

/// Generates `doc(alias)` for the names of a row that differ from its mnemonic: its name in assembly text and older names.
pub(super) fn doc_aliases(row: &Row) -> TokenStream {
    // rustc rejects other characters in aliases.
    let is_valid = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let mut names = Vec::new();
    for name in row.text_name.iter().chain(&row.aliases).map(SpannedStr::as_str) {
        if !name.eq_ignore_ascii_case(row.name.as_str()) && is_valid(name) {
            insert(&mut names, name);
        }
    }
    quote!(#(#[doc(alias = #names)])*)
}

/// Generates the struct of a format. `id` is the index of the format.
pub(super) fn format_struct(header: &SetHeader, f: &Format, id: u8) -> TokenStream {
    let isa = &header.name;
    let name = camel_case(&f.block.name);
    let text = f.block.name.to_string();
    let block_docs = attrs(&f.block.docs);
    let bits = match f.dwords {
        1 => quote!(low32),
        2 => quote!(low64),
        _ => quote!(low96),
    };
    let fields =
        f.fields.iter().enumerate().filter(|(_, field)| field.suffix_dword.is_none() && !field.bits.is_empty());
    let accessors = fields.map(|(index, field)| accessors(isa, &name, id, (index, field)));
    let suffix_dwords = f.suffix_dwords.iter().enumerate().map(|(i, (_, block))| {
        let get = method_name(&block.name.to_string());
        let raw = camel_case(&block.name);
        let number = i as u8 + 1;
        let dword = usize::from(f.dwords);
        let doc = format!("Returns the suffix dword {}, if the instruction has one.", block.name);
        let (ty, value) = if block.fields.len() == 1 {
            (quote!(u32), quote!(self.words()[#dword]))
        } else {
            (quote!(raw::#raw), quote!(raw::#raw::from_bits(self.words()[#dword])))
        };
        quote! {
            #[doc = #doc]
            #[inline]
            #[must_use]
            pub fn #get(self) -> ::core::option::Option<#ty> {
                (::isa::suffix_dword::<#isa>(Self::FORMAT, &self.words()) == #number).then(|| #value)
            }
        }
    });
    quote! {
        ::isa::__define_format!(#block_docs #name, #id, #text, #bits);

        impl #name {
            #(#accessors)*
            #(#suffix_dwords)*
        }
    }
}

/// Generates the enum `Instr` and the aliases of generic types of `isa`.
pub(super) fn instr_enum(header: &SetHeader, set: &Set) -> TokenStream {
    let isa = &header.name;
    let (mode, operands) = (&header.mode, &header.operands);
    let modes = &header.modes;
    let Some(first) = modes.first() else {
        return quote!(::core::compile_error!("`mode` lists no modes\nhelp: write `mode crate::Wave { W32, W64 };`"););
    };
    let parser = header.in_parser(|| quote!(::isa::__define_parser!(#isa, #mode, #first);));
    let inst = header.in_inst(|| quote!(::isa::__define_inst!(#isa, #mode, #first);));
    let names: Vec<Ident> = set.formats.iter().map(|f| camel_case(&f.block.name)).collect();
    let docs: Vec<TokenStream> = set.formats.iter().map(|f| attrs(&f.block.docs)).collect();
    quote! {
        use #mode as __Mode;
        use #operands as __operands;

        mod __operand_classes {
            #[allow(unused_imports)]
            pub(super) use super::__operands::*;
        }

        ::isa::__define_instr! {
            #isa, #mode, first #first, [#(#modes),*],
            { #(#docs #names,)* }
        }
        #parser
        #inst
    }
}

/// Generates the accessors of a field: a getter and, for an operand, `with_*`.
fn accessors(isa: &Ident, format: &Ident, id: u8, (index, field): (usize, &Field)) -> TokenStream {
    let get = method_name(field.decl.name.as_str());
    let with = format_ident!("with_{}", field.decl.name.to_string().to_lowercase());
    let range = bit_ranges(&field.bits);
    let bits = field_bits(&field.bits);
    match &field.decl.content {
        FieldContent::Operand(decl) => {
            let doc = format!("Returns {} {range}.", field.decl.name);
            let field_docs = attrs(&field.decl.docs);
            let class = &decl.class.tokens;
            let with_doc = format!("Returns the same instruction with another value of {}.", field.decl.name);
            quote! {
                #field_docs
                #[doc = #doc]
                #[inline]
                #[must_use]
                pub fn #get(self) -> <__operand_classes::#class as ::isa::Operand<#isa>>::Get {
                    const BITS: ::isa::tables::FieldBits = #bits;
                    <__operand_classes::#class as ::isa::Operand<#isa>>::get(BITS.get(&self.words()))
                }

                #[doc = #with_doc]
                ///
                /// # Errors
                /// The result is not an instruction: the error of decoding it.
                pub fn #with(self, value: <__operand_classes::#class as ::isa::Operand<#isa>>::Get) -> ::core::result::Result<Self, DecodeError> {
                    let code = <__operand_classes::#class as ::isa::Operand<#isa>>::code(value);
                    match with_code(#id, self.words(), #index, code)? {
                        Instr::#format(x) => ::core::result::Result::Ok(x),
                        other => ::core::result::Result::Err(DecodeError::UnknownFormat { word: other.words()[0] }),
                    }
                }
            }
        }
        FieldContent::Opcode(_) => {
            // The name `opcode` is taken by the method that returns an `Opcode`.
            let get = if get == "opcode" { format_ident!("opcode_number") } else { get };
            let doc = format!("Returns {} {range}, the opcode number in this format.", field.decl.name);
            quote! {
                #[doc = #doc]
                #[inline]
                #[must_use]
                pub fn #get(self) -> u16 {
                    const BITS: ::isa::tables::FieldBits = #bits;
                    BITS.get(&self.words()) as u16
                }
            }
        }
        FieldContent::Fixed(_) | FieldContent::Reserved(_) | FieldContent::Ignored(_) => quote!(),
    }
}
