//! The parser of the clauses that say what a format does to the operands of its rows.

use isa_codegen::ast::{Block, BodyFact, OperandClause, OperandClauseKind};
use isa_codegen::isa_body::{Place, Run, Space, State};
use isa_codegen::spanned::SpannedStr;
use syn::parse::ParseStream;
use syn::{LitByteStr, Token};

use super::tokens::{any_identifier, error, expect_keyword, identifier, take_keyword};
use super::{body, cond};

/// Parses `lanes` or `wave` after `run`.
pub(super) fn run(input: ParseStream) -> syn::Result<Run> {
    let name = identifier(input)?;
    match name.as_str() {
        "lanes" => Ok(Run::Lanes),
        "wave" => Ok(Run::Wave),
        _ => {
            let help = "write `run lanes;` for each active lane, or `run wave;` for once a wave";
            Err(error(name.span(), format!("`{name}` says not how often bodies run"), help))
        }
    }
}

/// Parses the name of state.
fn state(input: ParseStream) -> syn::Result<State> {
    let name = identifier(input)?;
    State::from_name(name.as_str()).ok_or_else(|| {
        let names: Vec<&str> = State::ALL.iter().map(|state| state.name()).collect();
        let help = format!("write one of `{}`", names.join("`, `"));
        error(name.span(), format!("`{name}` is not a state of the wave"), help)
    })
}

/// Parses the names after `flags` or `quirks`, with the facts and conditions from which they follow.
pub(super) fn flags(input: ParseStream, block: &mut Block, are_quirks: bool) -> syn::Result<()> {
    loop {
        let flag = identifier(input)?;
        if input.parse::<Option<Token![=]>>()?.is_some() {
            block.derived_flags.push((flag.clone(), body_fact(input)?));
        } else if let Some(cond) = cond::optional(input)? {
            block.conditional_flags.push((flag.clone(), cond));
        }
        if are_quirks {
            block.quirks.push(flag.clone());
        }
        block.flags.push(flag);
        if input.parse::<Option<Token![,]>>()?.is_none() {
            return Ok(());
        }
    }
}

/// Parses the fact after `flags NAME =`.
fn body_fact(input: ParseStream) -> syn::Result<BodyFact> {
    let name = identifier(input)?;
    Ok(match name.as_str() {
        "loads" => BodyFact::Loads,
        "stores" => BodyFact::Stores,
        "updates" => BodyFact::Updates,
        "branches" => BodyFact::Branches,
        "high_half" => BodyFact::HighHalf,
        "moves" => BodyFact::Moves(identifier(input)?),
        "duplicates" => BodyFact::Duplicates(state(input)?),
        _ => {
            let help =
                "write `loads`, `stores`, `updates`, `branches`, `high_half`, `moves ROLE` or `duplicates STATE`";
            return Err(error(name.span(), format!("`{name}` is not a fact of a body"), help));
        }
    })
}

/// Parses a clause after its keyword: `source s0 if s0 is float = neg(abs(s0, abs0), neg0)`.
pub(super) fn operand(input: ParseStream, keyword: &SpannedStr) -> syn::Result<OperandClause> {
    let mut kind = match keyword.as_str() {
        "source" => OperandClauseKind::Source(identifier(input)?),
        "result" => OperandClauseKind::Result(identifier(input)?),
        "saturate" => OperandClauseKind::Saturate(identifier(input)?),
        "inactive" => OperandClauseKind::Inactive(identifier(input)?),
        "tied" => OperandClauseKind::Tied(identifier(input)?),
        "active" => OperandClauseKind::Active,
        "reads" => {
            let state = state(input)?;
            expect_keyword(input, "when")?;
            OperandClauseKind::Reads(state, identifier(input)?)
        }
        _ => address(input)?,
    };
    let cond = cond::optional(input)?;
    if let OperandClauseKind::Address(_, _, field) = &mut kind
        && take_keyword(input, "when")?
    {
        *field = Some(identifier(input)?);
    }
    let value = if let OperandClauseKind::Tied(_) | OperandClauseKind::Reads(..) = kind {
        None
    } else {
        input.parse::<Token![=]>()?;
        Some(body::expr(input, &[])?)
    };
    Ok(OperandClause { kind, cond, value, span: keyword.span() })
}

/// Parses `mem in global`.
fn address(input: ParseStream) -> syn::Result<OperandClauseKind> {
    let names = |all: Vec<&str>| all.join("`, `");
    let place_name = any_identifier(input)?;
    let Some(place) = Place::from_name(place_name.as_str()) else {
        let help = format!("the accesses of bodies are `{}`", names(Place::ALL.iter().map(|p| p.name()).collect()));
        return Err(error(place_name.span(), format!("`{place_name}` is not an access to memory"), help));
    };
    expect_keyword(input, "in")?;
    let space_name = any_identifier(input)?;
    let Some(space) = Space::from_name(space_name.as_str()) else {
        let help = format!("the address spaces are `{}`", names(Space::ALL.iter().map(|s| s.name()).collect()));
        return Err(error(space_name.span(), format!("`{space_name}` is not an address space"), help));
    };
    Ok(OperandClauseKind::Address(place, space, None))
}

/// Parses the literal after `bodies`, with which `isa!` hands the bodies of all rows to `isa_set!`.
pub(super) fn compiled_bodies(input: ParseStream, block: &mut Block) -> syn::Result<()> {
    let literal: LitByteStr = input.parse()?;
    let bodies = isa_codegen::body::decode_all(&literal.value());
    for (row, compiled) in block.rows.iter_mut().zip(bodies) {
        row.compiled = compiled;
    }
    isa_codegen::body::derive_flags(block);
    Ok(())
}
