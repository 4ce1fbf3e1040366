//! The parser of what the codes of numbers and modifiers are: `names " {}" { 1 "mul:2" }`, `list " op_sel:[{}]" of 2 x 1`.

use isa_codegen::ast::{ArgumentDecl, ClassContent, ListDecl, NamedCode, NumberedCodes, PartDecl};
use isa_codegen::spanned::SpannedStr;
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{LitInt, LitStr, Token, braced, bracketed};

use super::operand_clauses::signed;
use super::tokens::{error, expect_keyword, identifier, peek_keyword, string, take_keyword};

/// Parses a range of numbers, `flag`, `hidden`, or `names … { … }`.
pub(super) fn number_or_names(input: ParseStream) -> syn::Result<ClassContent> {
    if input.peek(LitInt) || input.peek(Token![-]) {
        let span = input.span();
        let low = signed(input)?;
        input.parse::<Token![..=]>()?;
        return Ok(ClassContent::Number(low, signed(input)?, span));
    }
    if take_keyword(input, "flag")? {
        return Ok(ClassContent::Flag(if input.peek(LitStr) { Some(string(input)?) } else { None }));
    }
    if take_keyword(input, "hidden")? {
        return Ok(ClassContent::Hidden);
    }
    if take_keyword(input, "list")? {
        return list(input).map(ClassContent::List);
    }
    if take_keyword(input, "cases")? {
        return cases(input);
    }
    if !take_keyword(input, "names")? {
        let help = "write a range `0..=255`, `flag`, `names \"{}\" { … }`, `list \"[{}]\" of 2 x 1`, `cases { … }` or `hidden`";
        return Err(error(input.span(), "expected what the codes are", help));
    }
    let pattern = string(input)?;
    let names = names_in_braces(input)?;
    let other = if take_keyword(input, "else")? { Some(string(input)?) } else { None };
    let list = if take_keyword(input, "as")? { Some(input.parse()?) } else { None };
    Ok(ClassContent::Names { pattern, names, other, list })
}

/// Parses a number or a range of numbers, and its span.
pub(super) fn code_range(input: ParseStream) -> syn::Result<(u32, u32, Span)> {
    if !input.peek(LitInt) {
        return Err(error(input.span(), "expected the codes of a run", "write `124` or `0..=105`"));
    }
    let lit: LitInt = input.parse()?;
    let first: u32 = lit.base10_parse()?;
    let last =
        if input.parse::<Option<Token![..=]>>()?.is_some() { input.parse::<LitInt>()?.base10_parse()? } else { first };
    Ok((first, last, lit.span()))
}

/// Parses `{ 0 "SAME", 2..=5 "SKIP_{1}" }`.
pub(super) fn names_in_braces(input: ParseStream) -> syn::Result<Vec<NamedCode>> {
    let inner;
    braced!(inner in input);
    let mut names = Vec::new();
    while !inner.is_empty() {
        let (first, last, span) = code_range(&inner)?;
        let name = string(&inner)?;
        for code in first..=last {
            names.push(NamedCode { code, name: numbered_name(&name, code - first)?, span });
        }
        if !inner.is_empty() {
            inner.parse::<Token![,]>()?;
        }
    }
    Ok(names)
}

/// Parses `{ vmcnt [15:10], instskip [6:4] DELAY_SKIPS from 1 else "…" } as COUNTERS`.
pub(super) fn parts(input: ParseStream) -> syn::Result<ClassContent> {
    if take_keyword(input, "call")? {
        return call(input);
    }
    let inner;
    braced!(inner in input);
    let mut parts = Vec::new();
    while !inner.is_empty() {
        let name = identifier(&inner)?;
        let bits = bits(&inner)?;
        let mut values = None;
        if inner.peek(syn::Ident) {
            let list = identifier(&inner)?;
            let first = if take_keyword(&inner, "from")? { inner.parse::<LitInt>()?.base10_parse()? } else { 0 };
            values = Some((list, first));
        }
        let unknown = if take_keyword(&inner, "else")? { Some(string(&inner)?) } else { None };
        parts.push(PartDecl { name, bits, values, unknown });
        if !inner.is_empty() {
            inner.parse::<Token![,]>()?;
        }
    }
    let list = if take_keyword(input, "as")? { Some(input.parse()?) } else { None };
    Ok(ClassContent::Parts(parts, list))
}

