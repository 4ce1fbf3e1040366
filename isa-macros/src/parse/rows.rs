//! Rows and families of rows: `3 => V_ADD_F32 (d: f32, …) words;` and `for rel in [0 F, 1 LT] { … }`.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, LitInt, Token, braced, bracketed, parenthesized};

use super::{
    Fact, Faults, Name, Num, Role, Row, Ty, Within, expect_word, list, number_begins, once, row_begins, skip_statement,
    take_word, within,
};

/// What a `for` binds its name to: a number and a word.
#[derive(Clone)]
pub(super) struct Binding {
    variable: String,
    number: u64,
    word: String,
}

fn find<'a>(variable: &Ident, bound: &'a [Binding]) -> syn::Result<&'a Binding> {
    // The innermost `for` comes last.
    let known = bound.iter().rev().find(|b| variable == &b.variable);
    known.ok_or_else(|| {
        let say = format!("no `for` around this row binds `{variable}`: write `for {variable} in [0 A, 1 B] {{ … }}`");
        syn::Error::new(variable.span(), say)
    })
}

/// Reads a row or a family of rows, with the names that families around it bind.
pub(super) fn rows(input: ParseStream, bound: &[Binding], out: &mut Vec<Row>, faults: &mut Faults) -> syn::Result<()> {
    let docs = input.call(Attribute::parse_outer)?;
    if !input.peek(Token![for]) {
        out.push(row(input, docs, bound, faults)?);
        return Ok(());
    }
    input.parse::<Token![for]>()?;
    let variable: Ident = input.parse()?;
    input.parse::<Token![in]>()?;
    let inner;
    bracketed!(inner in input);
    let mut values = Vec::new();
    let value = |input: ParseStream, _: &mut Faults| {
        let number: Num = input.parse()?;
        if !input.peek(Ident::peek_any) {
            return Err(input.error("expected the word that goes with the number: `for rel in [0 F, 1 LT]`"));
        }
        Ok((number.value, input.call(Ident::parse_any)?.to_string()))
    };
    list(&inner, faults, |input| input.peek(LitInt), value, &mut values)?;
    if !input.peek(syn::token::Brace) {
        return Err(input.error("expected the rows of the family: `{ NUMBER + name => … }`"));
    }
    let body;
    braced!(body in input);
    // The body is read once for each value; the tokens keep their spans, so a fault still points into the family.
    let tokens: proc_macro2::TokenStream = body.parse()?;
    for (number, word) in values {
        let mut bound: Vec<Binding> = bound.to_vec();
        bound.push(Binding { variable: variable.to_string(), number, word });
        let mut found = Faults::default();
        let reader = |input: ParseStream| {
            while !input.is_empty() {
                if let Err(fault) = rows(input, &bound, out, &mut found) {
                    found.add(fault);
                    skip_statement(input)?;
                }
            }
            Ok(())
        };
        syn::parse::Parser::parse2(reader, tokens.clone())?;
        // What is wrong for one value is wrong for the others.
        if let Err(fault) = found.result() {
            faults.add(fault);
            break;
        }
    }
    Ok(())
}

fn row(input: ParseStream, docs: Vec<Attribute>, bound: &[Binding], faults: &mut Faults) -> syn::Result<Row> {
    let named = input.peek(syn::Ident) && (input.peek2(LitInt) || input.peek2(Token![-]));
    let component = if named { Some(input.parse()?) } else { None };
    if !number_begins(input) {
        return Err(input.error("a row begins with its number: `3 => NAME (…);`, `0x10 + name => …` in a family"));
    }
    let place = input.span();
    let mut columns = Vec::new();
    while number_begins(input) {
        columns.push(column(input, bound)?);
    }
    let number = columns.iter().flatten().next().cloned().unwrap_or(Num { value: 0, span: place });
    input.parse::<Token![=>]>()?;
    let name = pasted_name(input, bound)?;
    let mut row = Row {
        docs,
        component,
        number,
        columns,
        name,
        like: None,
        roles: Vec::new(),
        no: Vec::new(),
        always: None,
        bare: false,
        alias: None,
        also: Vec::new(),
        text: None,
        only: None,
        fix: Vec::new(),
        words: Vec::new(),
        within: Vec::new(),
    };
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        row.like = Some(input.parse()?);
    } else if input.peek(syn::token::Paren) {
        let inner;
        parenthesized!(inner in input);
        let begins = |input: ParseStream| input.peek(syn::Ident) && input.peek2(Token![:]);
        list(&inner, faults, begins, |input, _| role(input), &mut row.roles)?;
    } else {
        return Err(input.error("a row lists its operands here: `(d: u32, s0: u32)`, or `()` if it has none"));
    }
    while input.peek(Ident::peek_any) {
        row_word(input, &mut row)?;
        if input.parse::<Option<Token![,]>>()?.is_none() {
            break;
        }
    }
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok(row);
    }
    Err(match row.words.last() {
        _ if input.is_empty() || row_begins(input) => {
            syn::Error::new(row.name.span, format!("the row of {} does not end: write `;` after it", row.name.text))
        }
        // What follows an unknown word shows that it is a known one misspelt.
        Some(word) => {
            let say = format!(
                "`{word}` takes nothing after it: the words of a row that do are no, always, as, also, text, only and fix"
            );
            syn::Error::new(word.span(), say)
        }
        None => input.error("expected a word of the row, `,` between two of them, or `;` at its end"),
    })
}

