//! The functions of common operations. Each is a loop over lanes without branches, which the compiler vectorises.

use isa_runtime::body::Class;

use crate::num::Round;
use crate::operation::{Half, OperationKind};
use crate::primitive::lanes::Bits;
use crate::primitive::{Env, Primitive, general};
use crate::rows::{File, Row};

/// Computes a row from one, and stores the lanes of a mask.
#[inline(always)]
pub(super) fn rows1<R: Row>(file: &mut File<R>, p: &Primitive<R>, mask: u32, dst: u16, f: impl Fn(u32) -> u32) {
    let a = file.row(p.args[0]).lanes();
    let row = R::from_fn(
        #[inline(always)]
        |lane| f(a[lane]),
    );
    file.set_lanes(dst, mask, row);
}

/// [`rows1`], compiled for the vector units.
#[inline(always)]
pub(super) fn map1<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32) -> u32) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || rows1(file, p, env.mask, dst, f),
    );
}

/// Computes a row from two, and stores the lanes of a mask.
#[inline(always)]
pub(super) fn rows2<R: Row>(file: &mut File<R>, p: &Primitive<R>, mask: u32, dst: u16, f: impl Fn(u32, u32) -> u32) {
    let (a, b) = (file.row(p.args[0]).lanes(), file.row(p.args[1]).lanes());
    let row = R::from_fn(
        #[inline(always)]
        |lane| f(a[lane], b[lane]),
    );
    file.set_lanes(dst, mask, row);
}

/// [`rows2`], compiled for the vector units.
#[inline(always)]
pub(super) fn map2<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32, u32) -> u32) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || rows2(file, p, env.mask, dst, f),
    );
}

/// Computes a row from three, and stores the lanes of a mask.
#[inline(always)]
pub(super) fn rows3<R: Row>(
    file: &mut File<R>,
    p: &Primitive<R>,
    mask: u32,
    dst: u16,
    f: impl Fn(u32, u32, u32) -> u32,
) {
    let [a, b, c] = p.lanes(file);
    let row = R::from_fn(
        #[inline(always)]
        |lane| f(a[lane], b[lane], c[lane]),
    );
    file.set_lanes(dst, mask, row);
}

/// [`rows3`], compiled for the vector units.
#[inline(always)]
pub(super) fn map3<R: Row>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn(u32, u32, u32) -> u32,
) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || rows3(file, p, env.mask, dst, f),
    );
}

/// Computes the low and the high row of a 64-bit result.
#[inline(always)]
fn map2_wide<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u64, u64) -> u64) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [(a, x), (b, y)] =
                [p.args[0], p.args[1]].map(|at| (file.row(at).lanes(), file.row(at.wrapping_add(1)).lanes()));
            let wide = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
            let low = R::from_fn(|lane| f(wide(a[lane], x[lane]), wide(b[lane], y[lane])) as u32);
            let high = R::from_fn(|lane| (f(wide(a[lane], x[lane]), wide(b[lane], y[lane])) >> 32) as u32);
            file.set_lanes(dst, env.mask, low);
            file.set_lanes(dst.wrapping_add(1), env.mask, high);
        },
    );
}

/// Defines functions for rows that map each lane by an expression.
macro_rules! row_functions {
    ($($name:ident = $map:ident |$($arg:ident),*| $result:expr;)*) => {
        $(pub(crate) fn $name<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            $map(file, p, env, dst, #[inline(always)] |$($arg),*| $result);
        })*
    };
}

pub(super) use row_functions;

/// The carry of a sum of two dwords and bit 0 of a third. Without numbers of 64 bits, of which vectors have half as many.
#[inline(always)]
pub(super) fn carry_of(a: u32, b: u32, c: u32) -> u32 {
    let sum = a.wrapping_add(b);
    u32::from(sum < a) | u32::from(sum.wrapping_add(c & 1) < sum)
}

/// The borrow of a difference of two dwords and bit 0 of a third.
#[inline(always)]
pub(super) fn borrow_of(a: u32, b: u32, c: u32) -> u32 {
    u32::from(a < b) | u32::from(a == b) & c & 1
}

