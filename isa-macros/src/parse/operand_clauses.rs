//! The parser of the clauses of operand classes: `dwords mode, prints misaligned`.

use isa_codegen::ast::{
    Asked, Clause, DwordsBase, DwordsSum, DwordsTerm, FloatReading, ModifierBit, SetExpr, ThereField,
};
use isa_codegen::spanned::SpannedStr;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{ExprPath, Lit, LitInt, Token, bracketed};

use super::set::path;
use super::tokens::{any_identifier, error, expect_keyword, identifier, peek_keyword, string, take_keyword};

/// Parses a clause of a class.
pub(super) fn clause(input: ParseStream) -> syn::Result<Clause> {
    let start = input.span();
    let keyword = any_identifier(input)?;
    Ok(match keyword.as_str() {
        "prints" => prints(input)?,
        "half" if input.peek(syn::token::Bracket) => {
            let inner;
            bracketed!(inner in input);
            Clause::Half(inner.parse::<LitInt>()?.base10_parse()?)
        }
        "half" if input.peek2(syn::token::Bracket) => {
            let name = identifier(input)?.to_string();
            let bit = modifier_bit(input)?;
            expect_keyword(input, "by")?;
            Clause::HalfBy(ModifierBit { name, bit }, input.parse::<ExprPath>()?.into_token_stream())
        }
        "half" => Clause::Half(u8::MAX),
        "constants" => Clause::Constants(by_flags(input, any_identifier)?),
        "neg" | "abs" => {
            let cases = by_flags(input, |input| {
                let name = string(input)?.to_string();
                Ok(ModifierBit { name, bit: modifier_bit(input)? })
            })?;
            Clause::Sign { is_absolute: keyword == *"abs", cases }
        }
        "check" => {
            let path = input.parse::<ExprPath>()?.into_token_stream();
            let asked = if take_keyword(input, "of")? {
                Asked::Of(set_expr(input)?)
            } else if take_keyword(input, "beside")? {
                expect_keyword(input, "dword")?;
                Asked::BesideDword
            } else if take_keyword(input, "above")? {
                let lit: LitInt = input.parse()?;
                if lit.base10_digits() != "0" {
                    return Err(error(
                        lit.span(),
                        "a function is asked for all codes, or for all above 0",
                        "write `above 0`",
                    ));
                }
                Asked::NotZero
            } else if take_keyword(input, "if")? {
                Asked::InRows(identifier(input)?)
            } else {
                Asked::Always
            };
            Clause::Check(path, asked)
        }
        "dwords" => dwords(input)?,
        "there" => {
            let field = identifier(input)?;
            let is_by_digit = input.peek(syn::token::Bracket);
            if is_by_digit {
                let inner;
                bracketed!(inner in input);
                expect_keyword(&inner, "digit")?;
            }
            Clause::There(ThereField { field, is_by_digit, raw: raw_type(input)? })
        }
        "registers" => {
            expect_keyword(input, "in")?;
            Clause::RegistersIn(flags(input)?)
        }
        "depends" => {
            let operands = input.parse::<ExprPath>()?.into_token_stream();
            let check = if take_keyword(input, "with")? { Some(input.parse::<ExprPath>()?) } else { None };
            Clause::Depends(operands, check.map(ToTokens::into_token_stream))
        }
        "off" => Clause::Off(if input.peek(syn::Ident) { Some(identifier(input)?) } else { None }),
        "says" => Clause::Says(string(input)?),
        "expects" => Clause::Expects(string(input)?),
        "prefix" => Clause::Prefix(string(input)?),
        "then" => Clause::Then(string(input)?),
        "gives" => {
            expect_keyword(input, "register")?;
            Clause::GivesRegister
        }
        "text" => {
            let pattern = string(input)?;
            let mut above = None;
            if take_keyword(input, "to")? {
                above = Some((input.parse::<LitInt>()?.base10_parse()?, string(input)?));
            }
            Clause::Text(pattern, above)
        }
        "signed" => Clause::Signed,
        "floats" => floats(input)?,
        "unsigned" => {
            expect_keyword(input, "if")?;
            let flag = identifier(input)?;
            expect_keyword(input, "says")?;
            Clause::UnsignedIf(flag, string(input)?)
        }
        "zero" => {
            expect_keyword(input, "beside")?;
            Clause::ZeroBeside(flags(input)?)
        }
        "by" => Clause::By(power_of_two(input)?),
        "bits" => Clause::Bits(input.parse::<LitInt>()?.base10_parse()?),
        "any" => {
            expect_keyword(input, "width")?;
            Clause::AnyWidth
        }
        "idle" => {
            expect_keyword(input, "all")?;
            Clause::IdleAll
        }
        "between" => {
            let mut separators = vec![string(input)?];
            while input.parse::<Option<Token![|]>>()?.is_some() {
                separators.push(string(input)?);
            }
            Clause::Between(separators)
        }
        "saturating" => Clause::Saturating(string(input)?),
        "repeating" => Clause::Repeating,
        "range" if take_keyword(input, "any")? => Clause::Range(i64::MIN, i64::MAX),
        "range" => {
            let low = signed(input)?;
            input.parse::<Token![..=]>()?;
            Clause::Range(low, signed(input)?)
        }
        "others" => {
            expect_keyword(input, "hex")?;
            Clause::OthersHex
        }
        "hidden" => {
            expect_keyword(input, "if")?;
            Clause::HiddenIf(identifier(input)?)
        }
        "required" => {
            let code = if input.peek(LitInt) { Some(input.parse::<LitInt>()?.base10_parse()?) } else { None };
            Clause::Required(code)
        }
        "name" => {
            expect_keyword(input, "alone")?;
            Clause::NameAlone
        }
        "braces" => Clause::Braces,
        "always" => Clause::Always,
        "absent" => Clause::Absent(input.parse::<LitInt>()?.base10_parse()?),
        "late" => Clause::Late,
        "unless" => Clause::Unless(flags(input)?),
        "literal" => {
            expect_keyword(input, "unless")?;
            Clause::LiteralUnless(flags(input)?)
        }
        "without" => {
            let what = identifier(input)?;
            if !["plain", "names", "no"].contains(&what.as_str()) {
                let help = "write `without plain`, `without names` or `without no`";
                return Err(error(what.span(), format!("`{what}` is nothing that a class has"), help));
            }
            Clause::Without(what)
        }
        "read" | "write" | "value" | "code_value" | "printable" | "missing" | "plain" | "place" | "used" => {
            let mut path = input.parse::<ExprPath>()?.into_token_stream();
            if keyword == *"place" && input.peek(syn::token::Paren) {
                // A function without arguments, where the set is a type parameter.
                input.parse::<proc_macro2::Group>()?.to_tokens(&mut path);
            }
            Clause::Hook(keyword, path)
        }
        _ => {
            let help = "see the section `Operand classes` of docs/reference/row-language.md for the clauses";
            return Err(error(start, format!("unknown clause `{keyword}`"), help));
        }
    })
}

