//! Evaluates an operation for one lane, for every type up to 128 bits.
//!
//! This is the definition. Primitives over whole rows are optimisations of it with the same result.

mod builtin;
mod cast;

use core::cmp::Ordering;

use isa_runtime::body::{BinaryOp, Type, UnaryOp};

use crate::num::{self, Format};
use crate::operation::{Modes, OperationKind, element, extended, format, low_bits};

/// A number and its type.
#[derive(Clone, Copy, Debug)]
pub struct Typed {
    /// The bits; 0 above the type's width.
    pub bits: u128,
    /// The type.
    pub ty: Type,
}

/// Computes the result of an operation of type `ty`; its bits above the width are 0.
#[must_use]
pub fn evaluate(kind: OperationKind, ty: Type, args: &[Typed], modes: &Modes) -> u128 {
    let none = Typed { bits: 0, ty };
    let [a, b, c] = [0, 1, 2].map(|n| args.get(n).copied().unwrap_or(none));
    let result = match kind {
        OperationKind::Unary(op) => elementwise(ty, &[a], |args| unary(op, args[0])),
        OperationKind::Binary(op) if op.compares() => u128::from(compare(op, a, b, modes)),
        OperationKind::Binary(op) => elementwise(ty, &[a, b], |args| binary(op, args[0], args[1], modes)),
        OperationKind::Cast => cast::cast(ty, a, modes),
        OperationKind::Saturate => {
            elementwise(ty, &[a], |args| saturate(extended(args[0].bits, args[0].ty), ty.element()))
        }
        OperationKind::Halves([low, high]) => {
            let dword = a.bits as u32;
            (low.of(dword) | high.of(dword) << 16).into()
        }
        OperationKind::Slice(lo) => a.bits.checked_shr(lo.into()).unwrap_or(0),
        OperationKind::Bit => u128::from(bit(a, b)),
        OperationKind::Select => {
            if a.bits & 1 != 0 {
                b.bits
            } else {
                c.bits
            }
        }
        OperationKind::Insert(lo) => insert(a.bits, lo.into(), b.bits, b.ty.total_bits().into()),
        OperationKind::InsertBit => {
            let index = u32::try_from(b.bits).unwrap_or(u32::MAX);
            if index < u32::from(ty.total_bits()) { insert(a.bits, index, c.bits, 1) } else { a.bits }
        }
        OperationKind::Call(builtin) => builtin::call(builtin, ty, args, modes),
        OperationKind::Masked(op) => {
            let count = b.bits & u128::from(a.ty.bits().max(1) - 1);
            binary(op, a, Typed { bits: count, ..b }, modes)
        }
        OperationKind::Chain(first, second) => {
            second.apply(first.apply(a.bits as u32, b.bits as u32), c.bits as u32).into()
        }
        OperationKind::Blend => a.bits & b.bits | !a.bits & c.bits,
        OperationKind::AndNot => a.bits & !b.bits,
        OperationKind::Related(relation) => {
            let input = |arg: Typed| {
                let bits = arg.bits as u32;
                let is_flushed = modes.f32.flush_inputs && bits & 0x7F80_0000 == 0;
                f32::from_bits(if is_flushed { bits & 0x8000_0000 } else { bits })
            };
            relation.holds(input(a), input(b)).into()
        }
        OperationKind::Funnel => (b.bits << 32 | a.bits) >> (c.bits & 31),
        OperationKind::BytesOfTwo => num::byte_perm(b.bits as u32, a.bits as u32, c.bits as u32).into(),
        OperationKind::MulHigh => (extended(a.bits, a.ty).wrapping_mul(extended(b.bits, b.ty)) >> 32) as u128,
        OperationKind::MulAdd => {
            let product = extended(a.bits, a.ty).wrapping_mul(extended(b.bits, b.ty));
            product.wrapping_add(extended(c.bits, c.ty)) as u128
        }
    };
    low_bits(result, u32::from(ty.total_bits().max(1)))
}