row_functions! {
    copy = map1 |a| a;
    not_bool = map1 |a| a ^ 1;
    not = map1 |a| !a;
    negate = map1 |a| a.wrapping_neg();
    add = map2 |a, b| a.wrapping_add(b);
    sub = map2 |a, b| a.wrapping_sub(b);
    mul = map2 |a, b| a.wrapping_mul(b);
    mul_24_unsigned = map2 |a, b| (a & 0xFF_FFFF).wrapping_mul(b & 0xFF_FFFF);
    mul_24_signed = map2 |a, b| ((a << 8) as i32 >> 8).wrapping_mul((b << 8) as i32 >> 8) as u32;
    and = map2 |a, b| a & b;
    or = map2 |a, b| a | b;
    xor = map2 |a, b| a ^ b;
    shl = map2 |a, b| if b < 32 { a << (b & 31) } else { 0 };
    shr = map2 |a, b| if b < 32 { a >> (b & 31) } else { 0 };
    sar = map2 |a, b| (a as i32 >> b.min(31)) as u32;
    eq = map2 |a, b| u32::from(a == b);
    ne = map2 |a, b| u32::from(a != b);
    lt = map2 |a, b| u32::from(a < b);
    le = map2 |a, b| u32::from(a <= b);
    gt = map2 |a, b| u32::from(a > b);
    ge = map2 |a, b| u32::from(a >= b);
    lt_signed = map2 |a, b| u32::from((a as i32) < b as i32);
    le_signed = map2 |a, b| u32::from(a as i32 <= b as i32);
    gt_signed = map2 |a, b| u32::from(a as i32 > b as i32);
    ge_signed = map2 |a, b| u32::from(a as i32 >= b as i32);
    min = map2 |a, b| a.min(b);
    max = map2 |a, b| a.max(b);
    min_signed = map2 |a, b| (a as i32).min(b as i32) as u32;
    max_signed = map2 |a, b| (a as i32).max(b as i32) as u32;
    min3 = map3 |a, b, c| a.min(b).min(c);
    max3 = map3 |a, b, c| a.max(b).max(c);
    med3 = map3 |a, b, c| a.min(b).max(a.max(b).min(c));
    minmax = map3 |a, b, c| a.min(b).max(c);
    maxmin = map3 |a, b, c| a.max(b).min(c);
    min3_signed = map3 |a, b, c| (a as i32).min(b as i32).min(c as i32) as u32;
    max3_signed = map3 |a, b, c| (a as i32).max(b as i32).max(c as i32) as u32;
    med3_signed = map3 |a, b, c| {
        let [a, b, c] = [a as i32, b as i32, c as i32];
        a.min(b).max(a.max(b).min(c)) as u32
    };
    minmax_signed = map3 |a, b, c| (a as i32).min(b as i32).max(c as i32) as u32;
    maxmin_signed = map3 |a, b, c| (a as i32).max(b as i32).min(c as i32) as u32;
    select = map3 |a, b, c| if a & 1 != 0 { b } else { c };
    carry = map3 |a, b, c| carry_of(a, b, c);
    borrow = map3 |a, b, c| borrow_of(a, b, c);
    popcount = map1 |a| a.count_ones();
    mul_wide = map2_wide |a, b| a.wrapping_mul(b);
    add_wide = map2_wide |a, b| a.wrapping_add(b);
    sub_wide = map2_wide |a, b| a.wrapping_sub(b);
    and_wide = map2_wide |a, b| a & b;
    or_wide = map2_wide |a, b| a | b;
    xor_wide = map2_wide |a, b| a ^ b;
}

/// Shifts dwords by a count modulo 32, which is that of lane 0 if `UNIFORM` is set.
#[inline(always)]
fn shift<R: Row, const UNIFORM: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn(u32, u32) -> u32,
) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let (a, b) = (file.row(p.args[0]).lanes(), file.row(p.args[1]).lanes());
            let count = b[0] & 31;
            let row = R::from_fn(|lane| f(a[lane], if UNIFORM { count } else { b[lane] & 31 }));
            file.set_lanes(dst, env.mask, row);
        },
    );
}

pub(crate) fn masked_shl<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    shift::<R, U>(file, p, env, dst, |a, b| a << b);
}

pub(crate) fn masked_shr<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    shift::<R, U>(file, p, env, dst, |a, b| a >> b);
}

pub(crate) fn masked_sar<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    shift::<R, U>(file, p, env, dst, |a, b| (a as i32 >> b) as u32);
}

