//! The clauses of formats and suffix dwords, compiled for one row with one suffix dword.

use isa_body::{Clause, Op, Place, Run, ops};

use super::code::Bytes;
use super::expressions::Compiler;
use super::scope::{Scope, ScopedRole};
use super::value_type;
use crate::ast::{Block, CompiledBody, ExprKind, OperandClause, OperandClauseKind};
use crate::error::{Error, Errors};
use crate::interner::Interner;
use crate::model::{Format, FormatRow};
use crate::spanned::SpannedStr;
use crate::ty::{self, Type};

/// The number of accesses to memory that a body can have.
const PLACES: usize = Place::ALL.len();

/// The properties that compiled clauses depend on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    format: *const Block,
    suffix_dword: usize,
    run: Run,
    /// The clauses whose conditions hold, by their position.
    clauses: Vec<usize>,
    roles: Vec<(String, Type)>,
    /// The sizes of the accesses to memory.
    sizes: [Option<u32>; PLACES],
}

/// Compiled clauses of all rows. Most rows of a format share theirs: without the cache the clauses of RDNA3 take 0.2 s of an
/// unoptimized macro's time, as much as all else that bodies need.
#[derive(Default)]
pub(crate) struct Cache {
    keys: Interner<Key>,
    /// The clauses of each key, `None` if they have errors.
    codes: Vec<Option<Vec<u8>>>,
}

impl Cache {
    /// Compiles the clauses that apply to a row: without a suffix dword, then with each suffix dword of the format. Returns no
    /// bytes for a row without a body.
    pub(crate) fn compile(&mut self, format: &Format, row: &FormatRow, errors: &mut Errors) -> Vec<Vec<u8>> {
        let suffix_dwords = 0..=format.suffix_dwords.len();
        let Some(body) = &row.base.compiled else { return suffix_dwords.map(|_| Vec::new()).collect() };
        let run = row.base.run.or(format.block.run).unwrap_or(Run::Wave);
        let declared = |name: &String| {
            let role = row.base.roles.iter().find(|role| role.name == *name);
            (name.clone(), role.map_or(ty::MODIFIER, |role| role.ty))
        };
        let roles: Vec<(String, Type)> = body.roles.iter().map(declared).collect();
        let sizes = access_sizes(body);
        let mut all = Vec::new();
        for suffix_dword in suffix_dwords {
            let mut clauses = Vec::new();
            for (index, clause) in all_clauses(format, suffix_dword).into_iter().enumerate() {
                if clause.cond.as_ref().is_none_or(|cond| cond.holds(&row.facts())) {
                    clauses.push(index);
                }
            }
            let (block, roles) = (std::ptr::from_ref(format.block), roles.clone());
            all.push(self.of(&Key { format: block, suffix_dword, run, clauses, roles, sizes }, format, errors));
        }
        all
    }

    fn of(&mut self, key: &Key, format: &Format, errors: &mut Errors) -> Vec<u8> {
        let index = self.keys.intern(key);
        if let Some(Some(found)) = self.codes.get(index) {
            return found.clone();
        }
        self.codes.resize(self.keys.items.len(), None);
        let (mut bytes, mut is_valid) = (Bytes::default(), true);
        Clause::Run(key.run).encode(&[], &mut bytes);
        let all = all_clauses(format, key.suffix_dword);
        for index in &key.clauses {
            let clause = all[*index];
            let mut scope = scope(&key.roles, key.run);
            if let Some(block) = suffix_block(format, key.suffix_dword) {
                scope.add_fields(&block.fields);
            }
            scope.add_fields(&format.block.fields);
            if let Err(error) = compile_clause(clause, &key.sizes, scope, &mut bytes) {
                errors.push(error);
                is_valid = false;
            }
        }
        // Clauses with errors are compiled again, so that each row reports them.
        if is_valid {
            self.codes[index] = Some(bytes.0.clone());
        }
        bytes.0
    }
}

/// Returns the block of a suffix dword: an index plus one, or 0 for none.
fn suffix_block<'a>(format: &Format<'a>, suffix_dword: usize) -> Option<&'a Block> {
    suffix_dword.checked_sub(1).map(|index| format.suffix_dwords[index].1)
}

/// Returns the clauses of a suffix dword, then those of the format.
fn all_clauses<'a>(format: &Format<'a>, suffix_dword: usize) -> Vec<&'a OperandClause> {
    let mut all = Vec::new();
    if let Some(block) = suffix_block(format, suffix_dword) {
        all.extend(&block.operand_clauses);
    }
    all.extend(&format.block.operand_clauses);
    all
}

/// Returns what a clause can name: the roles of the row, all of which it can read.
fn scope(roles: &[(String, Type)], run: Run) -> Scope<'_> {
    let mut scope = Scope::new(run);
    for (name, declared) in roles {
        scope.roles.push(ScopedRole {
            name,
            ty: value_type(*declared, run),
            declared: *declared,
            readable: true,
            writable: false,
            optional: false,
            in_address: false,
        });
    }
    scope
}

/// Compiles a clause, unless the row lacks its role or its access to memory.
fn compile_clause(
    clause: &OperandClause,
    sizes: &[Option<u32>; PLACES],
    mut scope: Scope,
    out: &mut Bytes,
) -> Result<(), Error> {
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
            scope.size = sizes[*place as usize];
            if scope.size.is_none() {
                return Ok(());
            }
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
        OperandClauseKind::Saturate(_) => (Clause::Saturate(number, none()), Some(Type::BOOL)),
        OperandClauseKind::Inactive(_) => {
            let ExprKind::Bool(bit) = value.kind else {
                let help = "write `true` or `false`";
                return Err(Error::with_help(value.span, "lanes that do not run get a bit", help));
            };
            Clause::Inactive(number, bit).encode(&[], out);
            return Ok(());
        }
        OperandClauseKind::Active | OperandClauseKind::Tied(_) | OperandClauseKind::Reads(..) => {
            (Clause::Active(none()), Some(Type::BOOL))
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
            return Err(Error::with_help(value.span, format!("an address cannot be {:#}", result.ty), help));
        }
        None => {}
    }
    compiler.code.effect(&Op::Return { value: result.id }, clause.span)?;
    header.encode(&compiler.code.finish(), out);
    Ok(())
}

/// Checks that the name after `when` is a modifier of one bit.
fn check_one_bit(scope: &Scope, name: &SpannedStr) -> Result<(), Error> {
    if scope.field(name.as_str()) == Some(Type::BOOL) {
        return Ok(());
    }
    let help = "write a modifier of one bit after `when`";
    Err(Error::with_help(name.span(), format!("`{name}` is not a one-bit field"), help))
}

/// Returns the size in bytes of a body's accesses whose addresses clauses form.
fn access_sizes(body: &CompiledBody) -> [Option<u32>; PLACES] {
    let mut sizes = [None; PLACES];
    for op in ops(&body.code) {
        if let Op::Load { ty, place, address: None }
        | Op::Store { ty, place, address: None, .. }
        | Op::RmwBegin { ty, place, address: None } = op
        {
            sizes[place as usize].get_or_insert(u32::from(ty.total_bits()).div_ceil(8));
        }
    }
    sizes
}
