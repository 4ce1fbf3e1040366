//! The tables that encode operand-level instructions: the plans of rows, and where each operand and modifier goes.

mod fast_steps;
mod operand_steps;
mod places;
mod plans;

use isa_schema::{ALL_REFUSE, FastPlan, FixedBits, Index, OpcodeRows, OptionalIndex, Plan, RowPlan, Run};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::modifiers::{Modifiers, NONE};
use super::selectors::default_suffix_dword;
use super::shared_tables::{SharedTables, class_check, component_item};
use super::tokens::{numbers, rows, table, too_large};
use super::variant_tables::run;
use crate::ast::{Access, FieldContent, OperandClass};
use crate::interner::{Interner, SliceInterner};
use crate::model::{Component, Format, Operand, Set, Shape};
use places::Places;
use plans::{ListPlan, Steps, fast_plan, plan};

/// The operands and modifiers of plans.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PlaceList {
    /// The component, counted through all formats.
    component: usize,
    /// The index of the encoding variant.
    variant: u16,
    /// The flags of the row.
    flags: u128,
}

/// What a plan follows from.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PlanKey {
    /// The index of the format.
    format: usize,
    /// The index of the [`PlaceList`].
    list: usize,
    suffix_dword: OptionalIndex,
    /// Whether the suffix dword always follows.
    is_always: bool,
}

/// The facts about a format on which plans depend.
struct FormatFacts {
    /// The length in dwords without a suffix dword.
    dwords: u8,
    /// The bits that identify the format.
    fixed: FixedBits,
    /// For each suffix dword the code of the first field that selects it.
    suffix_dwords: Vec<Option<SelectingCode>>,
    /// The suffix dword that is a literal.
    literal: OptionalIndex,
}

/// The code of a field that selects a suffix dword.
#[derive(Clone, Copy)]
struct SelectingCode {
    /// The lowest bit of the field.
    lo: u8,
    code: u16,
    /// The second code that selects it, or again the first.
    other: u16,
}

impl FormatFacts {
    fn new(format: &Format) -> Self {
        FormatFacts {
            dwords: format.dwords,
            fixed: format.fixed,
            suffix_dwords: suffix_dword_codes(format),
            literal: literal_suffix_dword(format),
        }
    }
}

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
fn suffix_dword_codes(format: &Format) -> Vec<Option<SelectingCode>> {
    let codes = format.suffix_dwords.iter().map(|(clause, _)| {
        let (name, code) = clause.when.first()?;
        let field = format.fields.iter().find(|field| field.decl.name == *name)?;
        let other = clause.when.iter().skip(1).find(|(other, _)| *other == *name).map_or(code.value, |(_, c)| c.value);
        Some(SelectingCode { lo: field.bits.first()?.lo, code: code.value as u16, other: other as u16 })
    });
    codes.collect()
}

/// The rows of all opcodes, and what their plans follow from.
#[derive(Default)]
struct RowsOfOpcodes {
    lists: Interner<PlaceList>,
    plans: Interner<PlanKey>,
    /// The plans of rows: the index in `plans` plus one, or 0.
    plans_of_rows: SliceInterner<u16>,
    /// The rows by their opcodes.
    rows: Vec<RowPlan>,
    opcodes: Vec<OpcodeRows>,
}

impl RowsOfOpcodes {
    /// Collects the rows of a set.
    fn new(set: &Set, modifiers: &Modifiers, shared: &mut SharedTables) -> Self {
        let mut all = RowsOfOpcodes::default();
        let mut rows_of: Vec<Vec<RowPlan>> = vec![Vec::new(); set.mnemonics.len()];
        let mut nth = 0;
        for (f, format) in set.formats.iter().enumerate() {
            for (c, component) in format.components.iter().enumerate() {
                let of_shape = |shape| {
                    (all.add_plans(shape, nth, (f, format), shared), variant_modifier(shape, component, modifiers))
                };
                let shapes: Vec<(Run, u8)> = component.shapes.iter().map(of_shape).collect();
                for encoding in &component.encodings {
                    let (plans, variant_modifier) = shapes[encoding.shape];
                    let only_mode = &component.shapes[encoding.shape].only_mode;
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
                        is_modal: format.block.only_mode.is_some() || only_mode.is_some(),
                    });
                }
                nth += 1;
            }
        }
        for (rows, group) in rows_of.into_iter().zip(&modifiers.groups) {
            let modifier_groups = 1 << group | ALL_REFUSE;
            all.opcodes.push(OpcodeRows { start: all.rows.len() as u16, len: rows.len() as u8, modifier_groups });
            all.rows.extend(rows);
        }
        all
    }

    /// Adds the plans of a shape of the component `nth`, which belongs to the format `f`.
    fn add_plans(
        &mut self,
        shape: &Shape,
        nth: usize,
        (f, format): (usize, &Format),
        shared: &mut SharedTables,
    ) -> Run {
        let n_suffix_dwords = format.suffix_dwords.len() + 1;
        let literal = literal_suffix_dword(format).map_or(0, |index| index.get() + 1);
        let plans = shape.variants.iter().enumerate().map(|(at, variant)| {
            let (suffix_dword, always) = (at % n_suffix_dwords, shape.always);
            let Some(variant) = variant else { return 0 };
            // A literal that an operand selects is part of the plan without a suffix dword.
            if suffix_dword != 0 && suffix_dword == literal && suffix_dword != always {
                return 0;
            }
            let variant = shared.variants.intern(&(nth, variant.clone())) as u16;
            let list = self.lists.intern(&PlaceList { component: nth, variant, flags: shape.flags });
            let is_always = suffix_dword == always;
            let suffix_dword = suffix_dword.checked_sub(1).and_then(Index::new);
            self.plans.intern(&PlanKey { format: f, list, suffix_dword, is_always }) as u16 + 1
        });
        let plans = plans.collect();
        run(self.plans_of_rows.intern(plans))
    }
}