/// Parses `bits`, `f32` or `in range` after `floats`.
fn floats(input: ParseStream) -> syn::Result<Clause> {
    let start = input.span();
    Ok(Clause::Floats(match any_identifier(input)?.as_str() {
        "bits" => FloatReading::LowBits,
        "f32" => FloatReading::Single,
        "in" => {
            expect_keyword(input, "range")?;
            FloatReading::InRange
        }
        other => {
            let help = "write `floats bits` (the lowest bits of the `f64`), `floats f32` or `floats in range`";
            return Err(error(start, format!("`{other}` does not say which bits count"), help));
        }
    }))
}

/// Parses `[3]` or `[N]` after the name of a modifier, or nothing for the bit 0.
fn modifier_bit(input: ParseStream) -> syn::Result<Option<u8>> {
    if !input.peek(syn::token::Bracket) {
        return Ok(Some(0));
    }
    let inner;
    bracketed!(inner in input);
    number_or_parameter(&inner)
}

/// Parses a number, or the const parameter of a class.
fn number_or_parameter(input: ParseStream) -> syn::Result<Option<u8>> {
    if input.peek(LitInt) {
        return Ok(Some(input.parse::<LitInt>()?.base10_parse()?));
    }
    input.parse::<Ident>().map(|_| None)
}

/// Parses `a if flag else b`, or `a if flag`.
fn by_flags<T>(
    input: ParseStream,
    mut parse: impl FnMut(ParseStream) -> syn::Result<T>,
) -> syn::Result<Vec<(Option<SpannedStr>, T)>> {
    let mut cases = Vec::new();
    loop {
        let value = parse(input)?;
        let flag = if take_keyword(input, "if")? { Some(identifier(input)?) } else { None };
        let is_last = flag.is_none() || !take_keyword(input, "else")?;
        cases.push((flag, value));
        if is_last {
            return Ok(cases);
        }
    }
}

fn flags(input: ParseStream) -> syn::Result<Vec<SpannedStr>> {
    let mut flags = vec![identifier(input)?];
    while input.parse::<Option<Token![|]>>()?.is_some() {
        flags.push(identifier(input)?);
    }
    Ok(flags)
}

fn prints(input: ParseStream) -> syn::Result<Clause> {
    let (mut misaligned, mut all, mut set) = (false, false, Vec::new());
    loop {
        let name = set_name(input)?;
        match name.as_str() {
            "misaligned" => misaligned = true,
            "all" => all = true,
            _ => set.push((true, name)),
        }
        if input.parse::<Option<Token![|]>>()?.is_none() {
            return Ok(Clause::Prints { misaligned, all, set });
        }
    }
}

