//! What the tables of all formats share: lists that are written once and named by numbers, and the statics that hold them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::tables::fixed;
use super::{numbers, rows};
use crate::model::MOST_TEXT;
use crate::shape::{Bound, Form};
use crate::template::Step;
use crate::tree::Access;
use crate::ty::Class;

/// Where things of a list are, by their hashes. It knows nothing of these things, so that the compiler makes it once.
#[derive(Default)]
struct Index(HashMap<u64, Vec<usize>>);

impl Index {
    /// The place of what `is` says that it is; where there is none such, it will be at `next`.
    fn place(&mut self, thing: &dyn Fn(&mut DefaultHasher), is: &dyn Fn(usize) -> bool, next: usize) -> usize {
        let mut hasher = DefaultHasher::new();
        thing(&mut hasher);
        let places = self.0.entry(hasher.finish()).or_default();
        if let Some(at) = places.iter().find(|at| is(**at)) {
            return *at;
        }
        places.push(next);
        next
    }
}

/// Strings or lists that tables name, each written once.
pub(super) struct Pool<T> {
    pub(super) items: Vec<T>,
    index: Index,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool { items: Vec::new(), index: Index::default() }
    }
}

impl<T: Clone + Eq + Hash> Pool<T> {
    pub(super) fn at(&mut self, item: &T) -> usize {
        let (items, next) = (&self.items, self.items.len());
        let at = self.index.place(&|hasher| item.hash(hasher), &|at| items[at] == *item, next);
        if at == next {
            self.items.push(item.clone());
        }
        at
    }
}

/// A static array in which lists stand one after the other; lists that are the same stand there once.
pub(super) struct Runs<T> {
    pub(super) all: Vec<T>,
    starts: Index,
}

impl<T: Clone + Eq + Hash> Runs<T> {
    pub(super) fn new() -> Self {
        Runs { all: Vec::new(), starts: Index::default() }
    }

    pub(super) fn at(&mut self, run: Vec<T>) -> (u32, u32) {
        let (all, next) = (&self.all, self.all.len());
        let is = |start: usize| all.get(start..start + run.len()) == Some(&run[..]);
        let start = self.starts.place(&|hasher| run.hash(hasher), &is, next);
        let len = run.len() as u32;
        if start == next {
            self.all.extend(run);
        }
        (start as u32, len)
    }
}

/// Everything that the formats' tables share: forms, texts, and the names of the components' carriers.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) words: Pool<u128>,
    pub(super) forms_of_shapes: Option<Runs<u16>>,
    /// Each with the component that it belongs to.
    pub(super) forms: Pool<(usize, Form)>,
    pub(super) texts: Pool<String>,
    /// The kinds of all carriers, and how they are written.
    pub(super) kinds: Pool<String>,
    pub(super) kind_tokens: Vec<TokenStream>,
    pub(super) components: Vec<Lists>,
}

