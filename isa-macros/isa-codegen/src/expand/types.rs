//! The types of a set: `Instr`, `Opcode`, and for each format a struct with accessors.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::opcode_facts::{body_doc, opcode_facts};
use super::tokens::{attrs, bit_ranges, bits, camel_case, method_name};
use crate::ast::{FieldContent, Row, SetHeader};
use crate::model::{Encoding, Field, Format, Set};
use crate::spanned::SpannedStr;

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
    let roles = set.mnemonics.iter().flat_map(|m| &m.row.roles).map(|role| role.name.as_str());
    let roles: BTreeMap<String, &str> =
        roles.map(|role| (role.trim_start_matches("r#").to_uppercase(), role)).collect();
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
        let body = m.row.compiled.as_ref().map(|body| body_doc(body, m.row.dispute())).unwrap_or_default();
        let doc = format!("{doc}{body}");
        let aliases = doc_aliases(m.row);
        quote!(#docs #[doc = #doc] #aliases #name,)
    });
    let names: Vec<&str> = set.mnemonics.iter().map(|m| m.name.as_str()).collect();
    let idents: Vec<Ident> = names.iter().map(|n| Ident::new(n, Span::call_site())).collect();
    let count = names.len();
    let facts = opcode_facts(header);
    quote! {
        /// The mnemonics in the guide's spelling. All encodings of an instruction share one.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum Opcode { #(#variants)* }

        static MNEMONICS: [&str; #count] = [#(#names),*];

        impl Opcode {
            /// All opcodes, in the order of their discriminants.
            pub const ALL: [Opcode; #count] = [#(Opcode::#idents),*];

            /// Returns the mnemonic in the guide's spelling.
            #[must_use]
            pub fn name(self) -> &'static str {
                MNEMONICS[self as usize]
            }

            /// Returns what the body of the row reads and writes besides the operands.
            #[must_use]
            pub fn effects(self) -> ::isa::BodyEffects {
                __tables::BODIES.effects(self as u16)
            }

            /// Returns how closely the body describes what the instruction does, `None` if it has none.
            #[must_use]
            pub fn fidelity(self) -> ::core::option::Option<::isa::body::Fidelity> {
                __tables::BODIES.fidelity(self as u16)
            }

            /// Returns what a source states that contradicts the body, `None` if none does.
            #[must_use]
            pub fn dispute(self) -> ::core::option::Option<&'static str> {
                __tables::BODIES.dispute(self as u16)
            }

            /// Writes the body in the row language.
            ///
            /// # Errors
            /// Those of `out`.
            pub fn write_body(self, out: &mut dyn ::core::fmt::Write) -> ::core::fmt::Result {
                match self.body() {
                    ::core::option::Option::Some(body) => {
                        ::isa::body::write_body(body, __tables::BODIES.roles(self as u16), out)
                    }
                    ::core::option::Option::None => ::core::result::Result::Ok(()),
                }
            }

            /// Returns the operations of the row's body, `None` if it has none.
            #[must_use]
            pub fn body(self) -> ::core::option::Option<::isa::body::Ops<'static>> {
                __tables::BODIES.body(self as u16)
            }
        }

        #facts

        impl ::core::fmt::Display for Opcode {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }
    }
}