/// A number, perhaps a sum with what families bind; `-` where there is none.
fn column(input: ParseStream, bound: &[Binding]) -> syn::Result<Option<Num>> {
    if input.parse::<Option<Token![-]>>()?.is_some() {
        return Ok(None);
    }
    let mut number: Num = input.parse()?;
    while input.peek(Token![+]) {
        input.parse::<Token![+]>()?;
        let variable: Ident = input.parse()?;
        number.value = number.value.saturating_add(find(&variable, bound)?.number);
    }
    Ok(Some(number))
}

/// `V_CMP_{rel}_F32`: identifiers and bound names, joined.
fn pasted_name(input: ParseStream, bound: &[Binding]) -> syn::Result<Name> {
    let mut text = String::new();
    let mut span = None;
    // Two identifiers side by side are no name: a brace must stand between.
    let mut pasted = true;
    loop {
        if input.peek(syn::token::Brace) {
            let inner;
            braced!(inner in input);
            let variable: Ident = inner.parse()?;
            if !inner.is_empty() {
                return Err(inner.error("between the braces stands one name that a `for` binds"));
            }
            text.push_str(&find(&variable, bound)?.word);
            span.get_or_insert(variable.span());
            pasted = true;
        } else if pasted && input.peek(Ident::peek_any) {
            let part = input.call(Ident::parse_any)?;
            text.push_str(&part.to_string());
            span.get_or_insert(part.span());
            pasted = false;
        } else if pasted && span.is_some() && input.peek(LitInt) {
            // `{op}_B{lanes}16`: digits after a brace are a token of their own.
            text.push_str(&input.parse::<LitInt>()?.to_string());
            pasted = false;
        } else {
            break;
        }
    }
    let Some(span) = span else {
        return Err(input.error("expected the row's mnemonic: `NUMBER => NAME (…);`"));
    };
    Ok(Name { text, span })
}

fn role(input: ParseStream) -> syn::Result<Role> {
    let name = input.parse()?;
    if !input.peek(Token![:]) {
        return Err(input.error("expected `:` and the type that the role holds: `s0: u32`"));
    }
    input.parse::<Token![:]>()?;
    let inout = take_word(input, "inout")?;
    let ty = Ty::parse(&input.parse()?)?;
    let mut role = Role { name, inout, ty, kind: None, if_field: None, unless: false, out_if: None };
    if input.peek(Token![as]) {
        input.parse::<Token![as]>()?;
        role.kind = Some(input.parse()?);
    }
    if take_word(input, "out")? {
        expect_word(input, "if")?;
        role.out_if = Some(input.parse()?);
    } else if take_word(input, "if")? {
        role.unless = input.parse::<Option<Token![!]>>()?.is_some();
        role.if_field = Some(input.parse()?);
    }
    Ok(role)
}

fn row_word(input: ParseStream, row: &mut Row) -> syn::Result<()> {
    let word = input.call(Ident::parse_any)?;
    match word.to_string().as_str() {
        "no" => row.no.push(input.parse()?),
        "always" => once(&mut row.always, input, &word)?,
        "bare" => row.bare = true,
        "also" => row.also.push(input.parse()?),
        "as" => {
            let alias = input.parse()?;
            let generations = within(input)?;
            if !generations.is_empty() {
                row.within.push(Within { generations, what: Fact::Alias(alias) });
            } else if row.alias.replace(alias).is_some() {
                return Err(syn::Error::new(word.span(), "`as` stands here already: write it once"));
            }
        }
        "text" => once(&mut row.text, input, &word)?,
        "only" => once(&mut row.only, input, &word)?,
        "fix" => {
            let field = input.parse()?;
            input.parse::<Token![=]>()?;
            row.fix.push((field, input.parse()?));
        }
        _ => {
            let generations = within(input)?;
            if generations.is_empty() {
                row.words.push(word);
            } else {
                row.within.push(Within { generations, what: Fact::Word(word) });
            }
        }
    }
    Ok(())
}
