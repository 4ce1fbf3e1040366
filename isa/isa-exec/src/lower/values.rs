//! Values of a body while it is lowered: constants, rows, and what is known of them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use isa_runtime::body::{BinaryOp, Builtin, Class, Run, Type, UnaryOp};

use crate::eval::{Typed, evaluate};
use crate::layout::Constant;
use crate::lower::Context;
use crate::num::{Format, Mode};
use crate::operation::{Argument, Half, Modes, Operation, OperationKind, dwords, format, low_bits};
use crate::primitive::{Primitive, ignores_upper_bits};
use crate::step::{Addressing, Step, Writers};

/// The type of a row.
pub(crate) const DWORD: Type = Type::new(Class::Bits, 32, 1);

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
    /// The lanes that it is true in, if DPP leaves them enabled.
    pub writers: Option<Box<Writers>>,
    /// Whether its row may hold bits above the type.
    pub is_loose: bool,
    /// The half of a row that it is.
    pub half: Option<(u16, Half)>,
    /// The halves of a row that it consists of.
    pub halves: Option<(u16, [Half; 2])>,
    /// In a body that saturates: the exact numbers, if they may be others.
    pub exact: Option<Exact>,
}

/// The exact numbers of a value's elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    /// Their first row.
    row: u16,
    /// Their type.
    ty: Type,
    /// The bounds that they are in.
    bounds: Bounds,
}

