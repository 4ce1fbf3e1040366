//! Typed builders, `mod build`: a function for each mnemonic, with a typed parameter for each operand.
//!
//! A module of the caller, which the set's `build` clause names, defines what parameters accept and what modifiers do.
//! The mappings of the clause map operand classes to slots (traits `slots::…<Type>` of that module) and modifiers to
//! markers (traits `has::…`).
//!
//! The module has `slots`, whose traits have `fn fill<I: Isa>(self, inst: &mut InstBuilder<I>)`; `has`, whose traits have
//! `const FIELD: Field`, except those of suffixes and components; `Builder<M>` and, if the set has dual-issue formats,
//! `DualHalf<M>`, both with `fn new(inst: InstBuilder<Set>) -> Self`. Without a path, the module is one that accepts any
//! operand in each slot and has no markers.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::builder_types::{Groups, Markers, element_types, type_name};
use super::tokens::{camel_case, ident};
use super::types::doc_aliases;
use crate::ast::{Access, BuildClause, BuildMapping, Row, attrs};
use crate::error::Error;
use crate::facts::{CURRENT_OPERAND, RowFacts};
use crate::lists::{entry, insert, replace};
use crate::model::{Component, Encoding, Format, Operand, Set, Shape, Variant};
use crate::spanned::SpannedStr;
use crate::template::Step;
use crate::ty::{Class, Type};

impl BuildClause {
    /// Returns the errors of names in conditions that are neither flags nor roles.
    fn errors(&self, set: &Set) -> TokenStream {
        let mut names = Vec::new();
        for cond in self.mappings.iter().filter_map(|m| m.cond.as_ref()) {
            cond.names(&mut names);
        }
        let is_role = |name: &str| set.mnemonics.iter().any(|m| m.row.roles.iter().any(|r| r.name == *name));
        let is_known = |name: &str| name == CURRENT_OPERAND || set.flags.iter().any(|f| f == name) || is_role(name);
        let unknown = names.into_iter().filter(|name| !is_known(name.as_str()));
        let error = |name: &SpannedStr| {
            let message = format!("`{name}` is neither a declared flag nor a role");
            Error::with_help(name.span(), message, "write a flag, a role, or `it` for the current operand")
                .to_compile_error()
        };
        let errors = unknown.map(error);
        quote!(#(#errors)*)
    }

    /// Returns the target of the first mapping for one of the names, which is `Some(None)` if builders hide it. Returns
    /// `None` if there is no mapping.
    fn find(&self, is_modifier: bool, names: &[&str], facts: &RowFacts) -> Option<Option<&Ident>> {
        let mut mappings = self.mappings.iter().filter(|m| m.is_modifier == is_modifier);
        let applies = |m: &&BuildMapping| {
            m.names.iter().any(|n| names.iter().any(|name| *n == **name))
                && m.cond.as_ref().is_none_or(|c| c.holds(facts))
        };
        mappings.find(applies).map(|m| m.target.as_ref())
    }

    /// Returns the slot of an operand class. Returns `None` if builders hide the operand.
    fn slot(&self, class: &str, facts: &RowFacts) -> Option<Ident> {
        match self.find(false, &[class], facts) {
            Some(target) => target.cloned(),
            None if self.module.is_none() => Some(Ident::new("AnyOperand", Span::call_site())),
            None => Some(Ident::new(class, Span::call_site())),
        }
    }

    /// Returns the marker of a modifier. Returns `None` if builders hide it.
    fn marker(&self, name: &str, class: &str, facts: &RowFacts) -> Option<String> {
        match self.find(true, &[name, class], facts) {
            None if self.module.is_none() => None,
            Some(target) => target.map(ToString::to_string),
            None => Some(camel_case(&Ident::new(name, Span::call_site())).to_string()),
        }
    }
}

/// An encoding of a row, with the format and the component that it is in.
#[derive(Clone, Copy)]
struct EncodingIn<'s, 'a> {
    format: &'s Format<'a>,
    component: &'s Component<'a>,
    encoding: &'s Encoding,
}

impl<'s> EncodingIn<'s, '_> {
    fn shape(&self) -> &'s Shape {
        &self.component.shapes[self.encoding.shape]
    }
}

/// A parameter of a builder function: `name: impl slots::Slot<types::Type>`.
struct Parameter {
    name: String,
    slot: Ident,
    /// The name of the type.
    ty: String,
}