/// Generates `doc(alias)` for the names of a row that differ from its mnemonic: its name in assembly text and older names.
pub(super) fn doc_aliases(row: &Row) -> TokenStream {
    let names = row.text_name.iter().chain(&row.aliases).map(SpannedStr::as_str);
    let names: BTreeSet<&str> = names.filter(|name| !name.eq_ignore_ascii_case(row.name.as_str())).collect();
    // rustc rejects other characters in aliases.
    let is_valid = |name: &&str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    names.into_iter().filter(is_valid).map(|name| quote!(#[doc(alias = #name)])).collect()
}

/// Generates the struct of a format. `id` is the index of the format.
pub(super) fn format_struct(header: &SetHeader, f: &Format, id: u8) -> TokenStream {
    let isa = &header.name;
    let name = camel_case(&f.block.name);
    let text = f.block.name.to_string();
    let block_docs = attrs(&f.block.docs);
    let raw_int = if f.dwords == 1 { quote!(w[0]) } else { quote!(w[0] as u64 | (w[1] as u64) << 32) };
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
    let raw_doc = format!("Returns the dwords without a suffix dword as a bitfield of {text}.");
    let const_doc = format!("The index of {text} in [`isa::Isa::formats`].");
    quote! {
        #block_docs
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct #name(::isa::__private::PackedWords);

        impl #name {
            #[doc = #const_doc]
            pub const FORMAT: u8 = #id;

            /// Returns the dwords. Those beyond the length are 0.
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

            /// Returns the opcode.
            #[must_use]
            pub fn opcode(self) -> Opcode {
                Instr::#name(self).opcode()
            }

            #(#accessors)*
            #(#suffix_dwords)*
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

/// Generates the enum `Instr` and the aliases of generic types of `isa`.
pub(super) fn instr_enum(header: &SetHeader, set: &Set) -> TokenStream {
    let isa = &header.name;
    let (mode, operands) = (&header.mode, &header.operands);
    let modes = &header.modes;
    let Some(first) = modes.first() else {
        return quote!(::core::compile_error!("`mode` lists no modes\nhelp: write `mode crate::Wave { W32, W64 };`"););
    };
    let names: Vec<Ident> = set.formats.iter().map(|f| camel_case(&f.block.name)).collect();
    let docs: Vec<TokenStream> = set.formats.iter().map(|f| attrs(&f.block.docs)).collect();
    quote! {
        use #mode as __Mode;
        use #operands as __operands;

        mod __classes {
            #[allow(unused_imports)]
            pub(super) use super::__operands::*;
        }

        /// The error of dwords that are not an instruction of this set.
        pub type DecodeError = ::isa::DecodeError<#isa>;
        /// An iterator that decodes bytes.
        pub type Decoder<'a> = ::isa::Decoder<'a, #isa>;
        /// An item of [`Decoder`].
        pub type Decoded = ::isa::Decoded<#isa>;
        /// The operand-level form of an instruction.
        pub type Inst = ::isa::Inst<#isa>;
        /// An operand of an instruction.
        pub type OperandInfo = ::isa::OperandInfo<#isa>;

        /// An instruction, with a variant for each microcode format.
        // All variants have the same layout, so that methods of all formats do not branch on the variant.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(align(4))]
        pub enum Instr {
            #(#docs #names(#names),)*
        }

        /// Replaces the code of a field and decodes the result, in the first mode in which it exists.
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
            /// Decodes the instruction at the start of `words`, and returns it with its length in dwords.
            ///
            /// # Errors
            /// The dwords are not an instruction of this set: see [`isa::DecodeError`].
            #[inline(always)]
            pub fn decode(words: &[u32], mode: #mode) -> ::core::result::Result<(Instr, usize), DecodeError> {
                ::isa::decode::<#isa>(words, mode)
            }

            /// Returns the dwords. Those beyond the length are 0.
            #[inline]
            #[must_use]
            pub const fn words(&self) -> [u32; ::isa::MAX_DWORDS] {
                match self { #(Instr::#names(x) => x.words(),)* }
            }

            /// Returns the index of the microcode format in [`isa::Isa::formats`].
            #[inline]
            #[must_use]
            pub const fn format_index(&self) -> u8 {
                match self { #(Instr::#names(_) => #names::FORMAT,)* }
            }

            /// Returns the guide's name of the microcode format.
            #[must_use]
            pub fn format(&self) -> &'static str {
                __tables::FORMATS[self.format_index() as usize].name
            }

            /// Returns the name of the suffix dword, such as `LITERAL`, if the instruction has one.
            #[must_use]
            pub fn suffix_dword(&self) -> ::core::option::Option<&'static str> {
                let suffix_dword = ::isa::suffix_dword::<#isa>(self.format_index(), &self.words());
                let format = &__tables::FORMATS[self.format_index() as usize];
                ::core::option::Option::Some(format.suffix_dwords.get(usize::from(suffix_dword.checked_sub(1)?))?.name)
            }

            /// Returns the dwords of the instruction.
            #[inline]
            #[must_use]
            pub fn encode(&self) -> ::isa::Words {
                ::isa::Words::new(self.words(), self.len())
            }

            /// Returns the length in dwords.
            #[inline]
            #[must_use]
            #[allow(clippy::len_without_is_empty)]
            pub fn len(&self) -> usize {
                match self { #(Instr::#names(x) => x.0.len() as usize,)* }
            }

            /// Returns the flags of the instruction's row, a bit each as in [`flags`]. For a dual-issue pair, returns those
            /// of the first instruction.
            #[must_use]
            pub fn flags(&self) -> u128 {
                ::isa::flags::<#isa>(self.format_index(), &self.words())
            }

            /// Returns the opcode. For a dual-issue pair, returns that of the first instruction.
            #[must_use]
            pub fn opcode(&self) -> Opcode {
                self.opcodes().0
            }

            /// Returns the opcode, and the second opcode of a dual-issue pair.
            #[must_use]
            pub fn opcodes(&self) -> (Opcode, ::core::option::Option<Opcode>) {
                let words = self.words();
                let at = |i| {
                    let index = ::isa::opcode::<#isa>(self.format_index(), &words, i)?;
                    Opcode::ALL.get(usize::from(index)).copied()
                };
                (at(0).unwrap_or(Opcode::ALL[0]), at(1))
            }

            /// Returns the assembly text in a mode, for formatting.
            #[must_use]
            pub fn display(&self, mode: #mode) -> ::isa::Display<#isa> {
                ::isa::Display::new(self.format_index(), self.words(), self.len() as u8, mode)
            }

            /// Parses one line of assembly. A mode alone selects the strict options.
            ///
            /// # Errors
            /// The text is not an instruction of this set: see [`isa::ParseError`].
            pub fn parse(
                text: &str,
                options: impl ::core::convert::Into<::isa::Options<#mode>>,
            ) -> ::core::result::Result<Instr, ::isa::ParseError> {
                parsed(text, options.into())
            }

            /// Appends the assembly text to a buffer. This is the fastest way to print many instructions.
            #[inline]
            pub fn write(&self, mode: #mode, out: &mut ::isa::Text) {
                // Numbers are passed in registers; an instruction that has just been decoded is not stored and reloaded.
                let [a, b, third] = self.words();
                let rest = ::isa::__private::Rest::new(self.format_index(), third, self.len() as u8);
                written(a as u64 | (b as u64) << 32, rest, mode, out);
            }

            /// Lifts the instruction to its operand-level form, which keeps the encoding: `shortest()` frees it.
            ///
            /// Registers whose number is a matter of the mode, such as lane masks, have the count 0:
            /// [`to_inst_in`](Self::to_inst_in) tells it.
            #[must_use]
            pub fn to_inst(&self) -> Inst {
                lifted(self, #mode::#first, true)
            }

            /// Lifts the instruction to its operand-level form as [`to_inst`](Self::to_inst) does, for one mode.
            #[must_use]
            pub fn to_inst_in(&self, mode: #mode) -> Inst {
                lifted(self, mode, false)
            }

            /// Returns what the instruction reads and writes: its operands, state of the wave, and memory.
            #[must_use]
            pub fn effects(&self, mode: #mode) -> ::isa::Effects<#isa> {
                ::isa::effects(self.format_index(), self.words(), self.len() as u8, mode)
            }

            /// Returns what a component of the instruction computes: 0, or 1 for the second instruction of a dual-issue
            /// pair.
            #[must_use]
            pub fn semantics(&self, component: u8) -> ::core::option::Option<::isa::Semantics> {
                ::isa::semantics::<#isa>(self.format_index(), &self.words(), component)
            }

            /// Returns the operands in the order of the instruction's row, without what the text does not name, such as
            /// VCC or memory: [`effects`](Self::effects) returns all that the instruction reads and writes.
            #[inline]
            #[must_use]
            pub fn operands(&self, mode: #mode) -> ::isa::Operands<#isa> {
                ::isa::operands(self.format_index(), self.words(), self.len() as u8, mode)
            }
        }

        /// The parser, instantiated once in the crate of its tables instead of in every caller's crate.
        #[inline(never)]
        fn parsed(text: &str, options: ::isa::Options<#mode>) -> ::core::result::Result<Instr, ::isa::ParseError> {
            ::isa::parse::<#isa>(text, options)
        }

        /// The inverse of encoding, instantiated once in the crate of its tables.
        #[inline(never)]
        fn lifted(instr: &Instr, mode: #mode, is_open: bool) -> Inst {
            let len = instr.len() as u8;
            let inst = if is_open {
                ::isa::inst::lift_open::<#isa>(instr, len, mode)
            } else {
                ::isa::inst::lift::<#isa>(instr, len, mode)
            };
            inst.unwrap_or_else(|_| Inst::unencodable(instr.opcode()))
        }

        /// The printer, instantiated once instead of in every caller's crate.
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

/// Generates the accessors of a field: a getter and, for an operand, `with_*`.
fn accessors(isa: &Ident, format: &Ident, id: u8, (index, field): (usize, &Field)) -> TokenStream {
    let get = method_name(field.decl.name.as_str());
    let with = format_ident!("with_{}", field.decl.name.to_string().to_lowercase());
    let range = bit_ranges(&field.bits);
    let bits = bits(&field.bits);
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
                pub fn #get(self) -> <__classes::#class as ::isa::Operand<#isa>>::Get {
                    const BITS: ::isa::tables::Bits = #bits;
                    <__classes::#class as ::isa::Operand<#isa>>::get(BITS.get(&self.words()))
                }

                #[doc = #with_doc]
                ///
                /// # Errors
                /// The result is not an instruction: the error of decoding it.
                pub fn #with(self, value: <__classes::#class as ::isa::Operand<#isa>>::Get) -> ::core::result::Result<Self, DecodeError> {
                    let code = <__classes::#class as ::isa::Operand<#isa>>::code(value);
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
                    const BITS: ::isa::tables::Bits = #bits;
                    BITS.get(&self.words()) as u16
                }
            }
        }
        FieldContent::Fixed(_) | FieldContent::Reserved(_) => quote!(),
    }
}