/// Shifts two dwords to the right by a count modulo 32, which is that of lane 0 if `U` is set.
pub(crate) fn funnel<R: Row, const U: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [low, high, counts] = p.lanes(file);
            let count = counts[0] & 31;
            // In two steps, since the shift to the left is by 32 if the count is 0.
            let row = R::from_fn(|lane| {
                let count = if U { count } else { counts[lane] & 31 };
                low[lane] >> count | high[lane] << 1 << (31 - count)
            });
            file.set_lanes(dst, env.mask, row);
        },
    );
}

/// Shifts 64 bits to the left by a count modulo 64 that is that of lane 0.
pub(crate) fn masked_shl_wide_by<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [low, counts, _] = p.lanes(file);
            let high = file.row(p.args[0].wrapping_add(1)).lanes();
            let (count, far) = (counts[0] & 31, if counts[0] & 32 != 0 { u32::MAX } else { 0 });
            let of_high = R::from_fn(|lane| {
                // In two steps, since the shift to the right is by 32 if the count is 0.
                let near = high[lane] << count | low[lane] >> 1 >> (31 - count);
                near & !far | low[lane] << count & far
            });
            let of_low = R::from_fn(|lane| low[lane] << count & !far);
            file.set_lanes(dst, env.mask, of_low);
            file.set_lanes(dst.wrapping_add(1), env.mask, of_high);
        },
    );
}

/// The product of two dwords plus 64 bits: the lower 64 bits of the sum, and the dword of the bits above them.
#[inline(always)]
const fn mul_add<const SIGNED: bool>(a: u32, b: u32, c: u64) -> (u64, u32) {
    if SIGNED {
        let product = (a as i32 as i64 * b as i32 as i64) as u64;
        let sum = product.wrapping_add(c);
        // The sign of the exact sum is not that of the lower 64 bits if they overflow.
        let overflow = (product ^ sum) & (c ^ sum);
        (sum, ((sum ^ overflow) as i64 >> 63) as u32)
    } else {
        // The product and the addend fit 65 bits.
        let product = a as u64 * b as u64;
        let sum = product.wrapping_add(c);
        (sum, (sum < product) as u32)
    }
}

/// Computes [`mul_add`] for rows. The result has four: a signed sum is extended by its sign.
pub(crate) fn mul_add_rows<R: Row, const SIGNED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [a, b, c] = p.lanes(file);
            let high = file.row(p.args[2].wrapping_add(1)).lanes();
            let (mut sums, mut others) = (u64::rows::<R>(), R::ZERO);
            for (lane, other) in others.lanes_mut().iter_mut().enumerate() {
                let addend = u64::from(high[lane]) << 32 | u64::from(c[lane]);
                let (sum, rest) = mul_add::<SIGNED>(a[lane], b[lane], addend);
                u64::set::<R>(&mut sums, lane, sum);
                *other = rest;
            }
            u64::store(file, dst, env.mask, &sums);
            file.set_lanes(dst.wrapping_add(2), env.mask, others);
            file.set_lanes(dst.wrapping_add(3), env.mask, if SIGNED { others } else { R::ZERO });
        },
    );
}

row_functions! {
    blend = map3 |a, b, c| a & b | !a & c;
    and_not = map2 |a, b| a & !b;
    mul_high_unsigned = map2 |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32;
    mul_high_signed = map2 |a, b| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32;
    masked_shl_wide = shift_wide |a, b| a << (b & 63);
    masked_shr_wide = shift_wide |a, b| a >> (b & 63);
    masked_sar_wide = shift_wide |a, b| (a as i64 >> (b & 63)) as u64;
}

/// Cuts bits out of a row.
pub(crate) fn slice<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let OperationKind::Slice(lo) = p.operation.kind else { return };
    let bits = p.operation.ty.total_bits().min(32);
    let (lo, mask) = (u32::from(lo & 31), if bits == 32 { u32::MAX } else { (1 << bits) - 1 });
    map1(file, p, env, dst, |a| a >> lo & mask);
}

/// Extends a number of up to 32 bits to one of up to 64, by its sign if it has one.
pub(crate) fn extend<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let (Some(from), to) = (p.operation.args.first().map(|arg| arg.ty), p.operation.ty) else { return };
    let cut = 32 - u32::from(from.bits().clamp(1, 32));
    let mask = if to.bits() >= 32 { u32::MAX } else { (1 << to.bits()) - 1 };
    if from.class() == Class::Signed {
        let a = file.row(p.args[0]).lanes();
        let low = R::from_fn(|lane| ((a[lane] << cut) as i32 >> cut) as u32 & mask);
        let high = R::from_fn(|lane| ((a[lane] << cut) as i32 >> 31) as u32);
        file.set_lanes(dst, env.mask, low);
        if to.bits() > 32 {
            file.set_lanes(dst.wrapping_add(1), env.mask, high);
        }
    } else {
        map1(file, p, env, dst, |a| a);
        if to.bits() > 32 {
            file.set_lanes(dst.wrapping_add(1), env.mask, R::ZERO);
        }
    }
}