/// A step of filling an instruction.
enum Fill {
    /// Adds the operand of the parameter with this index.
    Parameter(usize),
    /// Adds an operand that is switched off, because another operand decides it.
    Off,
    /// States a modifier, of this class, by the parameter with this index.
    Modifier(usize, String, TokenStream),
    /// States the modifier that is the variant bit.
    Variant(String),
}

/// A builder function.
struct Function {
    name: String,
    /// The variant of `Opcode`.
    opcode: String,
    /// The text without modifiers: `v_add_f32 d, s0, s1`.
    syntax: String,
    parameters: Vec<Parameter>,
    /// The steps that fill the instruction, in the order of the row.
    steps: Vec<Fill>,
    /// The indices of `s0` to `s2` among the operands, or 255.
    sources: [u8; 3],
    /// The return type: `Builder` or `DualHalf`, and the group that is its parameter.
    result: (&'static str, String),
    doc: String,
    /// `doc(alias)` for other names of the mnemonic.
    aliases: TokenStream,
    /// The rows of the table of operands in `doc`.
    operand_table: String,
    /// The span of the row's mnemonic, at which rustc points for errors in calls.
    span: Span,
}

/// Returns the name of an operand class without path and arguments: `Src3 < 0 >` becomes `Src3`.
fn class_name(class: &str) -> &str {
    let base = class.split('<').next().unwrap_or(class);
    base.rsplit("::").next().unwrap_or(base).trim()
}

/// Converts the name of a marker to that of a modifier: `BoundCtrl` becomes `bound_ctrl`.
fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_ascii_uppercase() && i > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Returns a row of the table of operands in a function's documentation. Modifiers have no type.
fn operand_table_row(name: &str, ty: Option<Type>, access: Access) -> String {
    let access = match access {
        Access::Read | Access::Modifier => "read",
        Access::Write => "written",
        Access::ReadWrite => "read and written",
    };
    let (text, bits) = match ty {
        Some(ty) if ty.class() == Class::Mask => ("mask".into(), "one for each lane".into()),
        Some(ty) => (ty.to_string(), ty.total_bits().to_string()),
        None => (String::new(), String::new()),
    };
    format!("| `{name}` | {access} | {text} | {bits} |\n")
}

/// The modifiers of a row in all its encodings.
struct Modifiers {
    /// Their markers.
    markers: Markers,
    /// Their names in text, in backquotes.
    names: Vec<String>,
}

/// The builder functions while rows are added, and the types that they need.
struct BuilderGenerator<'s, 'a> {
    clause: &'s BuildClause,
    set: &'s Set<'a>,
    groups: Groups,
    /// The types of all parameters, sorted by name.
    types: Vec<(String, Type)>,
    functions: Vec<Function>,
}

impl<'a> BuilderGenerator<'_, 'a> {
    /// Adds the functions of a row: one for each value of the variant bit, if it has one.
    ///
    /// `components` are the markers of the components that hold a row of a dual-issue format.
    fn add_row(
        &mut self,
        name: &str,
        row: &Row,
        base: &Row,
        encodings: &[EncodingIn<'_, 'a>],
        components: Option<&Markers>,
    ) {
        // The last encoding accepts the most operands, since a set lists short encodings first.
        let Some(EncodingIn { format, component, encoding }) = encodings.last().copied() else { return };
        let shape = &component.shapes[encoding.shape];
        let facts = RowFacts::new(row, base, false).in_format(format.block);
        let variants_per_bit = format.suffix_dwords.len() + 1;
        let variant_modifier = shape.variant_bit.as_ref().and_then(|bit| {
            let is_variant_bit = |o: &&Operand| o.access == Access::Modifier && o.bits == [*bit];
            component.operands.iter().find(is_variant_bit).map(|o| o.name.clone())
        });
        for bit in 0..shape.variants.len() / variants_per_bit {
            let Some(variant) = &shape.variants[bit * variants_per_bit + shape.always] else { continue };
            let mut function = Function {
                name: name.to_lowercase(),
                opcode: self.set.mnemonics[encoding.mnemonic].name.clone(),
                syntax: encoding.text.clone(),
                parameters: Vec::new(),
                steps: Vec::new(),
                sources: [255; 3],
                result: ("Builder", String::new()),
                doc: String::new(),
                aliases: doc_aliases(row),
                operand_table: String::new(),
                span: row.name.span(),
            };
            let mut shown = self.add_parameters(component, variant, &facts, &mut function);
            if let Some(modifier) = &variant_modifier {
                insert(&mut shown, modifier.clone());
                if bit == 1 {
                    function.name = format!("{}_{modifier}", function.name);
                    function.syntax = format!("{} {modifier}", function.syntax);
                    function.steps.push(Fill::Variant(modifier.clone()));
                }
            }
            let modifiers = self.modifiers(encodings, &facts, &shown);
            let own_doc = row.docs.iter().chain(&base.docs).find_map(|a| a.doc.as_deref());
            function.doc = documentation(&function, own_doc, encodings, &modifiers);
            function.result = match components {
                Some(components) if self.clause.module.is_some() => {
                    ("DualHalf", self.groups.intern(components.clone(), name))
                }
                _ => ("Builder", self.groups.intern(modifiers.markers, name)),
            };
            self.functions.push(function);
            if shape.variant_bit.is_none() {
                break;
            }
        }
    }

