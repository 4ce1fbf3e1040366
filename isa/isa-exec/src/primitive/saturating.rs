//! Integers that are computed exactly and then saturate.

use isa_runtime::body::{BinaryOp, Builtin, Class, Type};

use crate::num::fast16::mask;
use crate::operation::{Operation, OperationKind};
use crate::primitive::functions::row_functions;
use crate::primitive::lanes::map;
use crate::primitive::narrow::{bits_of, map_extended};
use crate::primitive::{Env, Function, Primitive};
use crate::rows::{File, Row};

/// The function for an operation on pairs of integers of 32 bits or one that saturates, if it has one.
pub(crate) fn function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    let arg = |n: usize| operation.args.get(n).map(|arg| arg.ty);
    let (ty, first) = (operation.ty, arg(0)?);
    let are_pairs = is_number(ty, 2, 32) && operation.args.iter().all(|arg| is_number(arg.ty, 2, 32));
    match operation.kind {
        OperationKind::Cast if is_number(first, 2, 16) && is_number(ty, 2, 32) => Some(extend_pairs::<R>),
        OperationKind::Binary(BinaryOp::Add) if are_pairs => Some(add_pairs::<R>),
        OperationKind::Binary(BinaryOp::Sub) if are_pairs => Some(sub_pairs::<R>),
        OperationKind::Binary(BinaryOp::Mul) if are_pairs => Some(mul_pairs::<R>),
        OperationKind::Call(Builtin::SatU8 | Builtin::SatU16 | Builtin::SatI16) | OperationKind::Saturate => {
            saturation(first, ty)
        }
        _ => None,
    }
}

/// Whether a type is a number of integers, of a width in bits.
fn is_number(ty: Type, lanes: u8, bits: u16) -> bool {
    matches!(ty.class(), Class::Signed | Class::Unsigned) && ty.lanes() == lanes && ty.bits() == bits
}

fn saturation<R: Row>(from: Type, to: Type) -> Option<Function<R>> {
    let one = |ty: Type, limit| ty.bits() <= limit && is_number(ty, 1, ty.bits());
    let signed = (from.class() == Class::Signed, to.class() == Class::Signed);
    macro_rules! of_signs {
        ($name:ident) => {
            match signed {
                (false, false) => Some($name::<R, false, false>),
                (false, true) => Some($name::<R, false, true>),
                (true, false) => Some($name::<R, true, false>),
                (true, true) => Some($name::<R, true, true>),
            }
        };
    }
    match from.bits() {
        ..=32 if one(from, 32) && one(to, 32) => of_signs!(saturate),
        32 if is_number(from, 2, 32) && is_number(to, 2, 16) => of_signs!(saturate_pairs),
        64 if one(from, 64) && one(to, 32) => of_signs!(saturate_wide),
        _ => None,
    }
}

/// The bounds of an integer type of at most 32 bits: the least number, and the greatest.
#[inline(always)]
const fn bounds(ty: Type) -> (i32, u32) {
    let all = bits_of(ty);
    if matches!(ty.class(), Class::Signed) { (!(all >> 1) as i32, all >> 1) } else { (0, all) }
}

/// The nearest number in bounds; `FROM`, `TO`: whether the number and the result are signed.
#[inline(always)]
fn clamped<const FROM: bool, const TO: bool>(number: u32, (least, greatest): (i32, u32)) -> u32 {
    match (FROM, TO) {
        (false, _) => number.min(greatest),
        (true, true) => (number as i32).max(least).min(greatest as i32) as u32,
        (true, false) => ((number as i32).max(0) as u32).min(greatest),
    }
}

fn saturate<R: Row, const FROM: bool, const TO: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let (bounds, kept) = (bounds(p.operation.ty), bits_of(p.operation.ty));
    map_extended(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a| clamped::<FROM, TO>(a, bounds) & kept,
    );
}

/// The numbers of a pair.
#[inline(always)]
const fn split(pair: u64) -> [u32; 2] {
    [pair as u32, (pair >> 32) as u32]
}

/// A pair of numbers.
#[inline(always)]
fn unite([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn saturate_pairs<R: Row, const FROM: bool, const TO: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let bounds = bounds(p.operation.ty);
    map::<R, u64, u32, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[pair]| {
            let [low, high] = split(pair);
            clamped::<FROM, TO>(low, bounds) & 0xFFFF | clamped::<FROM, TO>(high, bounds) << 16
        },
    );
}

/// Saturates numbers of 64 bits.
fn saturate_wide<R: Row, const FROM: bool, const TO: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let (bounds, kept) = (bounds(p.operation.ty), bits_of(p.operation.ty));
    map::<R, u64, u32, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[number]| {
            let [low, high] = split(number);
            let is_negative = if FROM { (high as i32 >> 31) as u32 } else { 0 };
            // To 32 bits first.
            let (fits, nearest) = if TO {
                (mask(high == is_negative && low >> 31 == is_negative & 1), is_negative ^ 0x7FFF_FFFF)
            } else {
                (mask(high == 0), !is_negative)
            };
            clamped::<TO, TO>(low & fits | nearest & !fits, bounds) & kept
        },
    );
}

/// Extends pairs of 16 bits to 32.
fn extend_pairs<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let is_signed = p.operation.args.first().is_some_and(|arg| arg.ty.class() == Class::Signed);
    let extended = |bits: u32| if is_signed { (bits as i32 >> 16) as u32 } else { bits >> 16 };
    map::<R, u32, u64, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| unite([extended(a << 16), extended(a)]),
    );
}

/// Computes pairs of dwords.
#[inline(always)]
fn map_pairs<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32, u32) -> u32) {
    map::<R, u64, u64, 2>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a, b]| {
            let ([a, x], [b, y]) = (split(a), split(b));
            unite([f(a, b), f(x, y)])
        },
    );
}

row_functions! {
    add_pairs = map_pairs |a, b| a.wrapping_add(b);
    sub_pairs = map_pairs |a, b| a.wrapping_sub(b);
    mul_pairs = map_pairs |a, b| a.wrapping_mul(b);
}
