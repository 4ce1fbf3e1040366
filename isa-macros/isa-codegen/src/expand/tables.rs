//! The implementation of `isa::Isa` and its static tables. Numbers in the tables are expanded to structs by const
//! functions of `isa`.

use std::fmt::Write as _;

#[cfg(feature = "parse")]
use isa_schema::EntryRow;
use isa_schema::{DefaultSuffixDword, FixedBits, Index, ShapeRow, Slot};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::fast_decode;
#[cfg(feature = "parse")]
use super::fast_parse::NamedEncoding;
#[cfg(feature = "inst")]
use super::inst_tables;
use super::selectors::{Selector, default_suffix_dword, selectors};
use super::shared_tables::{ComponentTables, SharedTables, component_item};
#[cfg(feature = "parse")]
use super::tokens::rows;
use super::tokens::{bit_range, camel_case, field_bits, fixed, numbers, optional_mode};
use super::variant_tables::{ParserTables, run};
use super::window::window;
use crate::ast::{FieldContent, SetHeader, attrs};
use crate::interner::Interner;
use crate::lists::{entry, insert};
use crate::model::{Component, Encoding, Format, Set, Shape};
use crate::spanned::SpannedStr;

/// Generates the implementation of `isa::Isa` and the module `tables`.
pub(super) fn isa_impl(header: &SetHeader, set: &Set) -> TokenStream {
    let isa = &header.name;
    let (mode, value, modes) = (&header.mode, &header.value, &header.modes);
    let mode_names = modes.iter().map(ToString::to_string);
    let mut shared = SharedTables::default();
    let formats: Vec<TokenStream> = set.formats.iter().map(|f| format_table(header, f, &mut shared)).collect();
    let count = formats.len();
    let parser = parser_tables(header, set, &mut shared);
    let default_suffix_dwords: Vec<_> = set.formats.iter().map(default_suffix_dword).collect();
    #[cfg(any(feature = "parse", feature = "inst"))]
    let modifiers = match super::modifiers::Modifiers::assign(set) {
        Ok(modifiers) => modifiers,
        Err(error) => return error,
    };
    #[cfg(feature = "inst")]
    let inst = inst_tables(header, set, &modifiers, &mut shared);
    #[cfg(not(feature = "inst"))]
    let inst = TokenStream::new();
    #[cfg(any(feature = "parse", feature = "inst"))]
    let [modifiers, all_modifiers] = {
        let either = header.parse.or(&header.inst);
        [modifiers.module(), modifiers.items()].map(|items| either.item(&items))
    };
    #[cfg(not(any(feature = "parse", feature = "inst")))]
    let [modifiers, all_modifiers] = [(); 2].map(|()| TokenStream::new());
    let shared = shared.items(header, &default_suffix_dwords, &parser);
    let window = window(set);
    let (lo, width) = (window.lo, window.width);
    let mut lists = Interner::default();
    let candidates: Vec<u8> = window.candidates.iter().map(|formats| lists.intern(formats) as u8).collect();
    let candidates = numbers(&candidates);
    let lists = lists.items.iter().map(|formats| quote!(&[#(#formats),*]));
    let format_docs =
        set.formats.iter().map(|f| f.block.docs.iter().filter_map(|a| a.doc.as_deref()).collect::<Vec<_>>().join("\n"));
    let n_candidates = 1usize << width;
    let arms = set.formats.iter().enumerate().map(|(i, f)| {
        let name = camel_case(&f.block.name);
        let id = i as u8;
        quote!(#id => Instr::#name(#name(words)),)
    });
    let fast_decode = fast_decode::tables(header, set, &window);
    let format_names = set.formats.iter().map(|f| camel_case(&f.block.name)).collect::<Vec<_>>();
    let mode_indices = 0..modes.len();
    let docs = attrs(&header.docs);
    let legal = header.legal.as_ref().map(|(condition, path)| {
        condition.item(&quote! {
            #[inline(always)]
            fn legal(instr: &Instr, mode: #mode) -> ::core::result::Result<(), ::isa::Forbidden> {
                #path(instr, mode)
            }
        })
    });
    let summary_methods = header.in_rules(&quote!(::isa::__define_summary_methods!();));
    let parser_methods = header.in_parser(|| quote!(::isa::__define_parser_methods!(#isa);));
    let inst_methods = header.in_inst(|| quote!(::isa::__define_inst_methods!(#isa);));
    let generation = header.generation.as_ref().map(|generation| {
        let name = generation.to_string();
        quote!(const GENERATION: &'static str = #name;)
    });
    quote! {
        #docs
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct #isa;

        impl ::isa::Isa for #isa {
            type Instr = Instr;
            type Mode = #mode;
            type Value = #value;
            type Opcode = Opcode;

            ::isa::__define_table_methods!(#isa);
            #summary_methods
            #parser_methods
            #inst_methods

            #generation

            #[inline(always)]
            fn from_packed(format: u8, words: ::isa::__private::PackedDwords) -> ::core::option::Option<Instr> {
                ::core::option::Option::Some(match format {
                    #(#arms)*
                    _ => return ::core::option::Option::None,
                })
            }

            #[inline]
            fn parts(instr: &Instr) -> (u8, [u32; ::isa::MAX_DWORDS]) {
                match instr { #(Instr::#format_names(x) => (#format_names::FORMAT, x.words()),)* }
            }

            #[inline(always)]
            fn decode_fast(low: u64, third: u32, mode: #mode) -> ::core::option::Option<(Instr, usize)> {
                let mode = <Self as ::isa::Isa>::mode_index(mode);
                __tables::FAST_DECODER.decode::<#isa>(#lo, mode, low, third)
            }

            fn is_undefined_opcode(word: u32) -> bool {
                __tables::FAST_DECODER.is_undefined_opcode(#lo, word)
            }

            #legal

            const ALL_MODES: &'static [#mode] = &[#(#mode::#modes),*];

            #[inline]
            fn mode_index(mode: #mode) -> usize {
                match mode { #(#mode::#modes => #mode_indices,)* }
            }

            fn mode_name(mode: #mode) -> &'static str {
                match mode { #(#mode::#modes => #mode_names,)* }
            }
        }

        #modifiers

        mod __tables {
            #[allow(unused_imports)]
            use super::{__Mode, __operand_classes, __operands::*};
            use super::#isa;
            #shared
            #all_modifiers
            #inst
            pub(super) const WINDOW: (u8, u8) = (#lo, #width);
            pub(super) static CANDIDATES: [u8; #n_candidates] = [#candidates];
            pub(super) static LISTS: &[&[u8]] = &[#(#lists),*];
            pub(super) static DOCS: [&str; #count] = [#(#format_docs),*];
            #fast_decode
            pub(super) static FORMATS: [::isa::tables::Format<#isa>; #count] = [#(#formats),*];
        }
    }
}

/// Generates the tables of the parser.
#[cfg(feature = "parse")]
fn parser_tables(header: &SetHeader, set: &Set, shared: &mut SharedTables) -> ParserTables {
    let names = named_encodings(set);
    let n_entries = names.len();
    let row = |name: &NamedEncoding| EntryRow {
        format: name.format as u8,
        component: name.component as u8,
        slot: name.encoding,
    };
    let entries = rows(&names.iter().map(row).collect::<Vec<_>>());
    let entry_names = names.iter().map(|name| &name.name);
    let mut tables = super::fast_parse::tables(header, set, &names, shared);
    tables.items.extend(quote! {
        pub static ENTRIES: [::isa::Entry; #n_entries] = private::parser::entries(#entries, &[#(#entry_names),*]);
    });
    tables
}

/// Generates nothing for a set without a parser.
#[cfg(not(feature = "parse"))]
fn parser_tables(_: &SetHeader, _: &Set, _: &mut SharedTables) -> ParserTables {
    ParserTables::default()
}

/// Generates the tables of operand-level instructions and of bodies.
#[cfg(feature = "inst")]
fn inst_tables(
    header: &SetHeader,
    set: &Set,
    modifiers: &super::modifiers::Modifiers,
    shared: &mut SharedTables,
) -> TokenStream {
    let plans = inst_tables::items(&header.name, set, modifiers, shared);
    let (bodies, relations) = (super::bodies::tables(set), super::relations::table(set));
    header.inst.item(&quote! {
        pub(super) mod inst {
            use super::*;
            #plans
            #bodies
            #relations
        }
    })
}

/// Returns all rows under all their mnemonics, sorted by mnemonic.
#[cfg(feature = "parse")]
fn named_encodings(set: &Set) -> Vec<NamedEncoding> {
    let mut all = Vec::new();
    for (f, format) in set.formats.iter().enumerate() {
        for (c, component) in format.components.iter().enumerate() {
            for (e, encoding) in component.encodings.iter().enumerate() {
                for name in std::iter::once(&encoding.text).chain(&encoding.aliases) {
                    let (format, component, encoding) = (f as u16, c as u16, e as u16);
                    insert(&mut all, NamedEncoding { name: name.clone(), format, component, encoding });
                }
            }
        }
    }
    all
}

/// Returns a format as an `isa::tables::Format`.
fn format_table(header: &SetHeader, f: &Format, shared: &mut SharedTables) -> TokenStream {
    let name = f.block.name.to_string();
    let dwords = f.dwords;
    let fixed_bits = fixed(&f.fixed);
    let newer = newer_bits(f);
    let fields = f.fields.iter().map(|field| {
        let name = field.decl.name.to_string();
        let bits = field_bits(&field.bits);
        let suffix_dword = field.suffix_dword.map_or(0, |t| t as u8 + 1);
        quote!(::isa::tables::Field { name: #name, bits: #bits, suffix_dword: #suffix_dword })
    });
    let suffix_dwords = f.suffix_dwords.iter().map(|(clause, block)| {
        let name = block.name.to_string();
        let when = clause.when.iter().filter_map(|(field, code)| {
            let field = f.fields.iter().find(|x| x.decl.name == *field)?;
            let range = bit_range(field.bits.first()?);
            let code = code.value as u32;
            Some(quote!((#range, #code)))
        });
        let suffix = SpannedStr::or_empty(clause.suffix.as_ref());
        quote!(::isa::tables::SuffixDword { name: #name, suffix: #suffix, when: &[#(#when),*] })
    });
    let selectors = selectors(f).into_iter().map(|selector| selector_table(&selector));
    let components = f.components.iter().map(|c| component_table(header, f, c, shared)).collect::<Vec<_>>();
    let separator = SpannedStr::or_empty(f.block.separator.as_ref());
    let suffix = SpannedStr::or_empty(f.block.suffix.as_ref());
    let only = optional_mode(f.block.only_mode.as_ref().map(SpannedStr::as_str));
    quote! {
        ::isa::tables::Format {
            name: #name,
            dwords: #dwords,
            fixed: #fixed_bits,
            newer: &[#(#newer),*],
            fields: &[#(#fields),*],
            suffix_dwords: &[#(#suffix_dwords),*],
            selectors: &[#(#selectors),*],
            components: &[#(#components),*],
            join: #separator,
            suffix: #suffix,
            only: #only,
        }
    }
}

/// Returns the bits that differ between what newer assemblers and what others write in unused fields.
fn newer_bits(format: &Format) -> [u32; 3] {
    let mut newer = FixedBits::default();
    for field in &format.fields {
        if let FieldContent::Operand(operand) = &field.decl.content {
            newer.set(&field.bits, operand.unused.value ^ operand.unused.newer);
        }
    }
    newer.value
}

/// Returns a selector as an `isa::tables::Selector`.
fn selector_table(Selector { bits, codes, .. }: &Selector) -> TokenStream {
    let range = bit_range(bits);
    let mut suffix_dwords = vec![0; 1 << bits.width];
    for (code, suffix_dword) in codes {
        suffix_dwords[*code as usize] = *suffix_dword;
    }
    let suffix_dwords = Literal::byte_string(&suffix_dwords);
    quote!(::isa::tables::Selector { bits: #range, suffix_dwords: #suffix_dwords })
}

/// Returns a component as an `isa::tables::Component`, and adds its lists to the shared tables.
fn component_table(header: &SetHeader, f: &Format, c: &Component, shared: &mut SharedTables) -> TokenStream {
    let opcode_field = f.fields.iter().position(|field| field.bits == c.opcode);
    let isa = &header.name;
    let opcode = field_bits(&c.opcode);
    let slot = |e: &Encoding| Slot { number: e.number as u16, opcode: e.mnemonic as u16, shape: e.shape as u16 };
    let slots = c.encodings.iter().map(slot).collect();
    let carriers = c.operands.iter().map(|o| {
        let name = &o.name;
        let field = o.field.map_or(u8::MAX, |f| f as u8);
        let bits = field_bits(&o.bits);
        quote!((#name, #field, #bits))
    });
    let carriers = carriers.collect();
    let names = c.operands.iter().fold(String::new(), |mut text, o| {
        let field = o.field.and_then(|field| f.fields.get(field)).map_or(String::new(), |f| f.decl.name.to_string());
        // Writing to a string cannot fail.
        let _ = write!(text, "private::operands::OperandNames{{class:{:?},field:{field:?}}},", o.class.name());
        text
    });
    let classes: Vec<usize> = c.operands.iter().map(|o| shared.classes.intern(&o.class)).collect();
    for (operand, class) in c.operands.iter().zip(&classes).filter(|(o, _)| o.field.is_some()) {
        let width: u8 = operand.bits.iter().map(|bits| bits.width).sum();
        entry(&mut shared.widths, (*class, width), || operand.class.clone());
    }
    let number = shared.components.len();
    let shapes = c.shapes.iter().map(|s| shape_table(s, number, shared)).collect();
    let texts = c.encodings.iter().map(|e| shared.texts.intern(&e.text) as u16).collect();
    let only_modes = c.shapes.iter().map(|s| optional_mode(s.only_mode.as_deref())).collect();
    let DefaultSuffixDword { suffix_dword: default_suffix_dword, .. } = default_suffix_dword(f);
    shared.components.push(ComponentTables {
        carriers,
        names,
        classes,
        by_number: c.by_number.clone(),
        slots,
        texts,
        shapes,
        only_modes,
        default_suffix_dword,
    });
    let nth = number as u8;
    let opcode_field = opcode_field.map_or(u8::MAX, |index| index as u8);
    let [table, slots, carriers, shapes, classes] =
        ["TABLE", "SLOTS", "CARRIERS", "SHAPES", "CLASSES"].map(|table| component_item(table, number));
    quote! {
        ::isa::tables::Component::<#isa> {
            nth: #nth,
            opcode: #opcode,
            field: #opcode_field,
            table: &#table,
            slots: &#slots,
            carriers: &#carriers,
            shapes: &#shapes,
            place: ::isa::tables::LowBitRange::new(&#opcode),
            may_be_unused: private::may_be_unused(&#classes),
        }
    }
}

/// Returns a shape as the tables have it, and adds its variants to the shared tables.
fn shape_table(s: &Shape, component: usize, shared: &mut SharedTables) -> ShapeRow {
    let variants = s.variants.iter().map(|variant| match variant {
        None => 0,
        Some(variant) => shared.variants.intern(&(component, variant.clone())) as u16 + 1,
    });
    let variants = variants.collect();
    ShapeRow {
        flags: shared.flags.intern(&s.flags) as u16,
        variants: run(shared.shape_variants.intern(variants)),
        variant_bit: s.variant_bit.and_then(|bit| Index::new(bit.lo.into())),
        always: s.always.checked_sub(1).and_then(Index::new),
        selector_mask: s.selectors,
    }
}
