//! Generation of the types that implement `isa::Operand`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::class_codes::{ClassCodes, of_content};
use super::codes::Space;
use super::context::{Context, has, hooked};
use super::facts::{Facts, check_condition};
use super::members::{may_be_unused, unchecked};
use super::numbers::{is_signed, shift};
use super::parts;
use super::statics::{Statics, aliases};
use super::{docs, lists};
use crate::ast::{ClassContent, ClassDecl, Clause, CodeRun, GetType, NamedCode, OperandTables, Target, attrs};
use quote::format_ident;

/// Generates all classes.
pub fn expand(tables: &OperandTables) -> TokenStream {
    // Generations with the same tables share them.
    let mut modules: Vec<(Vec<String>, TokenStream, String)> = Vec::new();
    for generation in tables.each_generation() {
        let module = Statics::module(tables, generation);
        let (text, name) = (module.to_string(), generation.map(ToString::to_string));
        match modules.iter_mut().find(|(.., other)| *other == text) {
            Some((names, ..)) => names.extend(name),
            None => modules.push((name.into_iter().collect(), module, text)),
        }
    }
    let items = modules.iter().enumerate().map(|(at, (_, module, _))| {
        let name = format_ident!("tables{at}");
        quote! {
            #[allow(clippy::all, clippy::pedantic, clippy::nursery, unused_imports, dead_code)]
            mod #name {
                use super::*;
                #module
            }
        }
    });
    let generations: Vec<Vec<String>> = modules.iter().map(|(names, ..)| names.clone()).collect();
    let context = Context { tables, generations: &generations };
    let space = if tables.runs.is_empty() { quote!() } else { context.space() };
    let codes = if tables.runs.is_empty() { quote!() } else { codes_module(&tables.runs) };
    let classes = tables.classes.iter().map(|class| context.class(class));
    let aliases = aliases(tables);
    let lists = tables.lists.iter().map(parts::list);
    quote!(#aliases #(#items)* #space #codes #(#lists)* #(#classes)*)
}

