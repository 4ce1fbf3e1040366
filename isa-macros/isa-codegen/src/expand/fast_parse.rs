//! The tables of the fast parser, `isa::parse::match_plan`.
//!
//! The parser looks up the mnemonic and finds its entry: the bits of the encoding, and a match plan. A match plan lists
//! the operands in the order of the text, and the modifiers. Rows of equal shape share it. A line whose mnemonic has no
//! entry is left to the complete parser.

use std::ops::Range;

use isa_body::Type;
use isa_schema::{
    BitRange, FixedBits, Index, MatchPlanRow, MatchStepRow, MnemonicEntry, OptionalIndex, PackedName, StepCheckGroup,
    StepCheckRow,
};
use quote::quote;

use super::selectors::codes_of_field;
use super::shared_tables::SharedTables;
use super::tokens::{numbers, rows};
use super::variant_tables::{ParserTables, run};
use crate::ast::{Access, SetHeader};
use crate::interner::{Interner, SliceInterner};
use crate::lists::insert;
use crate::model::{Component, Encoding, Format, Set, Shape, Variant};
use crate::spanned::SpannedStr;
use crate::template::Step;

/// The most operands and modifiers of a match plan. The parser keeps a bit for each in a `u32`, and uses two itself.
const MAX_BOUND: usize = 30;

/// The most characters of a mnemonic with its suffix.
const MAX_NAME_LEN: usize = size_of::<PackedName>();

/// A name that the parser accepts for a row.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NamedEncoding {
    pub(super) name: String,
    /// The index of the format.
    pub(super) format: u16,
    /// The index of the component in the format.
    pub(super) component: u16,
    /// The index of the encoding in the component.
    pub(super) encoding: u16,
}

/// An operand or modifier of a match plan.
#[derive(Clone, PartialEq, Eq, Hash)]
struct MatchStep {
    /// The index and the separator, as in [`MatchStepRow`].
    index: u8,
    separator: u8,
    key: CheckKey,
}

/// The part of a step that determines how its text is parsed. Steps with equal class, type and selector are consecutive in the order
/// of their keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CheckKey {
    /// The index of the operand class.
    class: u16,
    ty: Type,
    /// The index of the codes of the field that select a suffix dword.
    selector: u16,
    /// The index of the row's flags.
    flags: u16,
    component: u8,
    carrier: u8,
}

/// A row of the set, under one of its mnemonics.
struct NamedRow<'s, 'a> {
    /// The index in the list of names.
    index: usize,
    format_index: u16,
    format: &'s Format<'a>,
    component_index: u16,
    component: &'s Component<'a>,
    /// The number of the component among the components of all formats.
    component_number: usize,
    encoding: &'s Encoding,
    shape: &'s Shape,
}

/// The set, and the indices by which its rows are found.
struct Context<'s, 'a> {
    set: &'s Set<'a>,
    names: &'s [NamedEncoding],
    /// The number of the first component of each format.
    first_components: Vec<usize>,
}

impl<'s, 'a> Context<'s, 'a> {
    /// Returns whether a row has a name without suffix.
    fn has_name(&self, name: &str) -> bool {
        self.names.binary_search_by(|other| other.name.as_str().cmp(name)).is_ok()
    }

    /// Returns the row at an index in the list of names.
    fn row(&self, index: usize) -> NamedRow<'s, 'a> {
        let NamedEncoding { format: format_index, component: component_index, encoding, .. } = self.names[index];
        let format = &self.set.formats[usize::from(format_index)];
        let component = &format.components[usize::from(component_index)];
        let encoding = &component.encodings[usize::from(encoding)];
        let component_number = self.first_components[usize::from(format_index)] + usize::from(component_index);
        let shape = &component.shapes[encoding.shape];
        NamedRow { index, format_index, format, component_index, component, component_number, encoding, shape }
    }
}

/// The tables of the fast parser while entries are added.
#[derive(Default)]
struct FastParser {
    /// The steps of match plans.
    steps: SliceInterner<MatchStep>,
    plans: Interner<MatchPlanRow>,
    /// Components with a shape and a value of the variant bit.
    shapes: Interner<[usize; 3]>,
    /// The match plan of each of `shapes`, if there is one.
    plan_of_shape: Vec<Option<u16>>,
    /// The codes of a field that select suffix dwords.
    selectors: Interner<Vec<u32>>,
    modes: Vec<String>,
    entries: Vec<MnemonicEntry>,
}

