//! Generation of numbers, flags and named codes.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::{Context, has, hook, hooked};
use super::facts::{Facts, check_condition, is_literal};
use super::members::{omit_if_zero, unchecked};
use super::tokens::{flag, option};
use super::valid_codes::ValidCodes;
use super::validate::needed_bits;
use crate::ast::{ClassDecl, Clause, FloatReading, NamedCode};
use crate::spanned::SpannedStr;

/// A number under generation.
pub(super) struct NumberClass<'a> {
    class: &'a ClassDecl,
    facts: Facts<'a>,
    low: i64,
    high: i64,
    /// The number of bits, with those that the field leaves out.
    bits: u8,
    /// How many of the lowest bits the field leaves out.
    shift: u8,
    /// The text that is written, without the name of the modifier.
    pattern: String,
    /// Whether the name of the modifier is written.
    is_named: bool,
}

impl<'a> NumberClass<'a> {
    pub(super) fn new(class: &'a ClassDecl, low: i64, high: i64) -> NumberClass<'a> {
        let facts = Facts::new(class);
        let pattern = facts.text.map_or("{}", |(pattern, _)| pattern.as_str());
        let (is_named, pattern) = (pattern.contains("{name}"), pattern.replace("{name}", ""));
        NumberClass {
            class,
            facts,
            low,
            high,
            bits: bits_of_number(class, low, high),
            shift: shift(class),
            pattern,
            is_named,
        }
    }

    /// Returns the text before the number.
    fn before(&self) -> &str {
        self.pattern.split('{').next().unwrap_or_default()
    }

    /// Returns the width of the field.
    fn field(&self) -> u8 {
        self.bits - self.shift
    }

    /// Returns the fast syntax, if the fast parser can read the number.
    fn fast_syntax(&self) -> Option<TokenStream> {
        let class = self.class;
        // The fast parser does not know the width of a field.
        let is_slow = has(class, |c| match c {
            Clause::AnyWidth => true,
            Clause::Without(what) => *what == *"plain",
            _ => false,
        });
        if is_slow || self.is_named || self.shift > 0 {
            return None;
        }
        let key = self.before().trim();
        let syntax = if key.is_empty() && !class.is_modifier && self.high <= 0xffff {
            let highest = self.high as u32;
            quote!(numbers: ::core::option::Option::Some(#highest))
        } else if key.ends_with(':') && key.len() <= 8 && !has(class, |c| matches!(c, Clause::Always)) {
            let (lowest, highest) = (self.low as i32, u32::try_from(self.high).unwrap_or(u32::MAX) as i32);
            let text = quote!(::isa::Word::new(#key, 0, 0));
            quote!(key: ::core::option::Option::Some(::isa::NumberKey { text: #text, least: #lowest, last: #highest }))
        } else {
            return None;
        };
        Some(quote!(&::isa::FastSyntax { #syntax, ..::isa::FastSyntax::NONE }))
    }

    /// Returns the valid codes without those of a `check` clause.
    pub(super) fn codes(&self) -> ValidCodes {
        let (first, last) = (self.low.max(0) as u32, self.high as u32);
        if self.is_full() && !self.facts.prints_all {
            ValidCodes::within_bits(self.field())
        } else if first == 0 && (last + 1).is_power_of_two() {
            ValidCodes::Within(last)
        } else {
            ValidCodes::only([(first, last)])
        }
    }

    /// Returns whether all codes of the field are numbers of the range. Negative numbers have the codes above those of positive
    /// ones.
    fn is_full(&self) -> bool {
        let all = 1i64 << self.bits;
        if self.low < 0 {
            self.high + (1 << self.shift) - self.low >= all
        } else {
            self.low == 0 && self.high == all - 1
        }
    }
}

impl Context<'_> {
    /// Returns a number as an `isa::class::Numeric`.
    pub(super) fn numeric(&self, class: &ClassDecl, low: i64, high: i64) -> TokenStream {
        let number = NumberClass::new(class, low, high);
        let NumberClass { facts, bits, shift, pattern, is_named, .. } = &number;
        let (before, is_signed) = (number.before(), is_signed(class));
        let digits = match facts.text.and_then(|(_, above)| above) {
            Some((last, _)) => quote!(DecimalUpTo(#last)),
            None if pattern.contains("{x}") => quote!(Hexadecimal),
            None => quote!(Decimal),
        };
        let always = has(class, |c| matches!(c, Clause::Always));
        let silent = if always { None } else { facts.absent.or(class.is_modifier.then_some(0)) };
        let (silent, absent) = (option(silent.map(|n| quote!(#n))), option(facts.absent.map(|n| quote!(#n))));
        let rule = facts.number_rule(low, high);
        let floats =
            class.clauses.iter().find_map(|c| if let Clause::Floats(floats) = c { Some(floats) } else { None });
        let floats = option(floats.map(|floats| match floats {
            FloatReading::LowBits => quote!(::isa::class::Floats::LowBits),
            FloatReading::Single => quote!(::isa::class::Floats::Single),
            FloatReading::InRange => quote!(::isa::class::Floats::InRange),
        }));
        let unsigned = class.clauses.iter().find_map(|c| match c {
            Clause::UnsignedIf(name, rule) => Some((flag(name), rule.as_str())),
            _ => None,
        });
        let unsigned = option(unsigned.map(|(flag, rule)| quote!((#flag, #rule))));
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
                floats: #floats,
                unsigned: #unsigned,
            }
        }
    }

    /// Returns an expression that is a call of a method of the number's `isa::class::Numeric`.
    pub(super) fn call_numeric(&self, class: &ClassDecl, (low, high): (i64, i64), call: &TokenStream) -> TokenStream {
        let table = self.numeric(class, low, high);
        quote! {
            const TABLE: ::isa::class::Numeric = #table;
            TABLE.#call
        }
    }

    /// Generates the members of a number.
    pub(super) fn number(&self, class: &ClassDecl, low: i64, high: i64, codes: &ValidCodes) -> TokenStream {
        let (_, set) = self.target();
        let (syntax, file) = (self.syntax(), &self.tables.file);
        let number = NumberClass::new(class, low, high);
        let width = if has(class, |c| matches!(c, Clause::AnyWidth)) { 0 } else { number.field() };
        let fast_syntax = number.fast_syntax().map(|syntax| self.fast_syntax(&syntax));
        let codes = self.codes_of_number(&number, codes);
        let call = |call| self.call_numeric(class, (low, high), &call);
        let names = if hooked(class, "write") {
            quote!()
        } else if number.is_named {
            self.write_with(&call(quote!(write_named(cx.name, code, out);)))
        } else {
            let write = call(quote!(write(code, out);));
            quote!(const NAMES: ::isa::Names = ::isa::Names::context_free(|code, out| { #write });)
        };
        let is_silent =
            class.is_modifier && number.facts.absent.unwrap_or(0) == 0 && !has(class, |c| matches!(c, Clause::Always));
        let silent = is_silent.then(omit_if_zero);
        let value = if hooked(class, "value") || hooked(class, "code_value") {
            quote!()
        } else if is_literal(class) {
            // The constant in a suffix dword has the same value in all rows.
            let value = self.value_of(&quote!(Literal(code)));
            self.values_of_codes(&quote!(|code| #value))
        } else if class.is_modifier {
            quote!()
        } else {
            let value = &self.tables.value;
            let meaning = call(quote!(meaning::<#set, #file>(cx, code)));
            self.value_with(&quote!(::core::option::Option::Some(<#value>::of({ #meaning }))))
        };
        let parse = self.parse_with(class, &call(quote!(read::<#set, #syntax>(asm))));
        let printable = self.printable_of(class);
        quote!(const WIDTH: u8 = #width; #fast_syntax #codes #printable #names #silent #value #parse)
    }

    /// Generates the members of a number that say which codes are valid.
    fn codes_of_number(&self, number: &NumberClass, codes: &ValidCodes) -> TokenStream {
        let NumberClass { class, low, high, facts, .. } = number;
        if let Some(check) = check_condition(class) {
            return self.valid_codes(codes, &check);
        }
        if number.is_full() && !facts.prints_all {
            return self.full_codes(number.field());
        }
        let (first, last) = ((*low).max(0) as u32, *high as u32);
        let members = self.valid_codes(codes, &quote!((#first..=#last).contains(&code)));
        quote! {
            #members
            fn codes(_: ::isa::Type) -> ::core::option::Option<&'static ::isa::CodeSet> {
                ::core::option::Option::None
            }
        }
    }

    /// Generates the members of a flag.
    pub(super) fn flag(&self, class: &ClassDecl, text: Option<&SpannedStr>, codes: &ValidCodes) -> TokenStream {
        let text = text.map(SpannedStr::as_str);
        let name = text.map_or_else(|| quote!(cx.name), |text| quote!(#text));
        let read = text.map_or_else(|| quote!(asm.name), |text| quote!(#text));
        let is_plain = text.is_none();
        let beside =
            class.clauses.iter().find_map(|c| if let Clause::ZeroBeside(names) = c { Some(names) } else { None });
        let condition = match (hook(class, "check"), beside) {
            (Some(path), _) => Some(quote!(#path(cx, code))),
            (None, Some(names)) => {
                let names = names.iter().map(SpannedStr::as_str);
                Some(quote!(code == 0 || !::isa::class::is_any_set(cx, &[#(#names),*])))
            }
            (None, None) => None,
        };
        let check = match condition {
            Some(condition) => self.valid_codes(codes, &condition),
            None => unchecked(),
        };
        let write = self.write_with(&quote! {
            if code != 0 {
                out.push_ascii(b' ');
                out.push(#name);
            }
        });
        let is_negatable = !has(class, |c| matches!(c, Clause::Without(what) if *what == *"no"));
        let read = quote! {
            let name = #read;
            ::core::result::Result::Ok(::isa::class::flag(asm, name, #is_negatable))
        };
        let (silent, parse) = (omit_if_zero(), self.parse_with(class, &read));
        let fast_syntax = self.fast_syntax(&quote!(&::isa::FastSyntax { flag: #is_plain, ..::isa::FastSyntax::NONE }));
        quote! {
            #fast_syntax
            #silent
            #check
            #write
            #parse
        }
    }

    /// Generates the members of a class of named codes.
    pub(super) fn names(
        &self,
        class: &ClassDecl,
        pattern: &SpannedStr,
        names: &[NamedCode],
        other: Option<&SpannedStr>,
        codes: &ValidCodes,
    ) -> TokenStream {
        let facts = Facts::new(class);
        let (before, after) = pattern.as_str().split_once("{}").unwrap_or((pattern.as_str(), ""));
        let bits = bits_of_names(names);
        let expects = facts.expects.map_or("one of the names of this operand", SpannedStr::as_str);
        let (always, default) = (is_always_named(class), facts.absent.unwrap_or(0));
        let silent = option((!always).then(|| quote!(#default)));
        let pairs = names.iter().map(|NamedCode { code, name, .. }| quote!((#code, #name)));
        let other = other.map_or(String::new(), |other| other.as_str().replace("{}", ""));
        let codes = match all_named_bits(class, names) {
            Some(bits) => self.full_codes(bits),
            None => quote!(const VALID_CODES: ::isa::ValidCodes = #codes;),
        };
        let is_silent = (!always && default == 0).then(omit_if_zero);
        let prefix = facts.prefix.map_or("", SpannedStr::as_str);
        let then =
            class.clauses.iter().find_map(|c| if let Clause::Then(text) = c { Some(text.as_str()) } else { None });
        let then = then.unwrap_or_default();
        let table = quote! {
            const TABLE: ::isa::class::Named = ::isa::class::Named {
                names: &[#(#pairs),*],
                before: #before,
                after: #after,
                other: #other,
                silent: #silent,
                prefix: #prefix,
                then: #then,
                expects: #expects,
            };
        };
        let value = (!class.is_modifier && !hooked(class, "value")).then(|| {
            let value = self.value_of(&quote!(Number(code as i32)));
            self.value_with(&quote!(::core::option::Option::Some(#value)))
        });
        let (printable, parse) = (self.printable_of(class), self.parse_with(class, &quote!(#table TABLE.read(asm))));
        quote! {
            const WIDTH: u8 = #bits;
            const NAMES: ::isa::Names = ::isa::Names::context_free(|code, out| {
                #table
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

/// Returns how many bits the codes with names have.
fn bits_of_names(names: &[NamedCode]) -> u8 {
    let highest = names.iter().map(|named| named.code).max().unwrap_or(0);
    (u32::BITS - highest.leading_zeros()) as u8
}

/// Returns whether the name of each code of a class of names is written.
fn is_always_named(class: &ClassDecl) -> bool {
    !class.is_modifier || has(class, |c| matches!(c, Clause::Always))
}

/// Returns the number of bits of a class of names all of whose codes have a name, or are not written.
pub(super) fn all_named_bits(class: &ClassDecl, names: &[NamedCode]) -> Option<u8> {
    let (bits, default) = (bits_of_names(names), Facts::new(class).absent.unwrap_or(0));
    let is_another_silent = !is_always_named(class) && names.iter().all(|named| named.code != default);
    (bits < 16 && names.len() + usize::from(is_another_silent) == 1 << bits).then_some(bits)
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