fn dwords(input: ParseStream) -> syn::Result<Clause> {
    let is_alone = |input: ParseStream| input.peek2(Token![,]) || input.peek2(Token![;]);
    if input.peek(Lit) && is_alone(input) {
        return Ok(Clause::Dwords(input.parse::<LitInt>()?.base10_parse()?));
    }
    if is_alone(input) && take_keyword(input, "mode")? {
        return Ok(Clause::DwordsOfMode);
    }
    if input.peek2(Token![::]) || is_alone(input) {
        return Ok(Clause::DwordsFn(input.parse::<ExprPath>()?.into_token_stream()));
    }
    let mut base = Vec::new();
    let begins_base =
        input.peek(Token![type]) || peek_keyword(input, "lanes") || input.peek(Lit) && !input.peek2(Token![*]);
    if begins_base {
        base = by_flags(input, dwords_base)?;
        if matches!(base[..], [(None, DwordsBase::Type)]) && input.parse::<Option<Token![/]>>()?.is_some() {
            let divisor: LitInt = input.parse()?;
            let number: u8 = divisor.base10_parse()?;
            if number == 0 {
                return Err(error(divisor.span(), "a number of registers is not divided by 0", "write `type / 2`"));
            }
            expect_keyword(input, "in")?;
            return Ok(Clause::DwordsPart(number, identifier(input)?));
        }
    }
    let mut terms = Vec::new();
    while base.is_empty() && terms.is_empty() || input.parse::<Option<Token![+]>>()?.is_some() {
        terms.push(dwords_term(input)?);
    }
    Ok(Clause::DwordsSum(DwordsSum { base, terms, raw: raw_type(input)? }))
}

/// Parses `1`, `type` or `lanes`.
fn dwords_base(input: ParseStream) -> syn::Result<DwordsBase> {
    if input.peek(Lit) {
        return Ok(DwordsBase::Fixed(input.parse::<LitInt>()?.base10_parse()?));
    }
    if input.parse::<Option<Token![type]>>()?.is_some() {
        return Ok(DwordsBase::Type);
    }
    expect_keyword(input, "lanes")?;
    Ok(DwordsBase::Lanes)
}

/// Parses `tfe`, `2 * addr64` or `saddr == 124`.
fn dwords_term(input: ParseStream) -> syn::Result<DwordsTerm> {
    let mut adds = 1;
    if input.peek(Lit) {
        adds = input.parse::<LitInt>()?.base10_parse()?;
        input.parse::<Token![*]>()?;
    }
    let field = identifier(input)?;
    let mut code = None;
    if input.parse::<Option<Token![==]>>()?.is_some() {
        code = Some(input.parse::<LitInt>()?.base10_parse()?);
    }
    Ok(DwordsTerm { adds, field, code })
}

/// Parses `in raw::Format`, or nothing.
fn raw_type(input: ParseStream) -> syn::Result<Option<TokenStream>> {
    if take_keyword(input, "in")? { path(input).map(Some) } else { Ok(None) }
}

/// Parses an integer with a sign.
pub(super) fn signed(input: ParseStream) -> syn::Result<i64> {
    let is_negative = input.parse::<Option<Token![-]>>()?.is_some();
    let n: i64 = input.parse::<LitInt>()?.base10_parse()?;
    Ok(if is_negative { -n } else { n })
}

/// Parses a sum of sets: `sreg | vcc - m0`.
pub(super) fn set_expr(input: ParseStream) -> syn::Result<SetExpr> {
    let mut set = vec![(true, set_name(input)?)];
    loop {
        if input.parse::<Option<Token![|]>>()?.is_some() {
            set.push((true, set_name(input)?));
        } else if input.parse::<Option<Token![-]>>()?.is_some() {
            set.push((false, set_name(input)?));
        } else {
            return Ok(set);
        }
    }
}

/// Parses the name of a set of codes.
pub(super) fn set_name(input: ParseStream) -> syn::Result<SpannedStr> {
    if !input.peek(syn::Ident) {
        return Err(error(
            input.span(),
            "expected a set of codes",
            "write the name of a run of `values`, or of a set `name = …;`",
        ));
    }
    identifier(input)
}

/// Parses a power of two, and returns its exponent.
pub(super) fn power_of_two(input: ParseStream) -> syn::Result<u8> {
    let lit: LitInt = input.parse()?;
    let n: u32 = lit.base10_parse()?;
    if n.is_power_of_two() {
        return Ok(n.trailing_zeros() as u8);
    }
    Err(error(lit.span(), format!("{n} is not a power of two"), "a field leaves out whole bits: write 2, 4 or 8"))
}