/// Generates the tables. `names` are sorted by mnemonic.
pub(super) fn tables(
    header: &SetHeader,
    set: &Set,
    names: &[NamedEncoding],
    shared: &mut SharedTables,
) -> ParserTables {
    let mut parser = FastParser { modes: header.modes.iter().map(ToString::to_string).collect(), ..Default::default() };
    let mut next_component = 0;
    let mut first_components = Vec::new();
    for format in &set.formats {
        first_components.push(next_component);
        next_component += format.components.len();
    }
    let context = Context { set, names, first_components };
    let mut start = 0;
    while start < names.len() {
        let len = names[start..].iter().take_while(|other| other.name == names[start].name).count();
        parser.add_mnemonic(&context, start..start + len, shared);
        start += len;
    }
    parser.items()
}

impl FastParser {
    /// Adds the entries of a mnemonic, which `rows` have in common.
    fn add_mnemonic(&mut self, context: &Context, rows: Range<usize>, shared: &mut SharedTables) {
        let of_component = |component: u16| move |row: &NamedRow| row.component_index == component;
        let all = || rows.clone().map(|index| context.row(index));
        let first = all().find(of_component(0));
        let second = all().find(of_component(1));
        let name = &context.names[rows.start].name;
        let mut next = None;
        if let Some(row) = second {
            // If the first component has the mnemonic too, its entry is found by name, and leads to this one.
            let name = if first.is_some() { "" } else { name };
            next = self.add_entry(&row, name, 0, None, shared);
        }
        if let Some(row) = first {
            self.add_row(&row, (name, next), shared);
        }
        // A mnemonic with a suffix belongs to the first format that has the suffix, if no earlier one accepts it.
        for row in all().filter(of_component(0)) {
            let suffix = SpannedStr::or_empty(row.format.block.suffix.as_ref());
            let with_suffix = format!("{name}{suffix}");
            let is_known = suffix.is_empty() || context.has_name(&with_suffix) || suffix.rfind('_') != Some(0);
            let mut earlier = all().take_while(|other| other.index < row.index).filter(of_component(0));
            if !is_known && !earlier.any(|other| accepts_suffix(other.format, suffix)) {
                self.add_row(&row, (&with_suffix, None), shared);
            }
        }
    }

    /// Adds the entry of a row and, if it has a variant bit, the entry for the bit 1.
    fn add_row(&mut self, row: &NamedRow, (name, next): (&str, OptionalIndex), shared: &mut SharedTables) {
        let next = if row.shape.variant_bit.is_some() { self.add_entry(row, "", 1, None, shared) } else { next };
        self.add_entry(row, name, 0, next, shared);
    }

    /// Adds an entry for a value of the variant bit. Returns its index, or `None` if the tables cannot express it.
    fn add_entry(
        &mut self,
        row: &NamedRow,
        name: &str,
        bit: usize,
        next: OptionalIndex,
        shared: &mut SharedTables,
    ) -> OptionalIndex {
        let (format, shape) = (row.format, row.shape);
        let variant =
            shape.variants.get(bit * (format.suffix_dwords.len() + 1) + shape.always).and_then(Option::as_ref);
        let (variant, (low, variant_bit)) =
            variant.and_then(|variant| Some((variant, encoding_bits(row, variant)?)))?;
        let key = [row.component_number, row.encoding.shape, bit];
        let index = self.shapes.intern(&key);
        if index == self.plan_of_shape.len() {
            let plan = self.plan(row, variant, shared);
            self.plan_of_shape.push(plan);
        }
        let plan = self.plan_of_shape[index]?;
        if format.components.len() > 2 {
            return None;
        }
        let PackedName { first, second, third } = pack_name(name);
        self.entries.push(MnemonicEntry {
            low,
            variant_bit,
            first,
            second,
            third,
            suffix_dword: shape.always as u8,
            dwords: format.dwords,
            format: row.format_index as u8,
            is_second: row.component_index != 0,
            plan,
            row: row.index as u16,
            next,
            is_pair: format.components.len() > 1,
        });
        Index::new(self.entries.len() - 1)
    }