    /// Adds the parameters of a variant to a function and to its syntax, and the steps that fill an instruction from them.
    /// Returns the modifiers that are parameters, because they are written before the last operand.
    fn add_parameters(
        &mut self,
        component: &Component,
        variant: &Variant,
        facts: &RowFacts,
        function: &mut Function,
    ) -> Vec<String> {
        let mut shown = Vec::new();
        let is_operand =
            |s: &Step| matches!(s, Step::Operand(i) if variant.bound[usize::from(*i)].access != Access::Modifier);
        // Steps from here on are modifiers, which are methods of the builder.
        let n_parameters = variant.text.iter().rposition(is_operand).map_or(0, |last| last + 1);
        let mut pending = String::new();
        // The parameter of each operand in `bound`.
        let mut parameter_of = vec![None; variant.bound.len()];
        for (i, step) in variant.text.iter().enumerate() {
            let index = match step {
                Step::Literal(text) => {
                    pending.push_str(text);
                    continue;
                }
                Step::Operand(index) => usize::from(*index),
            };
            if i >= n_parameters {
                continue;
            }
            let bound = variant.bound[index];
            let operand = &component.operands[bound.operand];
            let slot = self.clause.slot(class_name(&operand.class.text), &facts.with_current_operand(bound.ty));
            let Some(slot) = slot.filter(|_| operand.field.is_some()) else {
                // The parser does not need an operand that the encoding implies, or that another operand prints.
                pending = if function.parameters.is_empty() { " ".into() } else { String::new() };
                continue;
            };
            if bound.access == Access::Modifier {
                insert(&mut shown, operand.name.clone());
                function.syntax.push(' ');
            }
            if function.parameters.is_empty() {
                pending = pending.trim_start_matches(',').to_string();
            }
            function.syntax.push_str(&std::mem::take(&mut pending));
            function.syntax.push_str(&operand.name);
            parameter_of[index] = Some(function.parameters.len());
            let ty = type_name(bound.ty);
            entry(&mut self.types, ty.clone(), || bound.ty);
            let shown_type = (bound.access != Access::Modifier).then_some(bound.ty);
            function.operand_table.push_str(&operand_table_row(&operand.name, shown_type, bound.access));
            function.parameters.push(Parameter { name: operand.name.clone(), slot, ty });
        }
        function.syntax.push_str(pending.trim_end());
        let mut n_operands = 0;
        for (bound, parameter) in variant.bound.iter().zip(parameter_of) {
            let operand = &component.operands[bound.operand];
            let is_modifier = bound.access == Access::Modifier;
            function.steps.push(match parameter {
                Some(index) if is_modifier => Fill::Modifier(index, operand.name.clone(), operand.class.tokens.clone()),
                Some(index) => Fill::Parameter(index),
                None if is_modifier || operand.field.is_none() => continue,
                None => Fill::Off,
            });
            if !is_modifier {
                let source = ["s0", "s1", "s2"].iter().position(|name| operand.name == *name);
                if let Some(source) = source {
                    function.sources[source] = n_operands;
                }
                n_operands += 1;
            }
        }
        shown
    }

