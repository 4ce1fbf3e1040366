//! The clauses of formats and suffix dwords, compiled for one row with one suffix dword.

use isa_body::{Clause, Op, Place, Run, ops};

use super::code::Bytes;
use super::expressions::Compiler;
use super::scope::{Role, Scope};
use super::value_type;
use crate::ast::{CompiledBody, ExprKind, OperandClause, OperandClauseKind};
use crate::error::{Error, Errors};
use crate::model::{Format, FormatRow};
use crate::spanned::SpannedStr;
use crate::ty::Ty;

/// Compiles the clauses that apply to a row with a suffix dword: an index plus one, or 0 for none. Returns no bytes for a row
/// without a body.
pub(crate) fn compile(format: &Format, row: &FormatRow, suffix_dword: usize, errors: &mut Errors) -> Vec<u8> {
    let Some(body) = &row.base.compiled else { return Vec::new() };
    let run = row.base.run.or(format.block.run).unwrap_or(Run::Wave);
    let mut bytes = Bytes::default();
    Clause::Run(run).encode(&[], &mut bytes);
    let suffix_dword = suffix_dword.checked_sub(1).map(|index| format.suffix_dwords[index].1);
    let of_suffix_dword = suffix_dword.iter().flat_map(|block| &block.operand_clauses);
    let facts = row.facts();
    for clause in of_suffix_dword.chain(&format.block.operand_clauses) {
        if clause.cond.as_ref().is_some_and(|cond| !cond.holds(&facts)) {
            continue;
        }
        let mut scope = scope(body, row, run);
        scope.add_fields(suffix_dword.iter().flat_map(|block| &block.fields));
        scope.add_fields(&format.block.fields);
        if let Err(error) = compile_clause(clause, body, scope, &mut bytes) {
            errors.push(error);
        }
    }
    bytes.0
}

/// Returns what a clause can name: the roles of the row, all of which it can read.
fn scope<'a>(body: &'a CompiledBody, row: &'a FormatRow, run: Run) -> Scope<'a> {
    let mut scope = Scope::new(run);
    for name in &body.roles {
        let declared = row.base.roles.iter().find(|role| role.name == *name).map(|role| role.ty);
        let declared = declared.unwrap_or(Ty::MODIFIER);
        scope.roles.push(Role {
            name,
            ty: value_type(declared, run),
            declared,
            readable: true,
            writable: false,
            optional: false,
            in_address: false,
        });
    }
    scope
}

/// Compiles a clause, unless the row lacks its role or its access to memory.
fn compile_clause(clause: &OperandClause, body: &CompiledBody, mut scope: Scope, out: &mut Bytes) -> Result<(), Error> {
    let none = || ops(&[]);
    let role = match &clause.kind {
        OperandClauseKind::Source(role)
        | OperandClauseKind::Result(role)
        | OperandClauseKind::Saturate(role)
        | OperandClauseKind::Tied(role)
        | OperandClauseKind::Inactive(role) => match scope.role(role.as_str()) {
            Some(index) => index,
            None => return Ok(()),
        },
        OperandClauseKind::Active => 0,
        OperandClauseKind::Reads(state, field) => {
            check_one_bit(&scope, field)?;
            Clause::Reads(*state, field.as_str()).encode(&[], out);
            return Ok(());
        }
        OperandClauseKind::Address(place, ..) => {
            let Some(size) = access_size(body, *place) else { return Ok(()) };
            scope.size = Some(size);
            0
        }
    };
    let number = role as u8;
    let Some(value) = &clause.value else {
        Clause::Tied(number).encode(&[], out);
        return Ok(());
    };
    let (header, ty) = match &clause.kind {
        OperandClauseKind::Source(_) | OperandClauseKind::Result(_) => {
            scope.input = Some(role);
            let ty = Some(scope.roles[role].ty);
            let is_source = matches!(clause.kind, OperandClauseKind::Source(_));
            (if is_source { Clause::Source(number, none()) } else { Clause::Result(number, none()) }, ty)
        }
        OperandClauseKind::Saturate(_) => (Clause::Saturate(number, none()), Some(Ty::BOOL)),
        OperandClauseKind::Inactive(_) => {
            let ExprKind::Bool(bit) = value.kind else {
                let help = "write `true` or `false`";
                return Err(Error::with_help(value.span, "lanes that do not run get a bit", help));
            };
            Clause::Inactive(number, bit).encode(&[], out);
            return Ok(());
        }
        OperandClauseKind::Active | OperandClauseKind::Tied(_) | OperandClauseKind::Reads(..) => {
            (Clause::Active(none()), Some(Ty::BOOL))
        }
        OperandClauseKind::Address(place, space, field) => {
            field.iter().try_for_each(|name| check_one_bit(&scope, name))?;
            (Clause::Address(*place, *space, field.as_ref().map(|name| name.as_str()), none()), None)
        }
    };
    let mut compiler = Compiler::new(scope);
    let result = compiler.expr(value, ty)?;
    match ty {
        Some(ty) => compiler.expect(result, ty, value.span)?,
        None if !result.ty.is_integer() => {
            let help = "write `as u32` or `as u64`";
            return Err(Error::with_help(value.span, format!("an address cannot be {}", result.ty), help));
        }
        None => {}
    }
    compiler.code.effect(&Op::Return { value: result.id }, clause.span)?;
    header.encode(&compiler.code.finish(), out);
    Ok(())
}

/// Checks that the name after `when` is a modifier of one bit.
fn check_one_bit(scope: &Scope, name: &SpannedStr) -> Result<(), Error> {
    if scope.field(name.as_str()) == Some(Ty::BOOL) {
        return Ok(());
    }
    let help = "write a modifier of one bit after `when`";
    Err(Error::with_help(name.span(), format!("`{name}` is no one-bit field"), help))
}

/// Returns the size in bytes of a body's accesses whose address a clause forms.
fn access_size(body: &CompiledBody, access: Place) -> Option<u32> {
    ops(&body.code).find_map(|op| match op {
        Op::Load { ty, place, address: None }
        | Op::Store { ty, place, address: None, .. }
        | Op::RmwBegin { ty, place, address: None }
            if place == access =>
        {
            Some(u32::from(ty.total_bits()).div_ceil(8))
        }
        _ => None,
    })
}
