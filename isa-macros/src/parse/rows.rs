//! The parser of rows, `3 => V_ADD_F32 (d: f32, …) flags;`, and of families, `for rel in [0 F, 1 LT] { … }`.

use isa_codegen::ast::{Attr, Block, GenerationProperty, OperandList, Role, Row, RowProperty};
use isa_codegen::error::Errors;
use isa_codegen::isa_body::Run;
use isa_codegen::spanned::{Number, SpannedStr};
use isa_codegen::ty;
use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{LitInt, Token, braced, bracketed, parenthesized};

use super::body::{self, Binding};
use super::tokens::{
    any_identifier, attrs, begins_column, begins_row, error, expect_keyword, generations, identifier, list, number,
    operand_class, peek_keyword, push_errors, set_once, skip_statement, string, take_keyword,
};

/// The names that rows can use.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The variables of the families around the row, the innermost last.
    pub bindings: &'a [Binding],
    /// The lists of operands that the block declares before the row.
    pub operand_lists: &'a [OperandList],
}

/// Looks up a variable. The innermost family is the last element of `bindings`.
fn find<'a>(variable: &SpannedStr, bindings: &'a [Binding]) -> syn::Result<&'a Binding> {
    let binding = bindings.iter().rev().find(|b| *variable == b.variable);
    binding.ok_or_else(|| {
        let message = format!("no `for` around this row binds `{variable}`");
        error(variable.span(), message, format!("write `for {variable} in [0 A, 1 B] {{ … }}`"))
    })
}

/// Parses a row or a family of rows.
pub(super) fn rows(input: ParseStream, scope: Scope, out: &mut Vec<Row>, errors: &mut Errors) -> syn::Result<()> {
    let docs = attrs(input)?;
    if input.parse::<Option<Token![for]>>()?.is_none() {
        let (row, components) = row(input, docs, scope, errors)?;
        let others: Vec<Row> = components.into_iter().map(|component| row_of_component(&row, component)).collect();
        out.push(row);
        out.extend(others);
        return Ok(());
    }
    let variable = identifier(input)?;
    input.parse::<Token![in]>()?;
    let inner;
    bracketed!(inner in input);
    let mut values = Vec::new();
    let value = |input: ParseStream, _: &mut Errors| {
        let number = number(input)?;
        if !input.peek(Ident::peek_any) {
            let help = "write a name after each number: `for rel in [0 F, 1 LT]`";
            return Err(error(input.span(), "expected a name after the number", help));
        }
        let name = any_identifier(input)?.to_string();
        let value = if input.peek(syn::token::Brace) {
            let inner;
            braced!(inner in input);
            Some(inner.parse::<TokenStream>()?)
        } else {
            None
        };
        Ok(Binding { variable: variable.to_string(), number: number.value, name, value })
    };
    list(&inner, errors, |input| input.peek(LitInt), value, &mut values)?;
    if !input.peek(syn::token::Brace) {
        return Err(error(input.span(), "expected the rows of the family", "write `{ NUMBER + name => … }`"));
    }
    let body;
    braced!(body in input);
    let tokens: TokenStream = body.parse()?;
    family(values, &tokens, scope, out, errors)
}

/// Parses the body of a family once for each value. Tokens keep their spans, so errors point into the family.
fn family(
    values: Vec<Binding>,
    body: &TokenStream,
    scope: Scope,
    out: &mut Vec<Row>,
    errors: &mut Errors,
) -> syn::Result<()> {
    for value in values {
        let mut bindings: Vec<Binding> = scope.bindings.to_vec();
        bindings.push(value);
        let mut found = Errors::default();
        let parse_body = |input: ParseStream| {
            while !input.is_empty() {
                if let Err(error) = rows(input, Scope { bindings: &bindings, ..scope }, out, &mut found) {
                    push_errors(&mut found, error);
                    skip_statement(input)?;
                }
            }
            Ok(())
        };
        parse_body.parse2(body.clone())?;
        // The other values would cause the same errors.
        if let Err(found) = found.into_result() {
            errors.append(found);
            break;
        }
    }
    Ok(())
}

/// Returns the row of another component with the same opcode number: it refers to the row of the first component, unless both
/// refer to a row of another format.
fn row_of_component(first: &Row, component: SpannedStr) -> Row {
    Row {
        component: Some(component),
        base: Some(first.base.clone().unwrap_or_else(|| first.name.clone())),
        roles: Vec::new(),
        body: None,
        ..first.clone()
    }
}

