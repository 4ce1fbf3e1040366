//! The parser of `isa_set!`, up to its list of blocks.

use isa_codegen::ast::{Attr, BuildClause, BuildMapping, SetHeader};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Path, Token, braced};

use super::cond;
use super::tokens::{any_identifier, attrs, error, identifier, peek_keyword};

/// Parses the clauses of a set before `formats`.
pub fn set_header(input: ParseStream) -> syn::Result<SetHeader> {
    let docs = attrs(input)?;
    let keyword = |expected: &str| -> syn::Result<()> {
        let found: Ident = input.parse()?;
        if found == expected {
            Ok(())
        } else {
            Err(error(
                found.span(),
                format!("expected `{expected}`"),
                "the clauses of a set are, in this order, `set`, `mode`, `value`, `operands`, `legal`, `build` and `formats`",
            ))
        }
    };
    keyword("set")?;
    let name = input.parse()?;
    let mut generation = None;
    if peek_keyword(input, "of") {
        input.parse::<Ident>()?;
        generation = Some(identifier(input)?);
    }
    input.parse::<Token![;]>()?;
    keyword("mode")?;
    let mode = path(input)?;
    let inner;
    braced!(inner in input);
    let modes = inner.parse_terminated(Ident::parse, Token![,])?.into_iter().collect();
    input.parse::<Token![;]>()?;
    keyword("value")?;
    let value = path(input)?;
    input.parse::<Token![;]>()?;
    keyword("operands")?;
    let operands = path(input)?;
    input.parse::<Token![;]>()?;
    let mut legal = None;
    if peek_keyword(input, "legal") {
        input.parse::<Ident>()?;
        legal = Some(path(input)?);
        input.parse::<Token![;]>()?;
    }
    let attrs = attrs(input)?;
    let mut build = None;
    if !attrs.is_empty() || peek_keyword(input, "build") {
        build = Some(build_clause(attrs, input)?);
    }
    Ok(SetHeader { docs, name, generation, mode, modes, value, operands, legal, build })
}

/// Parses a path without generic arguments.
pub(super) fn path(input: ParseStream) -> syn::Result<TokenStream> {
    Ok(input.call(Path::parse_mod_style)?.into_token_stream())
}

/// Parses `build path::module { … }`, `build path::module;` or `build;` after its attributes.
fn build_clause(attrs: Vec<Attr>, input: ParseStream) -> syn::Result<BuildClause> {
    let keyword: Ident = input.parse()?;
    if keyword != "build" {
        return Err(error(
            keyword.span(),
            "expected `build` after attributes",
            "move the attributes to a `build` clause",
        ));
    }
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok(BuildClause { attrs, module: None, span: keyword.span(), mappings: Vec::new() });
    }
    let span = input.span();
    let module = Some(path(input)?);
    let mut mappings = Vec::new();
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok(BuildClause { attrs, module, span, mappings });
    }
    let inner;
    braced!(inner in input);
    while !inner.is_empty() {
        mappings.push(build_mapping(&inner)?);
        if !inner.is_empty() {
            inner.parse::<Token![,]>()?;
        }
    }
    Ok(BuildClause { attrs, module, span, mappings })
}

/// Parses `Class | Class if COND => Slot` or `mod modifier if COND => Marker`.
fn build_mapping(input: ParseStream) -> syn::Result<BuildMapping> {
    let is_modifier = input.parse::<Option<Token![mod]>>()?.is_some();
    let mut names = vec![any_identifier(input)?];
    while input.parse::<Option<Token![|]>>()?.is_some() {
        names.push(any_identifier(input)?);
    }
    let cond = if input.parse::<Option<Token![if]>>()?.is_some() { Some(cond::parse(input)?) } else { None };
    input.parse::<Token![=>]>()?;
    let is_hidden = input.parse::<Option<Token![_]>>()?.is_some();
    let target = if is_hidden { None } else { Some(input.parse::<Ident>()?) };
    Ok(BuildMapping { is_modifier, names, cond, target })
}
