//! What `isa`'s quick way of reading lines needs: where each name leads first, and what is to be read then, as numbers.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::shared::{Pool, Runs, Shared, packed};
use super::{numbers, rows};
use crate::head::Head;
use crate::model::{Component, Format, Part, Set, Slot, require};
use crate::shape::{Form, Shape};
use crate::template::Step;
use crate::tree::{Access, Text};

/// The number of a way that is not there.
const NONE: u16 = u16::MAX;

/// The most operands and modifiers that a form can have: a bit each of a number, of which two are taken.
const MOST: usize = 30;

/// The most characters of a name on the quick way: as `isa::recipe` has them.
const MOST_NAME: usize = 24;

/// Rows under all their names, sorted by name: name, format, component, slot.
pub(super) type Names = [(String, u16, u16, u16)];

/// What a name leads to: recipe, entry, next way, tail, format, dwords, other components, component; and the bits of the
/// row and the one that splits it.
struct Way {
    name: String,
    facts: [u16; 8],
    bits: [u64; 2],
}

#[derive(Default)]
struct Lines {
    steps: Option<Runs<[u32; 5]>>,
    recipes: Pool<[u16; 8]>,
    /// By component, shape and half: rows share them.
    known: HashMap<[usize; 3], Option<u16>>,
    /// The codes of a field that announce tails.
    announces: Pool<Vec<u32>>,
    modes: Vec<String>,
    ways: Vec<Way>,
}

/// The tables, and the expression that names them.
pub(super) fn tables(head: &Head, set: &Set, names: &Names, pool: &mut Shared) -> (TokenStream, TokenStream) {
    let modes = head.modes.iter().map(ToString::to_string).collect();
    let mut lines = Lines { modes, ..Lines::default() };
    let mut begin = 0;
    let mut components = Vec::new();
    for format in &set.formats {
        components.push(begin);
        begin += format.components.len();
    }
    let plain: HashMap<&str, ()> = names.iter().map(|(name, ..)| (name.as_str(), ())).collect();
    let mut at = 0;
    while at < names.len() {
        let same = names[at..].iter().take_while(|(name, ..)| *name == names[at].0).count();
        let rows = at..at + same;
        lines.rows(set, names, rows, &plain, &components, pool);
        at += same;
    }
    lines.items()
}

impl Lines {
    /// The ways of all rows of a name.
    fn rows(
        &mut self,
        set: &Set,
        names: &Names,
        rows: std::ops::Range<usize>,
        plain: &HashMap<&str, ()>,
        components: &[usize],
        pool: &mut Shared,
    ) {
        let format = |row: usize| &set.formats[usize::from(names[row].1)];
        let first = rows.clone().find(|row| names[*row].2 == 0);
        let name = &names[rows.start].0;
        let second = rows.clone().find(|row| names[*row].2 == 1);
        let mut next = NONE;
        if let Some(row) = second {
            // A name that is found leads to the first component, if there is one of it.
            let name = if first.is_some() { String::new() } else { name.clone() };
            next = self.way(set, names, row, (name, 0, NONE), components, pool);
        }
        if let Some(row) = first {
            self.row(set, names, row, (name.clone(), next), components, pool);
        }
        // Under a suffix the first format is meant that has it, if no earlier one could take it for its own.
        for row in rows.clone().filter(|row| names[*row].2 == 0) {
            let suffix = Text::or_empty(format(row).block.suffix.as_ref());
            let text = format!("{name}{suffix}");
            let known = suffix.is_empty() || plain.contains_key(text.as_str()) || suffix.rfind('_') != Some(0);
            let earlier = rows.clone().take_while(|other| *other < row).filter(|other| names[*other].2 == 0);
            let takes = |f: &Format| {
                let own = Text::or_empty(f.block.suffix.as_ref());
                let tails = || f.tails.iter().filter_map(|(clause, _)| clause.suffix.as_ref());
                own.is_empty() || own == suffix || tails().any(|tail| tail == suffix)
            };
            if !known && !earlier.map(format).any(takes) {
                self.row(set, names, row, (text, NONE), components, pool);
            }
        }
    }

    /// The way of a row with a name, and that of its other half.
    fn row(
        &mut self,
        set: &Set,
        names: &Names,
        row: usize,
        (name, next): (String, u16),
        components: &[usize],
        pool: &mut Shared,
    ) {
        let (_, f, c, s) = names[row];
        let component = &set.formats[usize::from(f)].components[usize::from(c)];
        let split = component.shapes[component.slots[usize::from(s)].shape].split.is_some();
        let next = if split { self.way(set, names, row, (String::new(), 1, NONE), components, pool) } else { next };
        self.way(set, names, row, (name, 0, next), components, pool);
    }

