//! The tables that encode operand-level instructions: the plans of rows.

use isa_schema::{
    ALL_REFUSE, BitRange, CarrierPlace, FixedBits, Index, OpcodeRows, OptionalIndex, PlaceList, PlaceRow, PlanRow,
    RowPlan, Run, SelectingCode,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::modifiers::{Modifiers, NONE};
use super::selectors::{default_suffix_dword, selecting_codes};
use super::shared_tables::{SharedTables, component_item};
use super::tokens::{fixed, numbers, rows, too_large};
use super::variant_tables::run;
use crate::ast::{Access, FieldContent};
use crate::interner::{Interner, SliceInterner};
use crate::model::{Component, Format, Operand, Set, Shape};

/// Returns the suffix dword of a format that is a literal: the default suffix dword, if it is one operand of 32 bits.
fn literal_suffix_dword(format: &Format) -> OptionalIndex {
    let suffix_dword = default_suffix_dword(format).suffix_dword;
    let (_, block) = suffix_dword.and_then(|index| format.suffix_dwords.get(index.get()))?;
    match block.fields.as_slice() {
        [field] if matches!(&field.content, FieldContent::Operand(o) if o.roles.iter().all(|(access, _)| *access != Access::Modifier)) => {
            suffix_dword
        }
        _ => None,
    }
}

/// Returns for each suffix dword of a format the code of the first field that selects it.
fn suffix_dword_codes(format: &Format) -> Vec<SelectingCode> {
    const UNSELECTED: SelectingCode = SelectingCode { lo: NONE, code: 0, other: 0 };
    let codes = format.suffix_dwords.iter().map(|(clause, _)| {
        let field = |name: &crate::spanned::SpannedStr| format.fields.iter().find(|x| x.decl.name == *name);
        let Some((name, code)) = clause.when.first() else { return UNSELECTED };
        let Some(range) = field(name).and_then(|f| f.bits.first()) else { return UNSELECTED };
        let other = clause.when.iter().skip(1).find(|(other, _)| *other == *name).map_or(code.value, |(_, c)| c.value);
        SelectingCode { lo: range.lo, code: code.value as u16, other: other as u16 }
    });
    codes.collect()
}

/// The plans of all rows while they are collected.
#[derive(Default)]
struct Plans {
    lists: Interner<PlaceList>,
    plans: Interner<PlanRow>,
    /// The plans of rows: the index in `plans` plus one, or 0.
    of_rows: SliceInterner<u16>,
}

impl Plans {
    /// Adds the plans of a shape of the component `nth`.
    fn add(&mut self, shape: &Shape, nth: usize, format: &Format, shared: &mut SharedTables) -> Run {
        let n_suffix_dwords = format.suffix_dwords.len() + 1;
        let literal = literal_suffix_dword(format).map_or(0, |index| index.get() + 1);
        let flags = shared.flags.intern(&shape.flags) as u16;
        let plans = shape.variants.iter().enumerate().map(|(at, variant)| {
            let (suffix_dword, always) = (at % n_suffix_dwords, shape.always);
            let Some(variant) = variant else { return 0 };
            // A literal that an operand selects is part of the plan without a suffix dword.
            if suffix_dword != 0 && suffix_dword == literal && suffix_dword != always {
                return 0;
            }
            let variant = shared.variants.intern(&(nth, variant.clone())) as u16;
            let list = self.lists.intern(&PlaceList { component: nth as u8, variant, flags }) as u16;
            let is_always = suffix_dword == always;
            let suffix_dword = suffix_dword.checked_sub(1).and_then(Index::new);
            self.plans.intern(&PlanRow { list, suffix_dword, is_always }) as u16 + 1
        });
        let plans = plans.collect();
        run(self.of_rows.intern(plans))
    }
}

/// Returns the modifier that is the variant bit of a shape.
fn variant_modifier(shape: &Shape, component: &Component, modifiers: &Modifiers) -> u8 {
    let Some(bit) = shape.variant_bit else { return NONE };
    let is_bit = |o: &&Operand| o.access == Access::Modifier && o.bits == [bit];
    component.operands.iter().find(is_bit).map_or(NONE, |o| modifiers.index(&o.name))
}

/// Generates the table of modifiers and the plans.
pub(super) fn items(isa: &Ident, set: &Set, modifiers: &Modifiers, shared: &mut SharedTables) -> TokenStream {
    let mut plans = Plans::default();
    let mut rows_of: Vec<Vec<RowPlan>> = vec![Vec::new(); set.mnemonics.len()];
    let mut items = TokenStream::new();
    let mut carriers = Places::default();
    let mut formats = Vec::new();
    let mut nth = 0;
    for (f, format) in set.formats.iter().enumerate() {
        for (c, component) in format.components.iter().enumerate() {
            let shapes: Vec<(Run, u8)> = component
                .shapes
                .iter()
                .map(|shape| (plans.add(shape, nth, format, shared), variant_modifier(shape, component, modifiers)))
                .collect();
            for encoding in &component.encodings {
                let (plans, variant_modifier) = shapes[encoding.shape];
                let is_modal = format.block.only_mode.is_some() || component.shapes[encoding.shape].only_mode.is_some();
                let mut opcode = FixedBits::NONE;
                opcode.set(&component.opcode, encoding.number);
                rows_of[encoding.mnemonic].push(RowPlan {
                    format: f as u8,
                    component: c as u8,
                    component_number: nth as u8,
                    opcode: opcode.low64(),
                    plans,
                    n_suffix_dwords: format.suffix_dwords.len() as u8 + 1,
                    variant_modifier,
                    shape: encoding.shape as u16,
                    is_modal,
                });
            }
            carriers.add(nth, format, component, modifiers, &shared.components[nth].classes);
            items.extend(component_items(isa, nth, component));
            let (dwords, fixed) = (format.dwords, fixed(&format.fixed));
            let literal = Index::to_number(literal_suffix_dword(format)) as u8;
            let suffix_dwords = rows(&suffix_dword_codes(format));
            // A range without codes if no code selects a suffix dword.
            let (mut least, mut greatest) = (u16::MAX, 0);
            for (code, _) in selecting_codes(format) {
                (least, greatest) = (least.min(code as u16), greatest.max(code as u16));
            }
            formats.push(quote! {
                private::lowering::FormatFact {
                    dwords: #dwords,
                    fixed: #fixed,
                    suffix_dwords: #suffix_dwords,
                    selectors: (#least, #greatest),
                    literal: #literal,
                }
            });
            nth += 1;
        }
    }
    // Lists with equal steps share them.
    let (lists, mut n_steps) = (&plans.lists.items, 0);
    for list in lists {
        let bound = &shared.variants.items[usize::from(list.variant)].1.bound;
        n_steps += bound.iter().take_while(|b| b.access != Access::Modifier).count();
    }
    if n_steps > usize::from(u16::MAX) {
        return too_large();
    }
    let mut opcode_rows: Vec<OpcodeRows> = Vec::new();
    let mut row_plans: Vec<RowPlan> = Vec::new();
    for (mine, group) in rows_of.into_iter().zip(&modifiers.groups) {
        let modifier_groups = 1 << group | ALL_REFUSE;
        opcode_rows.push(OpcodeRows { start: row_plans.len() as u16, len: mine.len() as u8, modifier_groups });
        row_plans.extend(mine);
    }
    // Rows that differ only in their opcode and shape have the same plan on the fast path.
    let mut distinct: Interner<RowPlan> = Interner::default();
    let (mut first_rows, mut distinct_of_rows): (Vec<u16>, Vec<u16>) = (Vec::new(), Vec::new());
    for (index, row) in (0..).zip(&row_plans) {
        let nth = distinct.intern(&RowPlan { opcode: 0, shape: 0, ..*row });
        if nth == first_rows.len() {
            first_rows.push(index);
        }
        distinct_of_rows.push(nth as u16);
    }
    let (first_rows, distinct_of_rows) = (numbers(&first_rows), numbers(&distinct_of_rows));
    let [n_opcodes, n_rows, n_plans, n_lists] =
        [opcode_rows.len(), row_plans.len(), plans.plans.items.len(), lists.len()];
    let n_of_rows = plans.of_rows.items.len();
    let (opcode_rows, row_plans, lists) = (rows(&opcode_rows), rows(&row_plans), rows(lists));
    let (of_rows, plan_rows) = (numbers(&plans.of_rows.items), rows(&plans.plans.items));
    let [classes, carriers_of_sets, dependents, sums] =
        ["CLASSES", "CARRIERS", "DEPENDENTS", "SUMS"].map(|table| shared.component_tables(table));
    let Places { places, of_carriers, .. } = &carriers;
    let (n_places, places) = (places.len(), rows(places));
    quote! {
        #items
        static PLACES: [private::lowering::PlaceFact; #n_places] =
            private::lowering::places(#places, #carriers_of_sets, #classes, &MODIFIERS);
        const N_OP_PLACES: usize = private::lowering::op_place_count(&PLACES);
        static OP_PLACES: [private::lowering::OpPlace; N_OP_PLACES] = private::lowering::op_places(&PLACES);
        static PLAN_SOURCE: private::lowering::PlanSource<'static> = private::lowering::PlanSource {
            places: &PLACES,
            op_places: &OP_PLACES,
            carriers: &[#(#of_carriers),*],
            formats: &[#(#formats),*],
            variants: &ENCODING_VARIANTS,
            fixed: &FIXED,
            bounds: &ALL_BOUNDS,
            flags: &FLAGS_OF_SHAPES,
            modifiers: &MODIFIERS,
            lists: #lists,
        };
        static OP_TABLES: private::lowering::OpTables<#n_steps, #n_lists> =
            private::lowering::op_tables(&PLAN_SOURCE, (&DISTINCT_BOUNDS, &PLACES));
        const N_STEPS: usize = OP_TABLES.count;
        static OP_STEPS: [private::lowering::OpStep; N_STEPS] = private::lowering::used(&OP_TABLES.steps);
        static FAST_STEPS: [private::lowering::FastStep; N_STEPS] = private::lowering::used(&OP_TABLES.fast);
        const MODIFIER_RUNS: private::lowering::ModifierRuns<#n_lists> = private::lowering::modifier_runs(&OP_TABLES.lists);
        static MODIFIER_TABLES: private::lowering::ModifierTables<{ MODIFIER_RUNS.count }> =
            private::lowering::modifier_tables(&PLAN_SOURCE, &MODIFIER_RUNS.starts, &OP_TABLES.lists, &DISTINCT_BOUNDS);
        static MODIFIER_STEPS: [private::lowering::ModifierStep; MODIFIER_RUNS.count] = MODIFIER_TABLES.steps;
        static FAST_MODIFIERS: [private::lowering::FastModifier; MODIFIER_RUNS.count] = MODIFIER_TABLES.fast;
        const PLAN_ROWS: private::schema::Rows<private::schema::PlanRow> = #plan_rows;
        static PLANS: [private::lowering::Plan; #n_plans] = private::lowering::plans(
            PLAN_ROWS, &PLAN_SOURCE, &OP_TABLES.lists, &MODIFIER_RUNS.starts, &MODIFIER_TABLES.runs,
        );
        static PLANS_OF_ROWS: [u16; #n_of_rows] = [#of_rows];
        static ROW_PLANS: [private::schema::RowPlan; #n_rows] = #row_plans.table();
        static FAST_PLANS: [private::lowering::FastPlan; #n_rows] =
            private::lowering::fast_plans(
                &ROW_PLANS, (&[#first_rows], &[#distinct_of_rows]), &PLANS_OF_ROWS, (&PLANS, PLAN_ROWS), &OP_TABLES.lists,
                &MODIFIER_TABLES.runs,
            );
        static ROWS_OF_OPCODES: [private::schema::OpcodeRows; #n_opcodes] = #opcode_rows.table();
        pub static LOWERING: private::lowering::Lowering<#isa> = private::lowering::Lowering {
            opcodes: &ROWS_OF_OPCODES,
            rows: &ROW_PLANS,
            plans_of_rows: &PLANS_OF_ROWS,
            plans: &PLANS,
            steps: &OP_STEPS,
            modifier_steps: &MODIFIER_STEPS,
            dependents: #dependents,
            sums: #sums,
            fast_plans: &FAST_PLANS,
            fast_steps: &FAST_STEPS,
            fast_modifiers: &FAST_MODIFIERS,
        };
        pub static ALL_MODIFIERS_OF_SET: &[::isa::Modifier] = &MODIFIERS;
    }
}

/// The facts about a carrier on which its place depends.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PlaceKey {
    class: usize,
    bits: Vec<BitRange>,
    /// The last digit of the name, which may be the number of a bit.
    digit: Option<u8>,
    /// The component if codes of the field select its suffix dwords.
    selects_in: Option<usize>,
}

/// The places of all components while they are collected: carriers of the same class in the same bits share one.
#[derive(Default)]
struct Places {
    index: Interner<PlaceKey>,
    places: Vec<PlaceRow>,
    /// For each component the places of its carriers.
    of_carriers: Vec<TokenStream>,
}

impl Places {
    /// Adds the carriers of the component `nth`, whose classes have the indices `classes`.
    fn add(&mut self, nth: usize, format: &Format, component: &Component, modifiers: &Modifiers, classes: &[usize]) {
        let carriers = component.operands.iter().zip(classes).enumerate().map(|(at, (operand, class))| {
            let has_selecting_codes = operand.field.is_some_and(|field| format.selector_fields.contains(&field));
            let key = PlaceKey {
                class: *class,
                bits: operand.bits.clone(),
                digit: operand.name.bytes().last().filter(u8::is_ascii_digit),
                selects_in: has_selecting_codes.then_some(nth),
            };
            let place = self.index.intern(&key);
            if place == self.places.len() {
                self.places.push(PlaceRow {
                    component: nth as u8,
                    carrier: at as u8,
                    is_selector: has_selecting_codes,
                });
            }
            let is_modifier = operand.access == Access::Modifier && !has_selecting_codes;
            let modifier = if is_modifier { modifiers.index(&operand.name) } else { NONE };
            CarrierPlace { place: place as u16, modifier }
        });
        let carriers: Vec<CarrierPlace> = carriers.collect();
        self.of_carriers.push(rows(&carriers));
    }
}

/// Generates the tables of a component.
fn component_items(isa: &Ident, nth: usize, component: &Component) -> TokenStream {
    let count = component.operands.len();
    let [dependent, sum, carrier, class] =
        ["DEPENDENTS", "SUMS", "CARRIERS", "CLASSES"].map(|table| component_item(table, nth));
    quote! {
        static #dependent: [::core::option::Option<::isa::inst::Dependent<#isa>>; #count] = private::lowering::dependents(&#class);
        static #sum: [[private::lowering::Term; ::isa::inst::CountSum::MOST]; #count] = private::lowering::sums(&#carrier, &#class);
    }
}
