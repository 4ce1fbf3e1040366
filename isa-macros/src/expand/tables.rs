//! The static tables, written down as numbers that `isa`'s const functions unpack.

use std::collections::HashMap;
use std::hash::Hash;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::camel;
use crate::handoff::Head;
use crate::model::{Component, Format, Part, Set, require};
use crate::parse::Access;
use crate::shape::{Bound, Form, Shape};
use crate::template::Step;
use crate::ty::Class;

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
pub(super) struct Pool<T> {
    pub(super) items: Vec<T>,
    index: HashMap<T, usize>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { items: Vec::new(), index: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Pool<T> {
    pub(super) fn at(&mut self, item: &T) -> usize {
        if let Some(&i) = self.index.get(item) {
            return i;
        }
        self.items.push(item.clone());
        self.index.insert(item.clone(), self.items.len() - 1);
        self.items.len() - 1
    }
}

/// A static array in which lists stand one after the other; lists that are the same stand there once.
pub(super) struct Runs<T> {
    pub(super) all: Vec<T>,
    starts: HashMap<Vec<T>, usize>,
}

impl<T: Clone + Eq + Hash> Runs<T> {
    pub(super) fn new() -> Self {
        Runs { all: Vec::new(), starts: HashMap::new() }
    }

    pub(super) fn at(&mut self, run: Vec<T>) -> (u32, u32) {
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
    words: Pool<u128>,
    forms_of_shapes: Option<Runs<u16>>,
    /// Each with the component that it belongs to.
    forms: Pool<(usize, Form)>,
    texts: Pool<String>,
    components: Vec<Lists>,
}

/// What is written down of a component: its carriers without their kinds, the kinds, and what
/// `isa::table::Component` has.
struct Lists {
    carriers: Vec<TokenStream>,
    kinds: Vec<TokenStream>,
    table: Vec<u16>,
    slots: Vec<TokenStream>,
    /// The index of each slot's mnemonic among the texts.
    texts: Vec<u16>,
    shapes: Vec<TokenStream>,
}

/// An operand of a form as one number; `isa::pack` reads it back.
pub(super) fn packed(bound: &Bound) -> u32 {
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

/// The number of an operand that is none, and what is added to the number of a modifier.
const NO_OPERAND: u32 = 0xFF;
const MODIFIER: u8 = 0x80;
/// The most characters that a step can write before an operand.
const SHORT: usize = 8;

/// What is written of a form, as pairs of what stands before an operand and its index; the suffix is the first text.
fn line(form: &Form) -> (String, Vec<(String, Option<u8>)>) {
    let cut = |text: &str| {
        let mut chunks = vec![String::new()];
        for c in text.chars() {
            if chunks.last().is_some_and(|last| last.len() + c.len_utf8() > SHORT) {
                chunks.push(String::new());
            }
            chunks.last_mut().into_iter().for_each(|last| last.push(c));
        }
        chunks
    };
    let mut suffix = cut(&form.suffix).into_iter();
    let first = suffix.next().unwrap_or_default();
    let mut out: Vec<(String, Option<u8>)> = suffix.map(|text| (text, None)).collect();
    let mut before = String::new();
    for step in &form.text {
        match step {
            Step::Literal(text) => {
                let mut chunks = cut(&(std::mem::take(&mut before) + text));
                before = chunks.pop().unwrap_or_default();
                out.extend(chunks.into_iter().map(|text| (text, None)));
            }
            Step::Operand(at) => out.push((std::mem::take(&mut before), Some(*at))),
        }
    }
    if !before.is_empty() {
        out.push((before, None));
    }
    (first, out)
}

impl Shared {
    fn items(&self, isa: &Ident) -> TokenStream {
        let (mut literals, mut shorts) = (Pool::default(), Pool::default());
        let (mut bounds, mut steps) = (Runs::new(), Runs::new());
        let (mut line_steps, mut visit_steps) = (Runs::new(), Runs::new());
        let (mut forms, mut texts, mut lines, mut visits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut fixed, mut kinds_of_bounds) = (Pool::default(), Pool::default());
        for (component, form) in &self.forms.items {
            let nth = *component as u32;
            let place = |(from, count): (u32, u32)| [from as u16, count as u16];
            let is_modifier = |bound: &&Bound| bound.2 == Access::Modifier;
            let n_operands = form.bound.iter().take_while(|bound| !is_modifier(bound)).count();
            let (operands, modifiers) = form.bound.split_at(n_operands);
            let mut kinds = |list: &[Bound]| list.iter().map(|b| kinds_of_bounds.at(&packed(b)) as u16).collect();
            let [at, count] = place(bounds.at(kinds(operands)));
            let [more_at, more] = place(bounds.at(kinds(modifiers)));
            let bits = fixed.at(&form.fixed) as u16;
            let component = nth as u16;
            forms.push(quote!([#bits, #at, #count, #more_at, #more, #component]));

            let step = |s: &Step| match s {
                Step::Literal(text) => 0x8000 | literals.at(text) as u16,
                Step::Operand(at) => u16::from(*at),
            };
            let [from, count] = place(steps.at(form.text.iter().map(step).collect()));
            texts.push(quote!([#from, #count]));

            let (suffix, written) = line(form);
            let suffix = shorts.at(&suffix) as u16;
            // What stands behind the last operand and is set off by nothing is a modifier.
            let trails = |(before, at): &(String, Option<u8>)| {
                before.is_empty() && at.is_some_and(|at| usize::from(at) >= n_operands)
            };
            let n_steps = written.iter().rposition(|step| !trails(step)).map_or(0, |last| last + 1);
            let mut step = |(before, operand): &(String, Option<u8>)| {
                let known = operand.and_then(|at| Some((at, form.bound.get(usize::from(at))?)));
                let (number, bound) = match known {
                    None => (NO_OPERAND, 0),
                    Some((at, bound)) => match usize::from(at).checked_sub(n_operands) {
                        None => (u32::from(at), packed(bound)),
                        Some(at) => (u32::from(MODIFIER | at as u8), packed(bound)),
                    },
                };
                [shorts.at(before) as u32 | number << 16 | nth << 24, bound]
            };
            let (written, trailing) = written.split_at(n_steps);
            let [from, count] = place(line_steps.at(written.iter().map(&mut step).collect()));
            let [more_from, more] = place(line_steps.at(trailing.iter().map(&mut step).collect()));
            lines.push(quote!([#suffix, #from, #count, #more_from, #more, #component]));

            let step = |(at, bound): (usize, &Bound)| [(at as u32) << 16 | nth << 24, packed(bound)];
            let [from, count] = place(visit_steps.at(operands.iter().enumerate().map(step).collect()));
            visits.push(quote!([#from, #count, #component]));
        }
        let (literals, shorts, names) = (&literals.items, &shorts.items, &self.texts.items);
        let (bounds, steps) = (&bounds.all, &steps.all);
        let fixed: Vec<_> = fixed.items.iter().map(self::fixed).collect();
        let pairs = |all: &[[u32; 2]]| all.iter().map(|[a, b]| quote!([#a, #b])).collect::<Vec<_>>();
        let (line_steps, visit_steps) = (pairs(&line_steps.all), pairs(&visit_steps.all));
        let (n_forms, n_bounds, n_steps, n_names) = (forms.len(), bounds.len(), steps.len(), names.len());
        let (n_line_steps, n_visit_steps) = (line_steps.len(), visit_steps.len());
        let (n_fixed, n_shorts) = (fixed.len(), shorts.len());
        let (kinds_of_bounds, words) = (&kinds_of_bounds.items, &self.words.items);
        let forms_of_shapes = self.forms_of_shapes.as_ref().map(|runs| runs.all.clone()).unwrap_or_default();
        let (n_kinds, n_forms_of_shapes, n_words) = (kinds_of_bounds.len(), forms_of_shapes.len(), words.len());
        let longest = [n_forms, n_bounds, n_steps, n_names, n_line_steps, n_visit_steps, n_forms_of_shapes];
        if longest.iter().any(|n| *n > usize::from(u16::MAX)) || self.components.len() > usize::from(u8::MAX) {
            return quote!(::core::compile_error!("the set is too large for its tables, which number what they hold by 16 bits, formats by 8"););
        }
        let tables = self.components.iter().enumerate().map(|(nth, lists)| {
            let Lists { carriers, kinds, table, slots, texts, shapes } = lists;
            let [n_carriers, n_codes, n_slots, n_shapes] = [carriers.len(), table.len(), slots.len(), shapes.len()];
            let [carrier, kind, writer, reader, valuer, numbers, slot, shape, head] =
                ["CARRIERS", "KINDS", "WRITERS", "READERS", "VALUERS", "TABLE", "SLOTS", "SHAPES", "HEADS"]
                    .map(|table| of_component(table, nth));
            quote! {
                const #kind: [::isa::table::Kind<#isa>; #n_carriers] = [#(::isa::table::Kind::of::<#kinds>()),*];
                static #carrier: [::isa::table::Carrier<#isa>; #n_carriers] =
                    unpack::carriers([#(#carriers),*], &#kind);
                static #writer: [::isa::table::WriteFn<#isa>; #n_carriers] = unpack::writers(&#kind);
                static #reader: [::isa::table::Reader<#isa>; #n_carriers] = unpack::readers(&#kind);
                static #valuer: [::isa::table::ValueFn<#isa>; #n_carriers] = unpack::valuers(&#kind);
                static #numbers: [u16; #n_codes] = [#(#table),*];
                static #slot: [::isa::table::Slot; #n_slots] = unpack::slots([#(#slots),*]);
                static #shape: [::isa::table::Shape<#isa>; #n_shapes] = unpack::shapes([#(#shapes),*]);
                static #head: [::isa::table::Head; #n_codes] =
                    unpack::heads(&#numbers, &#slot, &[#(#texts),*], &#shape, &WAYS);
            }
        });
        let all = |table: &str| {
            let names = (0..self.components.len()).map(|nth| of_component(table, nth));
            quote!(&[#(&#names),*])
        };
        let (carriers, kinds) = (all("CARRIERS"), all("KINDS"));
        let (writers, readers, valuers) = (all("WRITERS"), all("READERS"), all("VALUERS"));
        let heads = all("HEADS");
        quote! {
            use ::isa::__private as unpack;
            #(#tables)*
            pub(super) static BOUNDS: [u16; #n_bounds] = [#(#bounds),*];
            pub(super) static KINDS_OF_BOUNDS: [::isa::table::Bound; #n_kinds] = unpack::bounds([#(#kinds_of_bounds),*]);
            static ALL_BOUNDS: unpack::Bounds<'static> = unpack::Bounds { all: &BOUNDS, kinds: &KINDS_OF_BOUNDS };
            pub(super) static FORMS_OF_SHAPES: [u16; #n_forms_of_shapes] = [#(#forms_of_shapes),*];
            pub(super) static WORDS_OF_SHAPES: [u128; #n_words] = [#(#words),*];
            static WAYS: unpack::Ways<'static, #isa> = unpack::Ways {
                forms: &FORMS_OF_SHAPES,
                words: &WORDS_OF_SHAPES,
                lines: (&LINES.lines, &LINES.masks),
                visits: &VISITS,
            };
            pub(super) static FIXED: [::isa::table::Fixed; #n_fixed] = [#(#fixed),*];
            pub(super) static FORMS: [::isa::table::Form; #n_forms] =
                unpack::forms::<#isa, _>([#(#forms),*], &ALL_BOUNDS, #carriers);
            pub(super) static LABELS: [::isa::Label; #n_names] = unpack::labels([#(#names),*]);

            static STEPS: [::isa::table::Step; #n_steps] = unpack::steps([#(#steps),*], &[#(#literals),*]);
            static READ: [&[::isa::table::Step]; #n_forms] = unpack::texts([#(#texts),*], &STEPS);
            pub(super) static READING: ::isa::table::Reading<#isa> =
                ::isa::table::Reading { texts: &READ, readers: #readers };

            static LINE_STEPS: [unpack::LineStep; #n_line_steps] =
                unpack::line_steps::<#isa, _>([#(#line_steps),*], &SHORTS, #carriers, #kinds);
            static SHORTS: [::isa::Short; #n_shorts] = unpack::shorts([#(#shorts),*]);
            static LINES: unpack::Lines<#n_forms> =
                unpack::lines::<#isa, _>([#(#lines),*], &FORMS, &ALL_BOUNDS, &LINE_STEPS, #carriers, #kinds);
            pub(super) static PRINTING: unpack::Printing<#isa> = unpack::Printing {
                lines: &LINES.lines,
                parts: unpack::Parts { steps: &LINE_STEPS, shorts: &SHORTS, masks: &LINES.masks },
                writers: #writers,
                heads: #heads,
            };

            static VISIT_STEPS: [unpack::VisitStep<<#isa as ::isa::Isa>::Value>; #n_visit_steps] =
                unpack::visit_steps::<#isa, _>([#(#visit_steps),*], #carriers, #kinds);
            static VISITS: [unpack::Visit<<#isa as ::isa::Isa>::Value>; #n_forms] =
                unpack::visits::<#isa, _>([#(#visits),*], &FORMS, &ALL_BOUNDS, &VISIT_STEPS, #kinds);
            pub(super) static VISITING: unpack::Visiting<#isa> =
                unpack::Visiting { visits: &VISITS, valuers: #valuers, heads: #heads };
        }
    }
}

/// The item that holds a table of the set's `nth` component.
fn of_component(table: &str, nth: usize) -> Ident {
    format_ident!("{table}_{nth}")
}

pub(super) fn tables(head: &Head, set: &Set) -> TokenStream {
    let isa = &head.name;
    let (mode, value, modes) = (&head.mode, &head.value, &head.modes);
    let mode_names = modes.iter().map(ToString::to_string);
    let mut pool = Shared::default();
    let formats: Vec<TokenStream> = set.formats.iter().map(|f| format_table(head, f, &mut pool)).collect();
    let count = formats.len();
    let entries = entries(set, &mut pool);
    let n_entries = entries.len();
    let n_index = (2 * n_entries).next_power_of_two();
    let shared = pool.items(isa);
    let (lo, width) = window(set);
    let mut lists = Pool::default();
    let candidates: Vec<u8> = (0..1u32 << width).map(|v| lists.at(&candidates(set, lo, width, v)) as u8).collect();
    let lists = lists.items.iter().map(|ids| quote!(&[#(#ids),*]));
    let docs_of_formats =
        set.formats.iter().map(|f| f.block.docs.iter().filter_map(doc_line).collect::<Vec<_>>().join("\n"));
    let windows = 1usize << width;
    let arms = set.formats.iter().enumerate().map(|(i, f)| {
        let name = camel(&f.block.name);
        let id = i as u8;
        quote!(#id => Instr::#name(#name(kept)),)
    });
    let quick = super::quick::tables(head, set, lo, width);
    let names = set.formats.iter().map(|f| camel(&f.block.name)).collect::<Vec<_>>();
    let indices = 0..modes.len();
    let docs: TokenStream = head.docs.iter().map(|a| quote!(#a)).collect();
    let legal = head.legal.as_ref().map(|path| {
        quote! {
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
            fn instr(format: u8, words: [u32; ::isa::MAX_DWORDS], len: u8) -> ::core::option::Option<Instr> {
                let kept = ::isa::__private::Kept::new(words, len);
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
            fn quick(words: &[u32; ::isa::MAX_DWORDS], mode: #mode) -> ::core::option::Option<(Instr, usize)> {
                let mode = match mode { #(#mode::#modes => #indices,)* };
                ::isa::__private::quick::<#isa, _, _, _, _, _>(&tables::QUICK, #lo, mode, words)
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

            fn mode_name(mode: #mode) -> &'static str {
                match mode { #(#mode::#modes => #mode_names,)* }
            }

            #generation

            fn entries() -> &'static [::isa::Entry] {
                &tables::ENTRIES
            }

            fn index() -> &'static [u16] {
                &tables::INDEX
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
            pub(super) static ENTRIES: [::isa::Entry; #n_entries] = unpack::entries([#(#entries),*], &LABELS);
            pub(super) static INDEX: [u16; #n_index] = unpack::index(&ENTRIES);
            pub(super) static CANDIDATES: [u8; #windows] = [#(#candidates),*];
            pub(super) static LISTS: &[&[u8]] = &[#(#lists),*];
            pub(super) static DOCS: [&str; #count] = [#(#docs_of_formats),*];
            #quick
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

/// The text of one line of a doc comment.
fn doc_line(attr: &syn::Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attr.meta else { return None };
    match &pair.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value().trim().to_owned()),
        _ => None,
    }
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
    let components = f.components.iter().map(|c| component_table(head, f, c, pool)).collect::<Vec<_>>();
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

fn component_table(head: &Head, f: &Format, c: &Component, pool: &mut Shared) -> TokenStream {
    let opcode_field = f.fields.iter().position(|field| field.parts == c.opcode);
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
            let (number, opcode, shape) = (s.number as u16, s.opcode as u16, s.shape as u16);
            quote!([#number, #opcode, #shape])
        })
        .collect::<Vec<_>>();
    let carriers = c.carriers.iter().map(|x| {
        let name = &x.name;
        let field = x.field.map_or(u8::MAX, |f| f as u8);
        let bits = bits(&x.field_parts);
        quote!((#name, #field, #bits))
    });
    let kinds = c.carriers.iter().map(|x| x.kind_tokens.clone());
    let nth = pool.components.len();
    let (carriers, kinds) = (carriers.collect(), kinds.collect());
    let shapes = c.shapes.iter().map(|s| shape_table(s, nth, pool)).collect::<Vec<_>>();
    let texts = c.slots.iter().map(|s| pool.texts.at(&s.text) as u16).collect();
    pool.components.push(Lists { carriers, kinds, table, slots, texts, shapes });
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

/// The bits of the first dword that tell most formats apart: at most nine in a row.
pub(super) fn window(set: &Set) -> (u8, u8) {
    const WIDTH: u32 = 9;
    let fixed: Vec<u32> = set.formats.iter().map(|f| f.fixed.0[0]).collect();
    let mask = (1 << WIDTH) - 1;
    let score = |lo: u32| fixed.iter().map(|m| (m >> lo & mask).count_ones()).sum::<u32>();
    let lo = (0..=32 - WIDTH).max_by_key(|&lo| (score(lo), lo)).unwrap_or(0);
    (lo as u8, WIDTH as u8)
}

/// The formats to try for a value of the window, the most specific first.
pub(super) fn candidates(set: &Set, lo: u8, width: u8, value: u32) -> Vec<u8> {
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
