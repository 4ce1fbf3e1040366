//! The Rust that a set expands to: tables, raw layouts, a struct for each format, `Instr` and `Opcode`.

use std::collections::HashMap;
use std::hash::Hash;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Attribute;

use crate::handoff::Head;
use crate::model::{Component, Field, Format, Part, Set, require};
use crate::parse::{Access, What};
use crate::shape::{Bound, Form, Shape};
use crate::template::Step;
use crate::ty::Class;

/// `VOP3SD` becomes `Vop3sd`, `DPP16` becomes `Dpp16`.
fn camel(name: &Ident) -> Ident {
    let text = name.to_string();
    let mut out = String::new();
    for part in text.split('_') {
        let (first, rest) = part.split_at(1.min(part.len()));
        out.push_str(&first.to_uppercase());
        out.push_str(&rest.to_lowercase());
    }
    Ident::new(&out, name.span())
}

fn snake(name: &Ident) -> Ident {
    let text = name.to_string().to_lowercase();
    match syn::parse_str::<Ident>(&text) {
        Ok(mut ident) => {
            ident.set_span(Span::call_site());
            ident
        }
        Err(_) => Ident::new_raw(&text, Span::call_site()),
    }
}

fn bits_text(field: &Field, base: u8) -> String {
    let run = |p: &Part| {
        let lo = (u32::from(p.word) - u32::from(base)) * 32 + u32::from(p.lo);
        let hi = lo + u32::from(p.width) - 1;
        if hi == lo { format!("{lo}") } else { format!("{hi}:{lo}") }
    };
    let runs: Vec<String> = field.parts.iter().map(run).collect();
    format!("[{}]", runs.join(", "))
}

