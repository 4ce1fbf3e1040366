//! Generation of lists of numbers, codes that are names with numbers, and calls.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::context::{Context, has, hooked};
use super::facts::{Facts, check_condition};
use super::members::unchecked;
use super::tokens::{flag, option};
use super::valid_codes::ValidCodes;
use crate::ast::{ArgumentDecl, ClassDecl, Clause, ListDecl, NumberedCodes};
use crate::spanned::SpannedStr;
use quote::format_ident;

/// Returns the name of a static of a class.
fn static_name(prefix: &str, class: &ClassDecl) -> Ident {
    format_ident!("__{prefix}_{}", class.name.to_string().to_uppercase())
}

/// Returns a list as an `isa::class::List`.
fn list_table(list: &ListDecl) -> TokenStream {
    let (before, count, width) = (&list.before, list.count, list.width);
    let roles = list.roles.iter().map(SpannedStr::as_str);
    quote!(::isa::class::List { before: #before, count: #count, width: #width, roles: &[#(#roles),*] })
}

/// Generates the static of a list.
pub fn list_static(class: &ClassDecl, list: &ListDecl) -> TokenStream {
    let (name, table) = (static_name("LIST", class), list_table(list));
    quote!(pub(crate) static #name: ::isa::class::List = #table;)
}

/// Generates the statics of names with numbers.
pub fn cases_statics(
    class: &ClassDecl,
    list: Option<&(u32, ListDecl)>,
    codes: &[NumberedCodes],
    statics: Option<&Ident>,
) -> TokenStream {
    let table = static_name("CASES", class);
    let name = statics.cloned().unwrap_or_else(|| static_name("CODES", class));
    let (visibility, count) = (statics.map(|_| quote!(pub)), codes.len());
    let entries = codes.iter().map(|run| {
        let (first, count, name) = (run.first, run.last - run.first + 1, &run.name);
        let number = option(run.number.map(|number| quote!(#number)));
        quote!(::isa::class::NumberedCodes { first: #first, count: #count, name: #name, number: #number })
    });
    let list = option(list.map(|(count, list)| {
        let table = list_table(list);
        quote!((#count, #table))
    }));
    let rule = Facts::new(class).says.map_or("no code has this number", SpannedStr::as_str);
    let doc = format!("The codes of [`{}`] that have names.", class.name);
    quote! {
        #[doc = #doc]
        #visibility static #name: [::isa::class::NumberedCodes; #count] = [#(#entries),*];
        pub(crate) static #table: ::isa::class::Cases = ::isa::class::Cases { list: #list, codes: &#name, rule: #rule };
    }
}

impl Context<'_> {
    /// Generates the members of a list.
    pub(super) fn list(&self, class: &ClassDecl, list: &ListDecl, codes: &ValidCodes) -> TokenStream {
        let ((_, set), syntax, table) = (self.target(), self.syntax(), static_name("LIST", class));
        let always = list.count * list.width;
        let all = always + list.roles.len() as u8 * list.width;
        let codes = match check_condition(class) {
            Some(check) if list.roles.is_empty() => self.valid_codes(codes, &check),
            Some(check) => self.valid_codes(codes, &quote!(#table.is_valid(cx, code) && #check)),
            None if list.roles.is_empty() => self.full_codes(always),
            None => self.valid_codes(codes, &quote!(#table.is_valid(cx, code))),
        };
        let width = if has(class, |c| matches!(c, Clause::AnyWidth)) { 0 } else { all };
        let is_silent = !has(class, |c| matches!(c, Clause::Always | Clause::Required(_) | Clause::Absent(1..)));
        let omitted = is_silent.then(|| quote!(code == 0)).unwrap_or(quote!(false));
        let hidden = |has: TokenStream| {
            let flags = class
                .clauses
                .iter()
                .filter_map(|c| if let Clause::HiddenIf(name) = c { Some(flag(name)) } else { None });
            quote!(#(|| #has(#flags))*)
        };
        let (hidden_text, hidden_read) = (hidden(quote!(cx.has)), hidden(quote!(asm.has)));
        let write = (!hooked(class, "write"))
            .then(|| self.write_with(&quote!(if !(#omitted #hidden_text) { #table.write(cx, code, out); })));
        let read = quote!(if false #hidden_read { ::core::result::Result::Ok(::core::option::Option::None) } else {
            #table.read::<#set, #syntax>(asm)
        });
        let (printable, parse) = (self.printable_of(class), self.parse_with(class, &read));
        quote!(const WIDTH: u8 = #width; const OMIT_IF_ZERO: bool = #is_silent; #codes #printable #write #parse)
    }

    /// Generates the members of a class of names with numbers.
    pub(super) fn cases(&self, class: &ClassDecl, codes: &ValidCodes) -> TokenStream {
        let ((_, set), syntax, table) = (self.target(), self.syntax(), static_name("CASES", class));
        let parse = self.parse_with(class, &quote!(#table.read::<#set, #syntax>(asm)));
        let (printable, write) = (self.printable_of(class), self.write_with(&quote!(#table.write(cx, code, out);)));
        quote! {
            const VALID_CODES: ::isa::ValidCodes = #codes;
            #write
            #printable
            #parse
        }
    }

    /// Generates the static of a call.
    pub(super) fn call_static(&self, class: &ClassDecl, name: &SpannedStr, arguments: &[ArgumentDecl]) -> TokenStream {
        let table = static_name("CALL", class);
        let entries = arguments.iter().map(|argument| {
            let (name, lo, width) = (argument.name.as_str(), argument.bits.1, argument.bits.0 - argument.bits.1 + 1);
            let (least, absent) = (argument.least, argument.absent);
            let last = least + ((1 << width) - 1);
            let rule = argument
                .rule
                .as_ref()
                .map_or(format!("`{name}` must be between {least} and {last}"), ToString::to_string);
            quote! {
                ::isa::class::Argument {
                    name: #name, lo: #lo, width: #width, least: #least, absent: #absent, rule: #rule,
                }
            }
        });
        let names = arguments.first().and_then(|first| first.names.as_ref()).map_or(quote!(&[]), |list| {
            let list = Ident::new(list.as_str(), list.span());
            quote!(&#list)
        });
        let is_alone = has(class, |c| matches!(c, Clause::NameAlone));
        let has_braces = has(class, |c| matches!(c, Clause::Braces));
        let facts = Facts::new(class);
        let expects = facts.expects.map_or("an argument", SpannedStr::as_str);
        let rule = facts.number_rule(0, 0xffff);
        let name = name.as_str();
        quote! {
            pub(crate) static #table: ::isa::class::Call = ::isa::class::Call {
                name: #name,
                arguments: &[#(#entries),*],
                names: #names,
                is_alone: #is_alone,
                has_braces: #has_braces,
                range: (0xffff, #rule),
                expects: #expects,
            };
        }
    }

    /// Generates the members of a call.
    pub(super) fn call(&self, class: &ClassDecl, codes: &ValidCodes) -> TokenStream {
        let ((_, set), syntax, table) = (self.target(), self.syntax(), static_name("CALL", class));
        let codes = if has(class, |c| matches!(c, Clause::NameAlone)) {
            self.valid_codes(codes, &quote!(#table.is_valid(code)))
        } else {
            unchecked()
        };
        let value = self.value_of(&quote!(Number(code as i32)));
        let value = self.value_with(&quote!(::core::option::Option::Some(#value)));
        let (printable, write) = (self.printable_of(class), self.write_with(&quote!(#table.write(code, out);)));
        let read = quote!(#table.read::<#set, #syntax>(asm).map(::core::option::Option::Some));
        let parse = self.parse_with(class, &read);
        quote!(#codes #write #value #printable #parse)
    }
}
