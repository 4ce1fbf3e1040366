//! Which bits of a result are undefined if bits of the arguments are.
//!
//! A bit of the result is undefined if it may change when undefined bits of arguments do. The rules may call more bits undefined, but
//! not fewer.

use isa_runtime::body::{BinaryOp, Builtin, Class, Type, UnaryOp};

use crate::eval::Typed;
use crate::operation::{Half, OperationKind, element, extended, format, low_bits};

/// An argument, and which of its bits are undefined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partial {
    pub value: Typed,
    pub undefined: u128,
}

impl Partial {
    const fn is_defined(&self) -> bool {
        self.undefined == 0
    }

    const fn width(&self) -> u32 {
        self.value.ty.total_bits() as u32
    }

    /// The smallest and the largest unsigned number that it may be.
    const fn bounds(&self) -> (u128, u128) {
        (self.value.bits & !self.undefined, self.value.bits | self.undefined)
    }
}

/// The undefined bits of the result of an operation.
pub(crate) fn undefined(kind: OperationKind, ty: Type, args: &[Partial]) -> u128 {
    let width = u32::from(ty.total_bits());
    let [Some(a), b, c] = [0, 1, 2].map(|n| args.get(n)) else { return 0 };
    if args.iter().all(Partial::is_defined) {
        return 0;
    }
    let [b, c] = [b, c].map(|arg| arg.unwrap_or(a));
    let bits = match kind {
        OperationKind::Unary(UnaryOp::Not) => a.undefined,
        // The sign of a float is a separate bit.
        OperationKind::Unary(UnaryOp::Neg) if format(ty).is_some() => a.undefined,
        OperationKind::Unary(UnaryOp::Neg) => each(ty, &[*a], |[a, ..]| up(a.undefined)),
        OperationKind::Binary(op) | OperationKind::Masked(op) => binary(kind, op, ty, a, b),
        OperationKind::Cast => cast(ty, a),
        OperationKind::Slice(lo) => a.undefined.checked_shr(lo.into()).unwrap_or(0),
        OperationKind::Bit if b.is_defined() => a.undefined.checked_shr(count(b)).unwrap_or(0) & 1,
        OperationKind::Select => select(a, b, c),
        OperationKind::Insert(lo) => {
            let mask = low_bits(u128::MAX, b.width()).checked_shl(lo.into()).unwrap_or(0);
            a.undefined & !mask | b.undefined.checked_shl(lo.into()).unwrap_or(0) & mask
        }
        OperationKind::InsertBit if b.is_defined() => match 1u128.checked_shl(count(b)) {
            Some(bit) => a.undefined & !bit | if c.is_defined() { 0 } else { bit },
            None => a.undefined,
        },
        OperationKind::Halves(halves) => {
            let half = |half: Half| Half { is_negated: false, ..half }.of(a.undefined as u32);
            u128::from(half(halves[0]) | half(halves[1]) << 16)
        }
        OperationKind::Call(builtin) => call(builtin, ty, args),
        _ => u128::MAX,
    };
    low_bits(bits, width)
}

/// All bits from the lowest undefined one on: a carry goes up.
const fn up(undefined: u128) -> u128 {
    undefined | undefined.wrapping_neg()
}

/// A shift count; counts beyond any width are alike.
fn count(arg: &Partial) -> u32 {
    u32::try_from(arg.value.bits).unwrap_or(u32::MAX)
}

/// Applies a rule to each element of a result with several.
fn each(ty: Type, args: &[Partial], rule: impl Fn([Partial; 3]) -> u128) -> u128 {
    let lanes = u32::from(ty.lanes().max(1));
    let mut bits = 0;
    for at in 0..lanes {
        let of_element = [0, 1, 2].map(|n| {
            let arg = args.get(n).or(args.first()).copied();
            let arg = arg.unwrap_or(Partial { value: Typed { bits: 0, ty }, undefined: 0 });
            let from = arg.value.ty;
            if from.lanes() <= 1 {
                return arg;
            }
            let value = Typed { bits: element(arg.value.bits, from, at), ty: from.element() };
            Partial { value, undefined: element(arg.undefined, from, at) }
        });
        let undefined = low_bits(rule(of_element), ty.bits().into());
        bits |= undefined.checked_shl(at * u32::from(ty.bits())).unwrap_or(0);
    }
    bits
}

/// All bits of each element that depends on an undefined one.
fn whole_elements(ty: Type, args: &[Partial]) -> u128 {
    let number = args.len();
    each(ty, args, |args| if args.iter().take(number).all(Partial::is_defined) { 0 } else { u128::MAX })
}

