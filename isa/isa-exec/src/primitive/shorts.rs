//! Functions of integers of 16 bits, single and packed in pairs.
//!
//! All ignore the bits of their arguments above the type.

use isa_runtime::body::{BinaryOp, Builtin, Class, Type};

use crate::num::fast16::mask;
use crate::operation::{Operation, OperationKind};
use crate::primitive::functions::map2;
use crate::primitive::lanes::{HALVES, compute_left, store_unmarked};
use crate::primitive::{Env, Function, Primitive, general};
use crate::rows::{File, LANES, Row, Wide};

/// The halves of a row, that of lane 0's low half first.
pub(super) type RowHalves = [u16; 2 * LANES];

/// Takes a row apart: no instructions on hosts that store the low half first.
#[inline(always)]
pub(super) fn split(row: &Wide) -> RowHalves {
    let mut halves = [0; 2 * LANES];
    for lane in 0..LANES {
        halves[2 * lane] = row.0[lane] as u16;
        halves[2 * lane + 1] = (row.0[lane] >> 16) as u16;
    }
    halves
}

/// Puts the halves of a row together.
#[inline(always)]
pub(super) fn unite(halves: &RowHalves) -> Wide {
    let mut row = Wide([0; LANES]);
    for lane in 0..LANES {
        row.0[lane] = u32::from(halves[2 * lane]) | u32::from(halves[2 * lane + 1]) << 16;
    }
    row
}

/// Computes halves, twice as many in a vector as dwords: values, and marks of those to be evaluated apart in their highest bits.
#[inline(always)]
pub(super) fn shorts<R: Row, const PACKED: bool, const N: usize>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn([u16; N]) -> (u16, u16),
) {
    let left = env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let mut args = [[0; 2 * LANES]; N];
            for (to, at) in args.iter_mut().zip(p.args) {
                let Some(row) = file.row(at).wide() else { return u32::MAX };
                *to = split(row);
            }
            let (mut values, mut marks) = ([0; 2 * LANES], [0; 2 * LANES]);
            for at in 0..2 * LANES {
                let mut of_half = [0; N];
                for (to, arg) in of_half.iter_mut().zip(&args) {
                    *to = arg[at];
                }
                (values[at], marks[at]) = f(of_half);
            }
            let (mut row, mut marks) = (unite(&values), unite(&marks));
            if !PACKED {
                // Two loops over iterators, chained, would not become vector instructions.
                for lane in 0..LANES {
                    row.0[lane] &= 0xFFFF;
                    marks.0[lane] &= 0xFFFF;
                }
            }
            let (Some(row), Some(marks)) = (R::from_wide(row), R::from_wide(marks)) else { return u32::MAX };
            store_unmarked::<R, u32, HALVES>(file, env, dst, &row, &marks)
        },
    );
    compute_left(file, env, left, |file, env| general(file, p, env, dst));
}

/// The function for an operation on integers of 16 bits, if it has one.
pub(crate) fn function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    let arg = |n: usize| operation.args.get(n).map(|arg| arg.ty);
    let (ty, first) = (operation.ty, arg(0)?);
    if !matches!(first.class(), Class::Bits | Class::Unsigned | Class::Signed) || first.bits() != 16 {
        return None;
    }
    let is_alike = operation.args.iter().all(|arg| arg.ty == first);
    match operation.kind {
        OperationKind::Binary(op @ (BinaryOp::Shl | BinaryOp::Shr)) if ty == first => shift(op, first, arg(1)?),
        OperationKind::Binary(op) if is_alike && (op.compares() || ty == first) => binary(op, first),
        OperationKind::Call(builtin) if is_alike && ty == first => call(builtin, first),
        _ => None,
    }
}

fn shift<R: Row>(op: BinaryOp, ty: Type, count: Type) -> Option<Function<R>> {
    let is_count = matches!(count.class(), Class::Bits | Class::Unsigned) && count.bits() <= 16;
    if !is_count || count.lanes() != ty.lanes() || count.lanes() == 2 && count.bits() != 16 {
        return None;
    }
    match op {
        BinaryOp::Shl => of_lanes!(ty, shl),
        _ if ty.class() == Class::Signed => of_lanes!(ty, sar),
        _ => of_lanes!(ty, shr),
    }
}

fn binary<R: Row>(op: BinaryOp, ty: Type) -> Option<Function<R>> {
    let is_signed = ty.class() == Class::Signed;
    match op {
        BinaryOp::Add => of_lanes!(ty, add),
        BinaryOp::Sub => of_lanes!(ty, sub),
        BinaryOp::Mul => of_lanes!(ty, mul),
        BinaryOp::And => of_lanes!(ty, and),
        BinaryOp::Or => of_lanes!(ty, or),
        BinaryOp::Xor => of_lanes!(ty, xor),
        _ if ty.lanes() != 1 => None,
        BinaryOp::Eq => Some(eq::<R, false>),
        BinaryOp::Ne => Some(ne::<R, false>),
        BinaryOp::Lt if is_signed => Some(lt_signed::<R, false>),
        BinaryOp::Le if is_signed => Some(le_signed::<R, false>),
        BinaryOp::Gt if is_signed => Some(gt_signed::<R, false>),
        BinaryOp::Ge if is_signed => Some(ge_signed::<R, false>),
        BinaryOp::Lt => Some(lt::<R, false>),
        BinaryOp::Le => Some(le::<R, false>),
        BinaryOp::Gt => Some(gt::<R, false>),
        BinaryOp::Ge => Some(ge::<R, false>),
        _ => None,
    }
}

