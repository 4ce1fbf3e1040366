//! The tables of encoding variants: their operands, how the parser and the printer treat them, and how an instruction's
//! operands are listed.

use isa_schema::{
    Bound, DefaultSuffixDword, LITERAL_STEP, MAX_PREFIX_LEN, ModifierList, OperandStepRow, PlacedOperand, PrintPlanRow,
    PrintStepRow, Run, TrailingModifiers, VariantRow,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::tokens::{numbers, rows, variant_bits};
use crate::ast::Access;
use crate::interner::{Interner, SliceInterner};
use crate::model::{BoundOperand, Variant, VariantBits};
use crate::template::Step;

/// The tables of all encoding variants. Fields with one element for each variant say so; the others are lists that the
/// elements refer to by index, or by start and length.
#[derive(Default)]
pub(super) struct VariantTables {
    /// For each variant: its fixed bits and operands.
    variants: Vec<VariantRow>,
    fixed: Interner<VariantBits>,
    /// Lists of indices in `bounds`.
    operand_lists: SliceInterner<u16>,
    bounds: Interner<Bound>,
    modifier_lists: Interner<ModifierList>,

    /// For each variant: the steps by which the parser reads it.
    parse: Vec<Run>,
    parse_steps: SliceInterner<u16>,
    literals: Interner<String>,

    /// For each variant: what the printer writes.
    print: Vec<PrintPlanRow>,
    print_steps: SliceInterner<PrintStepRow>,
    printed_operands: Interner<PlacedOperand>,
    /// The texts before operands.
    prefixes: Interner<String>,
    trailing_modifiers: Interner<TrailingModifiers>,

    /// For each variant: the steps that list its operands.
    visit: Vec<Run>,
    visit_steps: SliceInterner<OperandStepRow>,
    visited_operands: Interner<PlacedOperand>,
}

/// The tables of the fast parser.
#[derive(Default)]
pub(super) struct ParserTables {
    pub(super) items: TokenStream,
    /// An expression of the type `private::parser::MatchTables` that refers to the items.
    pub(super) match_tables: TokenStream,
}

/// Expressions that refer to the tables of all components by which operands are printed.
pub(super) struct PrintTables {
    pub(super) writers: TokenStream,
    pub(super) context_free_writers: TokenStream,
    pub(super) literals: TokenStream,
    pub(super) opcodes: TokenStream,
}

/// Returns an operand of a variant as the runtime has it.
pub(super) fn bound(operand: &BoundOperand) -> Bound {
    let BoundOperand { operand, ty, access } = operand;
    Bound { carrier: *operand as u8, ty: *ty, access: *access }
}

/// A print step: a text, and the index of the operand after it.
type PrintStep = (String, Option<u8>);

/// Splits the text of a variant, from the suffix of its mnemonic on, into print steps.
fn print_steps(variant: &Variant) -> Vec<PrintStep> {
    let split = |text: &str| {
        let mut chunks = vec![String::new()];
        for c in text.chars() {
            if chunks.last().is_some_and(|last| last.len() + c.len_utf8() > MAX_PREFIX_LEN) {
                chunks.push(String::new());
            }
            chunks.last_mut().into_iter().for_each(|last| last.push(c));
        }
        chunks
    };
    let mut out = Vec::new();
    let mut prefix = variant.suffix.clone();
    for step in &variant.text {
        match step {
            Step::Literal(text) => {
                let mut chunks = split(&(std::mem::take(&mut prefix) + text));
                prefix = chunks.pop().unwrap_or_default();
                out.extend(chunks.into_iter().map(|text| (text, None)));
            }
            Step::Operand(index) => out.push((std::mem::take(&mut prefix), Some(*index))),
        }
    }
    if !prefix.is_empty() {
        out.push((prefix, None));
    }
    out
}

/// Returns a slice by the start and the length that an interner returns.
pub(super) fn run((start, len): (u32, u32)) -> Run {
    Run { start: start as u16, len: len as u8 }
}

impl VariantTables {
    /// Adds a variant of a component.
    pub(super) fn push(&mut self, component: usize, variant: &Variant) {
        let component = component as u8;
        let is_modifier = |bound: &&BoundOperand| bound.access == Access::Modifier;
        let n_operands = variant.bound.iter().take_while(|bound| !is_modifier(bound)).count();
        let modifiers = self.push_variant(component, variant, n_operands);
        if cfg!(feature = "parse") {
            self.push_parse(variant);
        }
        self.push_print(component, variant, n_operands, modifiers);
        self.push_visit(component, &variant.bound[..n_operands]);
    }

    /// Adds the operands and the fixed bits of a variant, and returns the index of its modifiers.
    fn push_variant(&mut self, component: u8, variant: &Variant, n_operands: usize) -> u16 {
        let (operands, modifiers) = variant.bound.split_at(n_operands);
        let bounds = &mut self.bounds;
        let mut indices = |list: &[BoundOperand]| list.iter().map(|b| bounds.intern(&bound(b)) as u16).collect();
        let operands = run(self.operand_lists.intern(indices(operands)));
        let modifiers = run(self.operand_lists.intern(indices(modifiers)));
        let fixed = self.fixed.intern(&variant.fixed) as u16;
        let modifiers = self.modifier_lists.intern(&ModifierList { component, modifiers }) as u16;
        self.variants.push(VariantRow { fixed, operands, modifiers });
        modifiers
    }

    /// Adds the steps by which the parser reads a variant.
    fn push_parse(&mut self, variant: &Variant) {
        let literals = &mut self.literals;
        let step = |s: &Step| match s {
            Step::Literal(text) => LITERAL_STEP | literals.intern(text) as u16,
            Step::Operand(index) => u16::from(*index),
        };
        let steps = self.parse_steps.intern(variant.text.iter().map(step).collect());
        self.parse.push(run(steps));
    }

    /// Adds the steps by which the printer writes a variant.
    fn push_print(&mut self, component: u8, variant: &Variant, n_operands: usize, modifiers: u16) {
        let steps = print_steps(variant);
        // Modifiers at the end, without a text before them: the printer tests their bits together.
        let is_trailing = |(prefix, index): &PrintStep| {
            prefix.is_empty() && index.is_some_and(|index| usize::from(index) >= n_operands)
        };
        let n_steps = steps.iter().rposition(|step| !is_trailing(step)).map_or(0, |last| last + 1);
        let (prefixes, printed_operands) = (&mut self.prefixes, &mut self.printed_operands);
        let mut row = |(prefix, index): &PrintStep| {
            let printed = index.and_then(|index| Some((index, variant.bound.get(usize::from(index))?)));
            let prefix = prefixes.intern(prefix) as u16;
            let Some((index, operand)) = printed else {
                return PrintStepRow { prefix, bound: PrintStepRow::NO_OPERAND, operand: 0 };
            };
            let operand = printed_operands.intern(&PlacedOperand { component, operand: bound(operand) }) as u16;
            let bound = match usize::from(index).checked_sub(n_operands) {
                None => index,
                Some(modifier) => PrintStepRow::MODIFIER | modifier as u8,
            };
            PrintStepRow { prefix, bound, operand }
        };
        let (steps, trailing) = steps.split_at(n_steps);
        let steps = run(self.print_steps.intern(steps.iter().map(&mut row).collect()));
        let trailing = run(self.print_steps.intern(trailing.iter().map(&mut row).collect()));
        let trailing = self.trailing_modifiers.intern(&TrailingModifiers { steps: trailing, modifiers }) as u16;
        self.print.push(PrintPlanRow { steps, trailing });
    }

    /// Adds the steps that list the operands of a variant.
    fn push_visit(&mut self, component: u8, operands: &[BoundOperand]) {
        let visited = &mut self.visited_operands;
        let step = |(index, operand): (usize, &BoundOperand)| {
            let operand = visited.intern(&PlacedOperand { component, operand: bound(operand) });
            OperandStepRow { bound: index as u8, operand: operand as u16 }
        };
        let steps = operands.iter().enumerate().map(step).collect();
        self.visit.push(run(self.visit_steps.intern(steps)));
    }

    /// Returns the operands of the variant with an index.
    pub(super) fn operands(&self, variant: usize) -> impl Iterator<Item = Bound> + '_ {
        let Run { start, len } = self.variants[variant].operands;
        let list = &self.operand_lists.items[usize::from(start)..][..usize::from(len)];
        list.iter().map(|bound| self.bounds.items[usize::from(*bound)])
    }

    /// Returns the length of the longest table.
    pub(super) fn longest(&self) -> usize {
        let lengths = [
            self.variants.len(),
            self.operand_lists.items.len(),
            self.parse_steps.items.len(),
            self.print_steps.items.len(),
            self.visit_steps.items.len(),
        ];
        lengths.into_iter().max().unwrap_or(0)
    }

    /// Generates the lists of operands.
    pub(super) fn operand_items(&self) -> TokenStream {
        let (lists, bounds) = (&self.operand_lists.items, &self.bounds.items);
        let (n_lists, n_bounds) = (lists.len(), bounds.len());
        let (lists, bounds) = (numbers(lists), rows(bounds));
        quote! {
            pub(super) static BOUNDS: [u16; #n_lists] = [#lists];
            pub(super) static DISTINCT_BOUNDS: [::isa::tables::Bound; #n_bounds] = #bounds.table();
            static ALL_BOUNDS: private::Bounds<'static> = private::Bounds { all: &BOUNDS, distinct: &DISTINCT_BOUNDS };
        }
    }

    /// Generates the fixed bits and the operands of variants.
    pub(super) fn variant_items(&self) -> TokenStream {
        let fixed: Vec<TokenStream> = self.fixed.items.iter().map(variant_bits).collect();
        let (n_fixed, n_modifiers, n_variants) = (fixed.len(), self.modifier_lists.items.len(), self.variants.len());
        let (modifiers, variants) = (rows(&self.modifier_lists.items), rows(&self.variants));
        quote! {
            pub(super) static FIXED: [::isa::tables::VariantBits; #n_fixed] = [#(#fixed),*];
            const ALL_MODIFIERS: private::schema::Rows<private::schema::ModifierList> = #modifiers;
            static ALL_VARIANTS: private::EncodingVariants<#n_variants> =
                private::variants::<_, #n_modifiers>(#variants, ALL_MODIFIERS, &ALL_BOUNDS, FACTS);
            pub(super) static ENCODING_VARIANTS: [::isa::tables::EncodingVariant; #n_variants] = ALL_VARIANTS.variants;
        }
    }

    /// Generates the tables of the parser. `readers` refers to the tables of all components.
    pub(super) fn parse_items(&self, isa: &Ident, readers: &TokenStream, parser: &ParserTables) -> TokenStream {
        let (steps, literals) = (&self.parse_steps.items, &self.literals.items);
        let (n_steps, n_variants) = (steps.len(), self.parse.len());
        let (steps, parse) = (numbers(steps), rows(&self.parse));
        let ParserTables { items, match_tables } = parser;
        quote! {
            static STEPS: [::isa::tables::Step; #n_steps] = private::parser::steps([#steps], &[#(#literals),*]);
            static TEXTS: [private::schema::Run; #n_variants] = #parse.table();
            pub static READING: private::parser::Reading<#isa> =
                private::parser::Reading { texts: &TEXTS, steps: &STEPS, readers: #readers, fast: #match_tables };
            #items
        }
    }

    /// Generates the tables of the printer.
    pub(super) fn print_items(
        &self,
        isa: &Ident,
        default_suffix_dwords: &[DefaultSuffixDword],
        tables: &PrintTables,
    ) -> TokenStream {
        let PrintTables { writers, context_free_writers, literals, opcodes } = tables;
        let (n_steps, n_operands) = (self.print_steps.items.len(), self.printed_operands.items.len());
        let (steps, operands) = (rows(&self.print_steps.items), rows(&self.printed_operands.items));
        let (n_prefixes, prefixes) = (self.prefixes.items.len(), &self.prefixes.items);
        let (n_trailing, trailing) = (self.trailing_modifiers.items.len(), rows(&self.trailing_modifiers.items));
        let (n_variants, print) = (self.print.len(), rows(&self.print));
        let (n_formats, default_suffix_dwords) = (default_suffix_dwords.len(), rows(default_suffix_dwords));
        quote! {
            const PRINT_STEP_ROWS: private::schema::Rows<private::schema::PrintStepRow> = #steps;
            const PRINTED_OPERANDS: private::schema::Rows<private::schema::PlacedOperand> = #operands;
            static PRINT_OPERANDS: [private::printer::PrintStep; #n_operands] =
                private::printer::print_operands(PRINTED_OPERANDS, FACTS);
            static PRINT_STEPS: [private::printer::PrintStep; #n_steps] =
                private::printer::print_steps(PRINT_STEP_ROWS, &PRINT_OPERANDS, &SHORTS);
            static SHORTS: [::isa::Short; #n_prefixes] = private::printer::shorts([#(#prefixes),*]);
            static PRINT_PLANS: private::printer::PrintPlans<#n_variants> = private::printer::print_plans::<_, #n_trailing, #n_operands>(&private::printer::PrintPlansSource {
                plans: #print,
                trailing: #trailing,
                modifiers: ALL_MODIFIERS,
                variants: &ENCODING_VARIANTS,
                unless: &ALL_VARIANTS.unless,
                bounds: &ALL_BOUNDS,
                steps: &PRINT_STEPS,
                step_rows: PRINT_STEP_ROWS,
                printed_operands: PRINTED_OPERANDS,
                operands: &PRINT_OPERANDS,
                facts: FACTS,
            });
            static FORMAT_LOOKUPS: [private::FormatLookup; #n_formats] = private::format_lookups(&FORMATS, #opcodes, #default_suffix_dwords);
            pub(super) static PRINTING: private::printer::Printing<#isa> = private::printer::Printing {
                formats: &FORMAT_LOOKUPS,
                plans: &PRINT_PLANS.plans,
                shared: private::printer::SharedLists { steps: &PRINT_STEPS, masks: &PRINT_PLANS.masks },
                writers: #writers,
                context_free: #context_free_writers,
                literals: #literals,
                opcodes: #opcodes,
            };
        }
    }

    /// Generates the tables that list operands. The arrays refer to the tables of all components.
    pub(super) fn visit_items(&self, isa: &Ident, [values, names, valuers]: &[TokenStream; 3]) -> TokenStream {
        let (n_steps, n_operands) = (self.visit_steps.items.len(), self.visited_operands.items.len());
        let (steps, operands) = (rows(&self.visit_steps.items), rows(&self.visited_operands.items));
        let (n_variants, visit) = (self.visit.len(), rows(&self.visit));
        quote! {
            static VALUE_LISTS: ::isa::ValueLists<<#isa as ::isa::Isa>::Value> = {
                #[allow(unused_imports)]
                use private::operands::no_values::*;
                {
                    #[allow(unused_imports)]
                    use super::__operands::*;
                    __value_lists::<#isa>()
                }
            };
            static OPERAND_STEPS: [private::operands::OperandStep<<#isa as ::isa::Isa>::Value>; #n_steps] =
                private::operands::operand_steps::<_, _, #n_operands>(#steps, #operands, FACTS, #values, &VALUE_LISTS, #names);
            static OPERAND_LISTS: [private::operands::OperandList<<#isa as ::isa::Isa>::Value>; #n_variants] =
                private::operands::operand_lists::<#isa, _>(#visit, &ALL_VARIANTS.unless, &OPERAND_STEPS);
            pub(super) static OPERAND_TABLES: private::operands::OperandTables<#isa> =
                private::operands::OperandTables { starts: &FORMAT_LOOKUPS, lists: &OPERAND_LISTS, valuers: #valuers };
        }
    }
}