/// The plans of all rows, and their steps.
struct Plans<'a> {
    rows: RowsOfOpcodes,
    places: Places<'a>,
    steps: Steps,
    plans: Vec<Plan>,
    /// The first plans of rows as the fast path needs them, without the opcode.
    fast_plans: Interner<FastPlan>,
    /// The index in `fast_plans` for each row.
    fast_plans_of_rows: Vec<u16>,
}

impl<'a> Plans<'a> {
    /// Computes the plans of rows.
    fn new(set: &'a Set<'_>, modifiers: &Modifiers, rows: RowsOfOpcodes, shared: &SharedTables) -> Self {
        let (mut places, mut steps) = (Places::new(set, modifiers), Steps::default());
        let lists = rows.lists.items.iter().map(|list| {
            let bound = &shared.variants.items[usize::from(list.variant)].1.bound;
            steps.add(&mut places, modifiers, list, bound)
        });
        let lists: Vec<ListPlan> = lists.collect();
        let formats: Vec<FormatFacts> = set.formats.iter().map(FormatFacts::new).collect();
        let plans = rows.plans.items.iter().map(|key| {
            let list = &rows.lists.items[key.list];
            let fixed = &shared.variants.items[usize::from(list.variant)].1.fixed.written;
            plan(key, (list, &lists[key.list]), &formats[key.format], fixed, modifiers)
        });
        let plans: Vec<Plan> = plans.collect();
        // Many rows differ only in their opcode.
        let mut fast_plans = Interner::default();
        let fast_plans_of_rows = rows.rows.iter().map(|row| {
            let numbers = &rows.plans_of_rows.items[usize::from(row.plans.start)..row.plans.end()];
            let of_row = numbers.iter().map(|number| {
                let index = usize::from(*number).checked_sub(1)?;
                Some((&plans[index], &lists[rows.plans.items[index].list]))
            });
            fast_plans.intern(&fast_plan(row, &of_row.collect::<Vec<_>>())) as u16
        });
        let fast_plans_of_rows = fast_plans_of_rows.collect();
        Plans { rows, places, steps, plans, fast_plans, fast_plans_of_rows }
    }