fn binary(kind: OperationKind, op: BinaryOp, ty: Type, a: &Partial, b: &Partial) -> u128 {
    if op_compares(op) {
        return u128::from(compare_is_undefined(op, a, b));
    }
    let args = [*a, *b];
    let (x, y) = (a.value.bits, b.value.bits);
    match op {
        _ if format(ty).is_some() => whole_elements(ty, &args),
        BinaryOp::And => a.undefined & b.undefined | a.undefined & y | b.undefined & x,
        BinaryOp::Or => a.undefined & b.undefined | a.undefined & !y | b.undefined & !x,
        BinaryOp::Xor => a.undefined | b.undefined,
        BinaryOp::Add | BinaryOp::Sub => each(ty, &args, |[a, b, _]| up(a.undefined | b.undefined)),
        BinaryOp::Mul => each(ty, &args, product),
        BinaryOp::Shl | BinaryOp::Shr => each(ty, &args, |[a, b, _]| {
            let width = u128::from(a.value.ty.bits().max(1));
            let by = if matches!(kind, OperationKind::Masked(_)) { b.value.bits % width } else { b.value.bits };
            let is_known = match kind {
                // Only the low bits of the count matter.
                OperationKind::Masked(_) if width.is_power_of_two() => b.undefined & (width - 1) == 0,
                _ => b.is_defined(),
            };
            if !is_known {
                // Zero shifted is zero.
                return if a.bounds().1 == 0 { 0 } else { u128::MAX };
            }
            let by = u32::try_from(by).unwrap_or(u32::MAX);
            match op {
                BinaryOp::Shl => a.undefined.checked_shl(by).unwrap_or(0),
                _ if a.value.ty.class() == Class::Signed => (extended(a.undefined, a.value.ty) >> by.min(127)) as u128,
                _ => a.undefined.checked_shr(by).unwrap_or(0),
            }
        }),
        _ => whole_elements(ty, &args),
    }
}

/// The undefined bits of a product: zeros at the low end of a defined factor shift those of the other.
fn product([a, b, _]: [Partial; 3]) -> u128 {
    let zeros = |factor: &Partial| if factor.is_defined() { factor.value.bits.trailing_zeros() } else { 0 };
    let lowest = |partial: &Partial| partial.undefined.trailing_zeros();
    let zero = |factor: &Partial| factor.is_defined() && factor.value.bits == 0;
    if zero(&a) || zero(&b) {
        return 0;
    }
    // A factor's undefined bit is multiplied by the lowest bit that the other may have.
    let least = |partial: &Partial| lowest(partial).min((partial.value.bits | partial.undefined).trailing_zeros());
    let from_a = if a.is_defined() { 128 } else { lowest(&a) + if b.is_defined() { zeros(&b) } else { least(&b) } };
    let from_b = if b.is_defined() { 128 } else { lowest(&b) + if a.is_defined() { zeros(&a) } else { least(&a) } };
    u128::MAX.checked_shl(from_a.min(from_b)).unwrap_or(0)
}

const fn op_compares(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
}

fn compare_is_undefined(op: BinaryOp, a: &Partial, b: &Partial) -> bool {
    if format(a.value.ty).is_some() {
        return true;
    }
    let defined = !(a.undefined | b.undefined);
    let mask = low_bits(u128::MAX, a.width());
    match op {
        // Defined bits that differ decide.
        BinaryOp::Eq | BinaryOp::Ne => (a.value.bits ^ b.value.bits) & defined & mask == 0,
        _ => {
            // A sign turns the order of unsigned numbers round; without it the bounds decide.
            let flip = if a.value.ty.class() == Class::Signed { 1u128 << (a.width().clamp(1, 128) - 1) } else { 0 };
            let bounds = |arg: &Partial| {
                let value = Typed { bits: (arg.value.bits ^ flip) & mask, ..arg.value };
                Partial { value, undefined: arg.undefined & mask }.bounds()
            };
            let ((least_a, most_a), (least_b, most_b)) = (bounds(a), bounds(b));
            let (always, never) = match op {
                BinaryOp::Lt => (most_a < least_b, least_a >= most_b),
                BinaryOp::Le => (most_a <= least_b, least_a > most_b),
                BinaryOp::Gt => (least_a > most_b, most_a <= least_b),
                _ => (least_a >= most_b, most_a < least_b),
            };
            !(always || never)
        }
    }
}

fn cast(ty: Type, a: &Partial) -> u128 {
    let from = a.value.ty;
    let is_plain = |ty: Type| format(ty).is_none();
    if is_plain(ty) && is_plain(from) || matches!(ty.class(), Class::Bits) || matches!(from.class(), Class::Bits) {
        if ty.lanes() == from.lanes() && ty.lanes() > 1 {
            return each(ty, &[*a], |[a, ..]| extended(a.undefined, a.value.ty) as u128);
        }
        return if from.lanes() <= 1 { extended(a.undefined, from) as u128 } else { a.undefined };
    }
    if format(ty) == format(from) {
        return a.undefined;
    }
    if ty.lanes() == from.lanes() { whole_elements(ty, &[*a]) } else { u128::MAX }
}

fn select(condition: &Partial, yes: &Partial, no: &Partial) -> u128 {
    if condition.undefined & 1 == 0 {
        return if condition.value.bits & 1 != 0 { yes.undefined } else { no.undefined };
    }
    let undefined = yes.undefined | no.undefined;
    // A choice that nobody made concerns the whole value, also where the two differ in a few bits.
    if (yes.value.bits ^ no.value.bits) & !undefined == 0 { undefined } else { u128::MAX }
}