    /// Returns the modifiers that a row has in any of its encodings, except those in `shown`. A choice of suffixes counts
    /// as a modifier: `E64`.
    fn modifiers(&self, encodings: &[EncodingIn<'_, 'a>], facts: &RowFacts, shown: &[String]) -> Modifiers {
        let mut markers = Markers::new();
        let (mut names, mut suffixes) = (Vec::new(), Vec::new());
        for encoding in encodings {
            let shape = encoding.shape();
            let operands = &encoding.component.operands;
            let mut visited = vec![false; operands.len()];
            for bound in shape.variants.iter().flatten().flat_map(|variant| &variant.bound) {
                let operand = &operands[bound.operand];
                let was_visited = std::mem::replace(&mut visited[bound.operand], true);
                if was_visited || bound.access != Access::Modifier || shown.contains(&operand.name) {
                    continue;
                }
                if let Some(marker) = self.clause.marker(&operand.name, class_name(&operand.class.text), facts) {
                    insert(&mut names, format!("`{}`", snake_case(&marker)));
                    entry(&mut markers, marker, || Some((operand.name.clone(), operand.class.text.clone())));
                }
            }
            if let Some(Some(variant)) = shape.variants.get(shape.always) {
                insert(&mut suffixes, variant.suffix.as_str());
            }
        }
        if suffixes.len() > 1 && self.clause.module.is_some() {
            for suffix in suffixes.iter().filter(|s| !s.is_empty()) {
                let name = suffix.trim_start_matches('_');
                insert(&mut names, format!("`{name}`"));
                replace(&mut markers, camel_case(&Ident::new(name, Span::call_site())).to_string(), None);
            }
        }
        Modifiers { markers, names }
    }

    /// Adds the functions of all rows of formats with one component.
    fn add_single_rows(&mut self) {
        let set = self.set;
        let mut encodings: Vec<Vec<EncodingIn>> = vec![Vec::new(); set.mnemonics.len()];
        for format in set.formats.iter().filter(|f| f.components.len() == 1) {
            let component = &format.components[0];
            for encoding in &component.encodings {
                encodings[encoding.mnemonic].push(EncodingIn { format, component, encoding });
            }
        }
        for (mnemonic, encodings) in set.mnemonics.iter().zip(&encodings) {
            self.add_row(&mnemonic.name, mnemonic.row, mnemonic.row, encodings, None);
        }
    }

    /// Adds the functions of the rows of dual-issue formats. A mnemonic that both components have gets one function.
    fn add_dual_issue_rows(&mut self) {
        let set = self.set;
        for format in set.formats.iter().filter(|f| f.components.len() > 1) {
            let mut by_text = Vec::new();
            for component in &format.components {
                let name = component.name.clone().unwrap_or_default();
                for encoding in &component.encodings {
                    let row = format.block.rows.iter().find(|r| {
                        r.number.value == encoding.number && r.component.as_ref().is_some_and(|c| *c == name)
                    });
                    let Some(row) = row else { continue };
                    let entry = entry(&mut by_text, encoding.text.as_str(), || (Vec::new(), Markers::new(), row));
                    entry.0.push(EncodingIn { format, component, encoding });
                    replace(&mut entry.1, camel_case(&Ident::new(&name, Span::call_site())).to_string(), None);
                }
            }
            for (text, (encodings, components, row)) in by_text {
                let base = set.mnemonics[encodings[0].encoding.mnemonic].row;
                // The operand classes of the first component apply to both. `build` checks what only the second restricts.
                self.add_row(text, row, base, &encodings[..1], Some(&components));
            }
        }
    }
}

/// Returns the documentation of a function: its syntax, the row's documentation, and its operands and modifiers.
fn documentation(
    function: &Function,
    own_doc: Option<&str>,
    encodings: &[EncodingIn],
    modifiers: &Modifiers,
) -> String {
    let mut doc = format!("`{}`\n", function.syntax);
    if let Some(text) = own_doc {
        doc.push_str(&format!("\n{text}\n"));
    }
    if !function.operand_table.is_empty() {
        let table = &function.operand_table;
        doc.push_str(&format!("\n| operand | access | type | bits |\n|---|---|---|---|\n{table}"));
    }
    let formats: Vec<String> =
        encodings.iter().map(|e| format!("{} ({})", e.format.block.name, e.encoding.number)).collect();
    doc.push_str(&format!("\nEncoded in {}.", formats.join(", ")));
    if !modifiers.names.is_empty() {
        doc.push_str(&format!(" Modifiers: {}.", modifiers.names.join(", ")));
    }
    doc
}

