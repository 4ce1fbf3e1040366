//! The parser of fields: `VDST [24:17]: out d: Vgpr if COND else 0 in gen_a`.

use isa_codegen::ast::{Access, FieldContent, FieldDecl, OperandDecl, SpannedBitRange, Unused};
use isa_codegen::error::Errors;
use isa_codegen::spanned::SpannedStr;
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{LitInt, Token, bracketed};

use super::cond;
use super::tokens::{attrs, error, generations, identifier, number, operand_class, take_keyword};

/// The help for a field without bits.
const BITS_HELP: &str = "write `[7:0]`, or `implied` before an operand that the encoding implies";

/// Parses a field.
pub(super) fn field(input: ParseStream, errors: &mut Errors) -> syn::Result<FieldDecl> {
    let docs = attrs(input)?;
    let name = identifier(input)?;
    if name == *"implied" {
        let (operand, value_span) = operand(input)?;
        let content = FieldContent::Operand(Box::new(operand));
        return Ok(FieldDecl { docs, name, bits: Vec::new(), content, generations: generations(input)?, value_span });
    }
    let bits = bit_ranges(input, errors)?;
    let mut value_span = None;
    let content = if input.parse::<Option<Token![:]>>()?.is_some() {
        let (operand, span) = operand(input)?;
        value_span = span;
        FieldContent::Operand(Box::new(operand))
    } else if take_keyword(input, "reserved")? {
        let value;
        (value, value_span) = reserved_value(input)?;
        FieldContent::Reserved(value)
    } else if take_keyword(input, "ignored")? {
        let value;
        (value, value_span) = reserved_value(input)?;
        FieldContent::Ignored(value)
    } else if input.parse::<Option<Token![=]>>()?.is_some() {
        if take_keyword(input, "opcode")? {
            FieldContent::Opcode(if input.peek(syn::Ident) { Some(identifier(input)?) } else { None })
        } else if input.peek(LitInt) {
            FieldContent::Fixed(number(input)?)
        } else {
            let help = "write a number such as `0b101`, or `opcode`";
            return Err(error(input.span(), "expected the value of the bits", help));
        }
    } else {
        let help = "write `: role: Class`, `= 0b101`, `= opcode`, `reserved` or `ignored`";
        return Err(error(input.span(), "expected the content of the field", help));
    };
    Ok(FieldDecl { docs, name, bits, content, generations: generations(input)?, value_span })
}

/// Parses the bits of a field: `[31, 7, 30:25]`.
fn bit_ranges(input: ParseStream, errors: &mut Errors) -> syn::Result<Vec<SpannedBitRange>> {
    if !input.peek(syn::token::Bracket) {
        return Err(error(input.span(), "expected the bits of the field", BITS_HELP));
    }
    let inner;
    bracketed!(inner in input);
    if inner.is_empty() {
        return Err(error(inner.span(), "expected the bits of the field", BITS_HELP));
    }
    let mut bits = vec![bit_range(&inner, errors)?];
    while !inner.is_empty() {
        inner.parse::<Token![,]>()?;
        if !inner.is_empty() {
            bits.push(bit_range(&inner, errors)?);
        }
    }
    Ok(bits)
}

/// Parses `hi:lo` or a single bit.
fn bit_range(input: ParseStream, errors: &mut Errors) -> syn::Result<SpannedBitRange> {
    let first: LitInt = input.parse()?;
    let span = first.span();
    let hi: u32 = first.base10_parse()?;
    let lo = if input.parse::<Option<Token![:]>>()?.is_some() { input.parse::<LitInt>()?.base10_parse()? } else { hi };
    if lo > hi {
        errors.report(
            span,
            "the range begins with its lowest bit",
            format!("write the highest bit first: [{lo}:{hi}]"),
        );
        return Ok(SpannedBitRange { hi: lo, lo: hi, span });
    }
    Ok(SpannedBitRange { hi, lo, span })
}

/// Parses the operand of a field. Returns it with the span of its `else` value.
fn operand(input: ParseStream) -> syn::Result<(OperandDecl, Option<Span>)> {
    let mut component = None;
    if input.peek2(Token![.]) {
        component = Some(identifier(input)?);
        input.parse::<Token![.]>()?;
    }
    let mut roles: Vec<(Access, SpannedStr)> = Vec::new();
    loop {
        let access = if take_keyword(input, "mod")? {
            Access::Modifier
        } else if take_keyword(input, "out")? {
            Access::Write
        } else if take_keyword(input, "inout")? {
            Access::ReadWrite
        } else {
            Access::Read
        };
        if !input.peek(syn::Ident) {
            return Err(error(input.span(), "expected the name of a role", "write `NAME [bits]: role: Class`"));
        }
        roles.push((access, identifier(input)?));
        if input.parse::<Option<Token![|]>>()?.is_none() {
            break;
        }
    }
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return Err(error(input.span(), "expected `:` and an operand class", "write `NAME [bits]: role: Class`"));
    }
    let class = operand_class(input)?;
    let cond = cond::optional(input)?;
    let (unused, value_span) = unused(input)?;
    Ok((OperandDecl { component, roles, class, cond, unused }, value_span))
}

/// Parses the number after `reserved` or `ignored`, if there is one. Returns it with its span.
fn reserved_value(input: ParseStream) -> syn::Result<(u64, Option<Span>)> {
    if input.parse::<Option<Token![=]>>()?.is_none() {
        return Ok((0, None));
    }
    let number = number(input)?;
    Ok((number.value, Some(number.span)))
}

/// Parses what the field holds in instructions that do not use it. Returns it with the span of the larger value.
fn unused(input: ParseStream) -> syn::Result<(Unused, Option<Span>)> {
    if !take_keyword(input, "else")? {
        return Ok((Unused { value: 0, newer: 0, is_reserved: false }, None));
    }
    if take_keyword(input, "reserved")? {
        let (value, span) = reserved_value(input)?;
        return Ok((Unused { value, newer: value, is_reserved: true }, span));
    }
    let first = number(input)?;
    let (value, span) = (first.value, first.span);
    let unused = |newer| Unused { value, newer, is_reserved: false };
    if !take_keyword(input, "newer")? {
        return Ok((unused(value), Some(span)));
    }
    let newer = number(input)?;
    Ok((unused(newer.value), Some(if newer.value > value { newer.span } else { span })))
}
