//! Expressions: names, literals, memory and parts of values.

use isa_body::{Op, Part, Place, Run, State, Target, ValueId};
use proc_macro2::Span;

use super::code::Code;
use super::scope::{Local, Scope};
use crate::ast::{Expr, ExprKind};
use crate::error::Error;
use crate::spanned::SpannedStr;
use crate::ty::{Class, Type};

/// The type of counts: shift counts, bit numbers, lanes, distances.
const COUNT: Type = Type::new(Class::Unsigned, 32, 1);

/// A compiled expression.
#[derive(Clone, Copy)]
pub struct Value {
    pub id: ValueId,
    pub ty: Type,
}

/// Compiles the statements and expressions of a body or a clause.
pub struct Compiler<'a> {
    pub scope: Scope<'a>,
    pub code: Code,
    /// The roles that are read.
    pub read: Vec<bool>,
    /// For each `if` around the statement: what was written before it.
    pub outer: Vec<Vec<(Target, ValueId)>>,
    /// Whether the value of an `if` is compiled, which is evaluated on both paths.
    in_choice: bool,
}

impl<'a> Compiler<'a> {
    /// Creates a compiler.
    pub fn new(scope: Scope<'a>) -> Compiler<'a> {
        let read = vec![false; scope.roles.len()];
        Compiler { scope, code: Code::default(), read, outer: Vec::new(), in_choice: false }
    }

    /// Compiles an expression. `expected` is the type of its destination, which literals take.
    pub fn expr(&mut self, expr: &Expr, expected: Option<Type>) -> Result<Value, Error> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value, suffix) => self.integer(*value, false, suffix.or(expected), span),
            ExprKind::Float(value, suffix) => self.float(*value, suffix.or(expected), span),
            ExprKind::Bool(value) => self.typed(Type::BOOL, |s| s.constant(Type::BOOL, u128::from(*value), span)),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Unary(op, a) => self.unary(*op, a, expected, span),
            ExprKind::Binary(op, a, b) => self.binary(*op, (a, b), expected, span),
            ExprKind::Logic(is_or, a, b) => self.logic(*is_or, (a, b), span),
            ExprKind::Cast(a, ty) => self.cast(a, *ty, span),
            ExprKind::Index(a, index) => self.index(a, index, span),
            ExprKind::Slice(a, hi, lo) => {
                let a = self.expr(a, None)?;
                let ty = self.slice_type(a.ty, *hi, *lo, span)?;
                self.typed(ty, |s| s.code.pure(&Op::Slice { ty, a: a.id, lo: *lo }, span))
            }
            ExprKind::Half(is_high, a) => self.half(a, *is_high, span),
            ExprKind::Read(name, ty) => self.read_as(name, *ty, span),
            ExprKind::Is(name, fact) => {
                let Some(role) = self.scope.role(name.as_str()) else {
                    let help = format!("the row's roles and the local values are {}", self.scope.known());
                    return Err(Error::with_help(name.span(), format!("`{name}` is not a role"), help));
                };
                self.typed(Type::BOOL, |s| s.code.pure(&Op::Is { role: role as u8, fact: *fact }, span))
            }
            ExprKind::Memory(place, address, ty) => {
                self.check_unconditional(span)?;
                let address = self.address(address.as_deref())?;
                let op = Op::Load { ty: *ty, place: *place, address };
                self.typed(*ty, |s| s.code.effect(&op, span))
            }
            ExprKind::Call(name, args) if name == "rmw" => self.rmw(name, args),
            ExprKind::Call(name, args) if name == "rel" => self.relative(name, args),
            ExprKind::Call(name, args) => {
                let builtin = self.builtin(name)?;
                self.call(builtin, name, args, expected, None)
            }
            ExprKind::If(c, a, b) => self.choice(c, [a, b], expected, span),
            ExprKind::Closure(..) => {
                Err(Error::with_help(span, "only `rmw` takes a function", "write `rmw(mem.u32, |m| m + data)`"))
            }
        }
    }

    /// Compiles an expression of a known type.
    pub fn typed(&mut self, ty: Type, f: impl FnOnce(&mut Self) -> Result<ValueId, Error>) -> Result<Value, Error> {
        Ok(Value { id: f(self)?, ty })
    }

    /// Checks the type of a value.
    pub fn expect(&self, value: Value, ty: Type, span: Span) -> Result<(), Error> {
        if value.ty == ty {
            return Ok(());
        }
        let help = match ty {
            Type::BOOL => "compare it: `… != 0`".into(),
            _ => format!("write `as {ty:#}`, or change the type of the role"),
        };
        Err(Error::with_help(span, format!("expected {ty:#}, but this is {:#}", value.ty), help))
    }

    /// Emits a constant. `bits` are those of one element.
    pub fn constant(&mut self, ty: Type, bits: u128, span: Span) -> Result<ValueId, Error> {
        let bits = (0..ty.lanes())
            .fold(0, |all: u128, lane| all | bits.checked_shl(u32::from(lane) * u32::from(ty.bits())).unwrap_or(0));
        self.code.pure(&Op::Const { ty, bits }, span)
    }

    /// Compiles an integer literal, with its sign.
    pub fn integer(&mut self, n: u128, is_negative: bool, ty: Option<Type>, span: Span) -> Result<Value, Error> {
        let Some(ty) = ty else {
            let help = format!("write a type after it: `{n}u32`");
            return Err(Error::with_help(span, "the type of this number is unknown", help));
        };
        if ty.is_float() {
            let help = format!("write `{n}.0`");
            return Err(Error::with_help(span, format!("an integer cannot be {ty:#}"), help));
        }
        let bits = u32::from(ty.bits());
        let limit = 1u128.checked_shl(bits).unwrap_or(0).wrapping_sub(1);
        let fits = match (ty.class(), is_negative) {
            (Class::Signed, true) => n <= (limit >> 1) + 1,
            (Class::Signed, false) => n <= limit >> 1,
            (_, true) => n == 0,
            (_, false) => n <= limit,
        };
        if !fits {
            let sign = if is_negative { "-" } else { "" };
            let help = "write a number of this width, or give the value a wider type";
            return Err(Error::with_help(span, format!("{sign}{n} does not fit {ty:#}"), help));
        }
        let bits = if is_negative { n.wrapping_neg() & limit } else { n };
        self.typed(ty, |s| s.constant(ty, bits, span))
    }

    /// Compiles a floating-point literal.
    pub fn float(&mut self, x: f64, ty: Option<Type>, span: Span) -> Result<Value, Error> {
        let Some(ty) = ty else {
            let help = format!("write a type after it: `{x:?}f32`");
            return Err(Error::with_help(span, "the type of this number is unknown", help));
        };
        let bits = match (ty.class(), ty.bits()) {
            (Class::Float, 64) => Some(u128::from(x.to_bits())),
            (Class::Float, 32) => Some(u128::from((x as f32).to_bits())).filter(|_| f64::from(x as f32) == x),
            (Class::Float, 16) => half_bits(x),
            (Class::BFloat, _) => Some((x as f32).to_bits())
                .filter(|bits| f64::from(x as f32) == x && bits & 0xFFFF == 0)
                .map(|bits| u128::from(bits >> 16)),
            _ => {
                let help = format!("write an integer, or give {ty:#} another type");
                return Err(Error::with_help(span, format!("a floating-point number cannot be {ty:#}"), help));
            }
        };
        let Some(bits) = bits else {
            let help = "write a number that the type represents exactly";
            return Err(Error::with_help(span, format!("{x:?} does not fit {ty:#}"), help));
        };
        self.typed(ty, |s| s.constant(ty, bits, span))
    }

    /// Compiles a name.
    fn name(&mut self, name: &SpannedStr) -> Result<Value, Error> {
        let (text, span) = (name.as_str(), name.span());
        if let Some((id, ty)) = self.scope.local(text) {
            return Ok(Value { id, ty });
        }
        if let Some(role) = self.scope.role(text) {
            return self.role(role, Part::Whole, span);
        }
        if let Some(state) = State::from_name(text) {
            let ty = self.state_type(state, false, span)?;
            return self.typed(ty, |s| s.code.pure(&Op::State { ty, state }, span));
        }
        if let Some(ty) = self.scope.field(text) {
            return self.typed(ty, |s| s.code.pure(&Op::Field { ty, name: text }, span));
        }
        if let Some(size) = self.scope.size.filter(|_| text == "size") {
            return self.typed(COUNT, |s| s.constant(COUNT, size.into(), span));
        }
        if Place::from_name(text).is_some() {
            let help = format!("write the type of the access: `{text}.b32`");
            return Err(Error::with_help(span, format!("`{text}` alone is not a value"), help));
        }
        let help = if isa_body::Builtin::from_name(text).is_some() {
            format!("write the arguments: `{text}(…)`")
        } else {
            format!("the row's roles and the local values are {}", self.scope.known())
        };
        Err(Error::with_help(span, format!("unknown name `{text}`"), help))
    }

    /// Reads a role.
    pub fn role(&mut self, index: usize, part: Part, span: Span) -> Result<Value, Error> {
        let role = &self.scope.roles[index];
        let ty = role.ty;
        // The other half of a register is not a part of the value that a clause changes.
        if self.scope.input == Some(index) && part == Part::Whole {
            return self.typed(ty, |s| s.code.pure(&Op::Input { ty }, span));
        }
        if !role.readable {
            let (name, declared) = (role.name, role.declared);
            let help = format!("declare `{name}: inout {declared}`");
            return Err(Error::with_help(span, format!("`{name}` is only written"), help));
        }
        self.read[index] = true;
        self.typed(ty, |s| s.code.pure(&Op::Role { ty, role: index as u8, part }, span))
    }

    /// Compiles `s0.f16x2`: the value that a clause changes, read as another type.
    fn read_as(&mut self, name: &SpannedStr, ty: Type, span: Span) -> Result<Value, Error> {
        let index = self.scope.role(name.as_str());
        let Some(index) = index.filter(|index| self.scope.input == Some(*index)) else {
            let help = format!("write `.lo`, `.hi`, `[bit]` or `[high:low]`, or convert the value: `{name} as {ty:#}`");
            return Err(Error::with_help(span, "only a clause reads its role as another type", help));
        };
        let own = self.scope.roles[index].ty;
        if own.total_bits() != ty.total_bits() {
            let help = format!("write a type of {} bits", own.total_bits());
            return Err(Error::with_help(span, format!("`{name}` is {own:#} and cannot be read as {ty:#}"), help));
        }
        self.typed(ty, |s| s.code.pure(&Op::Input { ty }, span))
    }

    /// Returns the type of state, and checks that the body can use it.
    pub fn state_type(&self, state: State, is_written: bool, span: Span) -> Result<Type, Error> {
        let name = state.name();
        let bits = |bits| Type::new(Class::Bits, bits, 1);
        let unsigned = |bits| Type::new(Class::Unsigned, bits, 1);
        let in_lanes = self.scope.run == Run::Lanes;
        if in_lanes
            && (is_written || state == State::Scc || state == State::Pc)
            && !matches!(state, State::Vcc | State::Exec)
            || in_lanes && matches!(state, State::VccLo | State::ExecLo)
        {
            let help = "a row that runs in lanes writes a mask (`d: mask`, `vcc`, `exec`); write `wave` after the operands of a row that runs once a wave";
            return Err(Error::with_help(span, format!("`{name}` belongs to the wave"), help));
        }
        if is_written && matches!(state, State::Vccz | State::Execz) {
            let help = format!("assign `{}`", name.trim_end_matches('z'));
            return Err(Error::with_help(span, format!("`{name}` is only read"), help));
        }
        Ok(match state {
            State::Scc | State::Vccz | State::Execz => Type::BOOL,
            State::Vcc | State::Exec if in_lanes => Type::BOOL,
            State::Vcc | State::Exec => bits(64),
            State::VccLo | State::ExecLo => bits(32),
            State::M0 | State::Mode | State::Status => unsigned(32),
            State::Pc | State::FlatScratch => unsigned(64),
        })
    }

    /// Checks that an access to memory does not depend on a condition, since both paths of an `if` are evaluated.
    fn check_unconditional(&self, span: Span) -> Result<(), Error> {
        if self.outer.is_empty() && !self.in_choice {
            return Ok(());
        }
        let help = "load before the `if`, and choose between the values";
        Err(Error::with_help(span, "a load cannot depend on a condition", help))
    }

    /// Compiles the address of an access that gives one.
    pub fn address(&mut self, address: Option<&Expr>) -> Result<Option<ValueId>, Error> {
        let Some(address) = address else { return Ok(None) };
        let value = self.expr(address, Some(COUNT))?;
        if value.ty.is_integer() && value.ty.lanes() == 1 {
            return Ok(Some(value.id));
        }
        Err(Error::with_help(
            address.span,
            format!("an address cannot be {:#}", value.ty),
            "write `as u32` or `as u64`",
        ))
    }

    /// Compiles a count: an unsigned number.
    pub fn count(&mut self, count: &Expr) -> Result<ValueId, Error> {
        let value = self.expr(count, Some(COUNT))?;
        if value.ty.class() == Class::Unsigned {
            return Ok(value.id);
        }
        let help = "write `as u32`";
        Err(Error::with_help(count.span, format!("expected an unsigned number, but this is {:#}", value.ty), help))
    }

    /// Compiles `a[index]`.
    fn index(&mut self, a: &Expr, index: &Expr, span: Span) -> Result<Value, Error> {
        let a = self.expr(a, None)?;
        if a.ty.lanes() > 1 {
            let element = self.element(a.ty, index)?;
            let ty = a.ty.element();
            return self.typed(ty, |s| s.code.pure(&Op::Slice { ty, a: a.id, lo: element * a.ty.bits() }, span));
        }
        if a.ty.is_float() {
            return Err(no_bits(a.ty, span));
        }
        if let ExprKind::Int(bit, _) = index.kind
            && bit >= u128::from(a.ty.bits())
        {
            let help = format!("the highest bit is {}", a.ty.bits() - 1);
            return Err(Error::with_help(index.span, format!("{:#} has no bit {bit}", a.ty), help));
        }
        let index = self.count(index)?;
        self.typed(Type::BOOL, |s| s.code.pure(&Op::Bit { a: a.id, index }, span))
    }

    /// Returns the number of an element, which must be a literal.
    pub fn element(&self, ty: Type, index: &Expr) -> Result<u16, Error> {
        match index.kind {
            ExprKind::Int(n, _) if n < u128::from(ty.lanes()) => Ok(n as u16),
            _ => {
                let help = format!("write a number up to {}", ty.lanes() - 1);
                Err(Error::with_help(index.span, format!("{ty:#} has no such element"), help))
            }
        }
    }

    /// Returns the type of `a[hi:lo]`.
    pub fn slice_type(&self, ty: Type, hi: u16, lo: u16, span: Span) -> Result<Type, Error> {
        if ty.lanes() > 1 || ty.is_float() {
            return Err(no_bits(ty, span));
        }
        if hi >= ty.bits() {
            let help = format!("the highest bit is {}", ty.bits() - 1);
            return Err(Error::with_help(span, format!("{ty:#} has no bit {hi}"), help));
        }
        let element = if ty.class() == Class::Bits { Class::Bits } else { Class::Unsigned };
        Ok(Type::new(element, hi - lo + 1, 1))
    }

    /// Returns the type of `a.lo` or `a.hi`.
    pub fn half_type(&self, ty: Type, is_high: bool, is_role: bool, span: Span) -> Result<Type, Error> {
        if is_role && ty.total_bits() <= 16 {
            return Ok(ty);
        }
        if ty.lanes() == 2 {
            return Ok(ty.element());
        }
        if ty.lanes() > 2 || ty.is_float() || !ty.bits().is_multiple_of(2) {
            let half = if is_high { "hi" } else { "lo" };
            return Err(Error::with_help(span, format!("{ty:#} has no half `.{half}`"), "write the element: `[0]`"));
        }
        let element = if ty.class() == Class::Bits { Class::Bits } else { Class::Unsigned };
        Ok(Type::new(element, ty.bits() / 2, 1))
    }

    /// Compiles `a.lo` or `a.hi`.
    fn half(&mut self, a: &Expr, is_high: bool, span: Span) -> Result<Value, Error> {
        if self.is_narrow(a)
            && let Some(role) = self.named_role(a)
        {
            return self.role(role, if is_high { Part::High } else { Part::Whole }, span);
        }
        let a = self.expr(a, None)?;
        let ty = self.half_type(a.ty, is_high, false, span)?;
        let lo = if is_high { a.ty.total_bits() / 2 } else { 0 };
        self.typed(ty, |s| s.code.pure(&Op::Slice { ty, a: a.id, lo }, span))
    }

    /// Compiles `rmw(mem.u32, |m| m + data)`.
    fn rmw(&mut self, name: &SpannedStr, args: &[Expr]) -> Result<Value, Error> {
        let span = name.span();
        let help = "write `rmw(mem.u32, |m| m + data)`";
        let [access, change] = args else {
            return Err(Error::with_help(span, "`rmw` takes an access and a function", help));
        };
        let (ExprKind::Memory(place, address, ty), ExprKind::Closure(old, value)) = (&access.kind, &change.kind) else {
            return Err(Error::with_help(access.span, "`rmw` takes an access and a function", help));
        };
        self.check_unconditional(span)?;
        let address = self.address(address.as_deref())?;
        let ty = *ty;
        let begin = self.code.effect(&Op::RmwBegin { ty, place: *place, address }, span)?;
        self.scope.locals.push(Local { name: old.to_string(), value: begin, ty });
        let new = self.expr(value, Some(ty));
        self.scope.locals.pop();
        let new = new?;
        self.expect(new, ty, value.span)?;
        let end = self.code.effect(&Op::RmwEnd { ty, begin, value: new.id }, span)?;
        self.code.forget_from(begin);
        Ok(Value { id: end, ty })
    }

    /// Compiles `rel(s0, distance)`.
    fn relative(&mut self, name: &SpannedStr, args: &[Expr]) -> Result<Value, Error> {
        let [register, distance] = args else {
            return Err(Error::with_help(name.span(), "`rel` takes a role and a distance", "write `rel(s0, m0)`"));
        };
        let Some(role) = self.named_role(register) else {
            return Err(Error::with_help(register.span, "only a register can be moved away from", "write a role"));
        };
        self.read[role] = true;
        let distance = self.count(distance)?;
        let ty = self.scope.roles[role].ty;
        let op = Op::Relative { ty, role: role as u8, distance };
        self.typed(ty, |s| s.code.pure(&op, name.span()))
    }

    /// Compiles `if c { a } else { b }`.
    fn choice(&mut self, c: &Expr, [a, b]: [&Expr; 2], expected: Option<Type>, span: Span) -> Result<Value, Error> {
        let condition = self.expr(c, Some(Type::BOOL))?;
        self.expect(condition, Type::BOOL, c.span)?;
        let around = std::mem::replace(&mut self.in_choice, true);
        let values = self.pair(a, b, expected);
        self.in_choice = around;
        let (yes, no) = values?;
        self.expect(no, yes.ty, b.span)?;
        let op = Op::Select { ty: yes.ty, condition: condition.id, yes: yes.id, no: no.id };
        self.typed(yes.ty, |s| s.code.pure(&op, span))
    }
}

/// Returns the error of bits of a value that has no bits to name.
fn no_bits(ty: Type, span: Span) -> Error {
    let bits = ty.total_bits();
    Error::with_help(span, format!("{ty:#} has no bits to name"), format!("write `as b{bits}` first"))
}

/// Returns the f16 with a value, if there is one.
fn half_bits(x: f64) -> Option<u128> {
    let bits = x.to_bits();
    let (sign, exponent, mantissa) = (bits >> 63 << 15, (bits >> 52 & 0x7FF) as i32 - 1023, bits & ((1 << 52) - 1));
    if x == 0.0 {
        return Some(sign.into());
    }
    let is_exact = (-14..=15).contains(&exponent) && mantissa & ((1 << 42) - 1) == 0;
    is_exact.then(|| u128::from(sign | ((exponent + 15) as u64) << 10 | mantissa >> 42))
}
