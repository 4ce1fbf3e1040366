//! The static tables, written down as numbers that `isa`'s const functions unpack.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::shared::{Lists, Pool, Runs, Shared, of_component};
use super::{camel, numbers, rows};
use crate::head::Head;
use crate::model::{Component, Fixed, Format, Part, Set, require};
use crate::shape::Shape;
use crate::tree::Text;

fn part(p: &Part) -> TokenStream {
    let Part { word, lo, width } = *p;
    quote!(::isa::table::Part::new(#word, #lo, #width))
}

/// Runs of bits as `isa::table::Bits`; of width 0 where there are none.
pub(super) fn bits(parts: &[Part]) -> TokenStream {
    let none = [Part { word: 0, lo: 0, width: 0 }];
    let (first, rest) = parts.split_first().unwrap_or((&none[0], &[]));
    let (first, rest) = (part(first), rest.iter().map(part));
    quote!(::isa::table::Bits { first: #first, rest: &[#(#rest),*] })
}

pub(super) fn fixed(f: &Fixed) -> TokenStream {
    let (mask, value) = (f.0, f.1);
    quote!(([#(#mask),*], [#(#value),*]))
}

fn only(only: Option<String>) -> TokenStream {
    match only {
        None => quote!(::core::option::Option::None),
        Some(name) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::core::option::Option::Some(__Mode::#name))
        }
    }
}

pub(super) fn tables(head: &Head, set: &Set) -> TokenStream {
    let isa = &head.name;
    let (mode, value, modes) = (&head.mode, &head.value, &head.modes);
    let mode_names = modes.iter().map(ToString::to_string);
    let mut pool = Shared::default();
    let formats: Vec<TokenStream> = set.formats.iter().map(|f| format_table(head, f, &mut pool)).collect();
    let count = formats.len();
    let names = names(set);
    let n_entries = names.len();
    let entries = rows(&names.iter().map(|(_, f, c, s)| [*f, *c, *s]).collect::<Vec<_>>());
    let texts_of_entries = names.iter().map(|(name, ..)| name);
    let lines = super::lines::tables(head, set, &names, &mut pool);
    let usual_tails: Vec<_> = set.formats.iter().map(usual_tail).collect();
    let shared = pool.items(isa, &usual_tails, &lines);
    let window = window(set);
    let (lo, width) = (window.lo, window.width);
    let mut lists = Pool::default();
    let candidates: Vec<u8> = window.candidates.iter().map(|ids| lists.at(ids) as u8).collect();
    let candidates = numbers(&candidates);
    let lists = lists.items.iter().map(|ids| quote!(&[#(#ids),*]));
    let docs_of_formats =
        set.formats.iter().map(|f| f.block.docs.iter().filter_map(|a| a.doc.as_deref()).collect::<Vec<_>>().join("\n"));
    let windows = 1usize << width;
    let arms = set.formats.iter().enumerate().map(|(i, f)| {
        let name = camel(&f.block.name);
        let id = i as u8;
        quote!(#id => Instr::#name(#name(kept)),)
    });
    let quick = super::quick::tables(head, set, &window);
    let names = set.formats.iter().map(|f| camel(&f.block.name)).collect::<Vec<_>>();
    let indices = 0..modes.len();
    let docs: TokenStream = head.docs.iter().map(|a| a.tokens.clone()).collect();
    let legal = head.legal.as_ref().map(|path| {
        quote! {
            #[inline(always)]
            fn legal(instr: &Instr, mode: #mode) -> ::core::result::Result<(), ::isa::Forbidden> {
                #path(instr, mode)
            }
        }
    });
    let generation = head.of.as_ref().map(|of| {
        let name = of.to_string();
        quote! {
            fn generation() -> ::core::option::Option<&'static str> {
                ::core::option::Option::Some(#name)
            }
        }
    });
    quote! {
        #docs
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct #isa;

        impl ::isa::Isa for #isa {
            type Instr = Instr;
            type Mode = #mode;
            type Value = #value;

            #[inline]
            fn formats() -> &'static [::isa::table::Format<Self>] {
                &tables::FORMATS
            }

            #[inline]
            fn candidates(window: u32) -> &'static [u8] {
                let list = tables::CANDIDATES.get(window as usize).and_then(|at| tables::LISTS.get(usize::from(*at)));
                list.copied().unwrap_or(&[])
            }

            #[inline]
            fn window() -> (u8, u8) {
                (#lo, #width)
            }

            #[inline(always)]
            fn kept(format: u8, kept: ::isa::__private::Kept) -> ::core::option::Option<Instr> {
                ::core::option::Option::Some(match format {
                    #(#arms)*
                    _ => return ::core::option::Option::None,
                })
            }

            #[inline]
            fn parts(instr: &Instr) -> (u8, [u32; ::isa::MAX_DWORDS]) {
                match instr { #(Instr::#names(x) => (#names::FORMAT, x.words()),)* }
            }

            #[inline(always)]
            fn quick(low: u64, third: u32, mode: #mode) -> ::core::option::Option<(Instr, usize)> {
                let mode = <Self as ::isa::Isa>::mode_index(mode);
                ::isa::__private::quick::<#isa, _, _, _, _, _>(&tables::QUICK, #lo, mode, low, third)
            }

            fn hopeless(word: u32) -> bool {
                ::isa::__private::hopeless(&tables::QUICK, #lo, word)
            }

            #[inline]
            fn forms() -> &'static [::isa::table::Form] {
                &tables::FORMS
            }

            #[inline]
            fn printing() -> &'static ::isa::__private::Printing<Self> {
                &tables::PRINTING
            }

            #[inline]
            fn reading() -> &'static ::isa::table::Reading<Self> {
                &tables::READING
            }

            #[inline]
            fn visiting() -> &'static ::isa::__private::Visiting<Self> {
                &tables::VISITING
            }

            #[inline]
            fn bounds() -> &'static [u16] {
                &tables::BOUNDS
            }

            #[inline]
            fn kinds_of_bounds() -> &'static [::isa::table::Bound] {
                &tables::KINDS_OF_BOUNDS
            }

            #[inline]
            fn forms_of_shapes() -> &'static [u16] {
                &tables::FORMS_OF_SHAPES
            }

            #[inline]
            fn words_of_shapes() -> &'static [u128] {
                &tables::WORDS_OF_SHAPES
            }

            fn docs() -> &'static [&'static str] {
                &tables::DOCS
            }

            #[inline]
            fn fixed() -> &'static [::isa::table::Fixed] {
                &tables::FIXED
            }

            #[inline]
            fn labels() -> &'static [::isa::Label] {
                &tables::LABELS
            }

            #legal

            #[inline]
            fn mode_index(mode: #mode) -> usize {
                match mode { #(#mode::#modes => #indices,)* }
            }

            fn mode_name(mode: #mode) -> &'static str {
                match mode { #(#mode::#modes => #mode_names,)* }
            }

            #generation

            fn entries() -> &'static [::isa::Entry] {
                &tables::ENTRIES
            }

            fn mnemonics() -> &'static [&'static str] {
                &MNEMONICS
            }
        }

        mod tables {
            #[allow(unused_imports)]
            use super::{__Mode, __operands::*};
            use super::#isa;
            #shared
            pub(super) static ENTRIES: [::isa::Entry; #n_entries] =
                unpack::entries(&[#entries], &[#(#texts_of_entries),*]);
            pub(super) static CANDIDATES: [u8; #windows] = [#candidates];
            pub(super) static LISTS: &[&[u8]] = &[#(#lists),*];
            pub(super) static DOCS: [&str; #count] = [#(#docs_of_formats),*];
            #quick
            pub(super) static FORMATS: [::isa::table::Format<#isa>; #count] = [#(#formats),*];
        }
    }
}

/// All rows under all their names, sorted by name: the name, format, component, slot.
fn names(set: &Set) -> Vec<(String, u16, u16, u16)> {
    let mut all = Vec::new();
    for (f, format) in set.formats.iter().enumerate() {
        for (c, component) in format.components.iter().enumerate() {
            for (s, slot) in component.slots.iter().enumerate() {
                for name in std::iter::once(&slot.text).chain(&slot.also) {
                    all.push((name.clone(), f as u16, c as u16, s as u16));
                }
            }
        }
    }
    all.sort();
    all
}

fn format_table(head: &Head, f: &Format, pool: &mut Shared) -> TokenStream {
    let name = f.block.name.to_string();
    let dwords = f.dwords;
    let fixed_bits = fixed(&f.fixed);
    let fields = f.fields.iter().map(|field| {
        let name = field.decl.name.to_string();
        let bits = bits(&field.parts);
        let tail = field.tail.map_or(0, |t| t as u8 + 1);
        quote!(::isa::table::Field { name: #name, bits: #bits, tail: #tail })
    });
    let tails = f.tails.iter().map(|(clause, block)| {
        let name = block.name.to_string();
        let when = clause.when.iter().filter_map(|(field, code)| {
            let field = f.fields.iter().find(|x| x.decl.name == *field)?;
            let part = part(field.parts.first()?);
            let code = code.value as u32;
            Some(quote!((#part, #code)))
        });
        let suffix = Text::or_empty(clause.suffix.as_ref());
        quote!(::isa::table::Tail { name: #name, suffix: #suffix, when: &[#(#when),*] })
    });
    let announces = announces(f);
    let components = f.components.iter().map(|c| component_table(head, f, c, pool)).collect::<Vec<_>>();
    let join = Text::or_empty(f.block.join.as_ref());
    let suffix = Text::or_empty(f.block.suffix.as_ref());
    let only = only(f.block.only.as_ref().map(ToString::to_string));
    quote! {
        ::isa::table::Format {
            name: #name,
            dwords: #dwords,
            fixed: #fixed_bits,
            fields: &[#(#fields),*],
            tails: &[#(#tails),*],
            announces: &[#(#announces),*],
            components: &[#(#components),*],
            join: #join,
            suffix: #suffix,
            only: #only,
        }
    }
}

/// For each field that announces a tail: its bits, and which of its codes announces which tail, as index plus one.
fn announced<'a>(f: &'a Format<'_>) -> Vec<(&'a Part, Vec<(u32, u8)>)> {
    let clauses = || f.tails.iter().enumerate().flat_map(|(i, (clause, _))| clause.when.iter().map(move |w| (i, w)));
    let announcing = crate::shape::announcing(f).filter_map(|(_, x)| {
        let first = x.parts.first()?;
        let codes: Vec<(u32, u8)> = clauses()
            .filter(|(_, (name, _))| *name == x.decl.name)
            .map(|(i, (_, code))| (code.value as u32, i as u8 + 1))
            .filter(|(code, _)| u64::from(*code) >> first.width == 0)
            .collect();
        Some((first, codes))
    });
    announcing.collect()
}

/// The usual tail of a format, as index plus one, and which of its fields, in the order of the table, can announce others:
/// at most one, and none is `u8::MAX`. 0 where there is no such tail.
///
/// It is one that all fields announce that announce any; of several, one that is a single field, a constant.
fn usual_tail(f: &Format) -> [u8; 2] {
    let announced = announced(f);
    let by_all = |tail: &usize| announced.iter().all(|(_, codes)| codes.iter().any(|(_, t)| usize::from(*t) == *tail));
    let fields = |tail: &usize| f.fields.iter().filter(|field| field.tail == Some(*tail - 1)).count();
    let tails = 1..=f.tails.len();
    let Some(tail) =
        tails.filter(|tail| !announced.is_empty() && by_all(tail) || f.tails.len() == 1).min_by_key(fields)
    else {
        return [0, u8::MAX];
    };
    let tail = tail as u8;
    let others = |codes: &[(u32, u8)]| codes.iter().any(|(_, t)| *t != tail);
    let mut asked = (0..).zip(&announced).filter(|(_, (_, codes))| others(codes)).map(|(at, _)| at);
    match (asked.next(), asked.next()) {
        (_, Some(_)) => [0, u8::MAX],
        (at, None) => [tail, at.unwrap_or(u8::MAX)],
    }
}

/// The same as the tables have it.
fn announces(f: &Format) -> Vec<TokenStream> {
    announced(f)
        .into_iter()
        .map(|(first, codes)| {
            let size = 1usize << first.width;
            let part = part(first);
            let codes = codes.iter().map(|(code, tail)| quote!((#code, #tail)));
            quote!(::isa::table::Announce { part: #part, tails: &unpack::announce::<#size>(&[#(#codes),*]) })
        })
        .collect()
}

fn component_table(head: &Head, f: &Format, c: &Component, pool: &mut Shared) -> TokenStream {
    let opcode_field = f.fields.iter().position(|field| field.parts == c.opcode);
    let isa = &head.name;
    let opcode = bits(&c.opcode);
    let slots = c.slots.iter().map(|s| [s.number as u16, s.opcode as u16, s.shape as u16]).collect::<Vec<_>>();
    let carriers = c.carriers.iter().map(|x| {
        let name = &x.name;
        let field = x.field.map_or(u8::MAX, |f| f as u8);
        let bits = bits(&x.field_parts);
        quote!((#name, #field, #bits))
    });
    let kinds = c.carriers.iter().map(|x| {
        let nth = pool.kinds.at(&x.kind.text);
        if nth == pool.kind_tokens.len() {
            pool.kind_tokens.push(x.kind.tokens.clone());
        }
        nth
    });
    let kinds = kinds.collect();
    let nth = pool.components.len();
    let carriers = carriers.collect();
    let shapes = c.shapes.iter().map(|s| shape_table(s, nth, pool)).collect::<Vec<_>>();
    let texts = c.slots.iter().map(|s| pool.texts.at(&s.text) as u16).collect();
    let [tail, _] = usual_tail(f);
    pool.components.push(Lists { carriers, kinds, table: c.table.clone(), slots, texts, shapes, tail });
    let number = nth as u8;
    let opcode_field = opcode_field.map_or(u8::MAX, |at| at as u8);
    let [table, slots, carriers, shapes] =
        ["TABLE", "SLOTS", "CARRIERS", "SHAPES"].map(|table| of_component(table, nth));
    quote! {
        ::isa::table::Component::<#isa> {
            nth: #number,
            opcode: #opcode,
            field: #opcode_field,
            table: &#table,
            slots: &#slots,
            carriers: &#carriers,
            shapes: &#shapes,
            place: ::isa::table::Place::new(&#opcode),
        }
    }
}

fn shape_table(s: &Shape, component: usize, pool: &mut Shared) -> TokenStream {
    let words = pool.words.at(&s.words) as u16;
    let always = s.always as u16;
    let announcers = s.announcers;
    let only = only(s.only.clone());
    let (word, bit) = s.split.map_or((u16::from(u8::MAX), 0), |p| (u16::from(p.word), u16::from(p.lo)));
    let forms = s.forms.iter().map(|form| match form {
        None => 0,
        Some(form) => pool.forms.at(&(component, form.clone())) as u16 + 1,
    });
    let forms = forms.collect();
    let (start, len) = pool.forms_of_shapes.get_or_insert_with(Runs::new).at(forms);
    let (start, len, announcers) = (start as u16, len as u16, u16::from(announcers));
    quote!(([#words, #start, #len, #word, #bit, #always, #announcers], #only))
}

/// The bits of the first dword that tell most formats apart, at most nine in a row, and for each of their values the formats
/// to try, the most specific first.
pub(super) struct Window {
    pub(super) lo: u8,
    pub(super) width: u8,
    pub(super) candidates: Vec<Vec<u8>>,
}

/// The window of a set.
pub(super) fn window(set: &Set) -> Window {
    const WIDTH: u32 = 9;
    let fixed: Vec<u32> = set.formats.iter().map(|f| f.fixed.0[0]).collect();
    let mask = (1 << WIDTH) - 1;
    let score = |lo: u32| fixed.iter().map(|m| (m >> lo & mask).count_ones()).sum::<u32>();
    let lo = (0..=32 - WIDTH).max_by_key(|&lo| (score(lo), lo)).unwrap_or(0);
    let bits = mask << lo;
    let mut formats: Vec<(u32, u8, Vec<[u32; 2]>)> =
        set.formats.iter().enumerate().map(|(i, f)| (specific(f), i as u8, claims(f, bits))).collect();
    formats.sort_by_key(|(specific, i, _)| (std::cmp::Reverse(*specific), *i));
    let candidates = (0..1u32 << WIDTH).map(|value| {
        let fits = |claims: &[[u32; 2]]| claims.iter().any(|[mask, held]| (held ^ value << lo) & mask == 0);
        formats.iter().filter(|(.., claims)| fits(claims)).map(|(_, i, _)| *i).collect()
    });
    Window { lo: lo as u8, width: WIDTH as u8, candidates: candidates.collect() }
}

/// How many bits a format fixes.
fn specific(f: &Format) -> u32 {
    f.fixed.0.iter().map(|m| m.count_ones()).sum()
}

/// Mask and value of the bits of the window that rows of a format have, each once.
fn claims(f: &Format, bits: u32) -> Vec<[u32; 2]> {
    let component = &f.components[0];
    let mut claims = Vec::new();
    let mut add = |fixed: &Fixed| {
        let claim = [fixed.0[0] & bits, fixed.1[0] & fixed.0[0] & bits];
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    };
    // Even a window that no row fits leads to the format, whose error is then the more telling one.
    if f.fixed.0[0] & bits != 0 {
        add(&f.fixed);
    }
    for slot in &component.slots {
        let mut fixed = f.fixed;
        require(&mut fixed, &component.opcode, slot.number);
        add(&fixed);
    }
    claims
}