/// Generates the tokens of a function of the set `isa`.
fn function_item(f: &Function, isa: &Ident) -> TokenStream {
    let Function { doc, aliases, sources: [s0, s1, s2], result: (builder, group), .. } = f;
    let spanned = |mut name: Ident| {
        name.set_span(f.span);
        name
    };
    let name = spanned(ident(&f.name));
    let names: Vec<Ident> = f.parameters.iter().map(|p| spanned(ident(&p.name))).collect();
    let slots: Vec<Ident> = f.parameters.iter().map(|p| spanned(p.slot.clone())).collect();
    let types: Vec<Ident> = f.parameters.iter().map(|p| Ident::new(&p.ty, f.span)).collect();
    let opcode = spanned(Ident::new(&f.opcode, f.span));
    let modifier = |name: &str| Ident::new(&name.to_uppercase(), f.span);
    let fill = |index: usize, to: TokenStream| {
        let name = &names[index];
        quote_spanned!(f.span=> #name.fill(#to);)
    };
    // One identifier with one span, for hygiene.
    let inst = Ident::new("__inst", f.span);
    let mutable = (!f.steps.is_empty()).then(|| Ident::new("mut", f.span));
    // The first steps of most functions fill parameters: they need no tokens.
    let n_first = f.steps.iter().take_while(|step| matches!(step, Fill::Parameter(_))).count();
    let (first, rest) = f.steps.split_at(n_first);
    let first =
        first.iter().filter_map(|step| if let Fill::Parameter(index) = step { names.get(*index) } else { None });
    let steps = rest.iter().map(|step| match step {
        Fill::Parameter(index) => fill(*index, quote!(&mut #inst)),
        Fill::Off => quote!(#inst.push(::isa::Op::OFF);),
        Fill::Variant(name) => {
            let name = modifier(name);
            quote!(#inst.set(super::modifiers::#name, 1);)
        }
        Fill::Modifier(index, name, class) => {
            let (name, fill) = (modifier(name), fill(*index, quote!(#inst)));
            quote! {
                #inst.set_operand(
                    ::isa::build::ModifierRange::new(
                        super::modifiers::#name,
                        <super::__operands::#class as ::isa::Operand<super::#isa>>::PLACING,
                    ),
                    |#inst| { #fill },
                );
            }
        }
    });
    let [builder, group] = [builder, group.as_str()].map(|name| Ident::new(name, Span::call_site()));
    quote_spanned! {f.span=>
        #[doc = #doc]
        #aliases
        #[inline]
        pub fn #name(#(#names: impl slots::#slots<types::#types>),*) -> #builder<groups::#group> {
            let #mutable #inst = ::isa::build::InstBuilder::new(super::Opcode::#opcode, [#s0, #s1, #s2]);
            #(#first.fill(&mut #inst);)*
            #(#steps)*
            #builder::new(#inst)
        }
    }
}

/// Generates the module `build`.
pub fn build_module(clause: &BuildClause, isa: &Ident, set: &Set) -> TokenStream {
    let errors = clause.errors(set);
    if !errors.is_empty() {
        return errors;
    }
    let mut generator =
        BuilderGenerator { clause, set, groups: Groups::default(), types: Vec::new(), functions: Vec::new() };
    generator.add_single_rows();
    generator.add_dual_issue_rows();
    let functions = generator.functions.iter().map(|f| function_item(f, isa));
    let attrs = attrs(&clause.attrs);
    let span = clause.span;
    let module = match &clause.module {
        Some(module) => quote!(use #module as __builder;),
        None => quote_spanned! {span=>
            #[doc(hidden)]
            pub mod __builder {
                pub use ::isa::build::any as slots;
                pub mod has {}
                /// An instruction under construction.
                pub type Builder<M> = ::isa::build::Builder<super::#isa, M>;
            }
        },
    };
    // Items that belong to no single row have the span of the `build` clause.
    let (types, groups) = (element_types(&generator.types, span), generator.groups.items(isa, span));
    quote! {
        #attrs
        #module

        /// Typed builders: a function for each mnemonic. Its parameters accept the operands that the instruction accepts.
        ///
        /// The functions have the guide's mnemonics in lower case; the parameters are the operands in the order of the
        /// text. The result is a builder, whose methods set modifiers and build the instruction.
        #attrs
        #[allow(clippy::too_many_arguments)]
        pub mod build {
            pub use super::__builder::*;
            #types
            #groups
            #(#functions)*
        }
    }
}