fn call<R: Row>(builtin: Builtin, ty: Type) -> Option<Function<R>> {
    use Builtin as B;
    match (builtin, ty.class()) {
        (B::Min, Class::Signed) => of_lanes!(ty, min_signed),
        (B::Max, Class::Signed) => of_lanes!(ty, max_signed),
        (B::Min3, Class::Signed) => of_lanes!(ty, min3_signed),
        (B::Max3, Class::Signed) => of_lanes!(ty, max3_signed),
        (B::Med3, Class::Signed) => of_lanes!(ty, med3_signed),
        (B::Min, _) => of_lanes!(ty, min),
        (B::Max, _) => of_lanes!(ty, max),
        (B::Min3, _) => of_lanes!(ty, min3),
        (B::Max3, _) => of_lanes!(ty, max3),
        (B::Med3, _) => of_lanes!(ty, med3),
        _ => None,
    }
}

macro_rules! short_functions {
    ($($name:ident = |$args:pat_param| $result:expr;)*) => {
        $(fn $name<R: Row, const PACKED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            shorts::<R, PACKED, _>(file, p, env, dst, #[inline(always)] |$args| ($result, 0));
        })*
    };
}

/// The same bits as a signed number.
#[inline(always)]
const fn signed(bits: u16) -> i16 {
    bits as i16
}

short_functions! {
    add = |[a, b]| a.wrapping_add(b);
    sub = |[a, b]| a.wrapping_sub(b);
    mul = |[a, b]| a.wrapping_mul(b);
    and = |[a, b]| a & b;
    or = |[a, b]| a | b;
    xor = |[a, b]| a ^ b;
    eq = |[a, b]| u16::from(a == b);
    ne = |[a, b]| u16::from(a != b);
    lt = |[a, b]| u16::from(a < b);
    le = |[a, b]| u16::from(a <= b);
    gt = |[a, b]| u16::from(a > b);
    ge = |[a, b]| u16::from(a >= b);
    lt_signed = |[a, b]| u16::from(signed(a) < signed(b));
    le_signed = |[a, b]| u16::from(signed(a) <= signed(b));
    gt_signed = |[a, b]| u16::from(signed(a) > signed(b));
    ge_signed = |[a, b]| u16::from(signed(a) >= signed(b));
    min = |[a, b]| a.min(b);
    max = |[a, b]| a.max(b);
    min3 = |[a, b, c]| a.min(b).min(c);
    max3 = |[a, b, c]| a.max(b).max(c);
    med3 = |[a, b, c]| a.min(b).max(a.max(b).min(c));
    min_signed = |[a, b]| signed(a).min(signed(b)) as u16;
    max_signed = |[a, b]| signed(a).max(signed(b)) as u16;
    min3_signed = |[a, b, c]| signed(a).min(signed(b)).min(signed(c)) as u16;
    max3_signed = |[a, b, c]| signed(a).max(signed(b)).max(signed(c)) as u16;
    med3_signed = |[a, b, c]| {
        let [a, b, c] = [signed(a), signed(b), signed(c)];
        a.min(b).max(a.max(b).min(c)) as u16
    };
}

/// Shifts halves, as dwords, since processors have a count for each dword: `low` shifts the half at the low end of a dword, `high` the
/// one at the high end. Counts may be above 15.
#[inline(always)]
fn shift_halves<R: Row, const PACKED: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    low: impl Fn(u32, u32) -> u32,
    high: impl Fn(u32, u32) -> u32,
) {
    let bits = p.operation.args.get(1).map_or(16, |arg| arg.ty.bits().min(16));
    let counts = (1 << bits) - 1;
    map2(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a, b| {
            let of_low = low(a, b & counts) & 0xFFFF;
            if PACKED { of_low | high(a & 0xFFFF_0000, b >> 16) & 0xFFFF_0000 } else { of_low }
        },
    );
}

fn shl<R: Row, const PACKED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let shl = |a: u32, count: u32| a << (count & 31) & mask(count < 16);
    shift_halves::<R, PACKED>(file, p, env, dst, shl, shl);
}

fn shr<R: Row, const PACKED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let shr = |a: u32, count: u32| a >> (count & 31) & mask(count < 16);
    shift_halves::<R, PACKED>(file, p, env, dst, |a, count| shr(a & 0xFFFF, count), shr);
}

fn sar<R: Row, const PACKED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let sar = |a: i32, count: u32| (a >> count.min(15)) as u32;
    shift_halves::<R, PACKED>(
        file,
        p,
        env,
        dst,
        |a, count| sar((a << 16) as i32 >> 16, count),
        |a, count| sar(a as i32, count),
    );
}
