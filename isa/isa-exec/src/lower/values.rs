//! Values of a body while it is lowered: constants, rows, and what is known of them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use isa_runtime::body::{BinaryOp, Builtin, Class, Run, Type, UnaryOp};

use crate::eval::{Typed, evaluate};
use crate::layout::Constant;
use crate::lower::Context;
use crate::num::Mode;
use crate::operation::{Argument, Modes, Operation, OperationKind, dwords, format, low_bits};
use crate::primitive::Primitive;
use crate::step::{Addressing, Step};

/// The type of conditions.
pub(crate) const BOOL: Type = Type::new(Class::Unsigned, 1, 1);

/// The type of a row.
pub(crate) const DWORD: Type = Type::new(Class::Bits, 32, 1);

/// The type of exact integers, in bodies that saturate.
const EXACT: Type = Type::new(Class::Signed, 128, 1);

/// A value of a body.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub ty: Type,
    /// Its bits, if lowering knows them.
    pub known: Option<u128>,
    /// The constant that it is, if it is an operand: read as another type, it has other bits.
    pub constant: Option<Constant>,
    /// Its first row.
    pub row: Option<u16>,
    /// In a body that runs once a wave: the vector register that it is.
    pub vector: Option<u16>,
    /// The address of an access through a descriptor.
    pub address: Option<Addressing>,
    /// In a body that saturates: the first rows of the exact numbers, one for each element.
    pub exact: Vec<u16>,
}

impl Value {
    /// A constant.
    pub(crate) const fn known(ty: Type, bits: u128) -> Self {
        Value { ty, known: Some(bits), constant: None, row: None, vector: None, address: None, exact: Vec::new() }
    }

    /// A constant operand.
    pub(crate) fn constant(ty: Type, constant: Constant) -> Self {
        let bits = low_bits(constant.bits(ty), u32::from(ty.total_bits().max(1)));
        Value { constant: Some(constant), ..Value::known(ty, bits) }
    }

    /// The value read as another type of the same width.
    pub(crate) fn read_as(self, ty: Type) -> Self {
        match self.constant {
            Some(constant) if self.ty != ty => Value::constant(ty, constant),
            _ => Value { ty, ..self },
        }
    }

    /// A value in rows.
    pub(crate) fn rows(ty: Type, row: u16) -> Self {
        Value { row: Some(row), ..Value::none_of(ty) }
    }

    /// A vector register as a whole.
    pub(crate) fn vector(ty: Type, register: u16) -> Self {
        Value { vector: Some(register), ..Value::none_of(ty) }
    }

    /// No value: that of an operation with effects alone.
    pub(crate) fn none() -> Self {
        Value::none_of(BOOL)
    }

    /// A value of which nothing is known.
    const fn none_of(ty: Type) -> Self {
        Value { ty, known: None, constant: None, row: None, vector: None, address: None, exact: Vec::new() }
    }
}

/// Whether an operation's result does not depend on the mode register.
fn is_independent_of_mode(kind: OperationKind, ty: Type, args: &[Value]) -> bool {
    match kind {
        OperationKind::Slice(_)
        | OperationKind::Bit
        | OperationKind::Select
        | OperationKind::Insert(_)
        | OperationKind::InsertBit
        | OperationKind::Saturate => true,
        OperationKind::Unary(_) | OperationKind::Call(Builtin::Abs | Builtin::Join | Builtin::Class) => true,
        _ => format(ty).is_none() && args.iter().all(|arg| format(arg.ty).is_none()),
    }
}

/// Whether a type is an integer or bits.
fn is_plain(ty: Type) -> bool {
    format(ty).is_none() && !matches!(ty.class(), Class::Mask)
}

