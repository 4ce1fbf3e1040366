//! Rows and families of rows: `3 => V_ADD_F32 (d: f32, …) words;` and `for rel in [0 F, 1 LT] { … }`.

use isa_blocks::fault::{Fault, Faults};
use isa_blocks::tree::{Attr, Fact, Num, Role, Row, Text, Within};
use isa_blocks::ty::Ty;
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{LitInt, Token, braced, bracketed, parenthesized};

use super::{
    add, any_word, attrs, expect_word, kind, list, num, number_begins, once, row_begins, skip_statement, take_word,
    text, within, word,
};

/// What a `for` binds its name to: a number and a word.
#[derive(Clone)]
pub(super) struct Binding {
    variable: String,
    number: u64,
    word: String,
}

fn find<'a>(variable: &Text, bound: &'a [Binding]) -> syn::Result<&'a Binding> {
    // The innermost `for` comes last.
    let known = bound.iter().rev().find(|b| *variable == b.variable);
    known.ok_or_else(|| {
        let say = format!("no `for` around this row binds `{variable}`: write `for {variable} in [0 A, 1 B] {{ … }}`");
        syn::Error::new(variable.span(), say)
    })
}

/// Reads a row or a family of rows, with the names that families around it bind.
pub(super) fn rows(input: ParseStream, bound: &[Binding], out: &mut Vec<Row>, faults: &mut Faults) -> syn::Result<()> {
    let docs = attrs(input)?;
    if !input.peek(Token![for]) {
        out.push(row(input, docs, bound, faults)?);
        return Ok(());
    }
    input.parse::<Token![for]>()?;
    let variable = word(input)?;
    input.parse::<Token![in]>()?;
    let inner;
    bracketed!(inner in input);
    let mut values = Vec::new();
    let value = |input: ParseStream, _: &mut Faults| {
        let number = num(input)?;
        if !input.peek(Ident::peek_any) {
            return Err(input.error("expected the word that goes with the number: `for rel in [0 F, 1 LT]`"));
        }
        Ok((number.value, any_word(input)?.to_string()))
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
                    add(&mut found, fault);
                    skip_statement(input)?;
                }
            }
            Ok(())
        };
        syn::parse::Parser::parse2(reader, tokens.clone())?;
        // What is wrong for one value is wrong for the others.
        if let Err(found) = found.result() {
            faults.join(found);
            break;
        }
    }
    Ok(())
}

fn row(input: ParseStream, docs: Vec<Attr>, bound: &[Binding], faults: &mut Faults) -> syn::Result<Row> {
    let named = input.peek(syn::Ident) && (input.peek2(LitInt) || input.peek2(Token![-]));
    let component = if named { Some(word(input)?) } else { None };
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
        row.like = Some(word(input)?);
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
            syn::Error::new(row.name.span(), format!("the row of {} does not end: write `;` after it", row.name))
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
    let mut number = num(input)?;
    while input.peek(Token![+]) {
        input.parse::<Token![+]>()?;
        let variable = word(input)?;
        number.value = number.value.saturating_add(find(&variable, bound)?.number);
    }
    Ok(Some(number))
}

/// `V_CMP_{rel}_F32`: identifiers and bound names, joined.
fn pasted_name(input: ParseStream, bound: &[Binding]) -> syn::Result<Text> {
    let mut text = String::new();
    let mut span = None;
    // Two identifiers side by side are no name: a brace must stand between.
    let mut pasted = true;
    loop {
        if input.peek(syn::token::Brace) {
            let inner;
            braced!(inner in input);
            let variable = word(&inner)?;
            if !inner.is_empty() {
                return Err(inner.error("between the braces stands one name that a `for` binds"));
            }
            text.push_str(&find(&variable, bound)?.word);
            span.get_or_insert(variable.span());
            pasted = true;
        } else if pasted && input.peek(Ident::peek_any) {
            let part = any_word(input)?;
            text.push_str(part.as_str());
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
    Ok(Text::new(text, span))
}

fn role(input: ParseStream) -> syn::Result<Role> {
    let name = word(input)?;
    if !input.peek(Token![:]) {
        return Err(input.error("expected `:` and the type that the role holds: `s0: u32`"));
    }
    input.parse::<Token![:]>()?;
    let inout = take_word(input, "inout")?;
    let ty = Ty::parse(&word(input)?).map_err(|Fault { span, text }| syn::Error::new(span, text))?;
    let mut role = Role { name, inout, ty, kind: None, if_field: None, unless: false, out_if: None };
    if input.peek(Token![as]) {
        input.parse::<Token![as]>()?;
        role.kind = Some(kind(input)?);
    }
    if take_word(input, "out")? {
        expect_word(input, "if")?;
        role.out_if = Some(word(input)?);
    } else if take_word(input, "if")? {
        role.unless = input.parse::<Option<Token![!]>>()?.is_some();
        role.if_field = Some(word(input)?);
    }
    Ok(role)
}

fn row_word(input: ParseStream, row: &mut Row) -> syn::Result<()> {
    let word = any_word(input)?;
    match word.as_str() {
        "no" => row.no.push(self::word(input)?),
        "always" => once(&mut row.always, self::word(input)?, &word)?,
        "bare" => row.bare = true,
        "also" => row.also.push(text(input)?),
        "as" => {
            let alias = text(input)?;
            let generations = within(input)?;
            if !generations.is_empty() {
                row.within.push(Within { generations, what: Fact::Alias(alias) });
            } else if row.alias.replace(alias).is_some() {
                return Err(syn::Error::new(word.span(), "`as` stands here already: write it once"));
            }
        }
        "text" => once(&mut row.text, text(input)?, &word)?,
        "only" => once(&mut row.only, self::word(input)?, &word)?,
        "fix" => {
            let field = self::word(input)?;
            input.parse::<Token![=]>()?;
            row.fix.push((field, num(input)?));
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