impl Value {
    /// A constant.
    pub(crate) fn known(ty: Type, bits: u128) -> Self {
        Value { known: Some(bits), ..Value::none_of(ty) }
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

    /// A value of less than 32 bits at the low end of a row that may hold more.
    pub(crate) fn low_bits(ty: Type, row: u16) -> Self {
        let half = Half::IN_ORDER.first().filter(|_| ty.total_bits() == 16);
        Value { is_loose: true, half: half.map(|half| (row, *half)), ..Value::rows(ty, row) }
    }

    /// A vector register as a whole.
    pub(crate) fn vector(ty: Type, register: u16) -> Self {
        Value { vector: Some(register), ..Value::none_of(ty) }
    }

    /// No value: that of an operation with effects alone.
    pub(crate) fn none() -> Self {
        Value::none_of(Type::BOOL)
    }

    /// A value of which nothing is known.
    const fn none_of(ty: Type) -> Self {
        Value {
            ty,
            known: None,
            constant: None,
            row: None,
            vector: None,
            address: None,
            writers: None,
            is_loose: false,
            half: None,
            halves: None,
            exact: None,
        }
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
        | OperationKind::Halves(_)
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
        if let Some((row, halves)) = joined(kind, ty, args) {
            return self.halves(ty, row, halves);
        }
        if let (Some((op, mask)), [value]) = (mask_of_sign(kind, ty), args) {
            let args = [value.clone().read_as(DWORD), Value::known(DWORD, mask)];
            return self.compute(OperationKind::Binary(op), DWORD, &args).read_as(ty);
        }
        let half = half(kind, ty, args);
        let narrowed = self.narrowed(kind, ty, args);
        let (kind, args) = narrowed.as_ref().map_or((kind, args), |(kind, arg)| (*kind, core::slice::from_ref(arg)));
        let rows = args.iter().map(|arg| Argument { row: self.loose_row(arg), ty: arg.ty }).collect();
        let mut operation = Operation { kind, ty, args: rows };
        let mut is_loose = false;
        if args.iter().any(|arg| arg.is_loose) && !ignores_upper_bits(&operation) {
            for (n, (to, arg)) in operation.args.iter_mut().zip(args).enumerate() {
                // A selection of halves copies the bits above them, which only some users have to clear.
                if kind == OperationKind::Select && n > 0 && ty.total_bits() == 16 {
                    is_loose |= arg.is_loose;
                } else {
                    to.row = self.row(arg);
                }
            }
        }
        let joins = kind == OperationKind::Call(Builtin::Join) && ty.total_bits() > 64 && fill_rows(&operation.args);
        if joins || operation.args.iter().any(|arg| arg.ty.total_bits() > 128) || ty.total_bits() > 128 {
            return self.wide(kind, ty, &operation.args);
        }
        let dst = self.temporary(ty);
        self.push(operation, dst);
        Value { half, is_loose, ..Value::rows(ty, dst) }
    }

    /// Two halves of a row as a value.
    fn halves(&mut self, ty: Type, row: u16, halves: [Half; 2]) -> Value {
        if halves == Half::IN_ORDER {
            return Value::rows(ty, row);
        }
        let dst = self.temporary(ty);
        let args = Box::new([Argument { row, ty: DWORD }]);
        self.push(Operation { kind: OperationKind::Halves(halves), ty, args }, dst);
        Value { halves: Some((row, halves)), ..Value::rows(ty, dst) }
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
                true => self.compute(OperationKind::Slice(at), Type::BOOL, core::slice::from_ref(value)),
                false => Value::known(Type::BOOL, 0),
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
        if let Some(value) = unchanged(kind, ty, args) {
            return Some(Value { ty, ..value.clone() });
        }
        let row = first.row?;
        match kind {
            OperationKind::Call(Builtin::Join) if are_consecutive(args) => Some(Value::rows(ty, row)),
            OperationKind::Slice(lo) if lo.is_multiple_of(32) && ty.total_bits().is_multiple_of(32) => {
                Some(Value::rows(ty, row + lo / 32))
            }
            OperationKind::Cast if keeps_rows(first.ty, ty) => Some(match ty.total_bits() == first.ty.total_bits() {
                true => Value { ty, ..first.clone() },
                false => Value::rows(ty, self.row(first)),
            }),
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
            (OperationKind::Cast | OperationKind::Call(Builtin::Join), _) if fill_rows(args) => {
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

    /// An integer operation with its exact result; `None` if it is none.
    pub(crate) fn compute_exactly(&mut self, kind: OperationKind, ty: Type, args: &[Value]) -> Option<Value> {
        if !is_plain(ty) || !args.iter().all(|arg| is_plain(arg.ty)) {
            return None;
        }
        let bounds = bounds_of_result(kind, args)?;
        let wrapped = self.compute(kind, ty, args);
        let exact = if bounds.fit(ty) {
            Exact { row: self.row(&wrapped), ty, bounds }
        } else if kind == OperationKind::Cast {
            args.first()?.exact?
        } else {
            let exact = bounds.narrowest(ty.lanes());
            let is_sum = matches!(kind, OperationKind::Call(_));
            let args: Vec<Value> =
                args.iter().map(|arg| if is_sum { arg.clone() } else { self.exact(arg, exact) }).collect();
            let result = self.compute(kind, exact, &args);
            Exact { row: self.row(&result), ty: exact, bounds }
        };
        Some(Value { exact: Some(exact), ..wrapped })
    }

    /// The exact numbers of a value's elements as a type.
    fn exact(&mut self, value: &Value, ty: Type) -> Value {
        let exact = value.exact.map_or_else(|| value.clone(), |exact| Value::rows(exact.ty, exact.row));
        if (exact.ty.bits(), exact.ty.lanes()) == (ty.bits(), ty.lanes()) {
            return Value { ty, ..exact };
        }
        self.compute(OperationKind::Cast, ty, &[exact])
    }

    /// The nearest value of its type to a value that was computed exactly.
    pub(crate) fn saturated(&mut self, value: &Value) -> Value {
        match value.exact {
            Some(exact) if !exact.bounds.fit(value.ty) => {
                self.compute(OperationKind::Saturate, value.ty, &[Value::rows(exact.ty, exact.row)])
            }
            _ => value.clone(),
        }
    }
}

/// The argument that an operation on bits or integers does not change, since the other one is a constant.
fn unchanged(kind: OperationKind, ty: Type, args: &[Value]) -> Option<&Value> {
    let (OperationKind::Binary(op), [a, b]) = (kind, args) else { return None };
    let neutral = match op {
        BinaryOp::And => low_bits(u128::MAX, u32::from(ty.total_bits())),
        BinaryOp::Or | BinaryOp::Xor => 0,
        _ => return None,
    };
    [(a, b), (b, a)].into_iter().find_map(|(value, other)| {
        let is_kept = other.known == Some(neutral) && value.row.is_some();
        (is_kept && is_plain(value.ty) && value.ty.total_bits() == ty.total_bits()).then_some(value)
    })
}

/// The bitwise operation and its mask that negate an f32, or clear its sign: the interpreter has them in line.
fn mask_of_sign(kind: OperationKind, ty: Type) -> Option<(BinaryOp, u128)> {
    let sign = Format::F32.sign_bit();
    let operation = match kind {
        OperationKind::Unary(UnaryOp::Neg) => (BinaryOp::Xor, sign.into()),
        OperationKind::Call(Builtin::Abs) => (BinaryOp::And, u128::from(!(sign as u32))),
        _ => return None,
    };
    (ty == Type::new(Class::Float, 32, 1)).then_some(operation)
}

/// The least and the greatest number that a value may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bounds(i128, i128);

impl Bounds {
    /// Those of a type.
    fn of(ty: Type) -> Self {
        let bits = u32::from(ty.bits()).clamp(1, 126);
        match ty.class() {
            Class::Signed => Bounds(-1 << (bits - 1), (1 << (bits - 1)) - 1),
            // The instruction chooses the sign.
            Class::EitherSign => Bounds(-1 << (bits - 1), (1 << bits) - 1),
            _ => Bounds(0, (1 << bits) - 1),
        }
    }

    /// Whether all numbers are those of a type.
    fn fit(self, ty: Type) -> bool {
        let Bounds(least, greatest) = Bounds::of(ty);
        least <= self.0 && self.1 <= greatest
    }

    /// The narrowest type of which all numbers are.
    fn narrowest(self, lanes: u8) -> Type {
        let types = [(32, Class::Unsigned), (32, Class::Signed), (64, Class::Unsigned), (64, Class::Signed)];
        let mut types = types.into_iter().map(|(bits, class)| Type::new(class, bits, lanes));
        types.find(|ty| self.fit(*ty)).unwrap_or(Type::new(Class::Signed, 128, lanes))
    }

    /// Those of the results of a function that is largest and smallest at the bounds of its arguments.
    fn of_corners(self, other: Bounds, f: impl Fn(i128, i128) -> i128) -> Self {
        let Bounds(a, b) = self;
        let Bounds(c, d) = other;
        let corners = [f(a, c), f(a, d), f(b, c), f(b, d)];
        corners.into_iter().fold(Bounds(i128::MAX, i128::MIN), |all, n| Bounds(all.0.min(n), all.1.max(n)))
    }
}

/// The bounds of the exact result of an integer operation; `None` if it is none.
fn bounds_of_result(kind: OperationKind, args: &[Value]) -> Option<Bounds> {
    let bounds = |n: usize| {
        let arg = args.get(n)?;
        Some(arg.exact.map_or_else(|| Bounds::of(arg.ty), |exact| exact.bounds))
    };
    let (first, second) = (bounds(0)?, bounds(1));
    Some(match kind {
        OperationKind::Cast => first,
        OperationKind::Unary(UnaryOp::Neg) => first.of_corners(first, |a, _| a.saturating_neg()),
        OperationKind::Binary(BinaryOp::Add) => first.of_corners(second?, i128::saturating_add),
        OperationKind::Binary(BinaryOp::Sub) => first.of_corners(second?, i128::saturating_sub),
        OperationKind::Binary(BinaryOp::Mul) => first.of_corners(second?, i128::saturating_mul),
        OperationKind::Call(Builtin::Dot | Builtin::DotSigned) => {
            let lanes = i128::from(args.first()?.ty.lanes());
            let products = first.of_corners(second?, |a, b| a.saturating_mul(b).saturating_mul(lanes));
            products.of_corners(bounds(2)?, i128::saturating_add)
        }
        _ => return None,
    })
}

/// The half of a row that an operation gives.
fn half(kind: OperationKind, ty: Type, args: &[Value]) -> Option<(u16, Half)> {
    let [value] = args else { return None };
    let is_half = ty.total_bits() == 16;
    match kind {
        OperationKind::Slice(lo @ (0 | 16)) if is_half && value.ty.total_bits() == 32 => {
            let (row, halves) = value.halves.or(value.row.map(|row| (row, Half::IN_ORDER)))?;
            Some((row, *halves.get(usize::from(lo / 16))?))
        }
        OperationKind::Unary(UnaryOp::Neg) if is_half && format(ty).is_some() => {
            let (row, half) = value.half?;
            Some((row, Half { is_negated: !half.is_negated, ..half }))
        }
        _ => None,
    }
}

/// The halves of one row that an operation joins.
fn joined(kind: OperationKind, ty: Type, args: &[Value]) -> Option<(u16, [Half; 2])> {
    let (OperationKind::Call(Builtin::Join), [low, high]) = (kind, args) else { return None };
    let is_half = |value: &Value| value.ty.total_bits() == 16;
    if ty.total_bits() != 32 || !is_half(low) || !is_half(high) {
        return None;
    }
    let ((row, low), (other, high)) = (low.half?, high.half?);
    (row == other).then_some((row, [low, high]))
}

/// Whether arguments fill their rows.
fn fill_rows(args: &[Argument]) -> bool {
    args.iter().all(|arg| arg.ty.total_bits().is_multiple_of(32))
}

/// Whether values fill rows that follow each other.
fn are_consecutive(args: &[Value]) -> bool {
    let fills = |value: &Value| value.ty.total_bits().is_multiple_of(32);
    let follows = |pair: &[Value]| match pair {
        [before, after] => before.row.map(|row| row.saturating_add(dwords(before.ty))) == after.row,
        _ => false,
    };
    args.iter().all(|arg| fills(arg) && arg.row.is_some()) && args.windows(2).all(follows)
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
