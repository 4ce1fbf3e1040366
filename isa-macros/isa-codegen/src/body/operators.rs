//! Operators and conversions.

use isa_body::{BinaryOp, Op, UnaryOp};
use proc_macro2::Span;

use super::expressions::{Compiler, Value};
use crate::ast::{Expr, ExprKind};
use crate::error::Error;
use crate::ty::{Class, Type};

/// Returns whether an expression is a number that takes the type of its neighbour.
pub(super) fn is_untyped(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_, None) | ExprKind::Float(_, None) => true,
        ExprKind::Unary(UnaryOp::Neg, a) => is_untyped(a),
        ExprKind::Binary(op, a, b) => !op.compares() && is_untyped(a) && is_untyped(b),
        ExprKind::If(_, a, b) => is_untyped(a) && is_untyped(b),
        _ => false,
    }
}

/// Returns the unsigned or signed type that replaces `b` in a help.
fn numeric(ty: Type) -> String {
    let with = |element| ty.with_class(element);
    format!("{} or {}", with(Class::Unsigned), with(Class::Signed))
}

impl Compiler<'_> {
    /// Compiles two expressions of one type, of which a literal takes that of the other.
    pub(super) fn pair(&mut self, a: &Expr, b: &Expr, expected: Option<Type>) -> Result<(Value, Value), Error> {
        if is_untyped(a) && !is_untyped(b) {
            let b = self.expr(b, expected)?;
            return Ok((self.expr(a, Some(b.ty))?, b));
        }
        let a = self.expr(a, expected)?;
        let b = self.expr(b, Some(a.ty))?;
        Ok((a, b))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, a: &Expr, expected: Option<Type>, span: Span) -> Result<Value, Error> {
        if op == UnaryOp::Neg {
            match &a.kind {
                ExprKind::Int(n, suffix) => return self.integer(*n, true, suffix.or(expected), span),
                ExprKind::Float(x, suffix) => return self.float(-x, suffix.or(expected), span),
                _ => {}
            }
        }
        let a = self.expr(a, expected)?;
        let ty = a.ty;
        let (is_valid, help) = match op {
            UnaryOp::Neg => {
                let help = format!("write `as {}` first", ty.with_class(Class::Signed));
                (ty.is_float() || ty.class() == Class::Signed, help)
            }
            UnaryOp::Not => (ty.is_integer() || ty.class() == Class::Bits, "write an integer or bits".into()),
        };
        if !is_valid {
            return Err(Error::with_help(span, format!("{ty:#} has no operator `{}`", op.name()), help));
        }
        self.typed(ty, |s| s.code.pure(&Op::Unary { op, ty, a: a.id }, span))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        expected: Option<Type>,
        span: Span,
    ) -> Result<Value, Error> {
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return self.shift(op, (a, b), expected, span);
        }
        // The destination's type is not that of compared values.
        let (a, b) = self.pair(a, b, expected.filter(|_| !op.compares()))?;
        let ty = a.ty;
        if ty != b.ty {
            let message = format!("`{}` between {ty:#} and {:#}", op.name(), b.ty);
            let help = format!("give both one type, or write `as {ty:#}`");
            return Err(Error::with_help(span, message, help));
        }
        if ty.is_small_float() {
            let message = format!("{ty:#} has no operator `{}`", op.name());
            return Err(Error::with_help(span, message, "convert it with `as f32`"));
        }
        let is_bits = ty.class() == Class::Bits;
        let is_known = is_bits || ty.is_integer() || ty.is_float();
        match op {
            BinaryOp::Eq | BinaryOp::Ne if is_known => {}
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor if is_bits || ty.is_integer() => {}
            _ if is_bits => {
                let message = format!("{ty:#} has no arithmetic `{}`", op.name());
                return Err(Error::with_help(span, message, format!("make the role {}", numeric(ty))));
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => return Err(self.no_operator(op, ty, span)),
            BinaryOp::Div | BinaryOp::Rem if ty.is_float() => return Err(self.no_operator(op, ty, span)),
            _ if is_known => {}
            _ => return Err(self.no_operator(op, ty, span)),
        }
        if op.compares() && ty.lanes() > 1 {
            let help = "compare the elements: `a[0] < b[0]`";
            return Err(Error::with_help(span, format!("`{}` compares single values, not {ty:#}", op.name()), help));
        }
        let result = if op.compares() { Type::BOOL } else { ty };
        self.typed(result, |s| s.code.pure(&Op::Binary { op, ty, a: a.id, b: b.id }, span))
    }

    fn no_operator(&self, op: BinaryOp, ty: Type, span: Span) -> Error {
        let help = if ty.is_float() {
            format!("write `as b{}` for the bits of a float", ty.total_bits())
        } else {
            "write a builtin that takes the signs as arguments, such as `dot_signed`".into()
        };
        Error::with_help(span, format!("{ty:#} has no operator `{}`", op.name()), help)
    }

    fn shift(
        &mut self,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        expected: Option<Type>,
        span: Span,
    ) -> Result<Value, Error> {
        let a = self.expr(a, expected)?;
        let default = Type::new(Class::Unsigned, 32, 1);
        let count = self.expr(b, Some(default))?;
        let ty = a.ty;
        if !(ty.is_integer() || ty.class() == Class::Bits) {
            return Err(self.no_operator(op, ty, span));
        }
        if count.ty.class() != Class::Unsigned || (count.ty.lanes() != 1 && count.ty.lanes() != ty.lanes()) {
            let help = "write `as u32`, or the bits that count: `s0[4:0]`";
            return Err(Error::with_help(
                b.span,
                format!("a shift count is unsigned, but this is {:#}", count.ty),
                help,
            ));
        }
        self.typed(ty, |s| s.code.pure(&Op::Binary { op, ty, a: a.id, b: count.id }, span))
    }

    /// Compiles `a && b` or `a || b`. Both sides are evaluated.
    pub(super) fn logic(&mut self, is_or: bool, (a, b): (&Expr, &Expr), span: Span) -> Result<Value, Error> {
        let left = self.expr(a, Some(Type::BOOL))?;
        let right = self.expr(b, Some(Type::BOOL))?;
        self.expect(left, Type::BOOL, a.span)?;
        self.expect(right, Type::BOOL, b.span)?;
        let op = if is_or { BinaryOp::Or } else { BinaryOp::And };
        self.typed(Type::BOOL, |s| s.code.pure(&Op::Binary { op, ty: Type::BOOL, a: left.id, b: right.id }, span))
    }

    pub(super) fn cast(&mut self, a: &Expr, ty: Type, span: Span) -> Result<Value, Error> {
        // A literal has the type that it is converted to, and so has a call whose type nothing else says.
        let takes_type = is_untyped(a) || matches!(a.kind, ExprKind::Call(..));
        let a = self.expr(a, takes_type.then_some(ty))?;
        let from = a.ty;
        if from == ty {
            return Ok(a);
        }
        if ty == Type::BOOL {
            return Err(Error::with_help(span, format!("{from:#} is not a truth value"), "compare it: `… != 0`"));
        }
        let keeps_bits = ty.class() == Class::Bits || from.class() == Class::Bits;
        if !keeps_bits {
            if from.lanes() != ty.lanes() {
                let help = format!("write `as b{}` first", from.total_bits());
                return Err(Error::with_help(
                    span,
                    format!("{from:#} and {ty:#} have different numbers of elements"),
                    help,
                ));
            }
            let single = |ty: Type| ty.class() == Class::Float && ty.bits() == 32;
            if from.is_small_float() && !single(ty) || ty.is_small_float() && !single(from) {
                let help = "write `as f32` in between";
                return Err(Error::with_help(span, format!("{from:#} is not converted to {ty:#}"), help));
            }
            if from.class() == Class::EitherSign {
                let help = "write a builtin that takes the signs as arguments, such as `dot_signed`";
                return Err(Error::with_help(span, format!("a modifier says the sign of {from:#}"), help));
            }
        } else if ty.is_float() && from.total_bits() != ty.total_bits() {
            let help = format!("write a type of {} bits in between", ty.total_bits());
            return Err(Error::with_help(span, format!("{from:#} does not have the bits of {ty:#}"), help));
        }
        self.typed(ty, |s| s.code.pure(&Op::Cast { ty, a: a.id }, span))
    }
}
