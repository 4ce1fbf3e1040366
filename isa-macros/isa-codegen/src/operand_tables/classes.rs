//! Generation of classes of registers and constants.

use proc_macro2::TokenStream;
use quote::quote;

use super::class_codes::{bits_of, is_numbered, literal_run};
use super::codes::Space;
use super::context::{Context, has, hook, hooked};
use super::facts::{Facts, Half};
use super::members::{may_be_unused, unchecked};
use super::tokens::constant;
use crate::ast::{ClassContent, ClassDecl, Clause, RunKind};
use crate::spanned::SpannedStr;

impl Context<'_> {
    /// Generates the members of a class of registers and constants.
    pub(super) fn codes(&self, class: &ClassDecl) -> TokenStream {
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
        let (valid, prints, names, values) = (of("CODES"), of("PRINTS"), of("NAMES"), of("VALUES"));
        let dwords = self.dwords(class);
        let check = self.check(class, &facts, &valid, dwords.as_ref());
        let printable = self.printable(class, &facts, &prints, &class_of, &valid);
        let literal = self.literal(class, &facts);
        let (mut names_literal, values_literal) = literal.unwrap_or_default();
        if hooked(class, "write") {
            names_literal = quote!();
        }
        let altered = signs(class, &facts);
        let name = constant("FAST_SYNTAX", class);
        let plain = self.of_generation(|module| quote!(&#module::#name));
        let plain = self.fast_syntax(&plain);
        let count = |cx: TokenStream| dwords.as_ref().map(|dwords| quote!((#dwords)(#cx)));
        // Finds the operand in the code space.
        let place = {
            let dwords = count(quote!(cx)).unwrap_or(quote!(class.dwords::<#set>(cx.ty, cx.mode)));
            match facts.half {
                Half::By(_, path) => {
                    quote!(class.place_with_half(cx, code, #dwords, |code| ::core::option::Option::Some(#path(cx, code))))
                }
                _ => quote!(class.place(cx, code, #dwords)),
            }
        };
        let is_placed = matches!(facts.half, Half::By(..)) || facts.has_signs();
        let write = (!hooked(class, "write")).then(|| {
            let call = match (count(quote!(cx)), facts.has_signs()) {
                (_, true) => {
                    quote! {
                        let place = #place;
                        ::isa::class::signs::write(
                            cx,
                            const { [<Self as ::isa::Operand<#set>>::PLACING.neg, <Self as ::isa::Operand<#set>>::PLACING.abs] },
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
            self.write_with(&quote!(let class = #class_of; #call;))
        });
        let value = (!hooked(class, "value")).then(|| {
            let call = match count(quote!(cx)) {
                _ if matches!(facts.half, Half::By(..)) => quote!(class.meaning_of_place(cx, &#place)),
                Some(dwords) => quote!(class.meaning_dwords(cx, code, #dwords)),
                None => quote!(class.meaning(cx, code)),
            };
            self.value_with(&quote!(let class = #class_of; #call.map(<#value>::of)))
        });
        let late = facts.is_counted && facts.there.is_none() && has(class, |c| matches!(c, Clause::DwordsSum(_)));
        // A count of registers includes those of other files, unless the field has numbers.
        let counted = if facts.off.is_some() { quote!(::isa::ValidCodes::All) } else { valid.clone() };
        let half = if facts.has_halves() {
            quote!(<Self as ::isa::Operand<#set>>::PLACING.half)
        } else {
            quote!(::isa::class::HalfPlace::None)
        };
        let read = {
            let call = match (&facts.there, &dwords) {
                (Some(there), _) => {
                    let (field, is_by_digit) = (there.field.as_str().to_uppercase(), there.is_by_digit);
                    quote!(class.read_there::<#set, #syntax>(asm, #field, #is_by_digit))
                }
                (None, Some(dwords)) if late || has(class, |c| matches!(c, Clause::Late)) => {
                    quote!(class.read_late::<#set, #syntax>(asm, #dwords, #counted))
                }
                (None, Some(dwords)) => quote!(class.read_counted::<#set, #syntax>(asm, #dwords, #counted)),
                (None, None) => {
                    quote!(class.read::<#set, #syntax>(asm, #valid, #half))
                }
            };
            if facts.has_signs() {
                let count = count(quote!(&asm.cx())).unwrap_or(quote!(class.dwords::<#set>(asm.ty, asm.mode)));
                quote! {{
                    let placing = <Self as ::isa::Operand<#set>>::PLACING;
                    let place = ::isa::class::signs::place_of(asm, placing);
                    ::isa::class::signs::read(asm, class.space, placing, place, |asm, signs| {
                        let dwords = #count;
                        class.read_signed::<#set, #syntax>(asm, dwords, #valid, #half, signs)
                    })
                }}
            } else {
                call
            }
        };
        let parse = self.parse_with(class, &quote!(let class = #class_of; #read.map(::core::option::Option::Some)));
        let late = late.then(|| self.deferred());
        let used = dwords.as_ref().filter(|_| facts.off.is_some()).map(|dwords| {
            let may_be_unused = may_be_unused();
            quote! {
                #may_be_unused
                fn is_used(cx: &::isa::Cx<'_, #set>) -> bool { (#dwords)(cx) > 0 }
            }
        });
        let bits = self.full_bits(class, &facts);
        let statically_valid = if facts.check.is_some() { of("STATIC") } else { valid.clone() };
        quote! {
            const BITS: u8 = #bits;
            const VALID_CODES: ::isa::ValidCodes = #statically_valid;
            const NAMES: ::isa::Names = ::isa::Names { #names_literal #altered ..#names };
            const VALUES: ::isa::Values<<#set as ::isa::Isa>::Value> = ::isa::Values { #values_literal ..#values };
            #plain
            #late
            #check
            #used
            #printable
            #write
            #value
            #parse
        }
    }

    /// Generates the functions by which the `read` function of a class reads what the table says.
    pub(super) fn readers(&self, class: &ClassDecl) -> TokenStream {
        if !hooked(class, "read") || !matches!(class.content, ClassContent::Codes(_)) {
            return quote!();
        }
        let ((param, set), name, syntax) = (self.target(), &class.name, self.syntax());
        let (of_class, this) = match &class.param {
            Some((n, _)) => (quote!(<const #n: usize>), quote!(#name<#n>)),
            None => (quote!(), quote!(#name)),
        };
        let (table, codes) = (constant("CLASS", class), constant("CODES", class));
        let table = self.of_generation(|module| quote!(&#module::#table));
        let codes = self.of_generation(|module| quote!(#module::#codes));
        let count = match self.dwords(class) {
            Some(dwords) => quote!((#dwords)(&asm.cx())),
            None => quote!((#table).dwords::<#set>(asm.ty, asm.mode)),
        };
        self.in_parser(&quote! {
            impl #of_class #this {
                /// Reads registers as the table of the class says. Returns `None`, and takes nothing, if something else
                /// comes next.
                #[allow(dead_code)]
                pub(crate) fn registers<#param>(asm: &mut ::isa::Asm<'_, '_, #set>)
                    -> ::core::result::Result<::core::option::Option<u32>, ::isa::ParseError>
                {
                    let half = <#this as ::isa::Operand<#set>>::PLACING.half;
                    let dwords = #count;
                    (#table).read_registers::<#set, #syntax>(asm, dwords, #codes, half)
                }

                /// Reads registers or a constant as the table of the class says.
                #[allow(dead_code)]
                pub(crate) fn read<#param>(asm: &mut ::isa::Asm<'_, '_, #set>)
                    -> ::core::result::Result<::core::option::Option<u32>, ::isa::ParseError>
                {
                    let half = <#this as ::isa::Operand<#set>>::PLACING.half;
                    (#table).read::<#set, #syntax>(asm, #codes, half).map(::core::option::Option::Some)
                }

                /// Reads registers or a constant after these signs.
                #[allow(dead_code)]
                pub(crate) fn read_signed<#param>(asm: &mut ::isa::Asm<'_, '_, #set>, signs: ::isa::class::signs::Signs)
                    -> ::core::result::Result<u32, ::isa::ParseError>
                {
                    let half = <#this as ::isa::Operand<#set>>::PLACING.half;
                    let dwords = #count;
                    (#table).read_signed::<#set, #syntax>(asm, dwords, #codes, half, signs)
                }
            }
        })
    }

    /// Returns how many bits all codes of which are valid, if a class has all codes of this many bits.
    fn full_bits(&self, class: &ClassDecl, facts: &Facts) -> TokenStream {
        if facts.is_counted || facts.check.is_some() || self.literal_run(class).is_some() {
            return quote!(0);
        }
        let bits = bits_of(self.tables, class);
        let (_, set) = self.target();
        quote!(if matches!(<Self as ::isa::Operand<#set>>::VALID_CODES, ::isa::ValidCodes::Within(_)) { #bits } else { 0 })
    }

    /// Returns the function that counts the registers of an operand, if fields or a function say how many.
    fn dwords(&self, class: &ClassDecl) -> Option<TokenStream> {
        class.clauses.iter().find_map(|clause| match clause {
            Clause::DwordsFn(path) => Some(quote!(#path)),
            Clause::DwordsSum(_) | Clause::DwordsPart(..) | Clause::There(_) => Some(quote!(Self::dwords)),
            _ => None,
        })
    }

    /// Generates `codes` and `check`, or `CHECKED` if every code is valid. `valid` are the valid codes without the function of a
    /// `check` clause; `dwords` is the function that counts registers.
    fn check(
        &self,
        class: &ClassDecl,
        facts: &Facts,
        valid: &TokenStream,
        dwords: Option<&TokenStream>,
    ) -> TokenStream {
        let (_, set) = self.target();
        let hook = facts.check.as_ref().map(|(path, asked)| {
            let exempt = asked.is_exempt();
            quote!(&& (#exempt || #path(cx, code)))
        });
        let literal = self.literal_run(class).map(|(code, dword)| needs_dword(code, dword));
        let codes = match dwords {
            Some(_) if is_numbered(class) => {
                if hook.is_none() {
                    return unchecked();
                }
                quote!(true)
            }
            _ => quote!(::isa::class::is_valid(#valid, cx, code)),
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

    /// Generates `printable`, unless no invalid code is printed. `prints` are the codes of the `prints` clause; `table` and `codes`
    /// are the table and the valid codes of a class of registers.
    pub(super) fn printable(
        &self,
        class: &ClassDecl,
        facts: &Facts,
        prints: &TokenStream,
        table: &TokenStream,
        codes: &TokenStream,
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
            let literal = space.list(space.resolve(set)).into_iter().find_map(|run| match &run.kind {
                RunKind::Literal(dword) => Some(needs_dword(run.first, dword)),
                _ => None,
            });
            all.push(quote!((::isa::class::is_valid(#prints, cx, code) #literal)));
        }
        if facts.misaligned {
            all.push(quote!((const { (#table).alignment() }).is_valid(#codes, cx, code)));
        }
        all.extend(hook(class, "printable").map(|path| quote!(#path(cx, code))));
        if all.is_empty() {
            return quote!();
        }
        quote! {
            fn printable(cx: &::isa::Cx<'_, #set>, code: u32) -> bool {
                #(#all)||*
            }
        }
    }

    /// Returns the code of the literal that a class may have or print, and its suffix dword.
    fn literal_run(&self, class: &ClassDecl) -> Option<(u32, &SpannedStr)> {
        Space::each(self.tables).iter().find_map(|space| literal_run(space, class))
    }

    /// Returns the `literal` of `Names` and `Values`.
    fn literal(&self, class: &ClassDecl, facts: &Facts) -> Option<(TokenStream, TokenStream)> {
        let (code, _) = self.literal_run(class)?;
        if has(class, |c| matches!(c, Clause::Without(what) if *what == *"names")) {
            return None;
        }
        let (syntax, value, file) = (self.syntax(), &self.tables.value, &self.tables.file);
        let code = code as u16;
        let of_constants = facts.flags_of_constants(|_| true);
        let usual = facts.usual_constants();
        let constants = self.of_generation(|module| quote!(&#module::CONSTANTS));
        Some((
            quote! {
                literal: ::core::option::Option::Some(::isa::Literal {
                    code: #code,
                    unless: #of_constants,
                    make: |value, ty, out| {
                        let ty = #usual.of_type(ty);
                        <#syntax as ::isa::class::Syntax>::write_literal(#constants, value, ty, out);
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

/// Returns the condition that the suffix dword follows which the code of a literal needs, with `&&` before it.
fn needs_dword(code: u32, dword: &SpannedStr) -> TokenStream {
    let dword = dword.as_str();
    quote!(&& (code != #code || cx.suffix_dword_name() == ::core::option::Option::Some(#dword)))
}

/// Returns the modifiers that change the text of a class, as a member of `isa::Names`.
fn signs(class: &ClassDecl, facts: &Facts) -> TokenStream {
    if !facts.has_signs() {
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
