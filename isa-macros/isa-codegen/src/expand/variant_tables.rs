//! The tables of encoding variants: their operands, how the parser and the printer treat them, and how an instruction's
//! operands are listed.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::tokens::{arrays, chunks, numbers, variant_bits};
use crate::ast::Access;
use crate::interner::{Interner, SliceInterner};
use crate::model::{BoundOperand, Variant, VariantBits};
use crate::template::Step;
use crate::ty::ElementKind;

/// The number of a print step without an operand.
const NO_OPERAND: u16 = 0xFF;

/// The flag that distinguishes the number of a modifier from that of an operand in a print step.
const MODIFIER: u8 = 0x80;

/// The most characters that a print step writes before its operand. Equal to the size of `isa::Short`.
const MAX_PREFIX_LEN: usize = 8;

/// The tables of all encoding variants. Fields with one element for each variant say so; the others are lists that the
/// elements refer to by index, or by start and length.
#[derive(Default)]
pub(super) struct VariantTables {
    /// For each variant: its fixed bits, the start and the length of its operands, and its modifiers.
    forms: Vec<[u16; 4]>,
    fixed: Interner<VariantBits>,
    /// Lists of indices in `packed_operands`.
    operand_lists: SliceInterner<u16>,
    packed_operands: Interner<u32>,
    /// The component, and the start and the length of the modifiers in `operand_lists`.
    modifier_lists: Interner<[u16; 3]>,

    /// For each variant: the index in `parse_lists`.
    parse: Vec<u16>,
    parse_lists: Interner<[u16; 2]>,
    parse_steps: SliceInterner<u16>,
    literals: Interner<String>,

    /// For each variant: the start and the length of its print steps, and its trailing modifiers.
    print: Vec<[u16; 3]>,
    print_steps: SliceInterner<[u16; 3]>,
    /// The component and the packed operand of a print step.
    printed_operands: Interner<[u32; 2]>,
    /// The texts before operands.
    prefixes: Interner<String>,
    /// The start and the length of the print steps of modifiers at the end, and the index in `modifier_lists`.
    trailing_modifiers: Interner<[u16; 3]>,

    /// For each variant: the start and the length of the steps that list its operands.
    visit: Vec<[u16; 2]>,
    visit_steps: SliceInterner<u32>,
    /// The component and the packed operand of a visit step.
    visited_operands: Interner<[u32; 2]>,
}

/// The tables of the fast parser.
#[derive(Default)]
pub(super) struct ParserTables {
    pub(super) items: TokenStream,
    /// An expression of the type `unpack::MatchTables` that refers to the items.
    pub(super) match_tables: TokenStream,
}

/// Expressions that refer to the tables of all components by which operands are printed.
pub(super) struct PrintTables {
    pub(super) writers: TokenStream,
    pub(super) context_free_writers: TokenStream,
    pub(super) literals: TokenStream,
    pub(super) opcodes: TokenStream,
}

/// Packs an operand of a variant into a number, which `isa::pack` unpacks.
pub(super) fn pack_operand(bound: &BoundOperand) -> u32 {
    let BoundOperand { operand, ty, access } = bound;
    let access = match access {
        Access::Read => 0,
        Access::Write => 1,
        Access::ReadWrite => 2,
        Access::Modifier => 3,
    };
    let element = match ty.element {
        ElementKind::Bits => 0,
        ElementKind::Unsigned => 1,
        ElementKind::Signed => 2,
        ElementKind::EitherSign => 3,
        ElementKind::Float => 4,
        ElementKind::BFloat => 5,
        ElementKind::Mask => 6,
    };
    *operand as u32 | access << 8 | element << 10 | u32::from(ty.lanes) << 13 | u32::from(ty.bits) << 20
}

/// The bits of a packed operand that hold its type.
pub(super) const PACKED_TYPE: u32 = !0x3FF;

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

/// Converts the start and the length of a slice to table elements.
fn narrow((start, len): (u32, u32)) -> [u16; 2] {
    [start as u16, len as u16]
}

impl VariantTables {
    /// Adds a variant of a component.
    pub(super) fn push(&mut self, component: usize, variant: &Variant) {
        let component = component as u32;
        let is_modifier = |bound: &&BoundOperand| bound.access == Access::Modifier;
        let n_operands = variant.bound.iter().take_while(|bound| !is_modifier(bound)).count();
        let modifiers = self.push_form(component, variant, n_operands);
        if cfg!(feature = "parse") {
            self.push_parse(variant);
        }
        self.push_print(component, variant, n_operands, modifiers);
        self.push_visit(component, &variant.bound[..n_operands]);
    }

    /// Adds the operands and the fixed bits of a variant, and returns the index of its modifiers.
    fn push_form(&mut self, component: u32, variant: &Variant, n_operands: usize) -> u16 {
        let (operands, modifiers) = variant.bound.split_at(n_operands);
        let packed = &mut self.packed_operands;
        let mut pack = |list: &[BoundOperand]| list.iter().map(|b| packed.intern(&pack_operand(b)) as u16).collect();
        let [start, len] = narrow(self.operand_lists.intern(pack(operands)));
        let [modifiers_start, modifiers_len] = narrow(self.operand_lists.intern(pack(modifiers)));
        let fixed = self.fixed.intern(&variant.fixed) as u16;
        let modifiers = self.modifier_lists.intern(&[component as u16, modifiers_start, modifiers_len]) as u16;
        self.forms.push([fixed, start, len, modifiers]);
        modifiers
    }

