//! Generation of the types that implement `isa::Operand`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::codes::Space;
use super::docs;
use super::facts::{Facts, Half};
use super::numbers::{is_signed, shift};
use super::statics::{Statics, aliases, bits_of, constant, flags};
use crate::ast::{ArmMap, Asked, Attr, ClassContent, ClassDecl, Clause, GetType, OperandTables, RunKind, Target};
use crate::spanned::SpannedStr;

/// Generates all classes.
pub fn expand(tables: &OperandTables) -> TokenStream {
    // Generations with the same tables share them.
    let mut modules: Vec<(Vec<String>, TokenStream, String)> = Vec::new();
    for generation in tables.generations.iter().map(Some).chain(tables.generations.is_empty().then_some(None)) {
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
    let classes = tables.classes.iter().map(|class| context.class(class));
    let aliases = aliases(tables);
    quote!(#aliases #(#items)* #space #(#classes)*)
}

/// The tables, and what all of their classes share.
pub(super) struct Context<'a> {
    pub(super) tables: &'a OperandTables,
    /// The generations of each module of tables.
    generations: &'a [Vec<String>],
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
        let (_, set) = self.target();
        let module = |at: usize| of(format_ident!("tables{at}"));
        let last = self.generations.len() - 1;
        let arms = self.generations.iter().take(last).enumerate().map(|(at, names)| {
            let value = module(at);
            quote!(if ::isa::class::is_one_of(<#set as ::isa::Isa>::GENERATION, &[#(#names),*]) { #value } else)
        });
        let other = module(last);
        if last == 0 { other } else { quote!(#(#arms)* { #other }) }
    }

    /// Returns an expression that is `of(space)` for the generation of the set.
    pub(super) fn of_generation_space(&self, of: impl Fn(&Space) -> TokenStream) -> TokenStream {
        let (_, set) = self.target();
        let space = |names: &[String]| {
            let generation = self.tables.generations.iter().find(|g| names.iter().any(|name| *g == name));
            of(&Space::new(self.tables, generation))
        };
        let Some((last, others)) = self.generations.split_last() else { return quote!(&[]) };
        let arms = others.iter().map(|names| {
            let value = space(names);
            quote!(if ::isa::class::is_one_of(<#set as ::isa::Isa>::GENERATION, &[#(#names),*]) { #value } else)
        });
        let other = space(last);
        if others.is_empty() { other } else { quote!(#(#arms)* { #other }) }
    }

    /// Generates functions that return the code space and the constants of a set.
    fn space(&self) -> TokenStream {
        let (param, _) = self.target();
        let file = &self.tables.file;
        let space = self.of_generation(|module| quote!(&#module::SPACE));
        let constants = self.of_generation(|module| quote!(&#module::CONSTANTS));
        quote! {
            /// Returns the code space of a set.
            #[allow(dead_code)]
            pub(crate) const fn space<#param>() -> &'static ::isa::class::Space<#file> {
                #space
            }

            /// Returns the constants of a set that have codes of their own.
            #[allow(dead_code)]
            pub(crate) const fn constants<#param>() -> &'static ::isa::Constants {
                #constants
            }
        }
    }

    /// Generates the type of a class and its implementation.
    fn class(&self, class: &ClassDecl) -> TokenStream {
        let name = &class.name;
        let own: TokenStream = class.docs.iter().map(|a: &Attr| a.tokens.clone()).collect();
        let table = format!("\n{}", docs::table(class, &Space::new(self.tables, self.tables.generations.last())));
        let item = match (&class.get, &class.param) {
            (GetType::Existing, _) => quote!(),
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
                let (count, pairs) = (names.len(), names.iter().map(|(code, name, _)| quote!((#code, #name))));
                let doc = format!("The codes of [`{name}`] with their names.");
                quote! {
                    #[doc = #doc]
                    pub static #list: [(u32, &str); #count] = [#(#pairs),*];
                }
            }
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
        let body = match &class.content {
            ClassContent::Codes(_) => self.codes(class),
            ClassContent::Number(low, high, _) => self.number(class, *low, *high),
            ClassContent::Flag(text) => self.flag(class, text.as_ref()),
            ClassContent::Names { pattern, names, other, .. } => self.names(class, pattern, names, other.as_ref()),
            ClassContent::Hidden => {
                let set = &set;
                quote! {
                    const CHECKED: bool = false;
                    fn write(_: &::isa::Cx<'_, #set>, _: u32, _: &mut ::isa::Text) {}
                }
            }
        };
        let get = self.get(class);
        let hooks = self.hooks(class);
        quote! {
            #item
            #list
            impl #param ::isa::Operand<#set> for #this { #get #body #hooks }
        }
    }

    /// Generates what accessors return.
    fn get(&self, class: &ClassDecl) -> TokenStream {
        let ty = match &class.get {
            GetType::Newtype(..) | GetType::Existing => quote!(Self),
            GetType::Type(ty) => quote!(#ty),
            GetType::Default => match &class.content {
                ClassContent::Flag(_) | ClassContent::Hidden => quote!(bool),
                ClassContent::Number(..) if is_signed(class) => quote!(i32),
                _ => quote!(u32),
            },
        };
        let convert = match &class.content {
            ClassContent::Number(low, high, _) if is_signed(class) || shift(class) > 0 => {
                let table = self.numeric(class, *low, *high);
                quote! {
                    #[inline]
                    fn get(code: u32) -> #ty {
                        const TABLE: ::isa::class::Numeric = #table;
                        TABLE.get(code) as #ty
                    }

                    #[inline]
                    fn code(value: #ty) -> u32 {
                        const TABLE: ::isa::class::Numeric = #table;
                        TABLE.code(value as i32)
                    }
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
        let hook = |clause: &Clause| {
            let Clause::Hook(kind, path) = clause else { return quote!() };
            match kind.as_str() {
                "read" => quote! {
                    fn parse(asm: &mut ::isa::Asm<'_, '_, #set>)
                        -> ::core::result::Result<::core::option::Option<u32>, ::isa::ParseError>
                    {
                        #path(asm)
                    }
                },
                "write" => quote! {
                    fn write(cx: &::isa::Cx<'_, #set>, code: u32, out: &mut ::isa::Text) {
                        #path(cx, code, out);
                    }
                },
                "value" => quote! {
                    fn value(cx: &::isa::Cx<'_, #set>, code: u32)
                        -> ::core::option::Option<<#set as ::isa::Isa>::Value>
                    {
                        ::core::convert::Into::into(#path(cx, code))
                    }
                },
                "plain" => quote!(const PLAIN: &'static ::isa::Plain = &#path;),
                "place" => quote!(const PLACING: &'static ::isa::inst::Placing = &#path;),
                "depends" => quote! {
                    const DEPENDENT: ::core::option::Option<::isa::inst::Dependent<#set>> = #path();
                },
                "missing" => quote! {
                    const ABSENT: ::core::option::Option<::isa::AbsentFn<#set>> = ::core::option::Option::Some(#path);
                },
                _ => quote!(),
            }
        };
        let hooks: TokenStream = class.clauses.iter().map(hook).collect();
        let absent = class.clauses.iter().find_map(|c| match c {
            Clause::Absent(code) => Some(*code as u32),
            _ => None,
        });
        let absent = absent.map(|code| {
            quote! {
                const ABSENT: ::core::option::Option<::isa::AbsentFn<#set>> =
                    ::core::option::Option::Some(|_| ::core::option::Option::Some(#code));
            }
        });
        let late = has(class, |c| matches!(c, Clause::Late)).then(|| {
            quote!(
                const LATE: bool = true;
            )
        });
        let placing = if hooked(class, "place") { None } else { self.placing(class) };
        let placing = placing.map(|placing| quote!(const PLACING: &'static ::isa::inst::Placing = &#placing;));
        quote!(#hooks #absent #late #placing)
    }

    /// Generates the members of a class of registers and constants.
    fn codes(&self, class: &ClassDecl) -> TokenStream {
        let (_, set) = self.target();
        let (syntax, value) = (self.syntax(), &self.tables.value);
        let facts = Facts::new(class);
        let of = |prefix: &str| {
            let name = constant(prefix, class);
            self.of_generation(|module| quote!(#module::#name))
        };
        let class_of = {
            let name = constant("CLASS", class);
            self.of_generation(|module| quote!(&#module::#name))
        };
        let (sure, prints, names, values) = (of("CODES"), of("PRINTS"), of("NAMES"), of("VALUES"));
        let dwords = self.dwords(class);
        let check = self.check(class, &facts, &sure, dwords.as_ref());
        let printable = self.printable(class, &facts, &prints, &class_of, &sure);
        let literal = self.literal(class, &facts);
        let (mut names_literal, values_literal) = literal.unwrap_or_default();
        if hooked(class, "write") {
            names_literal = quote!();
        }
        let altered = signs(class, &facts);
        let parameter = class.param.as_ref().map(|(name, _)| name);
        let plain = if hooked(class, "plain") {
            quote!()
        } else {
            let name = constant("PLAIN", class);
            let plain = self.of_generation(|module| quote!(&#module::#name));
            quote!(const PLAIN: &'static ::isa::Plain = #plain;)
        };
        let count = |cx: TokenStream| dwords.as_ref().map(|dwords| quote!((#dwords)(#cx)));
        // Finds an operand that another field says something about.
        let place = {
            let dwords = count(quote!(cx)).unwrap_or(quote!(class.dwords::<#set>(cx.ty, cx.mode)));
            match facts.half {
                Half::By(_, path) => {
                    quote!(class.place_with_half(cx, code, #dwords, |code| ::core::option::Option::Some(#path(cx, code))))
                }
                _ => quote!(class.place(cx, code, #dwords)),
            }
        };
        let is_placed = matches!(facts.half, Half::By(..)) || facts.write_signs.is_some();
        let write = (!hooked(class, "write")).then(|| {
            let call = match (count(quote!(cx)), &facts.write_signs) {
                (_, Some((path, number))) => {
                    let number = match number {
                        Some(number) => quote!(#number as usize),
                        None => quote!(#parameter),
                    };
                    quote! {
                        let place = #place;
                        #path(
                            cx,
                            #number,
                            || class.is_number::<#set, #syntax>(cx, &place),
                            out,
                            |out| class.write_place::<#set, #syntax>(cx, &place, out),
                        )
                    }
                }
                _ if is_placed => quote!(class.write_place::<#set, #syntax>(cx, &#place, out)),
                (Some(dwords), _) => quote!(class.write_dwords::<#set, #syntax>(cx, code, #dwords, out)),
                (None, _) => quote!(class.write::<#set, #syntax>(cx, code, out)),
            };
            quote! {
                fn write(cx: &::isa::Cx<'_, #set>, code: u32, out: &mut ::isa::Text) {
                    let class = #class_of;
                    #call;
                }
            }
        });
        let value = (!hooked(class, "value")).then(|| {
            let call = match count(quote!(cx)) {
                _ if matches!(facts.half, Half::By(..)) => quote!(class.meaning_of_place(cx, &#place)),
                Some(dwords) => quote!(class.meaning_dwords(cx, code, #dwords)),
                None => quote!(class.meaning(cx, code)),
            };
            quote! {
                fn value(cx: &::isa::Cx<'_, #set>, code: u32)
                    -> ::core::option::Option<<#set as ::isa::Isa>::Value>
                {
                    let class = #class_of;
                    #call.map(<#value>::of)
                }
            }
        });
        let late = facts.is_counted() && facts.there.is_none() && has(class, |c| matches!(c, Clause::DwordsSum(..)));
        let parse = (!hooked(class, "read")).then(|| {
            let call = match (&facts.there, &dwords) {
                (Some(field), _) => {
                    let field = field.as_str().to_uppercase();
                    quote!(class.read_there::<#set, #syntax>(asm, #field))
                }
                (None, Some(dwords)) if late || has(class, |c| matches!(c, Clause::Late)) => {
                    quote!(class.read_late::<#set, #syntax>(asm, #dwords))
                }
                (None, Some(dwords)) => quote!(class.read_counted::<#set, #syntax>(asm, #dwords)),
                (None, None) => {
                    quote!(class.read::<#set, #syntax>(asm, #sure))
                }
            };
            quote! {
                fn parse(asm: &mut ::isa::Asm<'_, '_, #set>)
                    -> ::core::result::Result<::core::option::Option<u32>, ::isa::ParseError>
                {
                    let class = #class_of;
                    #call.map(::core::option::Option::Some)
                }
            }
        });
        let late = late.then(|| {
            quote!(
                const LATE: bool = true;
            )
        });
        let bits = self.full_bits(class, &facts);
        let statically_valid = match &facts.check {
            None | Some((_, Asked::BesideDword)) => sure.clone(),
            Some((_, Asked::Of(_))) => of("STATIC"),
            Some((_, Asked::Always)) => quote!(::isa::Sure::NONE),
        };
        quote! {
            const BITS: u8 = #bits;
            const SURE: ::isa::Sure = #statically_valid;
            const NAMES: ::isa::Names = ::isa::Names { #names_literal #altered ..#names };
            const VALUES: ::isa::Values<<#set as ::isa::Isa>::Value> = ::isa::Values { #values_literal ..#values };
            #plain
            #late
            #check
            #printable
            #write
            #value
            #parse
        }
    }

    /// Returns how many bits all codes of which are valid, if a class has all codes of so many bits.
    fn full_bits(&self, class: &ClassDecl, facts: &Facts) -> TokenStream {
        if facts.is_counted() || facts.check.is_some() || self.literal_run(class).is_some() {
            return quote!(0);
        }
        let bits = bits_of(self.tables, class);
        let (_, set) = self.target();
        quote!(if matches!(<Self as ::isa::Operand<#set>>::SURE, ::isa::Sure::Within(_)) { #bits } else { 0 })
    }

    /// Returns the function that counts the registers of an operand, if fields or a function say how many.
    fn dwords(&self, class: &ClassDecl) -> Option<TokenStream> {
        class.clauses.iter().find_map(|clause| match clause {
            Clause::DwordsFn(path) => Some(quote!(#path)),
            Clause::DwordsSum(fields, raw) => Some(field_sum(fields, raw)),
            Clause::There(field, raw) => Some(field_sum(std::slice::from_ref(field), raw)),
            _ => None,
        })
    }

    /// Generates `CHECKED` and `check`.
    fn check(&self, class: &ClassDecl, facts: &Facts, sure: &TokenStream, dwords: Option<&TokenStream>) -> TokenStream {
        let (_, set) = self.target();
        let hook = facts.check.as_ref().map(|(path, asked)| match asked {
            Asked::BesideDword => quote!(&& (cx.suffix_dword == 0 || #path(cx, code))),
            Asked::Always | Asked::Of(_) => quote!(&& #path(cx, code)),
        });
        let literal = self
            .literal_run(class)
            .map(|(code, dword)| quote!(&& (code != #code || cx.suffix_dword_name() == ::core::option::Option::Some(#dword))));
        let codes = match dwords {
            Some(dwords) if facts.off.is_some() => quote!((code == 0 || (#dwords)(cx) > 0)),
            Some(_) if matches!(&class.content, ClassContent::Codes(arms) if arms.iter().all(|arm| arm.map == ArmMap::Number)) =>
            {
                if hook.is_none() {
                    return quote!(
                        const CHECKED: bool = false;
                    );
                }
                quote!(true)
            }
            _ => quote!(::isa::class::is_valid(#sure, cx, code)),
        };
        quote! {
            #[inline]
            fn codes(_: ::isa::Type) -> ::core::option::Option<&'static ::isa::CodeSet> {
                ::core::option::Option::None
            }

            fn check(cx: &::isa::Cx<'_, #set>, code: u32) -> bool {
                #codes #literal #hook
            }
        }
    }

    pub(super) fn printable(
        &self,
        class: &ClassDecl,
        facts: &Facts,
        prints: &TokenStream,
        table: &TokenStream,
        sure: &TokenStream,
    ) -> TokenStream {
        let (_, set) = self.target();
        let mut all = Vec::new();
        if facts.prints_all {
            all.push(quote!(true));
        }
        if let Some(set) = facts.prints {
            // A literal needs the dword that holds it.
            let runs = self.tables.generations.first();
            let space = Space::new(self.tables, runs);
            let literal = space.resolve(set).into_iter().find_map(|at| match &space.runs[at].what {
                RunKind::Literal(dword) => Some((space.runs[at].first, dword.to_string())),
                _ => None,
            });
            let literal = literal
                .map(|(code, dword)| quote!(&& (code != #code || cx.suffix_dword_name() == ::core::option::Option::Some(#dword))));
            all.push(quote!((::isa::class::is_valid(#prints, cx, code) #literal)));
        }
        if facts.misaligned {
            all.push(quote!((const { (#table).alignment() }).is_valid(#sure, cx, code)));
        }
        all.extend(hook(class, "printable").map(|path| quote!(#path(cx, code))));
        if all.is_empty() {
            return quote!();
        }
        quote! {
            #[allow(unused_variables)]
            fn printable(cx: &::isa::Cx<'_, #set>, code: u32) -> bool {
                #(#all)||*
            }
        }
    }

    /// Returns the code of the literal that a class may have or print, and its suffix dword.
    fn literal_run(&self, class: &ClassDecl) -> Option<(u32, String)> {
        let ClassContent::Codes(arms) = &class.content else { return None };
        let generations =
            self.tables.generations.iter().map(Some).chain(self.tables.generations.is_empty().then_some(None));
        generations.into_iter().find_map(|generation| {
            let space = Space::new(self.tables, generation);
            let printed = class.clauses.iter().filter_map(|c| match c {
                Clause::Prints { set, .. } => Some(set),
                _ => None,
            });
            let sets = arms.iter().map(|arm| &arm.set).chain(printed);
            let runs: Vec<usize> = sets.flat_map(|set| space.resolve(set)).collect();
            runs.iter().find_map(|at| match &space.runs[*at].what {
                RunKind::Literal(dword) => Some((space.runs[*at].first, dword.to_string())),
                _ => None,
            })
        })
    }

    /// Returns the `literal` of `Names` and `Values`.
    fn literal(&self, class: &ClassDecl, facts: &Facts) -> Option<(TokenStream, TokenStream)> {
        let (code, _) = self.literal_run(class)?;
        if has(class, |c| matches!(c, Clause::Without(what) if *what == *"names")) {
            return None;
        }
        let (syntax, value, file) = (self.syntax(), &self.tables.value, &self.tables.file);
        let code = code as u16;
        let of_text = class.clauses.iter().filter_map(|c| match c {
            Clause::LiteralUnless(names) => Some(flags(names)),
            _ => None,
        });
        let of_constants = facts.flags_of_constants(|_| true);
        let usual = facts.usual_constants();
        Some((
            quote! {
                literal: ::core::option::Option::Some(::isa::Literal {
                    code: #code,
                    unless: #of_constants #(| #of_text)*,
                    make: |value, ty, out| {
                        let ty = #usual.of_type(ty);
                        <#syntax as ::isa::class::Syntax>::write_literal(value, ty, out);
                    },
                }),
            },
            quote! {
                literal: ::core::option::Option::Some(::isa::Literal {
                    code: #code,
                    unless: 0,
                    make: |value, _| <#value>::of(::isa::Meaning::<#file>::Literal(value)),
                }),
            },
        ))
    }
}

/// Returns the modifiers that change the text of a class, as a member of `isa::Names`.
fn signs(class: &ClassDecl, facts: &Facts) -> TokenStream {
    if facts.write_signs.is_none() {
        return quote!();
    }
    let Some((param, last)) = &class.param else {
        let names = facts.sign_names(class, 0);
        return quote!(altered_by: &[#(#names),*],);
    };
    let all = (0..=*last).map(|nth| {
        let names = facts.sign_names(class, nth);
        quote!(&[#(#names),*])
    });
    quote!(altered_by: [#(#all as &[&str]),*][#param],)
}

/// Generates a newtype of a code.
fn newtype(docs: &TokenStream, name: &Ident, method: &Ident, content: &TokenStream) -> TokenStream {
    quote! {
        #docs
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct #name(#content);

        impl #name {
            /// Makes it of the content of the field.
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

/// Returns a closure that adds one-bit fields of a format.
fn field_sum(fields: &[SpannedStr], raw: &TokenStream) -> TokenStream {
    let all = fields.iter().map(|name| {
        let field = Ident::new(name.as_str(), name.span());
        quote!(u8::from(raw.#field()))
    });
    quote! {
        |cx: &::isa::Cx<'_, _>| {
            let raw = #raw::from_bits(cx.low64());
            0 #(+ #all)*
        }
    }
}

/// Returns whether a class has a clause.
pub(super) fn has(class: &ClassDecl, is: impl Fn(&Clause) -> bool) -> bool {
    class.clauses.iter().any(is)
}

/// Returns the function of a class for one of its parts.
pub(super) fn hook<'a>(class: &'a ClassDecl, kind: &str) -> Option<&'a TokenStream> {
    class.clauses.iter().find_map(|c| match c {
        Clause::Hook(name, path) if name.as_str() == kind => Some(path),
        Clause::Check(path, _) if kind == "check" => Some(path),
        _ => None,
    })
}

/// Returns whether a class has a function for one of its parts.
pub(super) fn hooked(class: &ClassDecl, kind: &str) -> bool {
    hook(class, kind).is_some()
}
