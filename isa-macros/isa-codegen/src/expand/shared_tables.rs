//! The static tables that all formats share: operand classes, encoding variants, flags and mnemonics.
//!
//! [`SharedTables`] collects lists while the tables of the formats are generated. It stores equal lists once; tables
//! refer to them by index.

use isa_schema::{DefaultSuffixDword, Index, MAX_MNEMONIC_LEN, OptionalIndex, RowSummary, RowTypes, ShapeRow, Slot};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};

use super::tokens::{lex, numbers, rows, too_large};
use super::variant_tables::{ParserTables, PrintTables, VariantTables};
use crate::ast::{OperandClass, SetHeader};
use crate::interner::{ClassInterner, Interner, SliceInterner};
use crate::model::Variant;
use quote::format_ident;

/// The lists that the tables of formats refer to.
#[derive(Default)]
pub(super) struct SharedTables {
    /// The flags of shapes, a bit each.
    pub(super) flags: Interner<u128>,
    /// The variants of shapes: the index in `variants` plus one, or 0.
    pub(super) shape_variants: SliceInterner<u16>,
    /// The encoding variants, each with the number of its component.
    pub(super) variants: Interner<(usize, Variant)>,
    /// The mnemonics in assembly text.
    pub(super) texts: Interner<String>,
    /// The operand classes of all components.
    pub(super) classes: ClassInterner,
    /// The widths of the fields that each class has, with one of their tokens.
    pub(super) widths: Vec<((usize, u8), OperandClass)>,
    pub(super) components: Vec<ComponentTables>,
}

/// The lists of a component.
pub(super) struct ComponentTables {
    /// Its operands without their classes, as arguments of `private::carriers`.
    pub(super) carriers: Vec<TokenStream>,
    /// The names of each operand's class and field, as elements of an array of `private::operands::OperandNames`.
    pub(super) names: String,
    /// The indices of the operands' classes.
    pub(super) classes: Vec<usize>,
    /// Maps an opcode number to the index of its encoding plus one, or to 0.
    pub(super) by_number: Vec<u16>,
    /// The encodings.
    pub(super) slots: Vec<Slot>,
    /// The index of each encoding's mnemonic in [`SharedTables::texts`].
    pub(super) texts: Vec<u16>,
    pub(super) shapes: Vec<ShapeRow>,
    /// The only mode in which each shape exists.
    pub(super) only_modes: Vec<TokenStream>,
    /// The default suffix dword of the format.
    pub(super) default_suffix_dword: OptionalIndex,
}