/// Keeps the lowest bits of a result.
#[inline(always)]
fn map2_narrow<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32, u32) -> u32) {
    let bits = p.operation.ty.bits().min(32);
    let mask = if bits == 32 { u32::MAX } else { (1 << bits) - 1 };
    map2(file, p, env, dst, |a, b| f(a, b) & mask);
}

row_functions! {
    add_narrow = map2_narrow |a, b| a.wrapping_add(b);
    sub_narrow = map2_narrow |a, b| a.wrapping_sub(b);
    mul_narrow = map2_narrow |a, b| a.wrapping_mul(b);
}

/// Shifts numbers of 64 bits by counts in one row.
#[inline(always)]
fn shift_wide<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u64, u32) -> u64) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let (a, x, b) =
                (file.row(p.args[0]).lanes(), file.row(p.args[0].wrapping_add(1)).lanes(), file.row(p.args[1]).lanes());
            let wide = |lane: usize| f(u64::from(x[lane]) << 32 | u64::from(a[lane]), b[lane]);
            let low = R::from_fn(|lane| wide(lane) as u32);
            let high = R::from_fn(|lane| (wide(lane) >> 32) as u32);
            file.set_lanes(dst, env.mask, low);
            file.set_lanes(dst.wrapping_add(1), env.mask, high);
        },
    );
}

row_functions! {
    shl_wide = shift_wide |a, b| if b < 64 { a << (b & 63) } else { 0 };
    shr_wide = shift_wide |a, b| if b < 64 { a >> (b & 63) } else { 0 };
    sar_wide = shift_wide |a, b| (a as i64 >> b.min(63)) as u64;
}

/// Joins values of 32 bits.
pub(crate) fn join<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    // At most four, which may be among the rows of the result.
    let mut rows = [R::ZERO; 4];
    for (row, arg) in rows.iter_mut().zip(&p.operation.args) {
        *row = *file.row(arg.row);
    }
    for (row, to) in rows.iter().zip(dst..).take(p.operation.args.len()) {
        file.set_lanes(to, env.mask, *row);
    }
}

/// Joins two values of 16 bits.
pub(crate) fn join_halves<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    map2(file, p, env, dst, |a, b| a & 0xFFFF | b << 16);
}

/// Joins up to four values that fit a dword.
pub(crate) fn join_small<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let (mut row, mut at) = (R::ZERO, 0);
            for arg in p.operation.args.iter().take(4) {
                let bits = u32::from(arg.ty.total_bits().min(31));
                let part = file.row(arg.row).lanes();
                row = R::from_fn(|lane| row.lanes()[lane] | (part[lane] & ((1 << bits) - 1)) << (at & 31));
                at += bits;
            }
            file.set_lanes(dst, env.mask, row);
        },
    );
}

/// Selects halves of a dword.
pub(crate) fn select_halves<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let OperationKind::Halves([low, high]) = p.operation.kind else { return };
    // Counts and bits instead of conditions, which would be asked in each lane.
    let shift = |half: Half| if half.is_high { 16 } else { 0 };
    let sign = |half: Half| if half.is_negated { 0x8000 } else { 0 };
    let (low_shift, high_shift, signs) = (shift(low), shift(high), sign(low) | sign(high) << 16);
    map1(file, p, env, dst, |a| (a >> low_shift & 0xFFFF | a >> high_shift << 16) ^ signs);
}

/// Converts integers of 32 bits to f32.
pub(crate) fn int_to_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let signed = p.operation.args.first().is_some_and(|arg| arg.ty.class() == Class::Signed);
    match (env.modes.f32.round, signed) {
        (Round::NearestEven, true) => map1(file, p, env, dst, |a| (a as i32 as f32).to_bits()),
        (Round::NearestEven, false) => map1(file, p, env, dst, |a| (a as f32).to_bits()),
        _ => general(file, p, env, dst),
    }
}