    /// Generates the static `LOWERING`.
    fn items(&self, isa: &Ident, shared: &SharedTables) -> TokenStream {
        let Plans { rows: all_rows, places, steps, plans, fast_plans, fast_plans_of_rows } = self;
        let (of_operands, of_modifiers) = (&steps.of_operands.items, &steps.of_modifiers.items);
        let of_rows = &all_rows.plans_of_rows.items;
        if of_operands.len().max(of_modifiers.len()).max(of_rows.len()) > usize::from(u16::MAX) {
            return too_large();
        }
        let [n_opcodes, n_rows, n_plans, n_of_rows] =
            [all_rows.opcodes.len(), all_rows.rows.len(), plans.len(), of_rows.len()];
        let [n_places, n_steps, n_modifier_steps] = [places.op_place_rows.len(), of_operands.len(), of_modifiers.len()];
        let [steps_of_operands, fast_of_operands] = unzip(of_operands);
        let [steps_of_modifiers, fast_of_modifiers] = unzip(of_modifiers);
        let [of_rows, fast_plans_of_rows] = [of_rows, fast_plans_of_rows].map(|all| numbers(all));
        let (opcodes, row_plans, places) =
            (table(&all_rows.opcodes), table(&all_rows.rows), rows(&places.op_place_rows));
        let (plans, fast_plans) = (table(plans), table(&fast_plans.items));
        let (op_steps, fast_steps) = (table(&steps.operands.items), table(&steps.fast.items));
        let (modifier_steps, fast_modifiers) = (table(&steps.modifiers.items), table(&steps.fast_modifiers.items));
        let [classes, carriers, dependents, sums] =
            ["CLASSES", "CARRIERS", "DEPENDENTS", "SUMS"].map(|table| shared.component_tables(table));
        quote! {
            static OP_PLACES: [private::lowering::OpPlace; #n_places] =
                private::lowering::op_places(#places, #carriers, #classes);
            static OP_STEPS: [private::lowering::OpStep; #n_steps] =
                private::lowering::op_steps(&#op_steps, &[#steps_of_operands], &OP_PLACES);
            static FAST_STEPS: [private::lowering::FastStep; #n_steps] =
                private::lowering::fast_steps(&#fast_steps, &[#fast_of_operands], &OP_PLACES);
            static MODIFIER_STEPS: [private::lowering::ModifierStep; #n_modifier_steps] =
                private::lowering::modifier_steps(&#modifier_steps, &[#steps_of_modifiers], #carriers, &MODIFIERS);
            static FAST_MODIFIERS: [private::schema::FastModifier; #n_modifier_steps] =
                private::lowering::fast_modifiers(&#fast_modifiers, &[#fast_of_modifiers]);
            static PLANS: [private::schema::Plan; #n_plans] = #plans;
            static PLANS_OF_ROWS: [u16; #n_of_rows] = [#of_rows];
            static ROW_PLANS: [private::schema::RowPlan; #n_rows] = #row_plans;
            static FAST_PLANS: [private::schema::FastPlan; #n_rows] =
                private::lowering::fast_plans(&#fast_plans, &[#fast_plans_of_rows], &ROW_PLANS);
            static ROWS_OF_OPCODES: [private::schema::OpcodeRows; #n_opcodes] = #opcodes;
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
}

/// Returns the modifier that is the variant bit of a shape.
fn variant_modifier(shape: &Shape, component: &Component, modifiers: &Modifiers) -> u8 {
    let Some(bit) = shape.variant_bit else { return NONE };
    let is_bit = |o: &&Operand| o.access == Access::Modifier && o.bits == [bit];
    component.operands.iter().find(is_bit).map_or(NONE, |o| modifiers.index(&o.name))
}

/// Generates the plans of all rows.
pub(super) fn items(isa: &Ident, set: &Set, modifiers: &Modifiers, shared: &mut SharedTables) -> TokenStream {
    let components = set.formats.iter().flat_map(|format| &format.components).enumerate();
    let of_components: TokenStream = components.map(|(nth, component)| component_items(isa, nth, component)).collect();
    let rows = RowsOfOpcodes::new(set, modifiers, shared);
    let plans = Plans::new(set, modifiers, rows, shared).items(isa, shared);
    let checks = opaque_classes(set).into_iter().map(|class| opaque_check(isa, class));
    quote!(#(#checks)* #of_components #plans)
}

/// Returns the classes that the tables of the set do not declare.
fn opaque_classes<'a>(set: &'a Set) -> Vec<&'a OperandClass> {
    let (mut names, mut classes) = (Interner::default(), Vec::new());
    let components = set.formats.iter().flat_map(|format| &format.components);
    for Operand { class, .. } in components.flat_map(|component| &component.operands) {
        let is_declared = set.classes.as_ref().is_some_and(|classes| classes.class(class).is_some());
        if !is_declared && names.intern(&class.text) == classes.len() {
            classes.push(class);
        }
    }
    classes
}

/// Generates a check that a class which the tables of the set do not declare is a number, as the plans have it.
fn opaque_check(isa: &Ident, class: &OperandClass) -> TokenStream {
    let (tokens, name) = (&class.tokens, &class.text);
    let message = format!(
        "operand-level instructions need the table of `{name}`\nhelp: give its block a name, `operands CLASSES for …;`, and list it last in `formats`, or leave these instructions out: `#[cfg(any())] inst;`"
    );
    class_check(isa, class, &quote!(private::lowering::is_number::<#isa, __operand_classes::#tokens>()), &message)
}

/// Returns the first and the second numbers of pairs.
fn unzip(pairs: &[(u16, u16)]) -> [TokenStream; 2] {
    let (first, second): (Vec<u16>, Vec<u16>) = pairs.iter().copied().unzip();
    [numbers(&first), numbers(&second)]
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
