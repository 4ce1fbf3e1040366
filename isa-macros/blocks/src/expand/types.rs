//! The types: `Instr`, a struct for each format with its accessors, `Opcode`, the words of rows.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::tables::bits;
use super::{bits_text, camel, snake};
use crate::head::Head;
use crate::model::{Format, Set};
use crate::tree::{Attr, What};

pub(super) fn words(set: &Set) -> TokenStream {
    let consts = set.words.iter().enumerate().map(|(i, word)| {
        let name = Ident::new(&word.to_uppercase(), Span::call_site());
        let doc = format!("Rows with the word `{word}`.");
        let bit = 1u128 << i;
        quote!(#[doc = #doc] pub const #name: u128 = #bit;)
    });
    quote! {
        /// The words that rows may carry, a bit each: what [`isa::Cx::has`] asks for.
        pub mod words { #(#consts)* }
    }
}

pub(super) fn opcodes(set: &Set) -> TokenStream {
    let variants = set.mnemonics.iter().map(|m| {
        let name = Ident::new(&m.name, Span::call_site());
        let docs = docs(&m.row.docs);
        let roles: Vec<String> = m.row.roles.iter().map(|r| r.name.to_string()).collect();
        let carried: Vec<String> = m.carried.iter().map(|(f, n)| format!("{f} {n}")).collect();
        let doc = format!("`{} {}`: {}.", m.name.to_lowercase(), roles.join(", "), carried.join(", "));
        quote!(#docs #[doc = #doc] #name,)
    });
    let names: Vec<&str> = set.mnemonics.iter().map(|m| m.name.as_str()).collect();
    let idents: Vec<Ident> = names.iter().map(|n| Ident::new(n, Span::call_site())).collect();
    let count = names.len();
    quote! {
        /// Every mnemonic, in the guide's spelling, whatever the encoding.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum Opcode { #(#variants)* }

        static MNEMONICS: [&str; #count] = [#(#names),*];

        impl Opcode {
            /// All mnemonics.
            pub const ALL: [Opcode; #count] = [#(Opcode::#idents),*];

            /// The mnemonic in the guide's spelling.
            #[must_use]
            pub fn name(self) -> &'static str {
                MNEMONICS[self as usize]
            }
        }

        impl ::core::fmt::Display for Opcode {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }
    }
}

fn docs(attrs: &[Attr]) -> TokenStream {
    attrs.iter().map(|a| a.tokens.clone()).collect()
}

pub(super) fn format_struct(head: &Head, f: &Format, id: u8) -> TokenStream {
    let isa = &head.name;
    let name = camel(&f.block.name);
    let text = f.block.name.to_string();
    let block_docs = docs(&f.block.docs);
    let raw_int = if f.dwords == 1 { quote!(w[0]) } else { quote!(w[0] as u64 | (w[1] as u64) << 32) };
    let accessors = f.fields.iter().enumerate().filter(|(_, x)| x.tail.is_none() && !x.parts.is_empty()).map(|(at, field)| {
        let get = snake(field.decl.name.as_str());
        let with = format_ident!("with_{}", field.decl.name.to_string().to_lowercase());
        let range = bits_text(field, 0);
        let place = bits(&field.parts);
        match &field.decl.what {
            What::Carrier(decl) => {
                let doc = format!("{} {range}.", field.decl.name);
                let field_docs = docs(&field.decl.docs);
                let kind = &decl.kind.tokens;
                let with_doc = format!("The same instruction with another {}.", field.decl.name);
                quote! {
                    #field_docs
                    #[doc = #doc]
                    #[inline]
                    #[must_use]
                    pub fn #get(self) -> <kinds::#kind as ::isa::Operand<#isa>>::Get {
                        const BITS: ::isa::table::Bits = #place;
                        <kinds::#kind as ::isa::Operand<#isa>>::get(BITS.get(&self.words()))
                    }

                    #[doc = #with_doc]
                    ///
                    /// # Errors
                    /// What decoding says of the words that come of it.
                    pub fn #with(self, value: <kinds::#kind as ::isa::Operand<#isa>>::Get) -> ::core::result::Result<Self, DecodeError> {
                        let code = <kinds::#kind as ::isa::Operand<#isa>>::code(value);
                        match with_code(#id, self.words(), #at, code)? {
                            Instr::#name(x) => ::core::result::Result::Ok(x),
                            other => ::core::result::Result::Err(DecodeError::UnknownFormat { word: other.words()[0] }),
                        }
                    }
                }
            }
            What::Opcode(_) => {
                // A field that is itself called OPCODE would take the name of the mnemonic's accessor.
                let get = if get == "opcode" { format_ident!("opcode_number") } else { get };
                let doc = format!("{} {range}: the opcode's number in this format.", field.decl.name);
                quote! {
                    #[doc = #doc]
                    #[inline]
                    #[must_use]
                    pub fn #get(self) -> u16 {
                        const BITS: ::isa::table::Bits = #place;
                        BITS.get(&self.words()) as u16
                    }
                }
            }
            _ => quote!(),
        }
    });
    let tails = f.tails.iter().enumerate().map(|(i, (_, block))| {
        let get = snake(&block.name.to_string());
        let raw = camel(&block.name);
        let nth = i as u8 + 1;
        let at = usize::from(f.dwords);
        let doc = format!("The {} that follows, if one does.", block.name);
        let (ty, value) = if block.fields.len() == 1 {
            (quote!(u32), quote!(self.words()[#at]))
        } else {
            (quote!(raw::#raw), quote!(raw::#raw::from_bits(self.words()[#at])))
        };
        quote! {
            #[doc = #doc]
            #[inline]
            #[must_use]
            pub fn #get(self) -> ::core::option::Option<#ty> {
                (::isa::tail::<#isa>(Self::FORMAT, &self.words()) == #nth).then(|| #value)
            }
        }
    });
    let raw_doc = format!("The bits of the base words, as {text} lays them out.");
    let const_doc = format!("The index of {text} among the formats.");
    quote! {
        #block_docs
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct #name(::isa::__private::Kept);

        impl #name {
            #[doc = #const_doc]
            pub const FORMAT: u8 = #id;

            /// The words, zero beyond the length.
            #[inline]
            #[must_use]
            pub const fn words(self) -> [u32; ::isa::MAX_DWORDS] {
                self.0.words()
            }

            #[doc = #raw_doc]
            #[inline]
            #[must_use]
            pub const fn raw(self) -> raw::#name {
                let w = self.words();
                raw::#name::from_bits(#raw_int)
            }

            /// The mnemonic.
            #[must_use]
            pub fn opcode(self) -> Opcode {
                Instr::#name(self).opcode()
            }

            #(#accessors)*
            #(#tails)*
        }

        impl ::core::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::write!(f, "{}({})", #text, Instr::#name(*self))
            }
        }

        impl ::core::convert::From<#name> for Instr {
            fn from(x: #name) -> Instr {
                Instr::#name(x)
            }
        }
    }
}

pub(super) fn instr(head: &Head, set: &Set) -> TokenStream {
    let isa = &head.name;
    let (mode, operands) = (&head.mode, &head.operands);
    let modes = &head.modes;
    let Some(first) = modes.first() else {
        return quote!(::core::compile_error!("`mode` lists its values: `mode crate::Wave { W32, W64 }`"););
    };
    let names: Vec<Ident> = set.formats.iter().map(|f| camel(&f.block.name)).collect();
    let docs: Vec<TokenStream> = set.formats.iter().map(|f| docs(&f.block.docs)).collect();
    quote! {
        use #mode as __Mode;
        use #operands as __operands;

        mod kinds {
            #[allow(unused_imports)]
            pub(super) use super::__operands::*;
        }

        /// Why words are not an instruction of this set.
        pub type DecodeError = ::isa::DecodeError<#isa>;
        /// Decodes bytes one instruction after the other.
        pub type Decoder<'a> = ::isa::Decoder<'a, #isa>;
        /// An item of a [`Decoder`].
        pub type Decoded = ::isa::Decoded<#isa>;
        /// One operand of an instruction.
        pub type OperandInfo = ::isa::OperandInfo<#isa>;

        /// One instruction: a variant for each microcode format.
        // All variants are laid out alike, so that what all have is read and written without asking for the variant.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(align(4))]
        pub enum Instr {
            #(#docs #names(#names),)*
        }

        /// Replaces a field's code and decodes the result in whichever mode takes it.
        fn with_code(format: u8, words: [u32; ::isa::MAX_DWORDS], field: usize, code: u32) -> ::core::result::Result<Instr, DecodeError> {
            let mut result = ::isa::with_code::<#isa>(format, words, field, code, #mode::#first);
            for mode in [#(#mode::#modes),*] {
                if let ::core::result::Result::Err(DecodeError::WrongMode { .. }) = result {
                    result = ::isa::with_code::<#isa>(format, words, field, code, mode);
                }
            }
            result
        }

        impl Instr {
            /// Decodes the instruction that `words` begin with, and says how many dwords it takes.
            ///
            /// # Errors
            /// See [`isa::DecodeError`].
            #[inline(always)]
            pub fn decode(words: &[u32], mode: #mode) -> ::core::result::Result<(Instr, usize), DecodeError> {
                ::isa::decode::<#isa>(words, mode)
            }

            /// The words, zero beyond the length.
            #[inline]
            #[must_use]
            pub const fn words(&self) -> [u32; ::isa::MAX_DWORDS] {
                match self { #(Instr::#names(x) => x.words(),)* }
            }

            /// The index of the microcode format in [`isa::Isa::formats`].
            #[inline]
            #[must_use]
            pub const fn format_index(&self) -> u8 {
                match self { #(Instr::#names(_) => #names::FORMAT,)* }
            }

            /// The guide's name of the microcode format.
            #[must_use]
            pub fn format(&self) -> &'static str {
                tables::FORMATS[self.format_index() as usize].name
            }

            /// The name of the dword that follows the base words, if one does: a literal, say.
            #[must_use]
            pub fn tail(&self) -> ::core::option::Option<&'static str> {
                let tail = ::isa::tail::<#isa>(self.format_index(), &self.words());
                let format = &tables::FORMATS[self.format_index() as usize];
                ::core::option::Option::Some(format.tails.get(usize::from(tail.checked_sub(1)?))?.name)
            }

            /// The dwords of the instruction.
            #[inline]
            #[must_use]
            pub fn encode(&self) -> ::isa::Words {
                ::isa::Words::new(self.words(), self.len())
            }

            /// How many dwords it takes.
            #[inline]
            #[must_use]
            #[allow(clippy::len_without_is_empty)]
            pub fn len(&self) -> usize {
                match self { #(Instr::#names(x) => x.0.len() as usize,)* }
            }

            /// The words of its row, a bit each: see [`words`]; of a dual-issue pair those of the first row.
            #[must_use]
            pub fn row_words(&self) -> u128 {
                ::isa::row_words::<#isa>(self.format_index(), &self.words())
            }

            /// The mnemonic; of a dual-issue pair the first one.
            #[must_use]
            pub fn opcode(&self) -> Opcode {
                self.opcodes().0
            }

            /// The mnemonic, and the second one of a dual-issue pair.
            #[must_use]
            pub fn opcodes(&self) -> (Opcode, ::core::option::Option<Opcode>) {
                let words = self.words();
                let at = |i| {
                    let index = ::isa::opcode::<#isa>(self.format_index(), &words, i)?;
                    Opcode::ALL.get(usize::from(index)).copied()
                };
                (at(0).unwrap_or(Opcode::ALL[0]), at(1))
            }

            /// The text in this mode.
            #[must_use]
            pub fn display(&self, mode: #mode) -> ::isa::Display<#isa> {
                ::isa::Display::new(self.format_index(), self.words(), self.len() as u8, mode)
            }

            /// Reads one line of assembly, strictly if just a mode is given.
            ///
            /// # Errors
            /// See [`isa::ParseError`].
            pub fn parse(
                text: &str,
                options: impl ::core::convert::Into<::isa::Options<#mode>>,
            ) -> ::core::result::Result<Instr, ::isa::ParseError> {
                parsed(text, options.into())
            }

            /// Appends the text to a buffer: the quick way to print many.
            #[inline]
            pub fn write(&self, mode: #mode, out: &mut ::isa::Text) {
                // Numbers go in registers: what has just been decoded need not be written and read again.
                let [a, b, third] = self.words();
                let rest = ::isa::__private::Rest::new(self.format_index(), third, self.len() as u8);
                written(a as u64 | (b as u64) << 32, rest, mode, out);
            }

            /// What it reads and writes, in the order of its row.
            #[inline]
            #[must_use]
            pub fn operands(&self, mode: #mode) -> ::isa::Operands<#isa> {
                ::isa::operands(self.format_index(), self.words(), self.len() as u8, mode)
            }
        }

        /// The one copy of what reads text, whichever crates call it, beside its tables.
        #[inline(never)]
        fn parsed(text: &str, options: ::isa::Options<#mode>) -> ::core::result::Result<Instr, ::isa::ParseError> {
            ::isa::parse::<#isa>(text, options)
        }

        /// The one copy of what writes text, whichever crates call it.
        #[inline(never)]
        fn written(low: u64, rest: ::isa::__private::Rest, mode: #mode, out: &mut ::isa::Text) {
            ::isa::__private::write_packed::<#isa>(low, rest, mode, out);
        }

        impl ::core::str::FromStr for Instr {
            type Err = ::isa::ParseError;

            fn from_str(text: &str) -> ::core::result::Result<Instr, ::isa::ParseError> {
                Instr::parse(text, #mode::#first)
            }
        }

        impl ::core::fmt::Display for Instr {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.display(#mode::#first), f)
            }
        }
    }
}