    /// Adds the steps by which the parser reads a variant.
    fn push_parse(&mut self, variant: &Variant) {
        let literals = &mut self.literals;
        let step = |s: &Step| match s {
            Step::Literal(text) => 0x8000 | literals.intern(text) as u16,
            Step::Operand(index) => u16::from(*index),
        };
        let steps = self.parse_steps.intern(variant.text.iter().map(step).collect());
        self.parse.push(self.parse_lists.intern(&narrow(steps)) as u16);
    }

    /// Adds the steps by which the printer writes a variant.
    fn push_print(&mut self, component: u32, variant: &Variant, n_operands: usize, modifiers: u16) {
        let steps = print_steps(variant);
        // Modifiers at the end, without a text before them: the printer tests their bits together.
        let is_trailing = |(prefix, index): &PrintStep| {
            prefix.is_empty() && index.is_some_and(|index| usize::from(index) >= n_operands)
        };
        let n_steps = steps.iter().rposition(|step| !is_trailing(step)).map_or(0, |last| last + 1);
        let (prefixes, printed_operands) = (&mut self.prefixes, &mut self.printed_operands);
        let mut pack = |(prefix, index): &PrintStep| {
            let bound = index.and_then(|index| Some((index, variant.bound.get(usize::from(index))?)));
            let (number, operand) = match bound {
                None => (NO_OPERAND, 0),
                Some((index, bound)) => {
                    let operand = printed_operands.intern(&[component, pack_operand(bound)]) as u16;
                    match usize::from(index).checked_sub(n_operands) {
                        None => (u16::from(index), operand),
                        Some(modifier) => (u16::from(MODIFIER | modifier as u8), operand),
                    }
                }
            };
            [prefixes.intern(prefix) as u16, number, operand]
        };
        let (steps, trailing) = steps.split_at(n_steps);
        let [start, len] = narrow(self.print_steps.intern(steps.iter().map(&mut pack).collect()));
        let [trailing_start, trailing_len] = narrow(self.print_steps.intern(trailing.iter().map(&mut pack).collect()));
        let trailing = self.trailing_modifiers.intern(&[trailing_start, trailing_len, modifiers]) as u16;
        self.print.push([start, len, trailing]);
    }

    /// Adds the steps that list the operands of a variant.
    fn push_visit(&mut self, component: u32, operands: &[BoundOperand]) {
        let visited = &mut self.visited_operands;
        let step = |(index, bound): (usize, &BoundOperand)| {
            index as u32 | (visited.intern(&[component, pack_operand(bound)]) as u32) << 8
        };
        let steps = operands.iter().enumerate().map(step).collect();
        self.visit.push(narrow(self.visit_steps.intern(steps)));
    }

    /// Returns the length of the longest table.
    pub(super) fn longest(&self) -> usize {
        let lengths = [
            self.forms.len(),
            self.operand_lists.items.len(),
            self.parse_steps.items.len(),
            self.print_steps.items.len(),
            self.visit_steps.items.len(),
        ];
        lengths.into_iter().max().unwrap_or(0)
    }