/// Applies a function to each element of values of several elements; a value with one element serves all.
pub(crate) fn elementwise(ty: Type, args: &[Typed], mut f: impl FnMut(&[Typed]) -> u128) -> u128 {
    if ty.lanes() <= 1 {
        return low_bits(f(args), ty.bits().max(1).into());
    }
    let mut result = 0;
    for at in 0..u32::from(ty.lanes()) {
        let mut of_element = [Typed { bits: 0, ty }; 4];
        for (to, from) in of_element.iter_mut().zip(args) {
            *to = match from.ty.lanes() {
                0 | 1 => *from,
                _ => Typed { bits: element(from.bits, from.ty, at), ty: from.ty.element() },
            };
        }
        let bits = low_bits(f(of_element.get(..args.len()).unwrap_or_default()), ty.bits().into());
        result |= bits.checked_shl(at * u32::from(ty.bits())).unwrap_or(0);
    }
    result
}

/// Replaces bits from `lo` on.
fn insert(bits: u128, lo: u32, new: u128, width: u32) -> u128 {
    let mask = low_bits(u128::MAX, width).checked_shl(lo).unwrap_or(0);
    bits & !mask | new.checked_shl(lo).unwrap_or(0) & mask
}

/// One bit; 0 beyond the width.
fn bit(value: Typed, index: Typed) -> bool {
    let index = u32::try_from(index.bits).unwrap_or(u32::MAX);
    value.bits.checked_shr(index).unwrap_or(0) & 1 != 0
}

fn unary(op: UnaryOp, a: Typed) -> u128 {
    match (op, format(a.ty)) {
        (UnaryOp::Neg, Some(format)) => a.bits ^ u128::from(format.sign_bit()),
        (UnaryOp::Neg, None) => a.bits.wrapping_neg(),
        (UnaryOp::Not, _) => !a.bits,
    }
}

/// The shift count of an operator; counts beyond any width are alike.
fn count(bits: u128) -> u32 {
    u32::try_from(bits).unwrap_or(u32::MAX)
}

fn binary(op: BinaryOp, a: Typed, b: Typed, modes: &Modes) -> u128 {
    if let Some(format) = format(a.ty) {
        return float(op, format, a.bits as u64, b.bits as u64, modes).into();
    }
    let (x, y) = (extended(a.bits, a.ty), extended(b.bits, b.ty));
    let result = match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::Div if a.ty.bits() == 128 => return a.bits.checked_div(b.bits).unwrap_or(0),
        BinaryOp::Rem if a.ty.bits() == 128 => return a.bits.checked_rem(b.bits).unwrap_or(0),
        BinaryOp::Div => x.checked_div(y).unwrap_or(0),
        BinaryOp::Rem => x.checked_rem(y).unwrap_or(0),
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Xor => x ^ y,
        BinaryOp::Shl => a.bits.checked_shl(count(b.bits)).unwrap_or(0) as i128,
        BinaryOp::Shr if is_signed(a.ty) => x >> count(b.bits).min(127),
        BinaryOp::Shr => return a.bits.checked_shr(count(b.bits)).unwrap_or(0),
        // Comparisons do not come here.
        _ => 0,
    };
    result as u128
}

const fn is_signed(ty: Type) -> bool {
    matches!(ty.class(), isa_runtime::body::Class::Signed)
}

fn float(op: BinaryOp, format: Format, a: u64, b: u64, modes: &Modes) -> u64 {
    let mode = modes.of(format);
    match op {
        BinaryOp::Add => num::add(format, mode, a, b),
        BinaryOp::Sub => num::sub(format, mode, a, b),
        BinaryOp::Mul => num::mul(format, mode, a, b),
        _ => 0,
    }
}

fn compare(op: BinaryOp, a: Typed, b: Typed, modes: &Modes) -> bool {
    let ordering = match format(a.ty) {
        Some(format) => num::compare(format, modes.of(format), a.bits as u64, b.bits as u64),
        None if is_signed(a.ty) => Some(extended(a.bits, a.ty).cmp(&extended(b.bits, b.ty))),
        None => Some(a.bits.cmp(&b.bits)),
    };
    match op {
        BinaryOp::Eq => ordering == Some(Ordering::Equal),
        BinaryOp::Ne => ordering != Some(Ordering::Equal),
        BinaryOp::Lt => ordering == Some(Ordering::Less),
        BinaryOp::Le => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Gt => ordering == Some(Ordering::Greater),
        _ => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// The nearest number of an integer type.
pub(crate) fn saturate(value: i128, ty: Type) -> u128 {
    let bits = u32::from(ty.bits()).clamp(1, 127);
    let (least, greatest) =
        if is_signed(ty) { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    value.clamp(least, greatest) as u128
}
