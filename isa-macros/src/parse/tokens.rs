//! Parsers of tokens and lists, and recovery from errors.

use std::fmt;

use isa_codegen::ast::{Attr, OperandClass};
use isa_codegen::error::{Error, Errors};
use isa_codegen::spanned::{Number, SpannedStr};
use proc_macro2::{Ident, Span, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, LitInt, LitStr, Token, Type};

/// Creates an error with a line of help.
pub fn error(span: Span, message: impl fmt::Display, help: impl fmt::Display) -> syn::Error {
    syn::Error::new(span, Error::with_help(span, message, help).message)
}

/// Adds the errors of syn to a list.
pub(super) fn push_errors(errors: &mut Errors, found: syn::Error) {
    for error in found {
        errors.push(Error::new(error.span(), error.to_string()));
    }
}

/// Returns whether the next token is a keyword of the row language.
pub fn peek_keyword(input: ParseStream, keyword: &str) -> bool {
    input.cursor().ident().is_some_and(|(i, _)| i == keyword)
}

/// Consumes a keyword. Returns whether it was there.
pub(super) fn take_keyword(input: ParseStream, keyword: &str) -> syn::Result<bool> {
    let found = peek_keyword(input, keyword);
    if found {
        input.call(Ident::parse_any)?;
    }
    Ok(found)
}

/// Consumes a keyword, or fails if it is not there.
pub(super) fn expect_keyword(input: ParseStream, keyword: &str) -> syn::Result<()> {
    if take_keyword(input, keyword)? { Ok(()) } else { Err(input.error(format!("expected `{keyword}`"))) }
}

/// Parses outer attributes.
pub(super) fn attrs(input: ParseStream) -> syn::Result<Vec<Attr>> {
    let convert = |attr: &Attribute| {
        let doc = match &attr.meta {
            syn::Meta::NameValue(pair) => match &pair.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value().trim().to_string()),
                _ => None,
            },
            _ => None,
        };
        Attr { tokens: attr.to_token_stream(), doc }
    };
    Ok(input.call(Attribute::parse_outer)?.iter().map(convert).collect())
}

/// Parses an integer literal.
pub(super) fn number(input: ParseStream) -> syn::Result<Number> {
    let lit: LitInt = input.parse()?;
    Ok(Number { value: lit.base10_parse()?, span: lit.span() })
}

/// Parses a string literal.
pub(super) fn string(input: ParseStream) -> syn::Result<SpannedStr> {
    let lit: LitStr = input.parse()?;
    Ok(SpannedStr::new(lit.value(), lit.span()))
}

/// Parses an identifier that is not a Rust keyword.
pub(super) fn identifier(input: ParseStream) -> syn::Result<SpannedStr> {
    input.parse().map(|ident: Ident| spanned(&ident))
}

/// Parses an identifier or a Rust keyword.
pub(super) fn any_identifier(input: ParseStream) -> syn::Result<SpannedStr> {
    input.call(Ident::parse_any).map(|ident| spanned(&ident))
}

fn spanned(ident: &Ident) -> SpannedStr {
    SpannedStr::new(ident.to_string(), ident.span())
}

/// Parses an operand class: a Rust type.
pub(super) fn operand_class(input: ParseStream) -> syn::Result<OperandClass> {
    let tokens = input.parse::<Type>()?.into_token_stream();
    Ok(OperandClass { text: tokens.to_string(), tokens })
}

/// Parses `in gcn1_0 | gcn1_1`, if it is there.
pub(super) fn generations(input: ParseStream) -> syn::Result<Vec<SpannedStr>> {
    let mut generations = Vec::new();
    if take_keyword(input, "in")? {
        generations.push(identifier(input)?);
        while input.parse::<Option<Token![|]>>()?.is_some() {
            generations.push(identifier(input)?);
        }
    }
    Ok(generations)
}

/// Sets the value of a clause or keyword that is allowed once.
pub(super) fn set_once<T>(slot: &mut Option<T>, value: T, keyword: &SpannedStr) -> syn::Result<()> {
    if slot.replace(value).is_some() {
        return Err(error(keyword.span(), format!("duplicate `{keyword}`"), "write it once"));
    }
    Ok(())
}

/// Parses items separated by commas. After an error, continues at the next item that `begins` recognizes. Returns
/// whether all items were parsed.
pub(super) fn list<T>(
    input: ParseStream,
    errors: &mut Errors,
    begins: impl Fn(ParseStream) -> bool,
    mut item: impl FnMut(ParseStream, &mut Errors) -> syn::Result<T>,
    out: &mut Vec<T>,
) -> syn::Result<bool> {
    let mut is_complete = true;
    while !input.is_empty() {
        let result = item(input, errors).and_then(|item| {
            out.push(item);
            if input.is_empty() || input.peek(Token![,]) { Ok(()) } else { Err(input.error("expected `,`")) }
        });
        if let Err(error) = result {
            push_errors(errors, error);
            is_complete = false;
            skip_until(input, |input| peek_item_end(input, &begins))?;
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(is_complete)
}

/// Returns whether the next token is a comma that ends an item: nothing follows, or an item that `begins` recognizes. A
/// comma can also separate the arguments of a generic type.
fn peek_item_end(input: ParseStream, begins: impl Fn(ParseStream) -> bool) -> bool {
    let fork = input.fork();
    fork.parse::<Token![,]>().is_ok() && (fork.is_empty() || begins(&fork))
}

/// Skips tokens until `stop` holds or none are left.
pub(super) fn skip_until(input: ParseStream, stop: impl Fn(ParseStream) -> bool) -> syn::Result<()> {
    while !input.is_empty() && !stop(input) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Skips the rest of a clause or row with an error: up to its `;`, or up to the next row if it has none.
pub(super) fn skip_statement(input: ParseStream) -> syn::Result<()> {
    skip_until(input, |input| input.peek(Token![;]) || begins_columns(input))?;
    input.parse::<Option<Token![;]>>()?;
    Ok(())
}

/// Returns whether the input begins with a column of a row: a number or `-`. The number is not parsed.
pub(super) fn begins_column(input: ParseStream) -> bool {
    input.cursor().literal().is_some() || input.peek(Token![-])
}

/// Returns whether the input begins with columns and `=>`.
fn begins_columns(input: ParseStream) -> bool {
    let fork = input.fork();
    let column = |input: ParseStream| begins_column(input) && input.parse::<TokenTree>().is_ok();
    let mut any = false;
    while column(&fork) {
        any = true;
    }
    any && fork.peek(Token![=>])
}

/// Returns whether the input begins with a row or a family of rows.
pub(super) fn begins_row(input: ParseStream) -> bool {
    let fork = input.fork();
    let has_docs = fork.call(Attribute::parse_outer).is_ok();
    // `x 4 => …` and `x, y 4 => …`.
    let names_several = fork.peek(syn::Ident) && fork.peek2(Token![,]);
    let has_component = fork.peek(syn::Ident)
        && (fork.peek2(Token![-]) || fork.peek2(LitInt))
        && (fork.peek3(Token![=>]) || fork.peek3(Token![+]) || fork.peek3(Token![-]) || fork.peek3(LitInt));
    has_docs && (begins_column(&fork) || fork.peek(Token![for]) || has_component || names_several)
}