    /// Returns the index of the match plan of a variant. Returns `None` if its text has other separators than blanks and
    /// commas.
    fn plan(&mut self, row: &NamedRow, variant: &Variant, shared: &mut SharedTables) -> Option<u16> {
        if variant.bound.len() > MAX_BOUND {
            return None;
        }
        let flags = shared.flags.intern(&row.shape.flags) as u16;
        let component = row.component_number as u8;
        let is_operand = |step: &Step| match step {
            Step::Operand(index) => {
                variant.bound.get(usize::from(*index)).is_some_and(|b| b.access != Access::Modifier)
            }
            Step::Literal(_) => false,
        };
        let n_ordered = variant.text.iter().rposition(is_operand).map_or(0, |last| last + 1);
        let (mut operands, mut modifiers, mut separator) = (Vec::new(), Vec::new(), 0);
        for (i, step) in variant.text.iter().enumerate() {
            match step {
                Step::Literal(text) if i < n_ordered => match text.as_str() {
                    "" => {}
                    " " => separator = 1,
                    ", " => separator = 2,
                    _ => return None,
                },
                Step::Literal(text) if text.trim().is_empty() => {}
                Step::Literal(_) => return None,
                Step::Operand(index) => {
                    let bound = variant.bound.get(usize::from(*index))?;
                    let operand = &row.component.operands[bound.operand];
                    let selectors = operand.field.map_or_else(Vec::new, |field| codes_of_field(row.format, field));
                    let selectors: Vec<u32> = selectors.iter().map(|(code, _)| *code).collect();
                    let list = if i < n_ordered { &mut operands } else { &mut modifiers };
                    list.push(MatchStep {
                        index: *index,
                        separator,
                        key: CheckKey {
                            class: shared.classes.intern(&operand.class) as u16,
                            ty: bound.ty,
                            selector: self.selectors.intern(&selectors) as u16,
                            flags,
                            component,
                            carrier: bound.operand as u8,
                        },
                    });
                    separator = 0;
                }
            }
        }
        let complete_modes = self.complete_modes(row, variant);
        let plan = MatchPlanRow {
            operands: run(self.steps.intern(operands)),
            modifiers: run(self.steps.intern(modifiers)),
            variant: shared.variants.intern(&(row.component_number, variant.clone())) as u16,
            component,
            flags,
            complete_modes,
        };
        Some(self.plans.intern(&plan) as u16)
    }

    /// Returns the modes, a bit each, in which a line without modifiers has the fixed bits of the variant and 0 in the
    /// fields of all modifiers.
    fn complete_modes(&self, row: &NamedRow, variant: &Variant) -> u8 {
        let modifiers = variant.bound.iter().filter(|b| b.access == Access::Modifier);
        let mut bits = modifiers.flat_map(|b| &row.component.operands[b.operand].bits);
        let is_set = |bits: &BitRange| {
            let dword = bits.dword();
            (variant.fixed.written.value[dword] | row.format.fixed.value[dword]) & bits.mask() != 0
        };
        if row.format.components.len() > 1 || bits.any(is_set) {
            return 0;
        }
        let of_format = row.format.block.only_mode.as_ref().map(SpannedStr::as_str);
        let of_shape = row.shape.only_mode.as_deref();
        let exists = |mode: &String| [of_format, of_shape].iter().flatten().all(|only| only == mode);
        self.modes.iter().enumerate().filter(|(_, mode)| exists(mode)).fold(0, |bits, (i, _)| bits | 1 << i)
    }

