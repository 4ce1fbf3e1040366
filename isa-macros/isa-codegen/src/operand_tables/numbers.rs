//! Generation of numbers, flags and named codes.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, has, hook, hooked};
use super::facts::{Facts, checked_codes, is_literal};
use super::tokens::option;
use super::validate::needed_bits;
use crate::ast::{ClassDecl, Clause};
use crate::spanned::SpannedStr;

impl Context<'_> {
    /// Returns a number as an `isa::class::Numeric`.
    pub(super) fn numeric(&self, class: &ClassDecl, low: i64, high: i64) -> TokenStream {
        let bits = bits_of_number(class, low, high);
        let (shift, is_signed) = (shift(class), is_signed(class));
        let text = class.clauses.iter().find_map(|c| match c {
            Clause::Text(pattern, above) => Some((pattern, above.as_ref())),
            _ => None,
        });
        let pattern = text.map_or("{}", |(pattern, _)| pattern.as_str());
        let is_named = pattern.contains("{name}");
        let pattern = pattern.replace("{name}", "");
        let before = pattern.split('{').next().unwrap_or_default().to_string();
        let digits = match text.and_then(|(_, above)| above) {
            Some((last, _)) => quote!(DecimalUpTo(#last)),
            None if pattern.contains("{x}") => quote!(Hexadecimal),
            None => quote!(Decimal),
        };
        let absent = class.clauses.iter().find_map(|c| if let Clause::Absent(n) = c { Some(*n as u32) } else { None });
        let always = has(class, |c| matches!(c, Clause::Always));
        let silent = match absent {
            _ if always => None,
            Some(code) => Some(code),
            None => class.is_modifier.then_some(0),
        };
        let (silent, absent) = (option(silent.map(|n| quote!(#n))), option(absent.map(|n| quote!(#n))));
        let says =
            class.clauses.iter().find_map(|c| if let Clause::Says(text) = c { Some(text.to_string()) } else { None });
        let rule = says.unwrap_or_else(|| format!("the number must be between {low} and {high}"));
        quote! {
            ::isa::class::Numeric {
                low: #low,
                high: #high,
                bits: #bits,
                shift: #shift,
                is_signed: #is_signed,
                is_named: #is_named,
                before: #before,
                digits: ::isa::class::Digits::#digits,
                silent: #silent,
                absent: #absent,
                rule: #rule,
            }
        }
    }

    /// Generates the members of a number.
    pub(super) fn number(&self, class: &ClassDecl, low: i64, high: i64) -> TokenStream {
        let (_, set) = self.target();
        let (syntax, value, file) = (self.syntax(), &self.tables.value, &self.tables.file);
        let table = self.numeric(class, low, high);
        let (bits, shift) = (bits_of_number(class, low, high), shift(class));
        let field = bits - shift;
        let pattern =
            class.clauses.iter().find_map(|c| if let Clause::Text(text, _) = c { Some(text.as_str()) } else { None });
        let pattern = pattern.unwrap_or("{}");
        let key = pattern.split('{').next().unwrap_or_default().trim().to_string();
        let is_named = pattern.contains("{name}");
        let (lowest, highest) = (low as i32, u32::try_from(high).unwrap_or(u32::MAX));
        let is_of_any_width = has(class, |c| matches!(c, Clause::AnyWidth));
        let needed = if is_of_any_width { 0 } else { field };
        // The fast parser does not know the fields.
        let without = is_of_any_width || has(class, |c| matches!(c, Clause::Without(what) if *what == *"plain"));
        let plain = if hooked(class, "plain") || without || is_named || shift > 0 {
            quote!()
        } else if key.is_empty() && !class.is_modifier && high <= 0xffff {
            quote!(const FAST_SYNTAX: &'static ::isa::FastSyntax =
                &::isa::FastSyntax { numbers: ::core::option::Option::Some(#highest), ..::isa::FastSyntax::NONE };)
        } else if key.ends_with(':') && key.len() <= 8 && !has(class, |c| matches!(c, Clause::Always)) {
            let highest = highest as i32;
            quote! {
                const FAST_SYNTAX: &'static ::isa::FastSyntax = &::isa::FastSyntax {
                    key: ::core::option::Option::Some((::isa::Word::new(#key, 0, 0), #lowest, #highest)),
                    ..::isa::FastSyntax::NONE
                };
            }
        } else {
            quote!()
        };
        // Negative numbers have the codes above those of positive ones.
        let all = 1i64 << bits;
        let is_full = if low < 0 { high + (1 << shift) - low >= all } else { low == 0 && high == all - 1 };
        let facts = Facts::new(class);
        let codes = if let Some((codes, check)) = checked_codes(class, &quote!(::isa::ValidCodes::All)) {
            quote! {
                const VALID_CODES: ::isa::ValidCodes = #codes;
                fn check(cx: &::isa::Cx<'_, #set>, code: u32) -> bool { #check }
            }
        } else if is_full && !facts.prints_all {
            let highest = u32::MAX >> (32 - field.max(1));
            quote! {
                const BITS: u8 = #field;
                const VALID_CODES: ::isa::ValidCodes = ::isa::ValidCodes::Within(#highest);
                fn check(_: &::isa::Cx<'_, #set>, code: u32) -> bool {
                    code <= #highest
                }
            }
        } else {
            let (first, last) = (low.max(0) as u32, high as u32);
            let is_mask = first == 0 && (last + 1).is_power_of_two();
            let sure = if is_mask {
                quote!(::isa::ValidCodes::Within(#last))
            } else {
                quote!(::isa::ValidCodes::Only(&const { ::isa::CodeSet::NONE.with(#first, #last) }))
            };
            quote! {
                const VALID_CODES: ::isa::ValidCodes = #sure;
                fn codes(_: ::isa::Type) -> ::core::option::Option<&'static ::isa::CodeSet> {
                    ::core::option::Option::None
                }
                fn check(_: &::isa::Cx<'_, #set>, code: u32) -> bool {
                    (#first..=#last).contains(&code)
                }
            }
        };
        let printable = self.printable(class, &facts, &quote!(::isa::ValidCodes::NONE), &quote!(), &quote!());
        let names = if hooked(class, "write") {
            quote!()
        } else if is_named {
            quote! {
                fn write(cx: &::isa::Cx<'_, #set>, code: u32, out: &mut ::isa::Text) {
                    const TABLE: ::isa::class::Numeric = #table;
                    TABLE.write_named(cx.name, code, out);
                }
            }
        } else {
            quote! {
                const NAMES: ::isa::Names = ::isa::Names::context_free(|code, out| {
                    const TABLE: ::isa::class::Numeric = #table;
                    TABLE.write(code, out);
                });
            }
        };
        let is_silent = class.is_modifier && !has(class, |c| matches!(c, Clause::Always | Clause::Absent(1..)));
        let silent = is_silent.then(|| {
            quote!(
                const OMIT_IF_ZERO: bool = true;
            )
        });
        let is_valued = hooked(class, "value") || hooked(class, "code_value");
        // The constant in a suffix dword has the same value whatever the row is.
        let literal = (is_literal(class) && !is_valued).then(|| {
            quote! {
                const VALUES: ::isa::Values<<#set as ::isa::Isa>::Value> =
                    ::isa::Values::context_free(|code| <#value>::of(::isa::Meaning::<#file>::Literal(code)));
            }
        });
        let is_valued = is_valued || literal.is_some();
        let value = (!class.is_modifier && !is_valued).then(|| {
            quote! {
                fn value(cx: &::isa::Cx<'_, #set>, code: u32)
                    -> ::core::option::Option<<#set as ::isa::Isa>::Value>
                {
                    const TABLE: ::isa::class::Numeric = #table;
                    ::core::option::Option::Some(<#value>::of(TABLE.meaning::<#set, #file>(cx, code)))
                }
            }
        });
        let parse = (!hooked(class, "read")).then(|| {
            quote! {
                fn parse(asm: &mut ::isa::Asm<'_, '_, #set>)
                    -> ::core::result::Result<::core::option::Option<u32>, ::isa::ParseError>
                {
                    const TABLE: ::isa::class::Numeric = #table;
                    TABLE.read::<#set, #syntax>(asm)
                }
            }
        });
        quote! {
            const WIDTH: u8 = #needed;
            #plain #codes #printable #names #silent #literal #value #parse
        }
    }

    /// Generates the members of a flag.
    pub(super) fn flag(&self, class: &ClassDecl, text: Option<&SpannedStr>) -> TokenStream {
        let (_, set) = self.target();
        let text = text.map(SpannedStr::as_str);
        let name = text.map_or_else(|| quote!(cx.name), |text| quote!(#text));
        let read = text.map_or_else(|| quote!(asm.name), |text| quote!(#text));
        let is_plain = text.is_none();
        let check = match hook(class, "check") {
            Some(path) => quote! {
                const VALID_CODES: ::isa::ValidCodes = ::isa::ValidCodes::Within(0);
                fn check(cx: &::isa::Cx<'_, #set>, code: u32) -> bool { #path(cx, code) }
            },
            None => quote!(
                const CHECKED: bool = false;
            ),
        };
        let parse = (!hooked(class, "read")).then(|| {
            quote! {
                fn parse(asm: &mut ::isa::Asm<'_, '_, #set>)
                    -> ::core::result::Result<::core::option::Option<u32>, ::isa::ParseError>
                {
                    let name = #read;
                    ::core::result::Result::Ok(::isa::class::flag(asm, name))
                }
            }
        });
        quote! {
            const FAST_SYNTAX: &'static ::isa::FastSyntax = &::isa::FastSyntax { flag: #is_plain, ..::isa::FastSyntax::NONE };
            const OMIT_IF_ZERO: bool = true;
            #check

            #[allow(unused_variables)]
            fn write(cx: &::isa::Cx<'_, #set>, code: u32, out: &mut ::isa::Text) {
                if code != 0 {
                    out.push_ascii(b' ');
                    out.push(#name);
                }
            }

            #parse
        }
    }

    /// Generates the members of a class of named codes.
    pub(super) fn names(
        &self,
        class: &ClassDecl,
        pattern: &SpannedStr,
        names: &[(u32, String, proc_macro2::Span)],
        other: Option<&SpannedStr>,
    ) -> TokenStream {
        let (_, set) = self.target();
        let (value, file) = (&self.tables.value, &self.tables.file);
        let (before, after) = pattern.as_str().split_once("{}").unwrap_or((pattern.as_str(), ""));
        let highest = names.iter().map(|(code, ..)| *code).max().unwrap_or(0);
        let bits = (u32::BITS - highest.leading_zeros()) as u8;
        let clause = |of: fn(&Clause) -> Option<String>| class.clauses.iter().find_map(of);
        let expects = clause(|c| if let Clause::Expects(text) = c { Some(text.to_string()) } else { None });
        let expects = expects.unwrap_or_else(|| "one of the names of this operand".into());
        let always = !class.is_modifier || has(class, |c| matches!(c, Clause::Always));
        let absent = class.clauses.iter().find_map(|c| if let Clause::Absent(n) = c { Some(*n as u32) } else { None });
        let default = absent.unwrap_or(0);
        let is_full = bits < 16
            && names.len() + usize::from(!always && names.iter().all(|(code, ..)| *code != default)) == 1 << bits;
        let silent = option((!always).then(|| quote!(#default)));
        let pairs = names.iter().map(|(code, name, _)| quote!((#code, #name)));
        let other = other.map_or(String::new(), |other| other.as_str().replace("{}", ""));
        let codes = if is_full {
            let highest = u32::MAX >> (32 - bits);
            quote! {
                const BITS: u8 = #bits;
                const VALID_CODES: ::isa::ValidCodes = ::isa::ValidCodes::Within(#highest);
                fn check(_: &::isa::Cx<'_, #set>, code: u32) -> bool {
                    code <= #highest
                }
            }
        } else {
            let codes = names.iter().map(|(code, ..)| *code);
            quote! {
                const VALID_CODES: ::isa::ValidCodes = ::isa::ValidCodes::Only(&const { ::isa::CodeSet::NONE #(.with(#codes, #codes))* });
            }
        };
        let facts = Facts::new(class);
        let printable = self.printable(class, &facts, &quote!(::isa::ValidCodes::NONE), &quote!(), &quote!());
        let is_silent = (!always && absent.is_none_or(|code| code == 0)).then(|| {
            quote!(
                const OMIT_IF_ZERO: bool = true;
            )
        });
        let prefix =
            class.clauses.iter().find_map(|c| if let Clause::Prefix(text) = c { Some(text.as_str()) } else { None });
        let prefix = prefix.unwrap_or_default();
        let table = quote! {
            ::isa::class::Named {
                names: &[#(#pairs),*],
                before: #before,
                after: #after,
                other: #other,
                silent: #silent,
                prefix: #prefix,
                expects: #expects,
            }
        };
        let value = (!class.is_modifier && !hooked(class, "value")).then(|| {
            quote! {
                fn value(_: &::isa::Cx<'_, #set>, code: u32) -> ::core::option::Option<<#set as ::isa::Isa>::Value> {
                    ::core::option::Option::Some(<#value>::of(::isa::Meaning::<#file>::Number(code as i32)))
                }
            }
        });
        let parse = (!hooked(class, "read")).then(|| {
            quote! {
                fn parse(asm: &mut ::isa::Asm<'_, '_, #set>)
                    -> ::core::result::Result<::core::option::Option<u32>, ::isa::ParseError>
                {
                    const TABLE: ::isa::class::Named = #table;
                    TABLE.read(asm)
                }
            }
        });
        quote! {
            const WIDTH: u8 = #bits;
            const NAMES: ::isa::Names = ::isa::Names::context_free(|code, out| {
                const TABLE: ::isa::class::Named = #table;
                TABLE.write(code, out);
            });
            #is_silent
            #codes
            #printable
            #value
            #parse
        }
    }
}

/// Returns whether the highest bit of a number is a sign.
pub(super) fn is_signed(class: &ClassDecl) -> bool {
    has(class, |c| matches!(c, Clause::Signed))
}

/// Returns how many of its lowest bits the field of a number leaves out.
pub(super) fn shift(class: &ClassDecl) -> u8 {
    class.clauses.iter().find_map(|c| if let Clause::By(shift) = c { Some(*shift) } else { None }).unwrap_or(0)
}

/// Returns how many bits a number has, with those that the field leaves out.
fn bits_of_number(class: &ClassDecl, low: i64, high: i64) -> u8 {
    let given = class.clauses.iter().find_map(|c| if let Clause::Bits(bits) = c { Some(*bits) } else { None });
    given.unwrap_or_else(|| {
        if is_signed(class) && high > 0 && low < 0 { signed_bits(low, high) } else { needed_bits(low, high) }
    })
}

/// Returns how many bits hold a signed range; numbers above the highest positive one are bit patterns.
fn signed_bits(low: i64, high: i64) -> u8 {
    let bits = (1..=32).find(|bits| low >= -(1i64 << (bits - 1))).unwrap_or(32);
    bits.max(needed_bits(low, high))
}