    /// Puts down a way and gives its number; `NONE` if the quick way cannot go it.
    fn way(
        &mut self,
        set: &Set,
        names: &Names,
        row: usize,
        (name, half, next): (String, usize, u16),
        components: &[usize],
        pool: &mut Shared,
    ) -> u16 {
        let (_, f, c, s) = names[row];
        let format = &set.formats[usize::from(f)];
        let component = &format.components[usize::from(c)];
        let slot = &component.slots[usize::from(s)];
        let shape = &component.shapes[slot.shape];
        let nth = components[usize::from(f)] + usize::from(c);
        let form = shape.forms.get(half * (format.tails.len() + 1) + shape.always).and_then(Option::as_ref);
        let Some((form, [low, split])) =
            form.and_then(|form| Some((form, bits(format, usize::from(c), slot, shape, form)?)))
        else {
            return NONE;
        };
        let key = [nth, slot.shape, half];
        let recipe = match self.known.get(&key) {
            Some(known) => *known,
            None => {
                let recipe = self.recipe(format, nth, (component, form, shape), pool);
                self.known.insert(key, recipe);
                recipe
            }
        };
        let Some(recipe) = recipe else { return NONE };
        let others = format.components.len() as u16 - 1;
        if others > 1 {
            return NONE;
        }
        let facts = [recipe, row as u16, next, shape.always as u16, f, u16::from(format.dwords), others, c];
        self.ways.push(Way { name, facts, bits: [low, split] });
        (self.ways.len() - 1) as u16
    }

    /// The number of the recipe of a form; `None` where its text has more than operands, commas and modifiers.
    fn recipe(
        &mut self,
        format: &Format,
        nth: usize,
        (component, form, shape): (&Component, &Form, &Shape),
        pool: &mut Shared,
    ) -> Option<u16> {
        if form.bound.len() > MOST {
            return None;
        }
        let words = pool.words.at(&shape.words) as u32;
        let bound = |at: u8| form.bound.get(usize::from(at));
        let is_operand = |step: &Step| match step {
            Step::Operand(at) => bound(*at).is_some_and(|b| b.2 != Access::Modifier),
            Step::Literal(_) => false,
        };
        let placed = form.text.iter().rposition(is_operand).map_or(0, |last| last + 1);
        let (mut operands, mut modifiers, mut lead) = (Vec::new(), Vec::new(), 0);
        for (i, step) in form.text.iter().enumerate() {
            match step {
                Step::Literal(text) if i < placed => match text.as_str() {
                    "" => {}
                    " " => lead = 1,
                    ", " => lead = 2,
                    _ => return None,
                },
                Step::Literal(text) if text.trim().is_empty() => {}
                Step::Literal(_) => return None,
                Step::Operand(at) => {
                    let what = u32::from(*at) | lead << 8 | (nth as u32) << 16;
                    let list = if i < placed { &mut operands } else { &mut modifiers };
                    let operand = bound(*at)?;
                    let announced = announced(format, component.carriers[operand.0].field);
                    let kind = pool.kinds.at(&component.carriers[operand.0].kind.text) as u32;
                    list.push([what, packed(operand), words, self.announces.at(&announced) as u32, kind]);
                    lead = 0;
                }
            }
        }
        let fit = self.fit(format, component, form, shape);
        let steps = self.steps.get_or_insert_with(Runs::new);
        let ((from, count), (more, n_more)) = (steps.at(operands), steps.at(modifiers));
        let form = pool.forms.at(&(nth, form.clone())) as u16;
        let recipe = [form, from as u16, count as u16, more as u16, n_more as u16, nth as u16, words as u16, fit];
        Some(self.recipes.at(&recipe) as u16)
    }

    /// The modes, a bit each, in which the bits of a form without its operands are those of an instruction, all of whose
    /// modifiers are 0.
    fn fit(&self, format: &Format, component: &Component, form: &Form, shape: &Shape) -> u16 {
        let modifiers = form.bound.iter().filter(|b| b.2 == Access::Modifier);
        let mut parts = modifiers.flat_map(|b| &component.carriers[b.0].field_parts);
        let set = |part: &Part| {
            (form.fixed.1[usize::from(part.word)] | format.fixed.1[usize::from(part.word)]) & part.mask() != 0
        };
        if format.components.len() > 1 || parts.any(set) {
            return 0;
        }
        let only = format.block.only.as_ref().map(ToString::to_string);
        let exists =
            |mode: &String| only.as_ref().is_none_or(|o| o == mode) && shape.only.as_ref().is_none_or(|o| o == mode);
        self.modes.iter().enumerate().filter(|(_, mode)| exists(mode)).fold(0, |bits, (i, _)| bits | 1 << i)
    }

