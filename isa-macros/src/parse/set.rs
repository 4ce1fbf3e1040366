//! The parser of `isa_set!`.

use isa_codegen::ast::{Attr, BuildClause, BuildMapping, Condition, SetHeader};
use isa_codegen::spanned::SpannedStr;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Meta, Path, Token, braced};

use super::cond;
use super::tokens::{any_identifier, attrs, error, identifier, set_once, take_keyword};

/// The clauses of a set that are parsed already.
#[derive(Default)]
struct Clauses {
    name: Option<(Vec<Attr>, Ident, Option<SpannedStr>)>,
    mode: Option<(TokenStream, Vec<Ident>)>,
    value: Option<TokenStream>,
    operands: Option<TokenStream>,
    legal: Option<(Condition, TokenStream)>,
    parse: Option<Condition>,
    inst: Option<Condition>,
    build: Option<BuildClause>,
    formats: Option<Vec<Path>>,
}

/// Parses the clauses of a set, in any order. Returns the blocks of the `formats` clause beside the others; `None` if there is no
/// such clause.
pub fn set_clauses(input: ParseStream) -> syn::Result<(SetHeader, Option<Vec<Path>>)> {
    let mut clauses = Clauses::default();
    while !input.is_empty() {
        clause(input, &mut clauses)?;
    }
    let Clauses { name, mode, value, operands, legal, parse, inst, build, formats } = clauses;
    let Some((docs, name, generation)) = name else { return Err(missing(Span::call_site(), "set", "NAME;")) };
    let missing = |keyword, rest| missing(name.span(), keyword, rest);
    let (mode, modes) = mode.ok_or_else(|| missing("mode", "path { A, B };"))?;
    let value = value.ok_or_else(|| missing("value", "path;"))?;
    let operands = operands.ok_or_else(|| missing("operands", "path;"))?;
    let [parse, inst] = [parse, inst].map(Option::unwrap_or_default);
    Ok((SetHeader { docs, name, generation, mode, modes, value, operands, legal, parse, inst, build }, formats))
}

/// Returns the error of a clause that is missing.
pub fn missing(span: Span, keyword: &str, rest: &str) -> syn::Error {
    error(span, format!("the set has no clause `{keyword}`"), format!("write `{keyword} {rest}`"))
}

/// Parses one clause.
fn clause(input: ParseStream, clauses: &mut Clauses) -> syn::Result<()> {
    let span = input.span();
    let attrs = attrs(input)?;
    let keyword = any_identifier(input)?;
    if !attrs.is_empty() && !matches!(keyword.as_str(), "set" | "legal" | "parse" | "inst" | "build") {
        let help = "move the attributes to the clause `set`, `legal`, `parse`, `inst` or `build`";
        return Err(error(span, format!("the clause `{keyword}` takes no attributes"), help));
    }
    match keyword.as_str() {
        "set" => {
            let name = input.parse()?;
            let generation = if take_keyword(input, "of")? { Some(identifier(input)?) } else { None };
            set_once(&mut clauses.name, (attrs, name, generation), &keyword)?;
        }
        "mode" => {
            let mode = path(input)?;
            let inner;
            braced!(inner in input);
            let modes = inner.parse_terminated(Ident::parse, Token![,])?.into_iter().collect();
            set_once(&mut clauses.mode, (mode, modes), &keyword)?;
        }
        "value" => set_once(&mut clauses.value, path(input)?, &keyword)?,
        "operands" => set_once(&mut clauses.operands, path(input)?, &keyword)?,
        "legal" => set_once(&mut clauses.legal, (condition(&attrs, span)?, path(input)?), &keyword)?,
        "parse" => set_once(&mut clauses.parse, condition(&attrs, span)?, &keyword)?,
        "inst" => set_once(&mut clauses.inst, condition(&attrs, span)?, &keyword)?,
        // The last two end in braces or in `;`, which they parse themselves.
        "build" => return set_once(&mut clauses.build, build_clause(attrs, keyword.span(), input)?, &keyword),
        "formats" => {
            let inner;
            braced!(inner in input);
            let paths = inner.parse_terminated(Path::parse_mod_style, Token![,])?;
            return set_once(&mut clauses.formats, paths.into_iter().collect(), &keyword);
        }
        other => {
            let help = "the clauses of a set are `set`, `mode`, `value`, `operands`, `legal`, `parse`, `inst`, `build` and `formats`";
            return Err(error(keyword.span(), format!("unknown clause `{other}`"), help));
        }
    }
    input.parse::<Token![;]>()?;
    Ok(())
}

/// Returns the condition in the attributes of a clause: `#[cfg(…)]`, or nothing.
pub(super) fn condition(attrs: &[Attr], span: Span) -> syn::Result<Condition> {
    let mut predicate = None;
    for attr in attrs {
        let parsed = Attribute::parse_outer.parse2(attr.tokens.clone())?;
        match parsed.first().map(|attr| &attr.meta) {
            Some(Meta::List(list)) if list.path.is_ident("cfg") && predicate.is_none() => {
                predicate = Some(list.tokens.clone());
            }
            _ => {
                return Err(error(
                    span,
                    "the clause takes no attribute but one `#[cfg(…)]`",
                    "remove the other attributes",
                ));
            }
        }
    }
    Ok(Condition { predicate })
}

/// Parses a path without generic arguments.
pub(super) fn path(input: ParseStream) -> syn::Result<TokenStream> {
    Ok(input.call(Path::parse_mod_style)?.into_token_stream())
}

/// Parses the rest of `build path::module { … }`, `build path::module;` or `build;`.
fn build_clause(attrs: Vec<Attr>, keyword: Span, input: ParseStream) -> syn::Result<BuildClause> {
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok(BuildClause { attrs, module: None, span: keyword, mappings: Vec::new() });
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
