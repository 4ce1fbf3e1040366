//! The module `build`: a function for each mnemonic, with a typed parameter for each operand.
//!
//! What the parameters admit and what modifiers do is known by the module that the set's `build` names. Here a row's
//! kinds lead to slots (traits `slots::…<Type>` of that module), its modifiers to markers (traits `has::…`), by the list
//! after the module's name.
//!
//! The module has `slots`, whose traits have `fn argument(self) -> Arg`; `has`; `Builder<M>` and, where formats hold two
//! instructions, `Half<M>`, both with `fn new(template: &'static str, args: &[Arg]) -> Self`.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::{camel, ident};
use crate::cond::{Facts, IT};
use crate::fault::Fault;
use crate::head::{Build, Map};
use crate::model::{Component, Format, Set, Slot};
use crate::shape::Form;
use crate::template::Step;
use crate::tree::{Access, Row, Text};
use crate::ty::{Class, Ty};

impl Build {
    /// Names that conditions ask for and nobody declares.
    fn faults(&self, set: &Set) -> TokenStream {
        let mut asked = Vec::new();
        for cond in self.maps.iter().filter_map(|m| m.cond.as_ref()) {
            cond.names(&mut asked);
        }
        let role = |name: &str| set.mnemonics.iter().any(|m| m.row.roles.iter().any(|r| r.name == *name));
        let known = |name: &str| name == IT || set.words.iter().any(|w| w == name) || role(name);
        let unknown = asked.into_iter().filter(|name| !known(name.as_str()));
        let fault = |name: &Text| {
            let say = format!("`{name}` is neither a declared word nor a role; `it` is the operand at hand");
            Fault::new(name.span(), say).to_compile_error()
        };
        unknown.map(fault).collect()
    }

    /// What a name leads to: `Some(None)` where it is hidden, `None` where the list does not have it.
    fn find(&self, modifier: bool, names: &[&str], facts: &Facts) -> Option<Option<&Ident>> {
        let mut maps = self.maps.iter().filter(|m| m.modifier == modifier);
        let fits = |m: &&Map| {
            m.names.iter().any(|n| names.iter().any(|name| *n == **name))
                && m.cond.as_ref().is_none_or(|c| c.holds(facts))
        };
        maps.find(fits).map(|m| m.to.as_ref())
    }

    /// The slot of a kind; `None` where builders do not show it.
    fn slot(&self, kind: &str, facts: &Facts) -> Option<Ident> {
        match self.find(false, &[kind], facts) {
            Some(to) => to.cloned(),
            None => Some(Ident::new(kind, Span::call_site())),
        }
    }

    /// The marker of a modifier; `None` where builders do not show it.
    fn marker(&self, name: &str, kind: &str, facts: &Facts) -> Option<String> {
        match self.find(true, &[name, kind], facts) {
            Some(to) => to.map(ToString::to_string),
            None => Some(camel(&Ident::new(name, Span::call_site())).to_string()),
        }
    }
}