impl SharedTables {
    /// Generates the items. `default_suffix_dwords` has an element for each format.
    pub(super) fn items(
        &self,
        header: &SetHeader,
        default_suffix_dwords: &[DefaultSuffixDword],
        parser: &ParserTables,
    ) -> TokenStream {
        let isa = &header.name;
        let mut variants = VariantTables::default();
        for (component, variant) in &self.variants.items {
            variants.push(*component, variant);
        }
        let longest = variants.longest().max(self.texts.items.len()).max(self.shape_variants.items.len());
        if longest > usize::from(u16::MAX) || self.components.len() > usize::from(u8::MAX) {
            return too_large();
        }
        let widths = self.widths.iter().map(|((_, width), class)| width_check(isa, class, *width));
        let (n_classes, classes) = (self.classes.tokens.len(), &self.classes.tokens);
        let components =
            self.components.iter().enumerate().map(|(nth, component)| component_items(isa, nth, component));
        let (flags, shape_variants) = (&self.flags.items, &self.shape_variants.items);
        let (n_flags, n_shape_variants) = (flags.len(), shape_variants.len());
        let shape_variants = numbers(shape_variants);
        let names = &self.texts.items;
        let n_names = names.len();
        let names = Literal::byte_string(&names.iter().flat_map(|name| label(name)).collect::<Vec<_>>());

        let (operands, variant_items) = (variants.operand_items(), variants.variant_items());
        let [facts, usages] = ["FACTS", "USAGES"].map(|table| self.component_tables(table));
        let (n_formats, summaries) = (default_suffix_dwords.len(), self.component_tables("SUMMARIES"));
        let readers = self.component_tables("READERS");
        let parse = header.in_parser(|| {
            let of_component = self.components.iter().enumerate().map(|(nth, component)| {
                let ([reader, class], count) =
                    (["READERS", "CLASSES"].map(|table| component_item(table, nth)), component.carriers.len());
                quote!(static #reader: [private::parser::Reader<#isa>; #count] = private::parser::readers(&#class);)
            });
            let items = variants.parse_items(isa, &readers, parser);
            quote! {
                pub(super) mod parser {
                    use super::*;
                    #(#of_component)*
                    #items
                }
            }
        });
        let print = variants.print_items(
            isa,
            default_suffix_dwords,
            &PrintTables {
                writers: self.component_tables("WRITERS"),
                context_free_writers: self.component_tables("CONTEXT_FREE_WRITERS"),
                literals: self.component_tables("LITERALS"),
                opcodes: self.component_tables("OPCODES"),
            },
        );
        let visit =
            variants.visit_items(isa, &["VALUES", "NAMES", "VALUERS"].map(|table| self.component_tables(table)));
        let summary = header.in_rules(&{
            let of_component = self.components.iter().enumerate().map(|(nth, component)| {
                let (name, summaries) = (component_item("SUMMARIES", nth), self.summaries(component, &variants));
                let (count, packed) = (summaries.len(), rows(&summaries));
                quote!(static #name: [private::schema::RowSummary; #count] = #packed.table();)
            });
            quote! {
                pub(super) mod rules {
                    use super::*;
                    #(#of_component)*
                    pub static SUMMARIES: [private::summaries::FormatSummary; #n_formats] =
                        private::summaries::format_summaries(&FORMATS, #summaries);
                }
            }
        });
        quote! {
            use ::isa::__private as private;
            #(#widths)*
            static ALL_CLASSES: [::isa::__private::ClassFacts<#isa>; #n_classes] = [#(::isa::__private::ClassFacts::of::<#classes>()),*];
            #(#components)*
            #operands
            pub(super) static VARIANTS_OF_SHAPES: [u16; #n_shape_variants] = [#shape_variants];
            pub(super) static FLAGS_OF_SHAPES: [u128; #n_flags] = [#(#flags),*];
            static SHAPE_VARIANTS: private::ShapeVariants<'static> =
                private::ShapeVariants { variants: &VARIANTS_OF_SHAPES, flags: &FLAGS_OF_SHAPES, unless: &ALL_VARIANTS.unless };
            static FACTS: &[&[private::Fact]] = #facts;
            pub(super) static USAGES: &[&[::core::option::Option<::isa::tables::UsedFn<#isa>>]] = #usages;
            #variant_items
            pub(super) static LABELS: [::isa::Label; #n_names] = private::labels(#names);

            #summary
            #parse
            #print
            #visit
        }
    }

    /// Summarizes the rows of a component by their opcode numbers.
    fn summaries(&self, component: &ComponentTables, variants: &VariantTables) -> Vec<RowSummary> {
        let of_shape = |shape: &ShapeRow| {
            let variants_of_shape = &self.shape_variants.items[usize::from(shape.variants.start)..shape.variants.end()];
            // All variants have operands of the same types, but for an operand that a variant bit adds.
            let first = variants_of_shape.iter().find_map(|variant| Index::from_number((*variant).into()));
            let operands = first.into_iter().flat_map(|variant| variants.operands(variant.get()));
            RowSummary { flags: shape.flags, types: RowTypes::of(operands) }
        };
        let shapes: Vec<_> = component.shapes.iter().map(of_shape).collect();
        let of_number = |encoding: &u16| match Index::from_number((*encoding).into()) {
            Some(encoding) => shapes[usize::from(component.slots[encoding.get()].shape)],
            None => RowSummary { flags: RowSummary::UNKNOWN, types: RowTypes::of([]) },
        };
        component.by_number.iter().map(of_number).collect()
    }

    /// Returns a slice of references to a table of every component.
    pub(super) fn component_tables(&self, table: &str) -> TokenStream {
        let names = (0..self.components.len()).map(|nth| component_item(table, nth));
        quote!(&[#(&#names),*])
    }
}

/// Generates a check that the codes of a class fit a field.
fn width_check(isa: &Ident, class: &OperandClass, width: u8) -> TokenStream {
    let (tokens, name) = (&class.tokens, &class.text);
    let message = format!(
        "a field of `{name}` has {width} bits, which cannot hold all of its numbers\nhelp: state a smaller range, or widen the field"
    );
    class_check(isa, class, &quote!(<__operand_classes::#tokens as ::isa::Operand<#isa>>::WIDTH <= #width), &message)
}

/// Generates a check of a class. Its error is reported at the class.
pub(super) fn class_check(isa: &Ident, class: &OperandClass, condition: &TokenStream, message: &str) -> TokenStream {
    let span = class.tokens.clone().into_iter().next().map_or(isa.span(), |token| token.span());
    quote_spanned!(span=> const _: () = ::core::assert!(#condition, #message);)
}

/// Generates the tables of a component.
fn component_items(isa: &Ident, nth: usize, component: &ComponentTables) -> TokenStream {
    let ComponentTables { carriers, names, classes, by_number, slots, texts, shapes, only_modes, default_suffix_dword } =
        component;
    let [n_carriers, n_codes, n_slots, n_shapes] = [carriers.len(), by_number.len(), slots.len(), shapes.len()];
    let classes = lex(classes.iter().map(|class| format!("&ALL_CLASSES[{class}],")).collect());
    let (by_number, slots, texts) = (numbers(by_number), rows(slots), numbers(texts));
    let (shapes, default_suffix_dword) = (rows(shapes), Index::to_number(*default_suffix_dword) as u8);
    let [carrier, class, fact, table, slot, shape, head] =
        ["CARRIERS", "CLASSES", "FACTS", "TABLE", "SLOTS", "SHAPES", "OPCODES"].map(|table| component_item(table, nth));
    let (named, names) = (component_item("NAMES", nth), lex(names.clone()));
    let [writer, context_free_writer, literal, valuer, value, usage] =
        ["WRITERS", "CONTEXT_FREE_WRITERS", "LITERALS", "VALUERS", "VALUES", "USAGES"]
            .map(|table| component_item(table, nth));
    quote! {
        static #class: [&::isa::__private::ClassFacts<#isa>; #n_carriers] = [#classes];
        static #carrier: [::isa::tables::Carrier<#isa>; #n_carriers] =
            private::carriers([#(#carriers),*], &#class);
        static #named: [private::operands::OperandNames; #n_carriers] = [#names];
        static #value: [::isa::Values<<#isa as ::isa::Isa>::Value>; #n_carriers] = private::operands::values(&#class);
        static #fact: [private::Fact; #n_carriers] = private::facts(&#carrier, &#class);
        static #writer: [::isa::tables::WriteFn<#isa>; #n_carriers] = private::printer::writers(&#class);
        static #context_free_writer: [::core::option::Option<::isa::tables::WriteCodeFn>; #n_carriers] =
            private::printer::context_free_writers(&#class);
        static #literal: [::core::option::Option<(u16, ::isa::tables::WriteLiteralFn)>; #n_carriers] =
            private::printer::writers_of_literals(&#class);
        static #valuer: [::isa::tables::ValueFn<#isa>; #n_carriers] = private::operands::valuers(&#class);
        static #usage: [::core::option::Option<::isa::tables::UsedFn<#isa>>; #n_carriers] = private::usages(&#class);
        static #table: [u16; #n_codes] = [#by_number];
        static #slot: [::isa::tables::Slot; #n_slots] = #slots.table();
        static #shape: [::isa::tables::Shape<#isa>; #n_shapes] = private::shapes(#shapes, [#(#only_modes),*]);
        static #head: [::isa::tables::OpcodeLookup; #n_codes] =
            private::opcode_lookups(&private::OpcodeLookups {
                table: &#table,
                slots: &#slot,
                labels: &[#texts],
                shapes: &#shape,
                variants: &SHAPE_VARIANTS,
                suffix_dword: #default_suffix_dword,
            });
    }
}

/// Returns a mnemonic in the layout of `isa::Label`: the characters, zeros and the length. rustc copies the bytes much
/// faster than it evaluates a const function for each mnemonic.
fn label(name: &str) -> [u8; MAX_MNEMONIC_LEN + 1] {
    let mut out = [0; MAX_MNEMONIC_LEN + 1];
    // `model::resolve` has rejected longer mnemonics.
    let len = name.len().min(MAX_MNEMONIC_LEN);
    out[..len].copy_from_slice(&name.as_bytes()[..len]);
    out[MAX_MNEMONIC_LEN] = len as u8;
    out
}

/// Returns the name of the item that holds a table of the set's `nth` component.
pub(super) fn component_item(table: &str, nth: usize) -> Ident {
    format_ident!("{table}_{nth}")
}