pub fn set(head: &Head, set: &Set) -> TokenStream {
    let raw = raw_layouts(set);
    let words = words(set);
    let opcode = opcodes(set);
    let tables = tables(head, set);
    let structs: TokenStream = set.formats.iter().enumerate().map(|(i, f)| format_struct(head, f, i as u8)).collect();
    let instr = instr(head, set);
    quote!(#raw #words #opcode #tables #structs #instr)
}

/// The raw layouts: a bitfield for each format and each tail.
fn raw_layouts(set: &Set) -> TokenStream {
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
                    snake(&f.name)
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
                quote!(#[bits(default = #value)])
            } else {
                quote!(#[bits(#size, default = #value)])
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
        /// The raw layouts of the microcode formats and of the dwords that may follow: every field, unchecked.
        pub mod raw { #(#layouts)* }
    }
}

fn words(set: &Set) -> TokenStream {
    let consts = set.words.iter().enumerate().map(|(i, word)| {
        let name = Ident::new(&word.to_uppercase(), Span::call_site());
        let doc = format!("Rows with the word `{word}`.");
        let bit = 1u64 << i;
        quote!(#[doc = #doc] pub const #name: u64 = #bit;)
    });
    quote! {
        /// The words that rows may carry, a bit each: what [`isa::Cx::has`] asks for.
        pub mod words { #(#consts)* }
    }
}

fn opcodes(set: &Set) -> TokenStream {
    let variants = set.mnemonics.iter().map(|m| {
        let name = Ident::new(&m.name, Span::call_site());
        let docs: TokenStream = m.row.docs.iter().map(|a| quote!(#a)).collect();
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

fn part(p: &Part) -> TokenStream {
    let Part { word, lo, width } = *p;
    quote!(::isa::table::Part::new(#word, #lo, #width))
}

/// Runs of bits as `isa::table::Bits`; of width 0 where there are none.
fn bits(parts: &[Part]) -> TokenStream {
    let none = [Part { word: 0, lo: 0, width: 0 }];
    let (first, rest) = parts.split_first().unwrap_or((&none[0], &[]));
    let (first, rest) = (part(first), rest.iter().map(part));
    quote!(::isa::table::Bits { first: #first, rest: &[#(#rest),*] })
}

fn fixed(f: &crate::model::Fixed) -> TokenStream {
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

/// Strings or lists that tables name, each written once.
struct Pool<T> {
    items: Vec<T>,
    index: HashMap<T, usize>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { items: Vec::new(), index: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Pool<T> {
    fn at(&mut self, item: &T) -> usize {
        if let Some(&i) = self.index.get(item) {
            return i;
        }
        self.items.push(item.clone());
        self.index.insert(item.clone(), self.items.len() - 1);
        self.items.len() - 1
    }
}

/// A static array in which lists stand one after the other; lists that are the same stand there once.
struct Runs<T> {
    all: Vec<T>,
    starts: HashMap<Vec<T>, usize>,
}

impl<T: Clone + Eq + Hash> Runs<T> {
    fn new() -> Self {
        Runs { all: Vec::new(), starts: HashMap::new() }
    }

    fn at(&mut self, run: Vec<T>) -> (u32, u32) {
        let len = run.len() as u32;
        let next = self.all.len();
        let start = *self.starts.entry(run.clone()).or_insert(next);
        if start == next {
            self.all.extend(run);
        }
        (start as u32, len)
    }
}

/// Everything that the formats' tables share: forms, texts, and the names of the components' carriers.
#[derive(Default)]
struct Shared {
    /// Each with the component that it belongs to.
    forms: Pool<(usize, Form)>,
    texts: Pool<String>,
    carriers: Vec<TokenStream>,
}

/// An operand of a form as one number; `isa::pack` reads it back.
fn packed(bound: &Bound) -> u32 {
    let (carrier, ty, access) = bound;
    let access = match access {
        Access::Read => 0,
        Access::Write => 1,
        Access::ReadWrite => 2,
        Access::Modifier => 3,
    };
    let class = match ty.class {
        Class::Bits => 0,
        Class::Unsigned => 1,
        Class::Signed => 2,
        Class::EitherSign => 3,
        Class::Float => 4,
        Class::BFloat => 5,
        Class::Mask => 6,
    };
    *carrier as u32 | access << 8 | class << 10 | u32::from(ty.lanes) << 13 | u32::from(ty.bits) << 20
}

impl Shared {
    fn items(&self) -> TokenStream {
        let mut literals = Pool::default();
        let mut suffixes = Pool::default();
        let mut bounds = Runs::new();
        let mut steps = Runs::new();
        let mut forms = Vec::new();
        for (component, form) in &self.forms.items {
            let component = *component as u32;
            let (mask, value) = (form.fixed.0, form.fixed.1);
            let suffix = suffixes.at(&form.suffix) as u32;
            let (at, len) = bounds.at(form.bound.iter().map(packed).collect());
            let step = |s: &Step| match s {
                Step::Literal(text) => 0x8000 | literals.at(text) as u16,
                Step::Operand(at) => u16::from(*at),
            };
            let (from, count) = steps.at(form.text.iter().map(step).collect());
            forms.push(quote!([#(#mask,)* #(#value,)* #suffix, #at, #len, #from, #count, #component]));
        }
        let (literals, suffixes, texts) = (&literals.items, &suffixes.items, &self.texts.items);
        let (bounds, steps) = (&bounds.all, &steps.all);
        let (n_forms, n_bounds, n_steps) = (forms.len(), bounds.len(), steps.len());
        let carriers = &self.carriers;
        let names = (0..carriers.len()).map(carriers_name);
        quote! {
            use ::isa::__private as unpack;
            #(#carriers)*
            static BOUNDS: [::isa::table::Bound; #n_bounds] = unpack::bounds([#(#bounds),*]);
            static STEPS: [::isa::table::Step; #n_steps] = unpack::steps([#(#steps),*], &[#(#literals),*]);
            pub(super) static FORMS: [::isa::table::Form; #n_forms] =
                unpack::forms([#(#forms),*], &[#(#suffixes),*], &BOUNDS, &STEPS, &[#(unpack::checked(&#names)),*]);
            const TEXTS: &[&str] = &[#(#texts),*];
        }
    }
}

fn tables(head: &Head, set: &Set) -> TokenStream {
    let isa = &head.name;
    let (mode, value) = (&head.mode, &head.value);
    let mut pool = Shared::default();
    let formats: Vec<TokenStream> = set.formats.iter().map(|f| format_table(head, f, &mut pool)).collect();
    let count = formats.len();
    let entries = entries(set, &mut pool);
    let n_entries = entries.len();
    let shared = pool.items();
    let (lo, width) = window(set);
    let candidates = (0..1u32 << width).map(|v| {
        let ids = candidates(set, lo, width, v);
        quote!(&[#(#ids),*])
    });
    let windows = 1usize << width;
    let arms = set.formats.iter().enumerate().map(|(i, f)| {
        let name = camel(&f.block.name);
        let id = i as u8;
        let keep = words_kept(f);
        let picks = 0..keep;
        quote!(#id => Instr::#name(#name([#(words[#picks]),*])),)
    });
    let docs: TokenStream = head.docs.iter().map(|a| quote!(#a)).collect();
    let legal = head.legal.as_ref().map(|path| {
        quote! {
            fn legal(instr: &Instr, mode: #mode) -> ::core::result::Result<(), &'static str> {
                #path(instr, mode)
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
                tables::CANDIDATES.get(window as usize).copied().unwrap_or(&[])
            }

            #[inline]
            fn window() -> (u8, u8) {
                (#lo, #width)
            }

            #[inline]
            fn instr(format: u8, words: [u32; ::isa::MAX_DWORDS]) -> ::core::option::Option<Instr> {
                ::core::option::Option::Some(match format {
                    #(#arms)*
                    _ => return ::core::option::Option::None,
                })
            }

            #[inline]
            fn forms() -> &'static [::isa::table::Form] {
                &tables::FORMS
            }

            #legal

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
            pub(super) static ENTRIES: [::isa::Entry; #n_entries] = unpack::entries([#(#entries),*], TEXTS);
            pub(super) static CANDIDATES: [&[u8]; #windows] = [#(#candidates),*];
            pub(super) static FORMATS: [::isa::table::Format<#isa>; #count] = [#(#formats),*];
        }
    }
}

/// All rows under all their names, sorted by name: text, format, component, slot.
fn entries(set: &Set, pool: &mut Shared) -> Vec<TokenStream> {
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
    let entry = |(name, f, c, s): (String, u16, u16, u16)| {
        let text = pool.texts.at(&name) as u16;
        quote!([#text, #f, #c, #s])
    };
    all.into_iter().map(entry).collect()
}

/// How many dwords the struct of a format keeps.
fn words_kept(f: &Format) -> usize {
    usize::from(f.dwords) + usize::from(!f.tails.is_empty())
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
        let suffix = clause.suffix.as_ref().map(syn::LitStr::value).unwrap_or_default();
        quote!(::isa::table::Tail { name: #name, suffix: #suffix, when: &[#(#when),*] })
    });
    let announces = announces(f);
    let components = f.components.iter().map(|c| component_table(head, c, pool)).collect::<Vec<_>>();
    let join = f.block.join.as_ref().map(syn::LitStr::value).unwrap_or_default();
    let suffix = f.block.suffix.as_ref().map(syn::LitStr::value).unwrap_or_default();
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

/// For each field that announces a tail: which of its codes announces which.
fn announces(f: &Format) -> Vec<TokenStream> {
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
    announcing
        .map(|(first, codes)| {
            let size = 1usize << first.width;
            let part = part(first);
            let codes = codes.iter().map(|(code, tail)| quote!((#code, #tail)));
            quote!(::isa::table::Announce { part: #part, tails: &unpack::announce::<#size>(&[#(#codes),*]) })
        })
        .collect()
}

/// The static that holds the carriers of the set's `nth` component.
fn carriers_name(nth: usize) -> Ident {
    format_ident!("CARRIERS_{nth}")
}

fn component_table(head: &Head, c: &Component, pool: &mut Shared) -> TokenStream {
    let isa = &head.name;
    let opcode = bits(&c.opcode);
    let size = c.slots.iter().map(|s| s.number as usize + 1).max().unwrap_or(0);
    let mut table = vec![0u16; size];
    for (i, s) in c.slots.iter().enumerate() {
        table[s.number as usize] = i as u16 + 1;
    }
    let slots = c
        .slots
        .iter()
        .map(|s| {
            let text = pool.texts.at(&s.text) as u16;
            let (number, opcode, shape) = (s.number as u16, s.opcode as u16, s.shape as u16);
            quote!([#number, #opcode, #shape, #text])
        })
        .collect::<Vec<_>>();
    let carriers = c.carriers.iter().map(|x| {
        let name = &x.name;
        let field = x.field.map_or(u8::MAX, |f| f as u8);
        let kind = &x.kind_tokens;
        let bits = bits(&x.field_parts);
        quote! {
            ::isa::table::Carrier { name: #name, field: #field, bits: #bits, kind: ::isa::table::Kind::of::<#kind>() }
        }
    });
    let nth = pool.carriers.len();
    let list = carriers_name(nth);
    let count = c.carriers.len();
    pool.carriers.push(quote!(static #list: [::isa::table::Carrier<#isa>; #count] = [#(#carriers),*];));
    let shapes = c.shapes.iter().map(|s| shape_table(s, nth, pool)).collect::<Vec<_>>();
    quote! {
        ::isa::table::Component::<#isa> {
            opcode: #opcode,
            table: &[#(#table),*],
            slots: &unpack::slots([#(#slots),*], TEXTS),
            carriers: &#list,
            shapes: &[#(#shapes),*],
        }
    }
}

fn shape_table(s: &Shape, component: usize, pool: &mut Shared) -> TokenStream {
    let words = s.words;
    let always = s.always as u8;
    let announcers = s.announcers;
    let only = only(s.only.clone());
    let split = match &s.split {
        None => quote!(::core::option::Option::None),
        Some(p) => {
            let p = part(p);
            quote!(::core::option::Option::Some(#p))
        }
    };
    let forms = s.forms.iter().map(|form| match form {
        None => 0,
        Some(form) => pool.forms.at(&(component, form.clone())) as u16 + 1,
    });
    quote! {
        ::isa::table::Shape { words: #words, always: #always, announcers: #announcers, only: #only, split: #split, forms: &[#(#forms),*] }
    }
}

/// The bits of the first dword that tell most formats apart: at most nine in a row.
fn window(set: &Set) -> (u8, u8) {
    const WIDTH: u32 = 9;
    let fixed: Vec<u32> = set.formats.iter().map(|f| f.fixed.0[0]).collect();
    let mask = (1 << WIDTH) - 1;
    let score = |lo: u32| fixed.iter().map(|m| (m >> lo & mask).count_ones()).sum::<u32>();
    let lo = (0..=32 - WIDTH).max_by_key(|&lo| (score(lo), lo)).unwrap_or(0);
    (lo as u8, WIDTH as u8)
}

/// The formats to try for a value of the window, the most specific first.
fn candidates(set: &Set, lo: u8, width: u8, value: u32) -> Vec<u8> {
    let bits = ((1u32 << width) - 1) << lo;
    let mut found: Vec<(u32, u8)> = Vec::new();
    for (i, f) in set.formats.iter().enumerate() {
        let component = &f.components[0];
        let fits = |slot: u64| {
            let mut fixed = f.fixed;
            require(&mut fixed, &component.opcode, slot);
            (fixed.1[0] ^ value << lo) & fixed.0[0] & bits == 0
        };
        // Even a window that no row fits leads to the format, whose error is then the more telling one.
        let encoding = (f.fixed.1[0] ^ value << lo) & f.fixed.0[0] & bits == 0;
        if component.slots.iter().any(|s| fits(s.number)) || (encoding && f.fixed.0[0] & bits != 0) {
            found.push((f.fixed.0.iter().map(|m| m.count_ones()).sum(), i as u8));
        }
    }
    found.sort_by_key(|(specific, i)| (std::cmp::Reverse(*specific), *i));
    found.into_iter().map(|(_, i)| i).collect()
}

fn docs(attrs: &[Attribute]) -> TokenStream {
    attrs.iter().map(|a| quote!(#a)).collect()
}

fn format_struct(head: &Head, f: &Format, id: u8) -> TokenStream {
    let isa = &head.name;
    let name = camel(&f.block.name);
    let text = f.block.name.to_string();
    let keep = words_kept(f);
    let all = (0..3).map(|i| if i < keep { quote!(self.0[#i]) } else { quote!(0) });
    let block_docs = docs(&f.block.docs);
    let raw_int = if f.dwords == 1 { quote!(self.0[0]) } else { quote!(self.0[0] as u64 | (self.0[1] as u64) << 32) };
    let accessors = f.fields.iter().enumerate().filter(|(_, x)| x.tail.is_none() && !x.parts.is_empty()).map(|(at, field)| {
        let get = snake(&field.decl.name);
        let with = format_ident!("with_{}", field.decl.name.to_string().to_lowercase());
        let bits = bits_text(field, 0);
        let place = crate::expand::bits(&field.parts);
        match &field.decl.what {
            What::Carrier(decl) => {
                let doc = format!("{} {bits}.", field.decl.name);
                let field_docs = docs(&field.decl.docs);
                let kind = &decl.kind;
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
                let doc = format!("{} {bits}: the opcode's number in this format.", field.decl.name);
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
        let get = snake(&block.name);
        let raw = camel(&block.name);
        let nth = i as u8 + 1;
        let at = usize::from(f.dwords);
        let doc = format!("The {} that follows, if one does.", block.name);
        let (ty, value) = if block.fields.len() == 1 {
            (quote!(u32), quote!(self.0[#at]))
        } else {
            (quote!(raw::#raw), quote!(raw::#raw::from_bits(self.0[#at])))
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
        pub struct #name([u32; #keep]);

        impl #name {
            #[doc = #const_doc]
            pub const FORMAT: u8 = #id;

            /// The words, zero beyond the length.
            #[inline]
            #[must_use]
            pub const fn words(self) -> [u32; ::isa::MAX_DWORDS] {
                [#(#all),*]
            }

            #[doc = #raw_doc]
            #[inline]
            #[must_use]
            pub const fn raw(self) -> raw::#name {
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

fn instr(head: &Head, set: &Set) -> TokenStream {
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
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
            #[inline]
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
                ::isa::length::<#isa>(self.format_index(), &self.words())
            }

            /// The words of its row, a bit each: see [`words`]; of a dual-issue pair those of the first row.
            #[must_use]
            pub fn row_words(&self) -> u64 {
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
                ::isa::Display::new(self.format_index(), self.words(), mode)
            }

            /// Reads one line of assembly, strictly if just a mode is given.
            ///
            /// # Errors
            /// See [`isa::ParseError`].
            pub fn parse(
                text: &str,
                options: impl ::core::convert::Into<::isa::Options<#mode>>,
            ) -> ::core::result::Result<Instr, ::isa::ParseError> {
                ::isa::parse::<#isa>(text, options.into())
            }

            /// Appends the text to a buffer: the quick way to print many.
            pub fn write(&self, mode: #mode, out: &mut ::isa::Text) {
                ::isa::write_text::<#isa>(self.format_index(), &self.words(), mode, out);
            }

            /// What it reads and writes, in the order of its row.
            #[must_use]
            pub fn operands(&self, mode: #mode) -> ::isa::Operands<#isa> {
                ::isa::operands(self.format_index(), self.words(), mode)
            }
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