/// Returns a name with its number: `{}` counts from 0, `{1}` from 1, `{a|b}` are the parts of the name that differ.
fn numbered_name(name: &SpannedStr, nth: u32) -> syn::Result<String> {
    let Some((before, rest)) = name.as_str().split_once('{') else { return Ok(name.to_string()) };
    if let Some((all, after)) = rest.split_once('}').filter(|(all, _)| all.contains('|')) {
        let part = all.split('|').nth(nth as usize).ok_or_else(|| {
            error(name.span(), format!("`{all}` has no name for each code"), "write as many as there are codes")
        })?;
        return Ok(format!("{before}{part}{after}"));
    }
    let start = rest.split_once('}').map(|(start, after)| (if start.is_empty() { "0" } else { start }, after));
    match start.and_then(|(start, after)| Some((start.parse::<u32>().ok()?, after))) {
        Some((start, after)) => Ok(format!("{before}{}{after}", start + nth)),
        None => Err(numbered(name)),
    }
}

/// Parses `[15:10]` or `[7]`: the highest and the lowest bit.
fn bits(input: ParseStream) -> syn::Result<(u8, u8)> {
    let range;
    bracketed!(range in input);
    let high = range.parse::<LitInt>()?.base10_parse()?;
    let low =
        if range.parse::<Option<Token![:]>>()?.is_some() { range.parse::<LitInt>()?.base10_parse()? } else { high };
    Ok((high, low))
}

/// Parses `call "hwreg" { id [5:0] NAMES says "…", size [15:11] + 1 absent 32 }` after its keyword.
fn call(input: ParseStream) -> syn::Result<ClassContent> {
    let name = string(input)?;
    let inner;
    braced!(inner in input);
    let mut arguments = Vec::new();
    while !inner.is_empty() {
        let (name, bits) = (identifier(&inner)?, bits(&inner)?);
        let is_word = |word| peek_keyword(&inner, word);
        let names = if inner.peek(syn::Ident) && !is_word("absent") && !is_word("says") {
            Some(identifier(&inner)?)
        } else {
            None
        };
        let least = if inner.parse::<Option<Token![+]>>()?.is_some() { number(&inner)? } else { 0 };
        let absent = if take_keyword(&inner, "absent")? { number(&inner)? } else { least };
        let rule = if take_keyword(&inner, "says")? { Some(string(&inner)?) } else { None };
        arguments.push(ArgumentDecl { name, bits, names, least, absent, rule });
        if !inner.is_empty() {
            inner.parse::<Token![,]>()?;
        }
    }
    Ok(ClassContent::Call(name, arguments))
}

fn number(input: ParseStream) -> syn::Result<u32> {
    input.parse::<LitInt>()?.base10_parse()
}

/// Parses `" op_sel:[{}]" of 2 x 1 + s2` after `list`.
fn list(input: ParseStream) -> syn::Result<ListDecl> {
    let text = string(input)?;
    let Some(before) = text.as_str().strip_suffix("[{}]") else {
        return Err(error(text.span(), "the text has no place for the list", "end it with `[{}]`: `\" op_sel:[{}]\"`"));
    };
    expect_keyword(input, "of")?;
    let count = input.parse::<LitInt>()?.base10_parse()?;
    expect_keyword(input, "x")?;
    let width = input.parse::<LitInt>()?.base10_parse()?;
    let mut roles = Vec::new();
    while input.parse::<Option<Token![+]>>()?.is_some() {
        roles.push(identifier(input)?);
    }
    Ok(ListDecl { before: before.to_string(), count, width, roles, span: text.span() })
}

/// Parses `{ 0..=0xff list …, 0x101..=0x10f "row_shl:{1}" } as CODES` after `cases`.
fn cases(input: ParseStream) -> syn::Result<ClassContent> {
    let inner;
    braced!(inner in input);
    let (mut of_list, mut codes) = (None, Vec::new());
    while !inner.is_empty() {
        let (first, last, span) = code_range(&inner)?;
        if take_keyword(&inner, "list")? {
            let list = list(&inner)?;
            if first != 0 || of_list.is_some() {
                return Err(error(span, "a list has the lowest codes", "write its codes from 0 on: `0..=0xff list …`"));
            }
            of_list = Some((last + 1, list));
        } else {
            let text = string(&inner)?;
            let (name, number) = match text.as_str().split_once('{') {
                Some((name, start)) => {
                    let start = start.trim_end_matches('}');
                    let number = if start.is_empty() { Ok(0) } else { start.parse() };
                    (name, Some(number.map_err(|_| numbered(&text))?))
                }
                None => (text.as_str(), None),
            };
            codes.push(NumberedCodes { first, last, name: name.to_string(), number, span });
        }
        if !inner.is_empty() {
            inner.parse::<Token![,]>()?;
        }
    }
    let statics = if take_keyword(input, "as")? { Some(input.parse()?) } else { None };
    Ok(ClassContent::Cases { list: of_list, codes, statics })
}

/// The error for braces in a name that hold no number.
fn numbered(name: &SpannedStr) -> syn::Error {
    error(name.span(), "expected a number in the braces", "write `{}` to count from 0, `{1}` to count from 1")
}