    /// Generates the items.
    fn items(&self) -> ParserTables {
        let steps = &self.steps.items;
        let (n_steps, n_plans, n_entries) = (steps.len(), self.plans.items.len(), self.entries.len());
        if [n_steps, n_plans, n_entries].iter().any(|n| *n >= usize::from(u16::MAX)) {
            let error = quote!(::core::compile_error!("the set is too large for the parser's tables, which have 16-bit indices\nhelp: split it into two sets"););
            return ParserTables { items: error.clone(), match_tables: error };
        }
        let index = name_index(&self.entries);
        let (n_index, index) = (index.len(), numbers(&index));
        let StepChecks { groups, checks, steps } = step_checks(steps);
        let (n_checks, n_plains) = (checks.len(), groups.len() + 1);
        let (groups, checks, steps) = (rows(&groups), rows(&checks), rows(&steps));
        let selectors = self.selectors.items.iter().map(|codes| quote!(&[#(#codes),*]));
        let plans = rows(&self.plans.items);
        let entries = rows(&self.entries);
        let items = quote! {
            static MNEMONIC_ENTRIES: [private::schema::MnemonicEntry; #n_entries] = #entries.table();
            static NAME_INDEX: [u16; #n_index] = [#index];
            static STEP_CHECKS: private::parser::StepChecks<'static> = private::parser::StepChecks {
                checks: #checks,
                groups: #groups,
                selectors: &[#(#selectors),*],
                flags: &FLAGS_OF_SHAPES,
            };
            static MATCH_STEPS: [private::parser::MatchStep; #n_steps] =
                private::parser::match_steps::<_, #n_checks>(#steps, &STEP_CHECKS, FACTS);
            static SYNTAXES: [&::isa::FastSyntax; #n_plains] = private::parser::syntaxes(&STEP_CHECKS, FACTS);
            static MATCH_PLANS: [private::parser::MatchPlan; #n_plans] =
                private::parser::match_plans(#plans, &MATCH_STEPS, &FLAGS_OF_SHAPES, &ENCODING_VARIANTS, &ALL_BOUNDS, FACTS);
        };
        let match_tables = quote! {
            private::parser::MatchTables {
                name_index: &NAME_INDEX,
                entries: &MNEMONIC_ENTRIES,
                plans: &MATCH_PLANS,
                steps: &MATCH_STEPS,
                syntaxes: &SYNTAXES,
            }
        };
        ParserTables { items, match_tables }
    }
}

/// Returns whether a format accepts mnemonics with a suffix: it has no suffix, or it or one of its suffix dwords has this one.
fn accepts_suffix(format: &Format, suffix: &str) -> bool {
    let own = SpannedStr::or_empty(format.block.suffix.as_ref());
    let mut of_suffix_dwords = format.suffix_dwords.iter().filter_map(|(clause, _)| clause.suffix.as_ref());
    own.is_empty() || own == suffix || of_suffix_dwords.any(|suffix_dword| suffix_dword == suffix)
}

/// The steps of all match plans, their checks, and the groups of consecutive checks.
struct StepChecks {
    groups: Vec<StepCheckGroup>,
    checks: Vec<StepCheckRow>,
    steps: Vec<MatchStepRow>,
}

/// Separates the steps of match plans into positions and checks. Equal checks are stored once.
fn step_checks(steps: &[MatchStep]) -> StepChecks {
    let mut keys: Vec<CheckKey> = Vec::new();
    for step in steps {
        insert(&mut keys, step.key);
    }
    let (mut groups, mut checks): (Vec<StepCheckGroup>, Vec<StepCheckRow>) = (Vec::new(), Vec::new());
    for &CheckKey { class, ty, selector, flags, component, carrier } in &keys {
        checks.push(StepCheckRow { component, carrier, flags });
        let end = checks.len() as u16;
        match groups.last_mut() {
            Some(last) if (last.ty, last.selector, last.class) == (ty, selector, class) => last.end = end,
            _ => groups.push(StepCheckGroup { ty, selector, class, end }),
        }
    }
    let row = |&MatchStep { index, separator, ref key }: &MatchStep| MatchStepRow {
        index,
        separator,
        check: keys.binary_search(key).unwrap_or(0) as u16,
    };
    let steps = steps.iter().map(row).collect();
    StepChecks { groups, checks, steps }
}

/// Returns the hash table of the mnemonics of entries, with linear probing: the index of an entry plus one, or 0. At most a quarter
/// is full.
fn name_index(entries: &[MnemonicEntry]) -> Vec<u16> {
    let mut index = vec![0; (4 * entries.len() + 1).next_power_of_two()];
    let mask = index.len() - 1;
    for (number, entry) in (1..).zip(entries) {
        if entry.first != 0 {
            let mut at = entry.name().hash() & mask;
            while index[at] != 0 {
                at = (at + 1) & mask;
            }
            index[at] = number;
        }
    }
    index
}

/// Packs a mnemonic. A mnemonic that is too long becomes all zeros.
fn pack_name(name: &str) -> PackedName {
    let mut bytes = [0; MAX_NAME_LEN];
    if let Some(to) = bytes.get_mut(..name.len()) {
        to.copy_from_slice(name.as_bytes());
    }
    let [first, second, third] =
        [0, 8, 16].map(|start| bytes[start..].first_chunk().map_or(0, |characters| u64::from_le_bytes(*characters)));
    PackedName { first, second, third }
}

/// Returns the bits that all instructions of a row have in a variant, and the mask of the variant bit. For a second
/// component, the bits of the format are not included. Returns `None` if the bits are not in the first two dwords.
fn encoding_bits(row: &NamedRow, variant: &Variant) -> Option<(u64, u64)> {
    let mut fixed = if row.component_index == 0 { row.format.fixed } else { FixedBits::default() };
    let written = variant.fixed.written;
    for ((value, mask), more) in fixed.value.iter_mut().zip(written.mask).zip(written.value) {
        *value = *value & !mask | more;
    }
    fixed.set(&row.component.opcode, row.encoding.number);
    let variant_bit = match row.shape.variant_bit {
        None => 0,
        Some(bit) if bit.lo < 64 => 1 << bit.lo,
        Some(_) => return None,
    };
    (fixed.value[2] == 0).then(|| (fixed.low64(), variant_bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entry of a mnemonic, all other fields 0.
    fn entry(name: &str) -> MnemonicEntry {
        let PackedName { first, second, third } = pack_name(name);
        MnemonicEntry { first, second, third, ..MnemonicEntry::ZERO }
    }

    #[test]
    fn every_mnemonic_is_found_by_its_hash() {
        let names: Vec<String> = (0..1000).map(|i| format!("v_name_of_{i}")).collect();
        // An entry without a name is not in the table.
        let entries: Vec<MnemonicEntry> = names.iter().map(String::as_str).chain([""]).map(entry).collect();
        let index = name_index(&entries);
        assert_eq!(index.len(), 4096);
        assert_eq!(index.iter().filter(|number| **number != 0).count(), names.len());
        for (number, name) in (1u16..).zip(&names) {
            let mut at = pack_name(name).hash() % index.len();
            while index[at] != number {
                assert_ne!(index[at], 0, "{name}");
                at = (at + 1) % index.len();
            }
        }
    }
}