impl Context<'_> {
    /// Computes an operation, or finds that there is nothing to compute.
    pub(crate) fn compute(&mut self, kind: OperationKind, ty: Type, args: &[Value]) -> Value {
        if let Some(value) = self.trivial(kind, ty, args) {
            return value;
        }
        let narrowed = self.narrowed(kind, ty, args);
        let (kind, args) = narrowed.as_ref().map_or((kind, args), |(kind, arg)| (*kind, core::slice::from_ref(arg)));
        let rows: Box<[Argument]> = args.iter().map(|arg| Argument { row: self.row(arg), ty: arg.ty }).collect();
        if rows.iter().any(|arg| arg.ty.total_bits() > 128) || ty.total_bits() > 128 {
            return self.wide(kind, ty, &rows);
        }
        let dst = self.temporary(ty);
        self.push(Operation { kind, ty, args: rows }, dst);
        Value::rows(ty, dst)
    }

    /// Appends an operation.
    fn push(&mut self, operation: Operation, dst: u16) {
        self.steps.push(match self.run {
            Run::Lanes => Step::Lanes(Primitive::new(operation, dst)),
            Run::Wave => Step::Wave(Primitive::new(operation, dst)),
        });
    }

    /// Copies a row.
    pub(crate) fn copy(&mut self, from: u16, to: u16) {
        let args = Box::new([Argument { row: from, ty: DWORD }]);
        self.push(Operation { kind: OperationKind::Cast, ty: DWORD, args }, to);
    }

    /// A result that needs no step.
    fn trivial(&mut self, kind: OperationKind, ty: Type, args: &[Value]) -> Option<Value> {
        let first = args.first()?;
        if let (OperationKind::Select, Some(condition), [_, yes, no]) = (kind, first.known, args) {
            let chosen = if condition & 1 != 0 { yes } else { no };
            return Some(Value { ty, ..chosen.clone() });
        }
        // A bit with a known index is a slice.
        if let (OperationKind::Bit, [value, index]) = (kind, args)
            && let Some(at) = index.known.and_then(|at| u16::try_from(at).ok())
        {
            return Some(match at < value.ty.total_bits() {
                true => self.compute(OperationKind::Slice(at), BOOL, core::slice::from_ref(value)),
                false => Value::known(BOOL, 0),
            });
        }
        // The modifier's default.
        if let (OperationKind::Call(Builtin::Omod), [value, code]) = (kind, args)
            && code.known == Some(0)
        {
            return Some(value.clone());
        }
        if args.iter().all(|arg| arg.known.is_some()) && is_independent_of_mode(kind, ty, args) {
            let typed: Vec<Typed> = args.iter().map(|arg| Typed { bits: arg.known.unwrap_or(0), ty: arg.ty }).collect();
            let fits = ty.total_bits() <= 128 && typed.iter().all(|arg| arg.ty.total_bits() <= 128);
            return fits.then(|| Value::known(ty, evaluate(kind, ty, &typed, &Modes::new(Mode::DEFAULT))));
        }
        let row = first.row?;
        match kind {
            OperationKind::Slice(lo) if lo.is_multiple_of(32) && ty.total_bits().is_multiple_of(32) => {
                Some(Value::rows(ty, row + lo / 32))
            }
            OperationKind::Cast if keeps_rows(first.ty, ty) => Some(Value { ty, ..first.clone() }),
            _ => None,
        }
    }

    /// A slice of a wide value as a slice of fewer rows.
    fn narrowed(&mut self, kind: OperationKind, ty: Type, args: &[Value]) -> Option<(OperationKind, Value)> {
        let (OperationKind::Slice(lo), [value]) = (kind, args) else { return None };
        if value.ty.total_bits() <= 32 {
            return None;
        }
        let rows = (lo % 32 + ty.total_bits()).div_ceil(32).min(dwords(value.ty).checked_sub(lo / 32)?);
        let row = self.row(value).saturating_add(lo / 32);
        Some((OperationKind::Slice(lo % 32), Value::rows(Type::new(Class::Bits, 32 * rows.max(1), 1), row)))
    }

    /// An operation on values of more than 128 bits: conversions, selections, and joining what fills rows.
    fn wide(&mut self, kind: OperationKind, ty: Type, args: &[Argument]) -> Value {
        let dst = self.temporary(ty);
        let rows = dst..dst.saturating_add(dwords(ty));
        match (kind, args) {
            (OperationKind::Cast | OperationKind::Call(Builtin::Join), _)
                if args.iter().all(|arg| arg.ty.total_bits().is_multiple_of(32)) =>
            {
                let from = args.iter().flat_map(|arg| arg.row..arg.row.saturating_add(dwords(arg.ty)));
                for (from, to) in from.zip(rows) {
                    self.copy(from, to);
                }
            }
            (OperationKind::Select, [condition, yes, no]) => {
                for (n, to) in (0..).zip(rows) {
                    let nth = |arg: &Argument| Argument { row: arg.row.saturating_add(n), ty: DWORD };
                    let args = Box::new([*condition, nth(yes), nth(no)]);
                    self.push(Operation { kind, ty: DWORD, args }, to);
                }
            }
            _ => self.fail("its body computes with numbers of more than 128 bits"),
        }
        Value::rows(ty, dst)
    }

    /// The exact numbers of a value's elements, in a body that saturates.
    fn exact(&mut self, value: &Value) -> Vec<u16> {
        if !value.exact.is_empty() {
            return value.exact.clone();
        }
        let element = Type::new(value.ty.class(), value.ty.bits(), 1);
        (0..u16::from(value.ty.lanes().max(1)))
            .map(|at| {
                let part =
                    self.compute(OperationKind::Slice(at * value.ty.bits()), element, core::slice::from_ref(value));
                let exact = self.compute(OperationKind::Cast, EXACT, &[part]);
                self.row(&exact)
            })
            .collect()
    }

    /// An integer operation without wrapping; `None` if it is none.
    pub(crate) fn compute_exactly(&mut self, kind: OperationKind, ty: Type, args: &[Value]) -> Option<Value> {
        let converts = kind == OperationKind::Cast && args.iter().any(|arg| !arg.exact.is_empty());
        let arithmetic = matches!(
            kind,
            OperationKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
                | OperationKind::Unary(UnaryOp::Neg)
                | OperationKind::Call(Builtin::Dot | Builtin::DotSigned)
        );
        if !(arithmetic || converts) || !is_plain(ty) || !args.iter().all(|arg| is_plain(arg.ty)) {
            return None;
        }
        let wrapped = self.compute(kind, ty, args);
        if let OperationKind::Call(_) = kind {
            let exact = self.compute(kind, EXACT, args);
            return Some(Value { exact: Vec::from([self.row(&exact)]), ..wrapped });
        }
        let of_args: Vec<Vec<u16>> = args.iter().map(|arg| self.exact(arg)).collect();
        let exact = (0..usize::from(ty.lanes().max(1)))
            .map(|at| {
                let nth = |rows: &Vec<u16>| rows.get(at).or(rows.first()).copied().unwrap_or(0);
                let args: Vec<Value> = of_args.iter().map(|rows| Value::rows(EXACT, nth(rows))).collect();
                let result = self.compute(kind, EXACT, &args);
                self.row(&result)
            })
            .collect();
        Some(Value { exact, ..wrapped })
    }

    /// The nearest value of its type to a value that was computed exactly.
    pub(crate) fn saturated(&mut self, value: &Value) -> Value {
        let element = Type::new(value.ty.class(), value.ty.bits(), 1);
        let parts: Vec<Value> = value
            .exact
            .iter()
            .map(|row| self.compute(OperationKind::Saturate, element, &[Value::rows(EXACT, *row)]))
            .collect();
        match parts.as_slice() {
            [] => value.clone(),
            [one] => Value { ty: value.ty, ..one.clone() },
            _ => self.compute(OperationKind::Call(Builtin::Join), value.ty, &parts),
        }
    }
}

/// Returns whether a conversion leaves the rows of a value unchanged.
fn keeps_rows(from: Type, to: Type) -> bool {
    let bits = |ty: Type| matches!(ty.class(), Class::Bits | Class::Mask);
    let plain = is_plain(from) && is_plain(to) && from.lanes() == 1 && to.lanes() == 1;
    let same = from.total_bits() == to.total_bits();
    let cuts = from.total_bits() > to.total_bits() && to.total_bits().is_multiple_of(32);
    let extends = from.total_bits() < to.total_bits() && dwords(from) == dwords(to) && from.class() != Class::Signed;
    from == to || (bits(from) || bits(to) || plain) && (same || cuts || extends)
}
