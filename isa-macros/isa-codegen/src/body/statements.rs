//! Statements: assignments take effect together at the end, and every role that is written is written on every path.

use isa_body::{BinaryOp, Builtin, Op, State, Target, UnaryOp, ValueId};
use proc_macro2::Span;

use super::expressions::{Compiler, Value};
use super::scope::{Local, Scope};
use crate::ast::{Body, Expr, ExprKind, Statement};
use crate::error::Error;
use crate::ty::Type;

/// A value that is written at the end of the body.
#[derive(Clone, Copy)]
struct Pending {
    target: Target,
    ty: Type,
    value: ValueId,
    /// The condition of the write, `None` if every path writes.
    condition: Option<ValueId>,
    span: Span,
}

/// The writes of a path, in the order of their first statements.
type Writes = Vec<Pending>;

/// Compiles a body.
pub fn compile(body: &Body, scope: Scope) -> Result<Vec<u8>, Error> {
    let mut compiler = Compiler::new(scope);
    let writes = compiler.statements(&body.statements, None)?;
    compiler.check_assigned(&writes, body.span)?;
    compiler.check_used(body)?;
    for write in &writes {
        let op = Op::Write { target: write.target, value: write.value, condition: write.condition };
        compiler.code.effect(&op, write.span)?;
    }
    Ok(compiler.code.finish())
}