/// Parses a row after its documentation. Returns it with the further components that have it.
fn row(input: ParseStream, docs: Vec<Attr>, scope: Scope, errors: &mut Errors) -> syn::Result<(Row, Vec<SpannedStr>)> {
    let bindings = scope.bindings;
    let has_component =
        input.peek(syn::Ident) && (input.peek2(LitInt) || input.peek2(Token![-]) || input.peek2(Token![,]));
    let component = if has_component { Some(identifier(input)?) } else { None };
    let mut components: Vec<SpannedStr> = Vec::new();
    while has_component && input.parse::<Option<Token![,]>>()?.is_some() {
        // The rest of the row is read as that of the components before.
        if !input.peek(syn::Ident) {
            let help = "write `x, y 2 => …` for a row of both components";
            push_errors(errors, error(input.span(), "expected the name of a component", help));
            break;
        }
        let other = identifier(input)?;
        if component.iter().chain(&components).any(|named| *named == other) {
            let message = format!("the component `{other}` is named twice");
            push_errors(errors, error(other.span(), message, "remove one of the two"));
            continue;
        }
        components.push(other);
    }
    if !begins_column(input) {
        let help = "write `3 => NAME (…);`, or `0x10 + name => …` in a family";
        return Err(error(input.span(), "expected the opcode number of a row", help));
    }
    let span = input.span();
    let mut columns = Vec::new();
    while begins_column(input) {
        columns.push(column(input, bindings)?);
    }
    let number = columns.iter().flatten().next().cloned().unwrap_or(Number { value: 0, span });
    input.parse::<Token![=>]>()?;
    let name = pasted_name(input, bindings)?;
    let mut row = Row {
        docs,
        component,
        number,
        columns,
        generations: Vec::new(),
        name,
        base: None,
        roles: Vec::new(),
        excluded: Vec::new(),
        always: None,
        is_bare: false,
        text_name: None,
        aliases: Vec::new(),
        template: None,
        only_mode: None,
        fixed_fields: Vec::new(),
        flags: Vec::new(),
        generation_properties: Vec::new(),
        run: None,
        body: None,
        compiled: None,
        disputed: None,
    };
    let mut has_all_roles = true;
    if input.parse::<Option<Token![=]>>()?.is_some() {
        row.base = Some(identifier(input)?);
    } else if input.peek(syn::token::Paren) {
        (row.roles, has_all_roles) = roles(input, scope.operand_lists, errors)?;
    } else {
        let help = "write `(d: u32, s0: u32)`, or `()` if the row has none";
        return Err(error(input.span(), "expected the operands of the row", help));
    }
    while input.peek(Ident::peek_any) {
        property(input, &mut row)?;
        if input.parse::<Option<Token![,]>>()?.is_none() {
            break;
        }
    }
    if input.peek(syn::token::Brace) {
        match body::body(input, bindings) {
            // A body would name the operands that have errors.
            Ok(body) => row.body = has_all_roles.then_some(body),
            Err(error) => push_errors(errors, error),
        }
        return Ok((row, components));
    }
    row_end(input, row).map(|row| (row, components))
}

/// Parses operands in parentheses: `(d: u32, ..address)`. Returns whether all of them were parsed.
fn roles(input: ParseStream, operand_lists: &[OperandList], errors: &mut Errors) -> syn::Result<(Vec<Role>, bool)> {
    let inner;
    parenthesized!(inner in input);
    let begins_role = |input: ParseStream| input.peek(Token![..]) || input.peek(syn::Ident) && input.peek2(Token![:]);
    let item = |input: ParseStream, _: &mut Errors| {
        if input.parse::<Option<Token![..]>>()?.is_none() {
            return Ok(vec![role(input)?]);
        }
        let name = identifier(input)?;
        match operand_lists.iter().find(|list| list.name == name) {
            Some(list) => Ok(list.roles.clone()),
            None => {
                let message = format!("no `operands` clause before this row declares `{name}`");
                Err(error(name.span(), message, format!("write `operands {name} = (role: type, …);`")))
            }
        }
    };
    let mut parts = Vec::new();
    let is_complete = list(&inner, errors, begins_role, item, &mut parts)?;
    Ok((parts.into_iter().flatten().collect(), is_complete))
}

/// Parses `NAME = (role: type, …)`, after `operands`.
pub(super) fn operand_list(input: ParseStream, block: &mut Block) -> syn::Result<OperandList> {
    let name = identifier(input)?;
    if block.operand_lists.iter().any(|list| list.name == name) {
        return Err(error(name.span(), format!("duplicate list of operands `{name}`"), "rename one of the lists"));
    }
    input.parse::<Token![=]>()?;
    let (roles, _) = roles(input, &block.operand_lists, &mut block.parsed.errors)?;
    Ok(OperandList { name, roles })
}

/// Parses the `;` after a row without a body.
fn row_end(input: ParseStream, row: Row) -> syn::Result<Row> {
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok(row);
    }
    if input.is_empty() || begins_row(input) {
        let message = format!("the row of `{}` has no `;` at its end", row.name);
        return Err(error(row.name.span(), message, "write `;` after the row, or its body `{ … }`"));
    }
    Err(match row.flags.last() {
        // An argument after a flag: the flag is probably a misspelt keyword.
        Some(flag) => error(
            flag.span(),
            format!("the flag `{flag}` takes no argument"),
            "the keywords with an argument are `no`, `always`, `as`, `also`, `named`, `in`, `text`, `only`, `fix` and `disputed`",
        ),
        None => {
            let help = "write a flag or a keyword, `,` between two of them, or `;` at the end of the row";
            error(input.span(), "expected a flag or the end of the row", help)
        }
    })
}

