//! Bodies: their types are checked, and they become bytecode.
//!
//! `isa!` calls `compile` for the bodies of a block, at their own spans, and hands the bytecode of all rows on as one
//! literal (`encode_all`). The clauses of formats apply to rows of several blocks, so `isa_set!` compiles them
//! (`clauses`).

mod builtins;
pub(crate) mod clauses;
mod code;
pub(crate) mod effects;
mod expressions;
mod facts;
#[cfg(feature = "inst")]
pub(crate) mod normal_form;
mod operators;
mod scope;
mod statements;

use isa_body::{Run, State};

use crate::ast::{Access, Block, CompiledBody, FieldContent, OperandClauseKind, Row};
use crate::error::{Error, Errors};
use crate::spanned::SpannedStr;
use crate::ty::{Class, Type};
pub use code::decode_all;
pub(crate) use code::encode_all;
pub use facts::derive_flags;
use scope::{Scope, ScopedRole};

/// Compiles the bodies of a block, one for each row, and reports their errors.
pub(crate) fn compile(block: &Block, errors: &mut Errors) -> Vec<Option<CompiledBody>> {
    let addresses = names_in_addresses(block);
    let compile_row = |row: &Row| {
        let body = row.body.as_ref()?;
        let scope = scope(block, row, addresses.as_deref());
        match statements::compile(body, scope) {
            Ok(code) => Some(CompiledBody { roles: row.roles.iter().map(|r| r.name.to_string()).collect(), code }),
            Err(error) => {
                errors.push(error);
                None
            }
        }
    };
    block.rows.iter().map(compile_row).collect()
}

/// Returns how often the body of a row is evaluated.
pub(crate) fn run(block: &Block, row: &Row) -> Run {
    row.run.or(block.run).unwrap_or(Run::Wave)
}

/// Returns the type of a role's value in a body.
fn value_type(ty: Type, run: Run) -> Type {
    match (ty.class(), run) {
        (Class::Mask, Run::Lanes) => Type::BOOL,
        (Class::Mask, Run::Wave) => Type::new(Class::Bits, 64, 1),
        _ => ty,
    }
}

/// Returns the names in the `address` clauses of a block. `None` if one of them may mean any role: a clause has an error, or a name
/// that nothing in the block has, which the set reports.
fn names_in_addresses(block: &Block) -> Option<Vec<&SpannedStr>> {
    let mut names = Vec::new();
    for clause in &block.operand_clauses {
        if matches!(clause.kind, OperandClauseKind::Address(..)) {
            clause.value.iter().for_each(|value| value.names(&mut names));
        }
    }
    let is_of_field = |name: &SpannedStr| block.fields.iter().any(|field| field.name == *name || field.has_role(name));
    let is_known =
        |name: &SpannedStr| name.as_str() == "size" || State::from_name(name.as_str()).is_some() || is_of_field(name);
    (!block.parsed.clauses_incomplete && names.iter().all(|name| is_known(name))).then_some(names)
}

/// Returns what the body of a row can name. `addresses` has the names in `address` clauses, or is `None` if they may be any.
fn scope<'a>(block: &'a Block, row: &'a Row, addresses: Option<&[&SpannedStr]>) -> Scope<'a> {
    let run = run(block, row);
    let mut scope = Scope::new(run);
    for role in &row.roles {
        // A role that only a suffix dword holds, such as a literal, is read.
        let access = block.fields.iter().find_map(|f| match &f.content {
            FieldContent::Operand(o) => {
                o.roles.iter().find(|(access, name)| *access != Access::Modifier && *name == role.name)
            }
            _ => None,
        });
        let access = access.map_or(Access::Read, |(access, _)| *access);
        let access = if role.is_inout { Access::ReadWrite } else { access };
        scope.roles.push(ScopedRole {
            name: role.name.as_str(),
            ty: value_type(role.ty, run),
            declared: role.ty,
            readable: access != Access::Write,
            writable: access != Access::Read || role.written_if.is_some(),
            optional: role.written_if.is_some(),
            in_address: addresses.is_none_or(|names| names.iter().any(|name| **name == role.name)),
        });
    }
    scope.add_fields(&block.fields);
    scope
}

/// Returns the error of an expression that is too large.
fn too_large(span: proc_macro2::Span) -> Error {
    Error::with_help(span, "the body has more than 250 operations", "use a builtin for a part of it")
}