/// A row in one component of one format.
type Place<'s, 'a> = (&'s Format<'a>, &'s Component<'a>, &'s Slot);

/// One function.
struct Function {
    name: String,
    template: String,
    params: Vec<(String, Ident, String)>,
    result: String,
    doc: String,
    /// Where its row stands, so that errors of a call lead there.
    span: Span,
}

/// `Src3 < 0 >` is the kind `Src3`.
fn kind_name(kind: &str) -> &str {
    let base = kind.split('<').next().unwrap_or(kind);
    base.rsplit("::").next().unwrap_or(base).trim()
}

/// `f16x2` becomes `F16x2`.
fn type_name(ty: Ty) -> String {
    let class = match ty.class {
        Class::Bits => "B",
        Class::Unsigned => "U",
        Class::Signed => "I",
        Class::EitherSign => "Iu",
        Class::Float => "F",
        Class::BFloat => "Bf",
        Class::Mask => return "Mask".into(),
    };
    if ty.lanes > 1 { format!("{class}{}x{}", ty.bits, ty.lanes) } else { format!("{class}{}", ty.bits) }
}

fn total_bits(ty: Ty) -> u32 {
    u32::from(ty.bits) * u32::from(ty.lanes)
}

/// The types of operands, and what slots may ask of them.
fn types(all: &BTreeMap<String, Ty>, span: Span) -> TokenStream {
    let items = all.iter().map(|(name, ty)| {
        let ident = Ident::new(name, span);
        let text = name.to_lowercase();
        if ty.class == Class::Mask {
            return quote_spanned! {span=>
                /// One bit for each lane: as many as the mode has.
                #[derive(Clone, Copy, Debug)]
                pub struct Mask;
                impl ::isa::build::Dwords<1> for Mask {}
                impl ::isa::build::Dwords<2> for Mask {}
                impl ::isa::build::Whole for Mask {}
                impl ::isa::build::Narrow for Mask {}
            };
        }
        let bits = total_bits(*ty);
        let dwords = (bits.div_ceil(32)).max(1) as usize;
        let half = if bits == 16 { format_ident!("Half") } else { format_ident!("Whole") };
        let narrow = (bits <= 64).then(|| quote_spanned!(span=> impl ::isa::build::Narrow for #ident {}));
        let float = matches!(ty.class, Class::Float | Class::BFloat | Class::Bits)
            .then(|| quote_spanned!(span=> impl ::isa::build::TakesFloat for #ident {}));
        let doc = format!("Operands of the type `{text}`: {bits} bits.");
        quote_spanned! {span=>
            #[doc = #doc]
            #[derive(Clone, Copy, Debug)]
            pub struct #ident;
            impl ::isa::build::Dwords<#dwords> for #ident {}
            impl ::isa::build::#half for #ident {}
            #narrow
            #float
        }
    });
    quote_spanned! {span=>
        /// The types that rows give their operands.
        pub mod types { #(#items)* }
    }
}

/// Which modifiers instructions have.
struct Groups {
    /// By the set of markers: the name of the type.
    all: BTreeMap<BTreeSet<String>, String>,
}

impl Groups {
    fn of(&mut self, markers: BTreeSet<String>, mnemonic: &str) -> String {
        let like = || format!("Like{}", camel(&Ident::new(mnemonic, Span::call_site())));
        self.all.entry(markers).or_insert_with(like).clone()
    }

    fn items(&self, span: Span) -> TokenStream {
        let items = self.all.iter().map(|(markers, name)| {
            let name = Ident::new(name, span);
            let list: Vec<String> = markers.iter().map(|m| format!("`{m}`")).collect();
            let doc = match list.is_empty() {
                true => "Instructions without modifiers.".into(),
                false => format!("Instructions with the modifiers {}.", list.join(", ")),
            };
            let markers = markers.iter().map(|m| Ident::new(m, span));
            quote_spanned! {span=>
                #[doc = #doc]
                #[derive(Clone, Copy, Debug)]
                pub struct #name;
                #(impl super::has::#markers for #name {})*
            }
        });
        quote_spanned! {span=>
            /// Groups of instructions that have the same modifiers.
            pub mod groups { #(#items)* }
        }
    }
}

/// What is said of a bound operand in a function's documentation.
fn line(name: &str, ty: Option<Ty>, access: Access) -> String {
    let access = match access {
        Access::Read | Access::Modifier => "read",
        Access::Write => "written",
        Access::ReadWrite => "read and written",
    };
    let (text, bits) = match ty {
        Some(ty) if ty.class == Class::Mask => ("mask".into(), "a bit for each lane".into()),
        Some(ty) => (type_name(ty).to_lowercase(), total_bits(ty).to_string()),
        None => (String::new(), String::new()),
    };
    format!("| `{name}` | {access} | {text} | {bits} |\n")
}

struct Writer<'s, 'a> {
    build: &'s Build,
    set: &'s Set<'a>,
    groups: Groups,
    types: BTreeMap<String, Ty>,
    functions: Vec<Function>,
}

impl<'a> Writer<'_, 'a> {
    /// The functions of a row: one, or two where a modifier decides whether an operand is there or written.
    fn row(&mut self, name: &str, row: &Row, base: &Row, places: &[Place<'_, 'a>], halves: Option<&BTreeSet<String>>) {
        // Short encodings come first in a set, so the last one admits most.
        let Some((format, component, slot)) = places.last() else { return };
        let shape = &component.shapes[slot.shape];
        let facts = Facts::new(row, base, false);
        let per_half = format.tails.len() + 1;
        let split = shape.split.as_ref().and_then(|part| {
            let is = |c: &&crate::model::Carrier| c.access == Access::Modifier && c.field_parts == [*part];
            component.carriers.iter().find(is).map(|c| c.name.clone())
        });
        for half in 0..shape.forms.len() / per_half {
            let Some(form) = &shape.forms[half * per_half + shape.always] else { continue };
            let mut function = Function {
                name: name.to_lowercase(),
                template: slot.text.clone(),
                params: Vec::new(),
                result: String::new(),
                doc: String::new(),
                span: row.name.span(),
            };
            let mut shown = BTreeSet::new();
            let mut table = String::new();
            self.template(component, form, &facts, &mut function, &mut table, &mut shown);
            if let Some(split) = &split {
                shown.insert(split.clone());
                if half == 1 {
                    function.name = format!("{}_{split}", function.name);
                    function.template = format!("{} {split}", function.template);
                }
            }
            let usage = function.template.replace(['{', '}'], "");
            let (markers, modifiers) = self.modifiers(places, &facts, &shown);
            let carried: Vec<String> =
                places.iter().map(|(f, _, s)| format!("{} ({})", f.block.name, s.number)).collect();
            let mut doc = format!("`{usage}`\n");
            for text in row.docs.iter().chain(&base.docs).filter_map(|a| a.doc.as_deref()).take(1) {
                doc.push_str(&format!("\n{text}\n"));
            }
            if !table.is_empty() {
                doc.push_str(&format!("\n| operand | | type | bits |\n|---|---|---|---|\n{table}"));
            }
            doc.push_str(&format!("\nCarried by {}.", carried.join(", ")));
            if !modifiers.is_empty() {
                doc.push_str(&format!(" Modifiers: {}.", modifiers.join(", ")));
            }
            function.doc = doc;
            function.result = match halves {
                Some(components) => {
                    let group = self.groups.of(components.clone(), name);
                    format!("Half<groups::{group}>")
                }
                None => format!("Builder<groups::{}>", self.groups.of(markers, name)),
            };
            self.functions.push(function);
            if shape.split.is_none() {
                break;
            }
        }
    }

    /// The template of a form, its parameters and what the documentation says of them. `shown` gets the modifiers that
    /// are parameters because they have a place among the operands.
    fn template(
        &mut self,
        component: &Component,
        form: &Form,
        facts: &Facts,
        function: &mut Function,
        table: &mut String,
        shown: &mut BTreeSet<String>,
    ) {
        let modifier = |at: &u8| form.bound[usize::from(*at)].2 == Access::Modifier;
        let operand = |s: &Step| matches!(s, Step::Operand(at) if !modifier(at));
        let placed = form.text.iter().rposition(operand).map_or(0, |last| last + 1);
        let mut pending = String::new();
        for (i, step) in form.text.iter().enumerate() {
            let at = match step {
                Step::Literal(text) => {
                    pending.push_str(text);
                    continue;
                }
                Step::Operand(at) => at,
            };
            if i >= placed {
                // What stands among the modifiers can stand before them as well.
                continue;
            }
            let (carrier, ty, access) = form.bound[usize::from(*at)];
            let carrier = &component.carriers[carrier];
            let slot = self.build.slot(kind_name(&carrier.kind.text), &facts.about(ty));
            let Some(slot) = slot.filter(|_| carrier.field.is_some()) else {
                // The encoding implies it, or another operand writes it, so that text need not have it.
                pending = if function.params.is_empty() { " ".into() } else { String::new() };
                continue;
            };
            if access == Access::Modifier {
                shown.insert(carrier.name.clone());
                function.template.push(' ');
            }
            if function.params.is_empty() {
                pending = pending.trim_start_matches(',').to_string();
            }
            function.template.push_str(&std::mem::take(&mut pending));
            function.template.push_str(&format!("{{{}}}", carrier.name));
            let type_name = type_name(ty);
            self.types.insert(type_name.clone(), ty);
            let known = (access != Access::Modifier).then_some(ty);
            table.push_str(&line(&carrier.name, known, access));
            function.params.push((carrier.name.clone(), slot, type_name));
        }
        function.template.push_str(pending.trim_end());
    }

    /// The markers of all modifiers that a row has in any encoding, and their names in text.
    fn modifiers(
        &self,
        places: &[Place<'_, 'a>],
        facts: &Facts,
        shown: &BTreeSet<String>,
    ) -> (BTreeSet<String>, Vec<String>) {
        let mut markers = BTreeSet::new();
        let mut names = BTreeSet::new();
        let mut suffixes = BTreeSet::new();
        for (_, component, slot) in places {
            let shape = &component.shapes[slot.shape];
            let mut asked = vec![false; component.carriers.len()];
            for form in shape.forms.iter().flatten() {
                for (at, _, access) in &form.bound {
                    let carrier = &component.carriers[*at];
                    let known = std::mem::replace(&mut asked[*at], true);
                    if known || *access != Access::Modifier || shown.contains(&carrier.name) {
                        continue;
                    }
                    if let Some(marker) = self.build.marker(&carrier.name, kind_name(&carrier.kind.text), facts) {
                        names.insert(format!("`{}`", snake_case(&marker)));
                        markers.insert(marker);
                    }
                }
            }
            if let Some(Some(form)) = shape.forms.get(shape.always) {
                suffixes.insert(form.suffix.clone());
            }
        }
        if suffixes.len() > 1 {
            for suffix in suffixes.iter().filter(|s| !s.is_empty()) {
                let name = suffix.trim_start_matches('_');
                names.insert(format!("`{name}`"));
                markers.insert(camel(&Ident::new(name, Span::call_site())).to_string());
            }
        }
        (markers, names.into_iter().collect())
    }

    /// The rows of formats that hold two instructions: which component holds each, and the row behind it.
    fn halves(&mut self) {
        let set = self.set;
        for format in set.formats.iter().filter(|f| f.components.len() > 1) {
            let mut seen: BTreeMap<&str, (Vec<Place>, BTreeSet<String>, &Row)> = BTreeMap::new();
            for component in &format.components {
                let name = component.name.clone().unwrap_or_default();
                for slot in &component.slots {
                    let row =
                        format.block.rows.iter().find(|r| {
                            r.number.value == slot.number && r.component.as_ref().is_some_and(|c| *c == name)
                        });
                    let Some(row) = row else { continue };
                    let entry = seen.entry(&slot.text).or_insert_with(|| (Vec::new(), BTreeSet::new(), row));
                    entry.0.push((format, component, slot));
                    entry.1.insert(camel(&Ident::new(&name, Span::call_site())).to_string());
                }
            }
            for (text, (places, components, row)) in seen {
                let base = self.set.mnemonics[places[0].2.opcode].row;
                // The first component's kinds serve both: what only the second restricts, numbers decide.
                self.row(text, row, base, &places[..1], Some(&components));
            }
        }
    }
}

/// `BoundCtrl` becomes `bound_ctrl`.
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

/// The module `build`.
pub fn module(build: &Build, set: &Set) -> TokenStream {
    let faults = build.faults(set);
    if !faults.is_empty() {
        return faults;
    }
    let mut writer =
        Writer { build, set, groups: Groups { all: BTreeMap::new() }, types: BTreeMap::new(), functions: Vec::new() };
    let mut places: Vec<Vec<Place>> = vec![Vec::new(); set.mnemonics.len()];
    for format in set.formats.iter().filter(|f| f.components.len() == 1) {
        let component = &format.components[0];
        for slot in &component.slots {
            places[slot.opcode].push((format, component, slot));
        }
    }
    for (mnemonic, places) in set.mnemonics.iter().zip(&places) {
        writer.row(&mnemonic.name, mnemonic.row, mnemonic.row, places, None);
    }
    writer.halves();
    let functions = writer.functions.iter().map(|f| {
        let Function { template, doc, .. } = f;
        let here = |mut name: Ident| {
            name.set_span(f.span);
            name
        };
        let name = here(ident(&f.name));
        let names: Vec<Ident> = f.params.iter().map(|(name, ..)| here(ident(name))).collect();
        let slots = f.params.iter().map(|(_, slot, _)| here(slot.clone()));
        let types = f.params.iter().map(|(.., ty)| Ident::new(ty, f.span));
        let result: TokenStream = f.result.parse().unwrap_or_default();
        let with: TokenStream = if f.result.starts_with("Half") { quote!(Half) } else { quote!(Builder) };
        quote_spanned! {f.span=>
            #[doc = #doc]
            pub fn #name(#(#names: impl slots::#slots<types::#types>),*) -> #result {
                #with::new(#template, &[#(#names.argument()),*])
            }
        }
    });
    let functions: TokenStream = functions.collect();
    let attrs: TokenStream = build.attrs.iter().map(|a| a.tokens.clone()).collect();
    let (module, span) = (&build.module, build.span);
    // What no row gives rise to alone stands where the set asks for builders.
    let (types, groups) = (types(&writer.types, span), writer.groups.items(span));
    quote! {
        #attrs
        use #module as __builder;

        /// Typed builders: a function for each mnemonic, whose parameters admit what its operands admit.
        ///
        /// The functions are named as the guide names the instructions, in lower case; their parameters are the operands
        /// in the order of text. What comes of one takes modifiers as methods, and is an instruction once it is built.
        #attrs
        #[allow(clippy::too_many_arguments)]
        pub mod build {
            pub use super::__builder::*;
            #types
            #groups
            #functions
        }
    }
}
