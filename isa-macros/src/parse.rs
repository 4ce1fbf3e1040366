//! The words of a block, read into a tree that keeps every span.

use isa_blocks::cond::Cond;
use isa_blocks::fault::Faults;
use isa_blocks::tree::{
    Access, Attr, Block, Carrier, Field, Kind, Num, Reading, Rides, Run, TailClause, Text, TextClause, What,
};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, LitInt, LitStr, Token, Type, braced, bracketed};

use crate::cond;

mod rows;

use rows::rows;

/// Whether the next token is this word.
pub fn peek_word(input: ParseStream, word: &str) -> bool {
    input.cursor().ident().is_some_and(|(i, _)| i == word)
}

/// Takes the next token if it is this word.
fn take_word(input: ParseStream, word: &str) -> syn::Result<bool> {
    let found = peek_word(input, word);
    if found {
        input.call(Ident::parse_any)?;
    }
    Ok(found)
}

/// Adds what could not be read.
fn add(faults: &mut Faults, errors: syn::Error) {
    for error in errors {
        faults.say(error.span(), error.to_string());
    }
}

/// Attributes, mostly lines of documentation.
pub fn attrs(input: ParseStream) -> syn::Result<Vec<Attr>> {
    let attr = |attr: &Attribute| {
        let doc = match &attr.meta {
            syn::Meta::NameValue(pair) => match &pair.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value().trim().to_string()),
                _ => None,
            },
            _ => None,
        };
        Attr { tokens: attr.to_token_stream(), doc }
    };
    Ok(input.call(Attribute::parse_outer)?.iter().map(attr).collect())
}

fn num(input: ParseStream) -> syn::Result<Num> {
    let lit: LitInt = input.parse()?;
    Ok(Num { value: lit.base10_parse()?, span: lit.span() })
}

fn text(input: ParseStream) -> syn::Result<Text> {
    let lit: LitStr = input.parse()?;
    Ok(Text::new(lit.value(), lit.span()))
}

/// A word that is no keyword of Rust.
pub fn word(input: ParseStream) -> syn::Result<Text> {
    input.parse().map(|word: Ident| self::named(&word))
}

/// A word that may be one.
pub fn any_word(input: ParseStream) -> syn::Result<Text> {
    input.call(Ident::parse_any).map(|word| self::named(&word))
}

fn named(word: &Ident) -> Text {
    Text::new(word.to_string(), word.span())
}

fn kind(input: ParseStream) -> syn::Result<Kind> {
    let tokens = input.parse::<Type>()?.into_token_stream();
    Ok(Kind { text: tokens.to_string(), tokens })
}