fn call(builtin: Builtin, ty: Type, args: &[Partial]) -> u128 {
    use Builtin as B;
    let [Some(a), b, c] = [0, 1, 2].map(|n| args.get(n)) else { return 0 };
    let [b, c] = [b, c].map(|arg| arg.unwrap_or(a));
    match builtin {
        B::Carry | B::Borrow => u128::from(carry_is_undefined(builtin, a, b, args.get(2))),
        B::Bfe if b.is_defined() && c.is_defined() => {
            let (offset, width) = (count(b), count(c));
            let shifted = if a.value.ty.class() == Class::Signed {
                (extended(a.undefined, a.value.ty) >> offset.min(127)) as u128
            } else {
                a.undefined.checked_shr(offset).unwrap_or(0)
            };
            let taken = low_bits(shifted, width.min(a.width()));
            match ty.class() {
                Class::Signed if width > 0 && width < 128 => {
                    (taken << (128 - width)) as i128 as u128 >> (128 - width)
                        | if taken.checked_shr(width - 1).unwrap_or(0) & 1 != 0 {
                            u128::MAX.checked_shl(width).unwrap_or(0)
                        } else {
                            0
                        }
                }
                _ => taken,
            }
        }
        B::Bitrev => low_bits(a.undefined, a.width()).reverse_bits().checked_shr(128 - a.width()).unwrap_or(0),
        B::Abs if format(ty).is_some() => each(ty, &[*a], |[a, ..]| low_bits(a.undefined, u32::from(ty.bits()) - 1)),
        B::Replicate => (0..32).fold(0, |all, at| all | ((a.undefined >> at & 1) * 3) << (2 * at)),
        B::Quadmask => (0..a.width().div_ceil(4)).fold(0, |all, at| {
            let quad = Partial {
                value: Typed { bits: a.value.bits >> (4 * at) & 15, ..a.value },
                undefined: a.undefined >> (4 * at) & 15,
            };
            all | u128::from(any_is_undefined(&quad)) << at
        }),
        B::Wqm => (0..a.width().div_ceil(4)).fold(0, |all, at| {
            let quad = Partial {
                value: Typed { bits: a.value.bits >> (4 * at) & 15, ..a.value },
                undefined: a.undefined >> (4 * at) & 15,
            };
            all | if any_is_undefined(&quad) { 15 << (4 * at) } else { 0 }
        }),
        B::BytePerm if b.is_defined() => (0..4).fold(0, |all, at| {
            let byte = |n: u128| a.undefined >> (8 * n) & 0xFF;
            let undefined = match b.value.bits >> (8 * at) & 0xFF {
                selected @ 0..=7 => byte(selected),
                selected @ 8..=11 if byte(2 * (selected - 8) + 1) & 0x80 != 0 => 0xFF,
                _ => 0,
            };
            all | undefined << (8 * at)
        }),
        B::SetByte if b.is_defined() => {
            let shift = (b.value.bits as u32 & 3) * 8;
            a.undefined & !(0xFF << shift) | (c.undefined & 0xFF) << shift
        }
        B::Join => {
            let mut at = 0;
            args.iter().fold(0, |joined, arg| {
                let bits = low_bits(arg.undefined, arg.width()).checked_shl(at).unwrap_or(0);
                at += arg.width();
                joined | bits
            })
        }
        B::Med3 | B::Min | B::Max | B::Min3 | B::Max3 | B::Minmax | B::Maxmin => whole_elements(ty, args),
        _ if args.iter().all(|arg| arg.value.ty.lanes() == ty.lanes()) && args.len() <= 3 => whole_elements(ty, args),
        _ => u128::MAX,
    }
}

/// Whether it is not known whether a number is zero.
const fn any_is_undefined(a: &Partial) -> bool {
    a.undefined != 0 && a.value.bits & !a.undefined == 0
}

/// Whether the carry of a sum or a difference may be either.
fn carry_is_undefined(builtin: Builtin, a: &Partial, b: &Partial, c: Option<&Partial>) -> bool {
    let of_carry = |(least, most): (u128, u128)| (least & 1, most & 1);
    let ((a0, a1), (b0, b1)) = (a.bounds(), b.bounds());
    let (c0, c1) = c.map_or((0, 0), |c| of_carry(c.bounds()));
    let largest = low_bits(u128::MAX, a.width());
    let exceeds =
        |x: u128, y: u128, c: u128| x.checked_add(y).and_then(|sum| sum.checked_add(c)).is_none_or(|sum| sum > largest);
    let borrows = |x: u128, y: u128, c: u128| y.checked_add(c).is_none_or(|subtrahend| x < subtrahend);
    match builtin {
        Builtin::Carry => exceeds(a0, b0, c0) != exceeds(a1, b1, c1),
        _ => borrows(a1, b0, c0) != borrows(a0, b1, c1),
    }
}

#[cfg(test)]
mod tests;