/// What is written down of a component: its carriers without their kinds, which of all kinds these are, and what
/// `isa::table::Component` has.
pub(super) struct Lists {
    pub(super) carriers: Vec<TokenStream>,
    pub(super) kinds: Vec<usize>,
    pub(super) table: Vec<u16>,
    pub(super) slots: Vec<[u16; 3]>,
    /// The index of each slot's mnemonic among the texts.
    pub(super) texts: Vec<u16>,
    pub(super) shapes: Vec<TokenStream>,
    /// The usual tail of its format, as index plus one, or 0.
    pub(super) tail: u8,
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

/// A mnemonic as `isa::Label` holds it: the compiler copies it much faster than it would put it together.
fn label(name: &str) -> [u8; MOST_TEXT + 1] {
    let mut out = [0; MOST_TEXT + 1];
    // Longer ones have been refused.
    let count = name.len().min(MOST_TEXT);
    out[..count].copy_from_slice(&name.as_bytes()[..count]);
    out[MOST_TEXT] = count as u8;
    out
}

/// What is written of a form behind the mnemonic, as pairs of what stands before an operand and its index. The suffix
/// stands before the first.
fn line(form: &Form) -> Vec<(String, Option<u8>)> {
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
    let mut out = Vec::new();
    let mut before = form.suffix.clone();
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
    out
}

impl Shared {
    /// The statics; `lines` are the tables of reading and the expression that names them.
    pub(super) fn items(
        &self,
        isa: &Ident,
        usual_tails: &[[u8; 2]],
        (lines_items, recipes): &(TokenStream, TokenStream),
    ) -> TokenStream {
        let n_formats = usual_tails.len();
        let usual_tails = rows(usual_tails);
        let (mut literals, mut shorts) = (Pool::default(), Pool::default());
        let (mut bounds, mut steps) = (Runs::new(), Runs::new());
        let (mut line_steps, mut visit_steps) = (Runs::new(), Runs::new());
        let (mut forms, mut texts, mut lines, mut visits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut fixed, mut kinds_of_bounds) = (Pool::default(), Pool::default());
        // What the compiler works out once each, where many forms and steps come to the same.
        let (mut all_modifiers, mut trails, mut lists) = (Pool::default(), Pool::default(), Pool::default());
        let (mut written_operands, mut visited) = (Pool::default(), Pool::default());
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
            let modifiers_at = all_modifiers.at(&[nth as u16, more_at, more]) as u16;
            forms.push([bits, at, count, modifiers_at]);

            let step = |s: &Step| match s {
                Step::Literal(text) => 0x8000 | literals.at(text) as u16,
                Step::Operand(at) => u16::from(*at),
            };
            texts.push(lists.at(&place(steps.at(form.text.iter().map(step).collect()))) as u16);

            let written = line(form);
            // What stands behind the last operand and is set off by nothing is a modifier.
            let is_trailing = |(before, at): &(String, Option<u8>)| {
                before.is_empty() && at.is_some_and(|at| usize::from(at) >= n_operands)
            };
            let n_steps = written.iter().rposition(|step| !is_trailing(step)).map_or(0, |last| last + 1);
            let mut step = |(before, operand): &(String, Option<u8>)| {
                let known = operand.and_then(|at| Some((at, form.bound.get(usize::from(at))?)));
                let (number, asked) = match known {
                    None => (NO_OPERAND, 0),
                    Some((at, bound)) => {
                        let asked = written_operands.at(&[nth, packed(bound)]) as u32;
                        match usize::from(at).checked_sub(n_operands) {
                            None => (u32::from(at), asked),
                            Some(at) => (u32::from(MODIFIER | at as u8), asked),
                        }
                    }
                };
                shorts.at(before) as u32 | number << 8 | asked << 16
            };
            let (written, trailing) = written.split_at(n_steps);
            let [from, count] = place(line_steps.at(written.iter().map(&mut step).collect()));
            let [more_from, more] = place(line_steps.at(trailing.iter().map(&mut step).collect()));
            let trail = trails.at(&[more_from, more, modifiers_at]) as u16;
            lines.push([from, count, trail]);

            let step = |(at, bound): (usize, &Bound)| at as u32 | (visited.at(&[nth, packed(bound)]) as u32) << 8;
            let [from, count] = place(visit_steps.at(operands.iter().enumerate().map(step).collect()));
            visits.push([from, count]);
        }
        let (literals, shorts, names) = (&literals.items, &shorts.items, &self.texts.items);
        let n_names = names.len();
        let names = Literal::byte_string(&names.iter().flat_map(|name| label(name)).collect::<Vec<u8>>());
        let (bounds, steps) = (&bounds.all, &steps.all);
        let fixed: Vec<_> = fixed.items.iter().map(self::fixed).collect();
        let (n_written, n_visited) = (written_operands.items.len(), visited.items.len());
        let (written_operands, visited) = (rows(&written_operands.items), rows(&visited.items));
        let (n_modifiers, n_trails, n_lists) = (all_modifiers.items.len(), trails.items.len(), lists.items.len());
        let (all_modifiers, trails) = (rows(&all_modifiers.items), rows(&trails.items));
        let lists = rows(&lists.items);
        let (line_steps, visit_steps) = (&line_steps.all, &visit_steps.all);
        let (n_forms, n_bounds, n_steps) = (forms.len(), bounds.len(), steps.len());
        let (n_line_steps, n_visit_steps) = (line_steps.len(), visit_steps.len());
        let (n_fixed, n_shorts) = (fixed.len(), shorts.len());
        let (kinds_of_bounds, words) = (&kinds_of_bounds.items, &self.words.items);
        let forms_of_shapes = self.forms_of_shapes.as_ref().map(|runs| runs.all.clone()).unwrap_or_default();
        let (n_kinds, n_forms_of_shapes, n_words) = (kinds_of_bounds.len(), forms_of_shapes.len(), words.len());
        let (bounds, forms_of_shapes, kinds_of_bounds) =
            (numbers(bounds), numbers(&forms_of_shapes), numbers(kinds_of_bounds));
        let (forms, steps, texts, lines, visits) =
            (rows(&forms), numbers(steps), numbers(&texts), rows(&lines), rows(&visits));
        let (line_steps, visit_steps) = (numbers(line_steps), numbers(visit_steps));
        let longest = [n_forms, n_bounds, n_steps, n_names, n_line_steps, n_visit_steps, n_forms_of_shapes];
        if longest.iter().any(|n| *n > usize::from(u16::MAX)) || self.components.len() > usize::from(u8::MAX) {
            return quote!(::core::compile_error!("the set is too large for its tables, which number what they hold by 16 bits, formats by 8"););
        }
        let (n_all_kinds, all_kinds) = (self.kinds.items.len(), &self.kind_tokens);
        let tables = self.components.iter().enumerate().map(|(nth, lists)| {
            let Lists { carriers, kinds, table, slots, texts, shapes, tail } = lists;
            let [n_carriers, n_codes, n_slots, n_shapes] = [carriers.len(), table.len(), slots.len(), shapes.len()];
            let (table, slots, texts) = (numbers(table), rows(slots), numbers(texts));
            let [carrier, kind, fact, numbers, slot, shape, head] =
                ["CARRIERS", "KINDS", "FACTS", "TABLE", "SLOTS", "SHAPES", "HEADS"]
                    .map(|table| of_component(table, nth));
            let [reader, writer, writer_alone, literal, valuer, value] =
                ["READERS", "WRITERS", "WRITERS_ALONE", "LITERALS", "VALUERS", "VALUES"]
                    .map(|table| of_component(table, nth));
            quote! {
                const #kind: [&::isa::table::Kind<#isa>; #n_carriers] = [#(&ALL_KINDS[#kinds]),*];
                static #carrier: [::isa::table::Carrier<#isa>; #n_carriers] =
                    unpack::carriers([#(#carriers),*], &#kind);
                const #value: [::isa::Values<<#isa as ::isa::Isa>::Value>; #n_carriers] = unpack::values(&#kind);
                const #fact: [unpack::Fact; #n_carriers] = unpack::facts(&#carrier, &#kind);
                static #writer: [::isa::table::WriteFn<#isa>; #n_carriers] = unpack::writers(&#kind);
                static #reader: [::isa::table::Reader<#isa>; #n_carriers] = unpack::readers(&#kind);
                static #writer_alone: [::core::option::Option<::isa::table::WriteCodeFn>; #n_carriers] =
                    unpack::writers_alone(&#kind);
                static #literal: [::core::option::Option<(u16, ::isa::table::WriteLiteralFn)>; #n_carriers] =
                    unpack::writers_of_literals(&#kind);
                static #valuer: [::isa::table::ValueFn<#isa>; #n_carriers] = unpack::valuers(&#kind);
                static #numbers: [u16; #n_codes] = [#table];
                static #slot: [::isa::table::Slot; #n_slots] = unpack::slots([#slots]);
                static #shape: [::isa::table::Shape<#isa>; #n_shapes] = unpack::shapes([#(#shapes),*]);
                static #head: [::isa::table::Head; #n_codes] =
                    unpack::heads(&#numbers, &#slot, &[#texts], &#shape, &WAYS, #tail);
            }
        });
        let all = |table: &str| {
            let names = (0..self.components.len()).map(|nth| of_component(table, nth));
            quote!(&[#(&#names),*])
        };
        let (facts, values) = (all("FACTS"), all("VALUES"));
        let (writers, readers, valuers) = (all("WRITERS"), all("READERS"), all("VALUERS"));
        let (writers_alone, writers_of_literals) = (all("WRITERS_ALONE"), all("LITERALS"));
        let heads = all("HEADS");
        quote! {
            use ::isa::__private as unpack;
            const ALL_KINDS: &[::isa::table::Kind<#isa>; #n_all_kinds] = &[#(::isa::table::Kind::of::<#all_kinds>()),*];
            #(#tables)*
            pub(super) static BOUNDS: [u16; #n_bounds] = [#bounds];
            pub(super) static KINDS_OF_BOUNDS: [::isa::table::Bound; #n_kinds] = unpack::bounds([#kinds_of_bounds]);
            static ALL_BOUNDS: unpack::Bounds<'static> = unpack::Bounds { all: &BOUNDS, kinds: &KINDS_OF_BOUNDS };
            pub(super) static FORMS_OF_SHAPES: [u16; #n_forms_of_shapes] = [#forms_of_shapes];
            pub(super) static WORDS_OF_SHAPES: [u128; #n_words] = [#(#words),*];
            static WAYS: unpack::Ways<'static> =
                unpack::Ways { forms: &FORMS_OF_SHAPES, words: &WORDS_OF_SHAPES, unless: &ALL_FORMS.unless };
            const FACTS: &[&[unpack::Fact]] = #facts;
            pub(super) static FIXED: [::isa::table::Fixed; #n_fixed] = [#(#fixed),*];
            const ALL_MODIFIERS: &[[u16; 3]; #n_modifiers] = &[#all_modifiers];
            const ALL_FORMS: &unpack::Forms<#n_forms> =
                &unpack::forms(&[#forms], ALL_MODIFIERS, &ALL_BOUNDS, FACTS);
            pub(super) static FORMS: [::isa::table::Form; #n_forms] = ALL_FORMS.forms;
            pub(super) static LABELS: [::isa::Label; #n_names] = unpack::labels(#names);

            static STEPS: [::isa::table::Step; #n_steps] = unpack::steps([#steps], &[#(#literals),*]);
            static READ: [&[::isa::table::Step]; #n_forms] =
                unpack::texts::<_, #n_lists>([#texts], &[#lists], &STEPS);
            pub(super) static READING: ::isa::table::Reading<#isa> =
                ::isa::table::Reading { texts: &READ, readers: #readers, recipes: #recipes };
            #lines_items

            static LINE_STEPS: [unpack::LineStep; #n_line_steps] =
                unpack::line_steps::<_, #n_written>(&[#line_steps], &[#written_operands], &SHORTS, FACTS);
            static SHORTS: [::isa::Short; #n_shorts] = unpack::shorts([#(#shorts),*]);
            static LINES: unpack::Lines<#n_forms> = unpack::lines::<_, #n_trails>(&unpack::LinesSource {
                packed: &[#lines],
                trails: &[#trails],
                modifiers: ALL_MODIFIERS,
                forms: &FORMS,
                unless: &ALL_FORMS.unless,
                bounds: &ALL_BOUNDS,
                steps: &LINE_STEPS,
                facts: FACTS,
            });
            static STARTS: [unpack::Start; #n_formats] = unpack::starts(&FORMATS, #heads, &[#usual_tails]);
            pub(super) static PRINTING: unpack::Printing<#isa> = unpack::Printing {
                starts: &STARTS,
                lines: &LINES.lines,
                parts: unpack::Parts { steps: &LINE_STEPS, masks: &LINES.masks },
                writers: #writers,
                alone: #writers_alone,
                literals: #writers_of_literals,
                heads: #heads,
            };

            static VISIT_STEPS: [unpack::VisitStep<<#isa as ::isa::Isa>::Value>; #n_visit_steps] =
                unpack::visit_steps::<_, _, #n_visited>(&[#visit_steps], &[#visited], FACTS, #values);
            static VISITS: [unpack::Visit<<#isa as ::isa::Isa>::Value>; #n_forms] =
                unpack::visits::<#isa, _>(&[#visits], &ALL_FORMS.unless, &VISIT_STEPS);
            pub(super) static VISITING: unpack::Visiting<#isa> =
                unpack::Visiting { starts: &STARTS, visits: &VISITS, valuers: #valuers };
        }
    }
}

/// The item that holds a table of the set's `nth` component.
pub(super) fn of_component(table: &str, nth: usize) -> Ident {
    format_ident!("{table}_{nth}")
}