    /// Generates the lists of operands.
    pub(super) fn operand_items(&self) -> TokenStream {
        let (lists, packed) = (&self.operand_lists.items, &self.packed_operands.items);
        let (n_lists, n_packed) = (lists.len(), packed.len());
        let (lists, packed) = (numbers(lists), numbers(packed));
        quote! {
            pub(super) static BOUNDS: [u16; #n_lists] = [#lists];
            pub(super) static DISTINCT_BOUNDS: [::isa::tables::Bound; #n_packed] = unpack::bounds([#packed]);
            static ALL_BOUNDS: unpack::Bounds<'static> = unpack::Bounds { all: &BOUNDS, distinct: &DISTINCT_BOUNDS };
        }
    }

    /// Generates the fixed bits and the operands of variants.
    pub(super) fn form_items(&self) -> TokenStream {
        let fixed: Vec<TokenStream> = self.fixed.items.iter().map(variant_bits).collect();
        let (n_fixed, n_modifiers, n_forms) = (fixed.len(), self.modifier_lists.items.len(), self.forms.len());
        let (modifiers, forms) = (arrays(&self.modifier_lists.items), arrays(&self.forms));
        quote! {
            pub(super) static FIXED: [::isa::tables::VariantBits; #n_fixed] = [#(#fixed),*];
            static ALL_MODIFIERS: [[u16; 3]; #n_modifiers] = [#modifiers];
            static ALL_FORMS: unpack::Forms<#n_forms> =
                unpack::forms(&[#forms], &ALL_MODIFIERS, &ALL_BOUNDS, FACTS);
            pub(super) static FORMS: [::isa::tables::EncodingVariant; #n_forms] = ALL_FORMS.forms;
        }
    }

    /// Generates the tables of the parser. `readers` refers to the tables of all components.
    pub(super) fn parse_items(&self, isa: &Ident, readers: &TokenStream, parser: &ParserTables) -> TokenStream {
        let (steps, literals) = (&self.parse_steps.items, &self.literals.items);
        let (n_steps, n_lists, n_forms) = (steps.len(), self.parse_lists.items.len(), self.parse.len());
        let (steps, lists, parse) = (numbers(steps), arrays(&self.parse_lists.items), numbers(&self.parse));
        let ParserTables { items, match_tables } = parser;
        quote! {
            static STEPS: [::isa::tables::Step; #n_steps] = unpack::steps([#steps], &[#(#literals),*]);
            static READ: [&[::isa::tables::Step]; #n_forms] =
                unpack::texts::<_, #n_lists>([#parse], &[#lists], &STEPS);
            pub static READING: ::isa::__private::Reading<#isa> =
                ::isa::__private::Reading { texts: &READ, readers: #readers, fast: #match_tables };
            #items
        }
    }

    /// Generates the tables of the printer.
    pub(super) fn print_items(
        &self,
        isa: &Ident,
        default_suffix_dwords: &[[u8; 2]],
        tables: &PrintTables,
    ) -> TokenStream {
        let PrintTables { writers, context_free_writers, literals, opcodes } = tables;
        let (n_steps, n_operands) = (self.print_steps.items.len(), self.printed_operands.items.len());
        let (steps, operands) = (chunks(&self.print_steps.items), arrays(&self.printed_operands.items));
        let (n_prefixes, prefixes) = (self.prefixes.items.len(), &self.prefixes.items);
        let (n_trailing, trailing) = (self.trailing_modifiers.items.len(), chunks(&self.trailing_modifiers.items));
        let (n_forms, print) = (self.print.len(), chunks(&self.print));
        let (n_formats, default_suffix_dwords) = (default_suffix_dwords.len(), arrays(default_suffix_dwords));
        quote! {
            static PACKED_PRINT_STEPS: &[[u16; 3]] = #steps;
            static PACKED_PRINT_OPERANDS: [[u32; 2]; #n_operands] = [#operands];
            static PRINT_OPERANDS: [unpack::PrintStep; #n_operands] =
                unpack::print_operands(&PACKED_PRINT_OPERANDS, FACTS);
            static PRINT_STEPS: [unpack::PrintStep; #n_steps] =
                unpack::print_steps(PACKED_PRINT_STEPS, &PRINT_OPERANDS, &SHORTS);
            static SHORTS: [::isa::Short; #n_prefixes] = unpack::shorts([#(#prefixes),*]);
            static PRINT_PLANS: unpack::PrintPlans<#n_forms> = unpack::print_plans::<_, #n_trailing, #n_operands>(&unpack::PrintPlansSource {
                packed: #print,
                trailing: #trailing,
                modifiers: &ALL_MODIFIERS,
                forms: &FORMS,
                unless: &ALL_FORMS.unless,
                bounds: &ALL_BOUNDS,
                steps: &PRINT_STEPS,
                packed_steps: PACKED_PRINT_STEPS,
                packed_operands: &PACKED_PRINT_OPERANDS,
                operands: &PRINT_OPERANDS,
                facts: FACTS,
            });
            static FORMAT_LOOKUPS: [unpack::FormatLookup; #n_formats] = unpack::format_lookups(&FORMATS, #opcodes, &[#default_suffix_dwords]);
            pub(super) static PRINTING: unpack::Printing<#isa> = unpack::Printing {
                formats: &FORMAT_LOOKUPS,
                plans: &PRINT_PLANS.plans,
                shared: unpack::SharedLists { steps: &PRINT_STEPS, masks: &PRINT_PLANS.masks },
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
        let (steps, operands) = (numbers(&self.visit_steps.items), arrays(&self.visited_operands.items));
        let (n_forms, visit) = (self.visit.len(), arrays(&self.visit));
        quote! {
            static VALUE_LISTS: ::isa::ValueLists<<#isa as ::isa::Isa>::Value> = {
                #[allow(unused_imports)]
                use unpack::no_values::*;
                {
                    #[allow(unused_imports)]
                    use super::__operands::*;
                    __value_lists::<#isa>()
                }
            };
            static OPERAND_STEPS: [unpack::OperandStep<<#isa as ::isa::Isa>::Value>; #n_steps] =
                unpack::operand_steps::<_, _, #n_operands>(&[#steps], &[#operands], FACTS, #values, &VALUE_LISTS, #names);
            static OPERAND_LISTS: [unpack::OperandList<<#isa as ::isa::Isa>::Value>; #n_forms] =
                unpack::operand_lists::<#isa, _>(&[#visit], &ALL_FORMS.unless, &OPERAND_STEPS);
            pub(super) static OPERAND_TABLES: unpack::OperandTables<#isa> =
                unpack::OperandTables { starts: &FORMAT_LOOKUPS, lists: &OPERAND_LISTS, valuers: #valuers };
        }
    }
}