impl Compiler<'_> {
    /// Compiles a list of statements under a condition, and returns what they write.
    fn statements(&mut self, list: &[Statement], under: Option<ValueId>) -> Result<Writes, Error> {
        let locals = self.scope.locals.len();
        let mut writes = Writes::new();
        for statement in list {
            match statement {
                Statement::Let(name, value) => {
                    let value = self.expr(value, None)?;
                    self.scope.locals.push(Local { name: name.to_string(), value: value.id, ty: value.ty });
                }
                Statement::Assign(places, values) => self.assign(places, values, under, &mut writes)?,
                Statement::If(condition, yes, no) => {
                    let c = self.expr(condition, Some(Type::BOOL))?;
                    self.expect(c, Type::BOOL, condition.span)?;
                    let span = condition.span;
                    let not = self.code.pure(&Op::Unary { op: UnaryOp::Not, ty: Type::BOOL, a: c.id }, span)?;
                    let (under_yes, under_no) = (self.both(under, c.id, span)?, self.both(under, not, span)?);
                    let unconditional = writes.iter().filter(|w| w.condition.is_none());
                    self.outer.push(unconditional.map(|w| (w.target, w.value)).collect());
                    let yes = self.statements(yes, Some(under_yes))?;
                    let no = self.statements(no, Some(under_no))?;
                    self.outer.pop();
                    let merged = self.merge(c.id, not, &yes, &no, span)?;
                    for write in merged {
                        self.override_write(&mut writes, write)?;
                    }
                }
                Statement::Action(call) => self.action(call, under)?,
            }
        }
        self.scope.locals.truncate(locals);
        Ok(writes)
    }

    /// Returns the conjunction of two conditions.
    fn both(&mut self, a: Option<ValueId>, b: ValueId, span: Span) -> Result<ValueId, Error> {
        match a {
            None => Ok(b),
            Some(a) => self.code.pure(&Op::Binary { op: BinaryOp::And, ty: Type::BOOL, a, b }, span),
        }
    }

    /// Joins the writes of the two branches of an `if`.
    fn merge(&mut self, c: ValueId, not: ValueId, yes: &Writes, no: &Writes, span: Span) -> Result<Writes, Error> {
        let mut merged = Writes::new();
        for write in yes {
            let other = no.iter().find(|w| w.target == write.target);
            let Some(other) = other else {
                merged.push(Pending { condition: Some(self.both(write.condition, c, span)?), ..*write });
                continue;
            };
            let select = |yes, no, ty: Type| Op::Select { ty, condition: c, yes, no };
            let value = self.code.pure(&select(write.value, other.value, write.ty), span)?;
            let condition = match (write.condition, other.condition) {
                (None, None) => None,
                (a, b) => {
                    let always = self.constant(Type::BOOL, 1, span)?;
                    Some(self.code.pure(&select(a.unwrap_or(always), b.unwrap_or(always), Type::BOOL), span)?)
                }
            };
            merged.push(Pending { value, condition, ..*write });
        }
        for write in no.iter().filter(|w| yes.iter().all(|y| y.target != w.target)) {
            merged.push(Pending { condition: Some(self.both(write.condition, not, span)?), ..*write });
        }
        Ok(merged)
    }

    /// Adds a write, which takes precedence over an earlier one.
    fn override_write(&mut self, writes: &mut Writes, write: Pending) -> Result<(), Error> {
        let Some(earlier) = writes.iter_mut().find(|w| w.target == write.target) else {
            writes.push(write);
            return Ok(());
        };
        let Some(condition) = write.condition else {
            *earlier = write;
            return Ok(());
        };
        let ty = write.ty;
        earlier.value =
            self.code.pure(&Op::Select { ty, condition, yes: write.value, no: earlier.value }, write.span)?;
        if let Some(before) = earlier.condition {
            let op = Op::Binary { op: BinaryOp::Or, ty: Type::BOOL, a: before, b: condition };
            earlier.condition = Some(self.code.pure(&op, write.span)?);
        }
        Ok(())
    }

    fn assign(
        &mut self,
        places: &[Expr],
        values: &[Expr],
        under: Option<ValueId>,
        writes: &mut Writes,
    ) -> Result<(), Error> {
        if places.len() != values.len() {
            let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let message = format!("{} for {}", count(values.len(), "value"), count(places.len(), "place"));
            return Err(Error::with_help(
                places[0].span,
                message,
                "write a value for each place: `d, scc = r, r != 0`",
            ));
        }
        let mut found = Vec::new();
        for (place, value) in places.iter().zip(values) {
            found.push((place, self.place_type(place)?, value));
        }
        // All values are those before the statement.
        let mut ready = Vec::new();
        for (place, ty, value) in found {
            let compiled = self.expr(value, Some(ty))?;
            self.expect(compiled, ty, value.span)?;
            ready.push((place, compiled));
        }
        for (place, value) in ready {
            self.write(place, value, under, writes)?;
        }
        Ok(())
    }

    /// Returns the type of the values that a place takes, and checks that it can be written.
    fn place_type(&mut self, place: &Expr) -> Result<Type, Error> {
        match &place.kind {
            ExprKind::Name(name) => {
                if let Some(role) = self.scope.role(name.as_str()) {
                    self.check_writable(role, place.span)?;
                    return Ok(self.scope.roles[role].ty);
                }
                if let Some(state) = State::from_name(name.as_str()) {
                    return self.state_type(state, true, place.span);
                }
                let help = format!("the roles and local values are {}", self.scope.known());
                Err(Error::with_help(place.span, format!("`{name}` is nothing that a body can assign"), help))
            }
            ExprKind::Memory(_, _, ty) => Ok(*ty),
            ExprKind::Half(is_high, base) => {
                let ty = self.place_type(base)?;
                self.half_type(ty, *is_high, self.named_role(base).is_some(), place.span)
            }
            ExprKind::Slice(base, hi, lo) => {
                let ty = self.place_type(base)?;
                self.slice_type(ty, *hi, *lo, place.span)
            }
            ExprKind::Index(base, _) => {
                let ty = self.place_type(base)?;
                Ok(if ty.lanes() > 1 { ty.element() } else { Type::BOOL })
            }
            ExprKind::Call(name, args) if matches!(name.as_str(), "rel" | "lane") && args.len() == 2 => {
                self.place_type(&args[0])
            }
            _ => {
                let help = "write a role, state such as `scc`, a part `d[7:0]`, or memory such as `mem.b32`";
                Err(Error::with_help(place.span, "a body cannot assign this", help))
            }
        }
    }

    /// Returns the role that an expression names.
    pub(super) fn named_role(&self, expr: &Expr) -> Option<usize> {
        match &expr.kind {
            ExprKind::Name(name) => self.scope.role(name.as_str()),
            _ => None,
        }
    }

    fn check_writable(&self, role: usize, span: Span) -> Result<(), Error> {
        let role = &self.scope.roles[role];
        if role.writable {
            return Ok(());
        }
        let (name, ty) = (role.name, role.declared);
        let help = format!(
            "write `out {name}` in the field list, or `{name}: inout {ty}` in the row if it is read and written"
        );
        let message = format!("the format only reads `{name}`");
        Err(Error::with_help(span, &message, help).with_cause(message))
    }

    /// Writes a value to a place.
    fn write(&mut self, place: &Expr, value: Value, under: Option<ValueId>, writes: &mut Writes) -> Result<(), Error> {
        let span = place.span;
        let target = match &place.kind {
            ExprKind::Memory(memory, address, ty) => {
                let address = self.address(address.as_deref())?;
                let op = Op::Store { ty: *ty, place: *memory, address, value: value.id, condition: under };
                self.code.effect(&op, span)?;
                return Ok(());
            }
            ExprKind::Name(name) => match self.scope.role(name.as_str()) {
                Some(role) => Target::Role(role as u8),
                None => match State::from_name(name.as_str()) {
                    Some(state) => Target::State(state),
                    None => return Ok(()),
                },
            },
            ExprKind::Call(name, args) => {
                let Some(role) = self.named_role(&args[0]) else {
                    let help = format!("write a role as the first argument: `{name}(d, …)`");
                    return Err(Error::with_help(args[0].span, "only a register can be moved away from", help));
                };
                let index = self.count(&args[1])?;
                if name == "rel" { Target::Relative(role as u8, index) } else { Target::Lane(role as u8, index) }
            }
            ExprKind::Half(true, base) if self.is_narrow(base) => {
                let role = self.named_role(base).unwrap_or(0);
                Target::High(role as u8)
            }
            ExprKind::Half(_, base) | ExprKind::Slice(base, ..) | ExprKind::Index(base, _) => {
                return self.write_part(place, base, value, writes);
            }
            _ => return Ok(()),
        };
        self.override_write(writes, Pending { target, ty: value.ty, value: value.id, condition: None, span })
    }

    /// Returns whether an expression names a role of at most 16 bits, whose register has another half.
    pub(super) fn is_narrow(&self, base: &Expr) -> bool {
        self.named_role(base).is_some_and(|role| self.scope.roles[role].ty.total_bits() <= 16)
    }

    /// Writes a part of a role or of state: the whole with that part replaced.
    fn write_part(&mut self, place: &Expr, base: &Expr, value: Value, writes: &mut Writes) -> Result<(), Error> {
        let span = place.span;
        let whole = self.place_type(base)?;
        let target = match (&base.kind, self.named_role(base)) {
            (_, Some(role)) => Target::Role(role as u8),
            (ExprKind::Name(name), None) => Target::State(State::from_name(name.as_str()).unwrap_or(State::Scc)),
            _ => return Err(Error::with_help(span, "only a part of a role or of state can be assigned", "name it")),
        };
        let before = self.outer.iter().flatten().rev().find(|(t, _)| *t == target).map(|(_, value)| *value);
        let earlier = writes.iter().find(|w| w.target == target && w.condition.is_none()).map(|w| w.value).or(before);
        let old = match earlier {
            Some(id) => id,
            None => self.expr(base, Some(whole))?.id,
        };
        let ty = whole;
        let op = match &place.kind {
            ExprKind::Half(is_high, _) => {
                let lo = if *is_high { whole.total_bits() / 2 } else { 0 };
                Op::Insert { ty, a: old, lo, bits: value.id }
            }
            ExprKind::Slice(_, _, lo) => Op::Insert { ty, a: old, lo: *lo, bits: value.id },
            ExprKind::Index(_, index) if whole.lanes() > 1 => {
                let element = self.element(whole, index)?;
                Op::Insert { ty, a: old, lo: element * whole.bits(), bits: value.id }
            }
            ExprKind::Index(_, index) => Op::InsertBit { ty, a: old, index: self.count(index)?, bit: value.id },
            _ => return Ok(()),
        };
        let value = self.code.pure(&op, span)?;
        self.override_write(writes, Pending { target, ty: whole, value, condition: None, span })
    }

    /// Compiles the call of an action.
    fn action(&mut self, call: &Expr, under: Option<ValueId>) -> Result<(), Error> {
        let ExprKind::Call(name, args) = &call.kind else { return Ok(()) };
        if name == "rmw" {
            return self.expr(call, None).map(|_| ());
        }
        let builtin = self.builtin(name)?;
        if builtin.signature().ends_with('!') || builtin == Builtin::External {
            self.call(builtin, name, args, Some(Type::BOOL), under).map(|_| ())
        } else {
            let help = format!("assign it: `d = {name}(…);`");
            Err(Error::with_help(call.span, format!("the value of `{name}` is lost"), help))
        }
    }

    /// Checks that every path assigns the roles that are only written.
    fn check_assigned(&self, writes: &Writes, span: Span) -> Result<(), Error> {
        for (index, role) in self.scope.roles.iter().enumerate() {
            if !role.writable || role.optional {
                continue;
            }
            let (name, ty) = (role.name, role.declared);
            let mut found = writes.iter().filter(|w| match w.target {
                Target::Role(r) | Target::High(r) | Target::Relative(r, _) | Target::Lane(r, _) => {
                    usize::from(r) == index
                }
                Target::State(_) => false,
            });
            match found.next() {
                None => {
                    let help = format!("assign it: `{name} = …;`, or take it out of the row");
                    return Err(Error::with_help(span, format!("the body does not assign `{name}`"), help));
                }
                Some(write) if write.condition.is_some() && !role.readable => {
                    let help = format!("assign it there, or declare `{name}: inout {ty}`");
                    return Err(Error::with_help(write.span, format!("a path leaves `{name}` unassigned"), help));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that the body reads all roles that the format reads, unless it reads none: a constant, or a hint.
    fn check_used(&self, body: &Body) -> Result<(), Error> {
        if !self.read.contains(&true) {
            return Ok(());
        }
        for (role, is_read) in self.scope.roles.iter().zip(&self.read) {
            if role.readable && !role.writable && !is_read && !role.in_address {
                let name = role.name;
                let help = format!("name `{name}` in the body, or in an `address` clause of the format");
                return Err(Error::with_help(body.span, format!("the body does not read `{name}`"), help));
            }
        }
        Ok(())
    }
}