    fn items(&self) -> (TokenStream, TokenStream) {
        let steps = self.steps.as_ref().map(|runs| &runs.all[..]).unwrap_or_default();
        let (n_steps, n_recipes, n_ways) = (steps.len(), self.recipes.items.len(), self.ways.len());
        if [n_steps, n_recipes, n_ways].iter().any(|n| *n >= usize::from(u16::MAX)) {
            let error = quote!(::core::compile_error!("the set is too large for the tables of reading, which number what they hold by 16 bits"););
            return (error.clone(), error);
        }
        let n_index = (4 * n_ways + 1).next_power_of_two();
        let (groups, asks, steps) = asked(steps);
        let (n_asks, n_plains) = (asks.len(), groups.len() + 1);
        let (groups, asks, steps) = (rows(&groups), rows(&asks), numbers(&steps));
        let announces = self.announces.items.iter().map(|list| quote!(&[#(#list),*]));
        let recipes = rows(&self.recipes.items);
        let ways = rows(&self.ways.iter().map(|way| way.facts).collect::<Vec<_>>());
        let bits = rows(&self.ways.iter().map(|way| way.bits).collect::<Vec<_>>());
        let names = rows(&self.ways.iter().map(|way| name(&way.name)).collect::<Vec<_>>());
        let tables = quote! {
            static WAYS_OF_NAMES: [unpack::Way; #n_ways] =
                unpack::ways(&[#ways], &[#bits], &[#names]);
            static FOUND: [u16; #n_index] = unpack::found(&WAYS_OF_NAMES);
            const ASKS: &unpack::Asks<'static> = &unpack::Asks {
                all: &[#asks],
                groups: &[#groups],
                announces: &[#(#announces),*],
                words: &WORDS_OF_SHAPES,
            };
            static READ_STEPS: [unpack::ReadStep; #n_steps] =
                unpack::read_steps::<_, #n_asks>(&[#steps], ASKS, FACTS);
            static PLAINS: [&::isa::Plain; #n_plains] = unpack::plains(ASKS, FACTS);
            static RECIPES: [unpack::Recipe; #n_recipes] =
                unpack::recipes(&[#recipes], &READ_STEPS, &WORDS_OF_SHAPES, &FORMS, &ALL_BOUNDS, FACTS);
        };
        let named = quote! {
            unpack::Recipes {
                index: &FOUND,
                ways: &WAYS_OF_NAMES,
                recipes: &RECIPES,
                steps: &READ_STEPS,
                plains: &PLAINS,
            }
        };
        (tables, named)
    }
}

/// Groups of operands of the same kind and type, what steps ask of them, each once, and the steps with the number of it.
fn asked(steps: &[[u32; 5]]) -> (Vec<[u32; 2]>, Vec<[u16; 3]>, Vec<u32>) {
    const TYPE: u32 = !0x3FF;
    // The component and the carrier stand behind the row: it is rows that differ in what is sure.
    let key = |[what, operand, row, announced, kind]: [u32; 5]| {
        [kind, operand & TYPE, announced, row, what >> 16, operand & 0xFF]
    };
    let mut keys: Vec<[u32; 6]> = steps.iter().map(|step| key(*step)).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut groups = Pool::default();
    let asks = keys.iter().map(|[kind, ty, announced, row, component, carrier]| {
        [groups.at(&[*kind, *ty, *announced]) as u16, (component << 8 | carrier) as u16, *row as u16]
    });
    let asks = asks.collect();
    let place = |step: &[u32; 5]| keys.binary_search(&key(*step)).map_or(0, |at| step[0] & 0xFFFF | (at as u32) << 16);
    let steps = steps.iter().map(place).collect();
    (groups.items.iter().map(|[_, ty, announced]| [*ty, *announced]).collect(), asks, steps)
}

/// A name as `isa::recipe` has it: eight characters in a number, the first of them the lowest, with zeros behind it. Nothing
/// for one that is too long.
fn name(name: &str) -> [u64; MOST_NAME / 8] {
    let mut bytes = [0; MOST_NAME];
    if let Some(to) = bytes.get_mut(..name.len()) {
        to.copy_from_slice(name.as_bytes());
    }
    let mut out = [0; MOST_NAME / 8];
    for (to, from) in out.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *to = u64::from_le_bytes(*from);
    }
    out
}

/// The codes of a field that announce tails.
fn announced(format: &Format, field: Option<usize>) -> Vec<u32> {
    let Some(field) = field.and_then(|at| format.fields.get(at)) else { return Vec::new() };
    let clauses = format.tails.iter().flat_map(|(clause, _)| &clause.when);
    clauses.filter(|(name, _)| *name == field.decl.name).map(|(_, code)| code.value as u32).collect()
}

/// The bits that all instructions of a row have in a form, and the one that splits it; `None` where they are not in the
/// first two words. Of a second component those that are its own.
fn bits(format: &Format, nth: usize, slot: &Slot, shape: &Shape, form: &Form) -> Option<[u64; 2]> {
    let mut fixed = if nth == 0 { format.fixed } else { ([0; 3], [0; 3]) };
    for ((value, mask), more) in fixed.1.iter_mut().zip(form.fixed.0).zip(form.fixed.1) {
        *value = *value & !mask | more;
    }
    require(&mut fixed, &format.components[nth].opcode, slot.number);
    let split = match shape.split {
        None => 0,
        Some(part) if part.word < 2 => u64::from(part.mask()) << (32 * part.word),
        Some(_) => return None,
    };
    let [first, second, third] = fixed.1;
    (third == 0).then_some([u64::from(first) | u64::from(second) << 32, split])
}