/// A block. Fails only if there is no name; any later fault is kept in [`Block::read`].
pub fn block(input: ParseStream) -> syn::Result<Block> {
    let docs = attrs(input)?;
    let mut read = Reading::default();
    let what = input.call(Ident::parse_any)?;
    let tail = what == "tail";
    if !tail && what != "format" {
        read.faults.say(what.span(), "a block begins with `format NAME: 32 {` or `tail NAME {`");
    }
    let name: Ident = input.parse()?;
    let mut block = Block {
        docs,
        tail,
        width: Num { value: 32, span: name.span() },
        generations: Vec::new(),
        elsewhere: Vec::new(),
        name,
        fields: Vec::new(),
        words: Vec::new(),
        require: Vec::new(),
        texts: Vec::new(),
        suffix: None,
        tails: Vec::new(),
        rides: Vec::new(),
        only: None,
        components: Vec::new(),
        join: None,
        rows: Vec::new(),
        read,
    };
    if let Err(fault) = body(&mut block, input) {
        add(&mut block.read.faults, fault);
        block.read.fields_lost = true;
        input.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(block)
}

/// Skips tokens until `stop` holds or none are left.
fn skip(input: ParseStream, stop: impl Fn(ParseStream) -> bool) -> syn::Result<()> {
    while !input.is_empty() && !stop(input) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}

/// Whether a comma stands here and, after it, something that `begins` knows (a comma may also part the arguments of a
/// generic type) or nothing.
fn comma_before(input: ParseStream, begins: impl Fn(ParseStream) -> bool) -> bool {
    let fork = input.fork();
    fork.parse::<Token![,]>().is_ok() && (fork.is_empty() || begins(&fork))
}

/// Reads items between commas; after a faulty one goes on with the next that `begins` knows. Gives whether all were
/// read.
fn list<T>(
    input: ParseStream,
    faults: &mut Faults,
    begins: impl Fn(ParseStream) -> bool,
    mut item: impl FnMut(ParseStream, &mut Faults) -> syn::Result<T>,
    out: &mut Vec<T>,
) -> syn::Result<bool> {
    let mut whole = true;
    while !input.is_empty() {
        let result = item(input, faults).and_then(|item| {
            out.push(item);
            if input.is_empty() || input.peek(Token![,]) { Ok(()) } else { Err(input.error("expected `,`")) }
        });
        if let Err(fault) = result {
            add(faults, fault);
            whole = false;
            skip(input, |input| comma_before(input, &begins))?;
        }
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(whole)
}

/// What follows the name.
fn body(block: &mut Block, input: ParseStream) -> syn::Result<()> {
    if !block.tail {
        if !input.peek(Token![:]) {
            return Err(input.error("expected the width in bits: `format NAME: 32 {` or `format NAME: 64 {`"));
        }
        input.parse::<Token![:]>()?;
        block.width = num(input)?;
        if block.width.value != 32 && block.width.value != 64 {
            let say = "a format is 32 or 64 bits wide; what may follow it is a `tail`";
            return Err(syn::Error::new(block.width.span, say));
        }
    }
    if take_word(input, "of")? {
        block.generations.push(word(input)?);
        while input.parse::<Option<Token![,]>>()?.is_some() {
            block.generations.push(word(input)?);
        }
        // A generation can be asked for like a word.
        for generation in &block.generations {
            if !block.words.contains(generation) {
                block.words.push(generation.clone());
            }
        }
    }
    if !input.peek(syn::token::Brace) {
        return Err(input.error("expected the fields: `{ NAME [bits] …, … }`"));
    }
    let inner;
    braced!(inner in input);
    let begins = |input: ParseStream| {
        let docs = input.call(Attribute::parse_outer).is_ok();
        let named = input.peek(syn::Ident) && (input.peek2(syn::token::Bracket) || input.peek2(Token![:]));
        docs && (named || peek_word(input, "implied"))
    };
    let faults = &mut block.read.faults;
    block.read.fields_lost |= !list(&inner, faults, begins, field, &mut block.fields)?;
    while !input.is_empty() {
        let row = row_begins(input);
        if let Err(fault) = clause(block, input) {
            add(&mut block.read.faults, fault);
            block.read.clauses_lost |= !row;
            skip_statement(input)?;
        }
    }
    Ok(())
}

fn clause(block: &mut Block, input: ParseStream) -> syn::Result<()> {
    if row_begins(input) {
        return rows(input, &[], &mut block.rows, &mut block.read.faults);
    }
    let Ok(word) = any_word(input) else {
        return Err(input.error("expected a clause, such as `text \"…\";`, or a row `NUMBER => NAME (…);`"));
    };
    match word.as_str() {
        "words" => loop {
            block.words.push(self::word(input)?);
            if !input.peek(Token![,]) {
                break;
            }
            input.parse::<Token![,]>()?;
        },
        "require" => block.require.push(cond::parse(input)?),
        "text" => {
            let text = text(input)?;
            let cond = condition(input)?;
            block.texts.push(TextClause { text, cond });
        }
        "suffix" => once(&mut block.suffix, text(input)?, &word)?,
        "tail" => block.tails.push(tail_clause(input)?),
        "rides" => {
            let name = self::word(input)?;
            expect_word(input, "at")?;
            let at = num(input)?;
            block.rides.push(Rides { name, at, cond: condition(input)? });
        }
        "only" => once(&mut block.only, self::word(input)?, &word)?,
        "components" => {
            block.components.clear();
            block.components.push(self::word(input)?);
            once(&mut block.join, text(input)?, &word)?;
            block.components.push(self::word(input)?);
        }
        other => {
            let say = format!(
                "`{other}` is no clause: here stand words, require, text, suffix, tail, rides, only, components, or a row `NUMBER => NAME (…);`"
            );
            return Err(syn::Error::new(word.span(), say));
        }
    }
    if input.parse::<Option<Token![;]>>()?.is_some() {
        Ok(())
    } else if input.is_empty() || row_begins(input) {
        Err(syn::Error::new(word.span(), format!("the clause `{word}` does not end: write `;` after it")))
    } else {
        Err(input.error(format!("expected `;` at the end of the clause `{word}`")))
    }
}

/// Keeps the value of a clause or a word that can stand once.
fn once<T>(slot: &mut Option<T>, value: T, word: &Text) -> syn::Result<()> {
    if slot.replace(value).is_some() {
        return Err(syn::Error::new(word.span(), format!("`{word}` stands here already: write it once")));
    }
    Ok(())
}

/// Whether a row's number begins here, or its column where it is not there.
fn number_begins(input: ParseStream) -> bool {
    input.peek(LitInt) || input.peek(Token![-])
}

/// Whether a row or a family of rows begins here.
fn row_begins(input: ParseStream) -> bool {
    let fork = input.fork();
    let docs = fork.call(Attribute::parse_outer).is_ok();
    let component = fork.peek(syn::Ident)
        && (fork.peek2(Token![-]) || fork.peek2(LitInt))
        && (fork.peek3(Token![=>]) || fork.peek3(Token![+]) || fork.peek3(Token![-]) || fork.peek3(LitInt));
    docs && (number_begins(&fork) || fork.peek(Token![for]) || component)
}

/// Whether numbers and then `=>` stand here.
fn numbers_begin(input: ParseStream) -> bool {
    let fork = input.fork();
    let number = |input: ParseStream| number_begins(input) && input.parse::<proc_macro2::TokenTree>().is_ok();
    let mut any = false;
    while number(&fork) {
        any = true;
    }
    any && fork.peek(Token![=>])
}

/// Goes past the `;` that ends a faulty clause or row, or as far as the next row if the `;` was forgotten.
fn skip_statement(input: ParseStream) -> syn::Result<()> {
    skip(input, |input| input.peek(Token![;]) || numbers_begin(input))?;
    input.parse::<Option<Token![;]>>()?;
    Ok(())
}

fn expect_word(input: ParseStream, word: &str) -> syn::Result<()> {
    if take_word(input, word)? { Ok(()) } else { Err(input.error(format!("expected `{word}`"))) }
}

fn condition(input: ParseStream) -> syn::Result<Option<Cond>> {
    Ok(if take_word(input, "if")? { Some(cond::parse(input)?) } else { None })
}

fn tail_clause(input: ParseStream) -> syn::Result<TailClause> {
    let name = word(input)?;
    let mut when = Vec::new();
    // Without `when` it follows only rows that say `always`.
    if take_word(input, "when")? {
        loop {
            let field = word(input)?;
            input.parse::<Token![==]>()?;
            when.push((field, num(input)?));
            if !input.peek(Token![|]) {
                break;
            }
            input.parse::<Token![|]>()?;
        }
    }
    let cond = condition(input)?;
    let suffix = if take_word(input, "suffix")? { Some(text(input)?) } else { None };
    Ok(TailClause { name, when, cond, suffix })
}

fn field(input: ParseStream, faults: &mut Faults) -> syn::Result<Field> {
    let docs = attrs(input)?;
    let name = word(input)?;
    if name == *"implied" {
        let (carrier, value) = carrier(input)?;
        let what = What::Carrier(Box::new(carrier));
        return Ok(Field { docs, name, bits: Vec::new(), what, within: within(input)?, value });
    }
    if !input.peek(syn::token::Bracket) {
        return Err(input.error("expected the field's bits: `[7:0]`, or `implied` before what no bits carry"));
    }
    let inner;
    bracketed!(inner in input);
    let mut bits = Vec::new();
    if inner.is_empty() {
        return Err(inner.error("expected the field's bits: `[7:0]`, or `implied` before what no bits carry"));
    }
    for nth in 0.. {
        if nth > 0 {
            inner.parse::<Token![,]>()?;
        }
        if inner.is_empty() {
            break;
        }
        bits.push(run(&inner, faults)?);
        if inner.is_empty() {
            break;
        }
    }
    let mut value = None;
    let what = if input.peek(Token![:]) {
        input.parse::<Token![:]>()?;
        let (carrier, place) = carrier(input)?;
        value = place;
        What::Carrier(Box::new(carrier))
    } else if take_word(input, "reserved")? {
        let mut held = 0;
        if input.parse::<Option<Token![=]>>()?.is_some() {
            let number = num(input)?;
            value = Some(number.span);
            held = number.value;
        }
        What::Reserved(held)
    } else if input.parse::<Option<Token![=]>>()?.is_some() {
        if take_word(input, "opcode")? {
            What::Opcode(if input.peek(syn::Ident) { Some(word(input)?) } else { None })
        } else if input.peek(LitInt) {
            What::Fixed(num(input)?)
        } else {
            return Err(input.error("expected what the bits hold: a number such as `0b101`, or `opcode`"));
        }
    } else {
        return Err(input.error("expected what the bits are: `: role: Kind`, `= 0b101`, `= opcode` or `reserved`"));
    };
    Ok(Field { docs, name, bits, what, within: within(input)?, value })
}

/// `in gcn1_0 | gcn1_1`: the generations in which a field lies so.
fn within(input: ParseStream) -> syn::Result<Vec<Text>> {
    let mut generations = Vec::new();
    if take_word(input, "in")? {
        generations.push(word(input)?);
        while input.parse::<Option<Token![|]>>()?.is_some() {
            generations.push(word(input)?);
        }
    }
    Ok(generations)
}

fn run(input: ParseStream, faults: &mut Faults) -> syn::Result<Run> {
    let hi: LitInt = input.parse()?;
    let high: u32 = hi.base10_parse()?;
    let low =
        if input.parse::<Option<Token![:]>>()?.is_some() { input.parse::<LitInt>()?.base10_parse()? } else { high };
    if low > high {
        faults.say(hi.span(), format!("bits are written from the highest down: [{low}:{high}]"));
        return Ok(Run { hi: low, lo: high, span: hi.span() });
    }
    Ok(Run { hi: high, lo: low, span: hi.span() })
}

/// What carries a role, and where its `else` value stands.
fn carrier(input: ParseStream) -> syn::Result<(Carrier, Option<Span>)> {
    let mut component = None;
    if input.peek2(Token![.]) {
        component = Some(word(input)?);
        input.parse::<Token![.]>()?;
    }
    let mut names = Vec::new();
    loop {
        let access = if take_word(input, "mod")? {
            Access::Modifier
        } else if take_word(input, "out")? {
            Access::Write
        } else if take_word(input, "inout")? {
            Access::ReadWrite
        } else {
            Access::Read
        };
        if !input.peek(syn::Ident) {
            return Err(input.error("expected the name of a role: `NAME [bits]: role: Kind`"));
        }
        names.push((access, word(input)?));
        if !input.peek(Token![|]) {
            break;
        }
        input.parse::<Token![|]>()?;
    }
    if !input.peek(Token![:]) {
        return Err(input.error("expected `:` and the kind of operand: `NAME [bits]: role: Kind`"));
    }
    input.parse::<Token![:]>()?;
    let kind = kind(input)?;
    let cond = condition(input)?;
    let mut otherwise = 0;
    let mut place = None;
    if take_word(input, "else")? {
        let number = num(input)?;
        otherwise = number.value;
        place = Some(number.span);
    }
    Ok((Carrier { component, names, kind, cond, otherwise }, place))
}

#[cfg(test)]
mod tests {
    use syn::parse::Parser;

    /// Numbers and names of the rows that come of these words; the first fault if there is one.
    fn family(rows_text: &str) -> Result<Vec<(u64, String)>, String> {
        let words = format!("format F: 32 {{ OP [31:0] = opcode }} {rows_text}");
        let block = super::block.parse_str(&words).map_err(|e| e.to_string())?;
        block.read.faults.result().map_err(|e| e.all()[0].text.clone())?;
        Ok(block.rows.into_iter().map(|r| (r.number.value, r.name.to_string())).collect())
    }

    fn names(rows_text: &str) -> Vec<String> {
        family(rows_text).unwrap_or_default().into_iter().map(|(n, name)| format!("{n} {name}")).collect()
    }

    #[test]
    fn families_unroll_value_by_value() {
        assert_eq!(
            names("for rel in [0 LT, 1 EQ] { 0x10 + rel => CMP_{rel}_F32 (); 0x90 + rel => CMPX_{rel} (); }"),
            ["16 CMP_LT_F32", "144 CMPX_LT", "17 CMP_EQ_F32", "145 CMPX_EQ"]
        );
        assert_eq!(
            names("for op in [0 ADD, 8 SUB] { for size in [0 B, 1 H] { 1 + op + size => {op}_{size} (); } }"),
            ["1 ADD_B", "2 ADD_H", "9 SUB_B", "10 SUB_H"]
        );
        assert_eq!(names("for n in [] { 0 + n => X_{n} (); } 3 => Y ();"), ["3 Y"]);
    }

    #[test]
    fn the_innermost_name_counts() {
        assert_eq!(names("for n in [0 A] { for n in [1 B] { 4 + n => X_{n} (); } }"), ["5 X_B"]);
    }

    #[test]
    fn names_are_pasted_from_identifiers_digits_and_braces() {
        assert_eq!(
            names("for t in [0 F] { for n in [0 B] { 0 => {t}{n} (); 1 => {t}_{n}_X (); 2 => CVT_{t}32_{n}16 (); } }"),
            ["0 FB", "1 F_B_X", "2 CVT_F32_B16"]
        );
        assert!(family("0 => A B ();").is_err_and(|e| e.contains("lists its operands")));
        assert!(family("0 => A_{x} ();").is_err_and(|e| e.contains("binds `x`")));
    }

    #[test]
    fn reading_goes_on_after_a_fault() {
        let text = "format F: 32 { A [31:30] = , B [0:7]: s: Reg<1, 2>, C D, E [1] reserved }
            nonsense 1; 0 => X (a: u33, b: what); 1 => Y () 2 => Z (); for a in [1] { 0 => Q (); }";
        let block = super::block.parse_str(text).unwrap_or_else(|e| panic!("{e}"));
        let faults: Vec<String> = block.read.faults.all().iter().map(|fault| fault.text.clone()).collect();
        assert_eq!(faults.len(), 8, "{faults:#?}");
        assert!(block.read.fields_lost && block.read.clauses_lost);
        assert_eq!(block.rows.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(), ["X", "Z"]);
    }
}