/// Parses a column: a number, a sum of a number and variables, or `-` for a generation without the row.
fn column(input: ParseStream, bindings: &[Binding]) -> syn::Result<Option<Number>> {
    if input.parse::<Option<Token![-]>>()?.is_some() {
        return Ok(None);
    }
    let mut number = number(input)?;
    while input.parse::<Option<Token![+]>>()?.is_some() {
        let variable = identifier(input)?;
        number.value = number.value.saturating_add(find(&variable, bindings)?.number);
    }
    Ok(Some(number))
}

/// Parses a mnemonic with variables in braces: `V_CMP_{rel}_F32`.
fn pasted_name(input: ParseStream, bindings: &[Binding]) -> syn::Result<SpannedStr> {
    let mut text = String::new();
    let mut span = None;
    // Whether an identifier may follow: two of them without a brace between are separate names.
    let mut may_continue = true;
    loop {
        if input.peek(syn::token::Brace) {
            let inner;
            braced!(inner in input);
            let variable = identifier(&inner)?;
            if !inner.is_empty() {
                return Err(error(
                    inner.span(),
                    "expected `}` after the variable",
                    "write one variable of a `for` in braces",
                ));
            }
            text.push_str(&find(&variable, bindings)?.name);
            span.get_or_insert(variable.span());
            may_continue = true;
        } else if may_continue && input.peek(Ident::peek_any) {
            let part = any_identifier(input)?;
            text.push_str(part.as_str());
            span.get_or_insert(part.span());
            may_continue = false;
        } else if may_continue && span.is_some() && input.peek(LitInt) {
            // In `{op}_B{lanes}16`, the digits after a brace are a separate token.
            text.push_str(&input.parse::<LitInt>()?.to_string());
            may_continue = false;
        } else {
            break;
        }
    }
    let Some(span) = span else {
        return Err(error(input.span(), "expected the mnemonic of the row", "write `NUMBER => NAME (…);`"));
    };
    Ok(SpannedStr::new(text, span))
}

/// Parses an operand of a row: `d: inout f32 as Class if FIELD`.
fn role(input: ParseStream) -> syn::Result<Role> {
    let name = identifier(input)?;
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return Err(error(input.span(), "expected `:` and an operand type", format!("write `{name}: u32`")));
    }
    let is_inout = take_keyword(input, "inout")?;
    let ty = ty::parse(&identifier(input)?).map_err(|error| syn::Error::new(error.span, error.message))?;
    let mut role = Role { name, is_inout, ty, class: None, exists_if: None, exists_if_zero: false, written_if: None };
    if input.parse::<Option<Token![as]>>()?.is_some() {
        role.class = Some(operand_class(input)?);
    }
    if take_keyword(input, "out")? {
        expect_keyword(input, "if")?;
        role.written_if = Some(identifier(input)?);
    } else if take_keyword(input, "if")? {
        role.exists_if_zero = input.parse::<Option<Token![!]>>()?.is_some();
        role.exists_if = Some(identifier(input)?);
    }
    Ok(role)
}

/// Parses a keyword with its argument, or a flag, after the operands of a row.
fn property(input: ParseStream, row: &mut Row) -> syn::Result<()> {
    if peek_keyword(input, "in") {
        let keyword = SpannedStr::new("in".into(), input.span());
        if !row.generations.is_empty() {
            return Err(error(keyword.span(), "duplicate `in`", "write it once"));
        }
        row.generations = generations(input)?;
        return Ok(());
    }
    let keyword = any_identifier(input)?;
    let property = match keyword.as_str() {
        "no" => {
            row.excluded.push(identifier(input)?);
            return Ok(());
        }
        "always" => return set_once(&mut row.always, identifier(input)?, &keyword),
        "bare" => {
            row.is_bare = true;
            return Ok(());
        }
        "wave" => return set_once(&mut row.run, Run::Wave, &keyword),
        "lanes" => return set_once(&mut row.run, Run::Lanes, &keyword),
        "text" => return set_once(&mut row.template, string(input)?, &keyword),
        "disputed" => return set_once(&mut row.disputed, string(input)?, &keyword),
        "only" => return set_once(&mut row.only_mode, identifier(input)?, &keyword),
        "fix" => {
            let field = identifier(input)?;
            input.parse::<Token![=]>()?;
            row.fixed_fields.push((field, number(input)?));
            return Ok(());
        }
        "named" => {
            let name = identifier(input)?;
            if !peek_keyword(input, "in") {
                let help = format!("write `named {name} in GENERATION`");
                return Err(error(input.span(), "expected the generations that have this name", help));
            }
            RowProperty::Name(name)
        }
        "also" => RowProperty::Alias(string(input)?),
        "as" => RowProperty::TextName(string(input)?),
        _ => RowProperty::Flag(keyword.clone()),
    };
    let generations = generations(input)?;
    match property {
        property if !generations.is_empty() => {
            row.generation_properties.push(GenerationProperty { generations, property });
        }
        RowProperty::Alias(name) => row.aliases.push(name),
        RowProperty::TextName(name) => set_once(&mut row.text_name, name, &keyword)?,
        RowProperty::Flag(_) | RowProperty::Name(_) => row.flags.push(keyword),
    }
    Ok(())
}