/// Generates the module `codes`, with a constant for each name of the code space that has the same codes in all generations: the
/// code, or the range of codes.
fn codes_module(runs: &[CodeRun]) -> TokenStream {
    let mut names: Vec<(&str, Option<(u32, u32)>)> = Vec::new();
    for run in runs {
        let codes = run.generations.is_empty().then_some((run.first, run.last));
        match names.iter_mut().find(|(name, _)| *name == run.name.as_str()) {
            // Runs of one name that follow each other are one range.
            Some((_, known)) => {
                *known = match (*known, codes) {
                    (Some((first, last)), Some((next, end))) if last + 1 == next => Some((first, end)),
                    _ => None,
                };
            }
            None => names.push((run.name.as_str(), codes)),
        }
    }
    let constants = names.iter().filter_map(|(name, codes)| {
        let (first, last) = (*codes)?;
        let constant = Ident::new(&name.to_uppercase(), Span::call_site());
        let (doc, ty, value) = if first == last {
            (format!("The code of `{name}`."), quote!(u32), quote!(#first))
        } else {
            let doc = format!("The codes of `{name}`.");
            (doc, quote!(::core::ops::RangeInclusive<u32>), quote!(#first..=#last))
        };
        Some(quote!(#[doc = #doc] pub const #constant: #ty = #value;))
    });
    quote! {
        /// The codes that names of the code space have in all generations.
        #[allow(dead_code)]
        pub mod codes { #(#constants)* }
    }
}

/// Generates the types of invalid tables, so that the fields of blocks, which name them, report no further errors.
pub fn placeholders(tables: &OperandTables) -> TokenStream {
    let (param, set) = Context { tables, generations: &[] }.target();
    let mut names: Vec<&Ident> = Vec::new();
    let classes = tables.classes.iter().filter(|class| !matches!(class.get, GetType::Existing));
    let mut types = TokenStream::new();
    for class in classes {
        let name = &class.name;
        if names.contains(&name) {
            continue;
        }
        names.push(name);
        let (constant, argument) = match &class.param {
            Some((of, _)) => (quote!(const #of: usize), quote!(<#of>)),
            None => (quote!(), quote!()),
        };
        let comma = (!param.is_empty()).then(|| quote!(,));
        types.extend(quote! {
            #[doc(hidden)]
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub struct #name<#constant>;
            impl<#param #comma #constant> ::isa::Operand<#set> for #name #argument {
                type Get = u32;
            }
        });
    }
    types
}

impl Context<'_> {
    /// Returns the generic parameter of an `impl`, and the set.
    pub(super) fn target(&self) -> (TokenStream, TokenStream) {
        match &self.tables.target {
            Target::Set(path) => (quote!(), quote!(#path)),
            Target::Generic(name, bounds) => (quote!(#name: #bounds), quote!(#name)),
        }
    }

    pub(super) fn syntax(&self) -> TokenStream {
        self.tables.syntax.clone().unwrap_or_else(|| quote!(::isa::class::Simple))
    }

    /// Returns an expression that is `of(module)` for the generation of the set.
    pub(super) fn of_generation(&self, of: impl Fn(Ident) -> TokenStream) -> TokenStream {
        self.by_generation(&|at| of(format_ident!("tables{at}")))
    }

    /// Returns the code space of a module of tables.
    fn space_of(&self, at: usize) -> Space<'_> {
        let names = &self.generations[at];
        Space::new(self.tables, self.tables.generations.iter().find(|g| names.iter().any(|name| *g == name)))
    }

    /// Returns an expression that is `of(at)` for a set whose generation has the module of tables `at`.
    fn by_generation(&self, of: &dyn Fn(usize) -> TokenStream) -> TokenStream {
        let (_, set) = self.target();
        let Some(last) = self.generations.len().checked_sub(1) else { return quote!(&[]) };
        let arms = (0..last).map(|at| {
            let (names, value) = (&self.generations[at], of(at));
            quote!(if ::isa::class::is_one_of(<#set as ::isa::Isa>::GENERATION, &[#(#names),*]) { #value } else)
        });
        let other = of(last);
        if last == 0 { other } else { quote!(#(#arms)* { #other }) }
    }

    /// Generates functions that return the code space and the constants of a set.
    fn space(&self) -> TokenStream {
        let (param, _) = self.target();
        let file = &self.tables.file;
        let space = self.of_generation(|module| quote!(&#module::SPACE));
        let constants = self.of_generation(|module| quote!(&#module::CONSTANTS));
        let (lists, value) = (self.of_generation(|module| quote!(#module::VALUE_LISTS)), &self.tables.value);
        // Sets name their type, whether or not they are the only one.
        let set = if param.is_empty() { quote!(__Set) } else { param.clone() };
        quote! {
            /// Returns the precomputed values of a set.
            #[doc(hidden)]
            #[must_use]
            pub const fn __value_lists<#set>() -> ::isa::ValueLists<#value> {
                #lists
            }

            /// Returns the code space of a set.
            #[allow(dead_code)]
            pub(crate) const fn space<#param>() -> &'static ::isa::class::Space<#file> {
                #space
            }

            /// Returns the constants of a set that have their own codes.
            #[allow(dead_code)]
            pub(crate) const fn constants<#param>() -> &'static ::isa::Constants {
                #constants
            }
        }
    }

    /// Generates the type of a class and its implementation.
    fn class(&self, class: &ClassDecl) -> TokenStream {
        let name = &class.name;
        let own = attrs(&class.docs);
        let table = format!("\n{}", docs::table(self.tables, class));
        let item = match (&class.get, &class.param) {
            (GetType::Existing, _) => quote!(),
            (GetType::Fields(fields), _) => parts::with_fields(&quote!(#own #[doc = #table]), class, fields),
            (GetType::Newtype(method, content), _) => newtype(&quote!(#own #[doc = #table]), name, method, content),
            (_, Some((param, _))) => quote! {
                #own
                #[doc = #table]
                #[derive(Clone, Copy, PartialEq, Eq, Debug)]
                pub struct #name<const #param: usize>;
            },
            _ => quote! {
                #own
                #[doc = #table]
                #[derive(Clone, Copy, PartialEq, Eq, Debug)]
                pub struct #name;
            },
        };
        let list = match &class.content {
            ClassContent::Names { names, list: Some(list), .. } => {
                let (count, pairs) =
                    (names.len(), names.iter().map(|NamedCode { code, name, .. }| quote!((#code, #name))));
                let doc = format!("The codes of [`{name}`] with their names.");
                quote! {
                    #[doc = #doc]
                    pub static #list: [(u32, &str); #count] = [#(#pairs),*];
                }
            }
            ClassContent::Parts(parts, list) => self.parts_statics(class, parts, list.as_ref()),
            ClassContent::List(list) => lists::list_static(class, list),
            ClassContent::Cases { list, codes, statics } => {
                lists::cases_statics(class, list.as_ref(), codes, statics.as_ref())
            }
            ClassContent::Call(name, arguments) => self.call_static(class, name, arguments),
            _ => quote!(),
        };
        let (param, set) = self.target();
        let param = match &class.param {
            Some((n, _)) => quote!(<const #n: usize, #param>),
            None => quote!(<#param>),
        };
        let this = match &class.param {
            Some((n, _)) => quote!(#name<#n>),
            None => quote!(#name),
        };
        let codes = of_content(self.tables, class);
        let body = match &class.content {
            ClassContent::Codes(_) => self.codes(class),
            ClassContent::Number(low, high, _) => self.number(class, *low, *high, &codes),
            ClassContent::Flag(text) => self.flag(class, text.as_ref(), &codes),
            ClassContent::Names { pattern, names, other, .. } => {
                self.names(class, pattern, names, other.as_ref(), &codes)
            }
            ClassContent::Parts(parts, list) => self.parts(class, parts, list.as_ref(), &codes),
            ClassContent::List(list) => self.list(class, list, &codes),
            ClassContent::Cases { .. } => self.cases(class, &codes),
            ClassContent::Call(..) => self.call(class, &codes),
            ClassContent::Hidden => {
                let codes = match check_condition(class) {
                    None if hooked(class, "used") => self.valid_codes(&codes, &quote!(true)),
                    None => unchecked(),
                    Some(check) => self.valid_codes(&codes, &check),
                };
                let (printable, write) = (self.printable_of(class), self.write_with(&quote!()));
                let stated_by = Facts::new(class).stated_by.map(|text| {
                    let text = text.as_str();
                    self.in_parser(&quote!(
                        const STATED_BY: &'static str = #text;
                    ))
                });
                quote!(#codes #printable #write #stated_by)
            }
        };
        let get = self.get(class);
        let hooks = self.hooks(class);
        let (dwords, readers) = (self.dwords_fn(class), self.readers(class));
        quote! {
            #item
            #list
            #dwords
            #readers
            // Members of all classes have the same parameters.
            #[allow(unused_variables)]
            impl #param ::isa::Operand<#set> for #this { #get #body #hooks }
        }
    }

    /// Generates what accessors return.
    fn get(&self, class: &ClassDecl) -> TokenStream {
        let ty = match &class.get {
            GetType::Newtype(..) | GetType::Fields(_) | GetType::Existing => quote!(Self),
            GetType::Type(ty) => quote!(#ty),
            GetType::Default => match &class.content {
                ClassContent::Flag(_) | ClassContent::Hidden => quote!(bool),
                ClassContent::Number(..) if is_signed(class) => quote!(i32),
                _ => quote!(u32),
            },
        };
        let convert = match &class.content {
            ClassContent::Number(low, high, _) if is_signed(class) || shift(class) > 0 => {
                let get = self.call_numeric(class, (*low, *high), &quote!(get(code) as #ty));
                let code = self.call_numeric(class, (*low, *high), &quote!(code(value as i32)));
                quote! {
                    #[inline]
                    fn get(code: u32) -> #ty { #get }

                    #[inline]
                    fn code(value: #ty) -> u32 { #code }
                }
            }
            ClassContent::Codes(arms) if class.clauses.iter().any(|c| matches!(c, Clause::GivesRegister)) => {
                let shift = match arms.last().map(|arm| arm.map) {
                    Some(crate::ast::ArmMap::By(shift)) => shift,
                    _ => 0,
                };
                quote! {
                    #[inline]
                    fn get(code: u32) -> #ty {
                        (code << #shift) as #ty
                    }

                    #[inline]
                    fn code(first: #ty) -> u32 {
                        u32::from(first >> #shift)
                    }
                }
            }
            _ => quote!(),
        };
        quote!(type Get = #ty; #convert)
    }

    /// Generates the functions of a class that the declaration names.
    fn hooks(&self, class: &ClassDecl) -> TokenStream {
        let (_, set) = self.target();
        let may_be_unused = may_be_unused();
        let hook = |clause: &Clause| {
            let Clause::Hook(kind, path) = clause else { return quote!() };
            match kind.as_str() {
                "read" => self.parse_by(&quote!(#path(asm))),
                "write" => self.write_with(&quote!(#path(cx, code, out);)),
                "value" => self.value_with(&quote!(::core::convert::Into::into(#path(cx, code)))),
                "code_value" => self.values_of_codes(path),
                "used" => quote! {
                    #may_be_unused
                    fn is_used(cx: &::isa::Cx<'_, #set>) -> bool { #path(cx) }
                },
                "missing" => self.default_code(path),
                _ => quote!(),
            }
        };
        let hooks = class.clauses.iter().map(hook);
        let absent = class.clauses.iter().find_map(|c| match c {
            Clause::Absent(code) | Clause::Required(Some(code)) => Some(*code as u32),
            _ => None,
        });
        let absent = absent.map(|code| self.default_code(&quote!(|_| ::core::option::Option::Some(#code))));
        let late = has(class, |c| matches!(c, Clause::Late)).then(|| self.deferred());
        let dependent = class.clauses.iter().find_map(|c| match c {
            Clause::Depends(operands, check) => Some((operands, check)),
            _ => None,
        });
        let dependent = dependent.map(|(operands, check)| {
            let judged = check.as_ref().map_or(quote!(same), |check| quote!(#check(cx, given, same)));
            self.in_inst(&quote! {
                const DEPENDENT: ::core::option::Option<::isa::class::Dependent<#set>> =
                    ::core::option::Option::Some(::isa::class::Dependent {
                        operands: |cx, code| #operands(cx, code),
                        check: |cx, code, given| {
                            let same = ::isa::class::same_registers(&#operands(cx, code), given);
                            #judged
                        },
                    });
            })
        });
        let placing = self.placing(class);
        quote!(#(#hooks)* #absent #late #dependent #placing)
    }

    /// Generates how `Inst` places operands of a class.
    fn placing(&self, class: &ClassDecl) -> TokenStream {
        let of_generation = self.by_generation(&|at| {
            let (space, module) = (&self.space_of(at), format_ident!("tables{at}"));
            let codes = ClassCodes { tables: self.tables, space, class };
            let of_parameter = |nth| {
                let placing = codes.placing(nth).tokens(&quote!(&#module::CONSTANTS));
                quote!(const { &#placing })
            };
            match &class.param {
                Some((param, last)) => {
                    let all = (0..=*last).map(of_parameter);
                    quote!([#(#all),*][#param])
                }
                None => of_parameter(0),
            }
        });
        let placing = quote!(const PLACING: &'static ::isa::class::Placing = #of_generation;);
        // The printer and the parser read where the signs and the halves of registers and constants are.
        if matches!(class.content, ClassContent::Codes(_)) { placing } else { self.in_either(&placing) }
    }
}

/// Generates a newtype of a code.
fn newtype(docs: &TokenStream, name: &Ident, method: &Ident, content: &TokenStream) -> TokenStream {
    quote! {
        #docs
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct #name(#content);

        impl #name {
            /// Returns the value for the content of the field.
            #[must_use]
            pub const fn new(#method: #content) -> Self {
                #name(#method)
            }

            /// Returns the content of the field.
            #[must_use]
            pub const fn #method(self) -> #content {
                self.0
            }
        }

        impl ::isa::Code for #name {
            fn from_code(code: u32) -> Self {
                #name(code as #content)
            }

            fn into_code(self) -> u32 {
                u32::from(self.0)
            }
        }
    }
}
