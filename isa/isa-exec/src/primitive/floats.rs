//! Arithmetic of f32: by the host's instructions, where the mode is one that they know.
//!
//! The host does not say which payload a NaN has, and has one mode for denormals. So a row with a NaN among the results, or with a
//! denormal where the mode flushes them, is computed anew by the functions of [`num`] that have no branches.

use crate::num;
use crate::primitive::functions::{map2, map3};
use crate::primitive::lanes::{Bits, Masks, map_with_care};
use crate::primitive::{Env, Primitive, general};
use crate::rows::{File, Row};
use crate::units::{Relation, Unit};

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7F80_0000;

/// All ones if it is a NaN, or a denormal and these are flushed; else zero.
#[inline(always)]
const fn special<const FLUSH: bool>(bits: u32) -> u32 {
    let magnitude = bits & !SIGN;
    let is_special = magnitude > INFINITY || FLUSH && magnitude.wrapping_sub(1) < 0x007F_FFFF;
    if is_special { u32::MAX } else { 0 }
}

/// Computes a row of up to three by the host's instructions; false, and nothing is stored, if a lane that is stored needs care.
#[inline(always)]
fn rows_of_floats<R: Row, const N: usize, const FLUSH: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn([f32; 3]) -> f32,
) -> bool {
    let rows = p.rows(file);
    let row = R::from_fn(
        #[inline(always)]
        |lane| f(core::array::from_fn(|n| if n < N { f32::from_bits(rows[n].lanes()[lane]) } else { 0.0 })).to_bits(),
    );
    is_plain::<R, N, FLUSH>(rows, &row, env.mask) && {
        file.set_lanes(dst, env.mask, row);
        true
    }
}

/// [`rows_of_floats`], compiled for the vector units.
#[inline(always)]
fn try_rows<R: Row, const N: usize, const FLUSH: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn([f32; 3]) -> f32,
) -> bool {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || rows_of_floats::<R, N, FLUSH>(file, p, env, dst, f),
    )
}

/// Whether no lane of a mask needs care.
#[inline(always)]
fn is_plain<R: Row, const N: usize, const FLUSH: bool>(args: [&R; 3], result: &R, mask: u32) -> bool {
    let special = R::from_fn(
        #[inline(always)]
        |lane| {
            let of = |row: &R| special::<FLUSH>(row.lanes()[lane]);
            let of_args = if FLUSH { args.iter().take(N).fold(0, |all, row| all | of(row)) } else { 0 };
            of_args | of(result)
        },
    );
    let any = |row: &R| row.lanes().iter().fold(0, |all, lane| all | lane) != 0;
    !any(&special) || mask != u32::MAX && !any(&special.select(&R::expand(mask), &R::ZERO))
}

/// Defines functions for f32 rows: by the host's instructions for the usual modes and values, without branches for other values,
/// general for other modes.
macro_rules! float_functions {
    ($($name:ident = $count:literal |$args:pat_param| $fast:expr, $map:ident $careful:ident |$($arg:ident),*| $($of:expr),*;)*) => {
        $(pub(crate) fn $name<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            match env.modes.fast_f32 {
                Some(true) => if !try_rows::<R, $count, true>(file, p, env, dst, #[inline(always)] |$args| $fast) {
                    $map(file, p, env, dst, #[inline(always)] |$($arg),*| num::$careful::<true, true>($($of),*));
                },
                Some(false) => if !try_rows::<R, $count, false>(file, p, env, dst, #[inline(always)] |$args| $fast) {
                    $map(file, p, env, dst, #[inline(always)] |$($arg),*| num::$careful::<false, true>($($of),*));
                },
                None => general(file, p, env, dst),
            }
        })*
    };
}

float_functions! {
    add_float = 2 |[a, b, _]| a + b, map2 add_nearest |a, b| a, b;
    sub_float = 2 |[a, b, _]| a - b, map2 add_nearest |a, b| a, b ^ SIGN;
    mul_float = 2 |[a, b, _]| a * b, map2 mul_nearest |a, b| a, b;
}

pub(crate) fn fma_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    match env.modes.fast_f32 {
        Some(true) => fma::<R, true>(file, p, env, dst),
        Some(false) => fma::<R, false>(file, p, env, dst),
        None => general(file, p, env, dst),
    }
}

#[inline(always)]
fn fma<R: Row, const FLUSH: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let is_done = env.units.run_fused(
        #[inline(always)]
        |fused| {
            let [a, b, c] = p.rows(file);
            let (Some(a), Some(b), Some(c)) = (a.wide(), b.wide(), c.wide()) else { return false };
            let Some(sums) = R::from_wide(fused.fma_f32([a, b, c])) else { return false };
            is_plain::<R, 3, FLUSH>(p.rows(file), &sums, env.mask) && {
                file.set_lanes(dst, env.mask, sums);
                true
            }
        },
    );
    let careful = |file: &mut File<R>, env: &Env| map3(file, p, env, dst, num::fma_nearest::<FLUSH, true>);
    match is_done {
        Some(true) => (),
        Some(false) => careful(file, env),
        // Ties are rare enough to be looked at again.
        None => fma_rows_by_doubles::<R, FLUSH, false>(file, p, env, dst, |file, env| {
            fma_rows_by_doubles::<R, FLUSH, true>(file, p, env, dst, careful);
        }),
    }
}

/// Computes rows by [`fma_by_doubles`], and the lanes that it may not round once by another function.
#[inline(always)]
fn fma_rows_by_doubles<R: Row, const FLUSH: bool, const TIES: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    careful: impl FnOnce(&mut File<R>, &Env),
) {
    let masks = Masks::<u32>::new(env.modes.f32);
    map_with_care::<R, u32, u32, 3>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |args, _| {
            let [a, b, c] = if FLUSH { args.map(|arg| masks.input(arg)) } else { args };
            let (sum, is_exact) = fma_by_doubles::<TIES>(a, b, c, 1.0);
            (if FLUSH { masks.output(sum) } else { sum }, !is_exact)
        },
        careful,
    );
}

/// `(a * b + c) * factor`, a power of two, and whether it is rounded once for sure.
///
/// The sum is rounded to f64, and that to f32. The second rounding is wrong only if the first one was inexact and gave a tie, or if
/// the result has fewer bits because it is denormal. Without `TIES`, exact ties are not told from others.
#[inline(always)]
pub(super) fn fma_by_doubles<const TIES: bool>(a: u32, b: u32, c: u32, factor: f64) -> (u32, bool) {
    let [a, b, c] = [a, b, c].map(f32::from_bits).map(f64::from);
    let product = a * b;
    let sum = product + c;
    // The difference to the larger one of the two is exact.
    let is_inexact = !TIES || (sum - product != c) | (sum - c != product);
    let scaled = sum * factor;
    let (bits, result) = (scaled.to_bits(), (scaled as f32).to_bits());
    let is_tie = is_inexact & (bits as u32 & 0x1FFF_FFFF == 0x1000_0000);
    // The exponent of the least normal number of f32, in the upper half of a f64: no sum but zero has an exponent of 0.
    let is_tiny = ((bits >> 32) as u32 & !SIGN).wrapping_sub(1) < (1023 - 126) << 20;
    (result, !(is_tie | is_tiny | result.is_nan()))
}

/// Compares f32 rows, with denormals as the mode has them.
#[inline(always)]
fn compare_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(f32, f32) -> bool) {
    let flush = |bits: u32| if bits & INFINITY == 0 { bits & SIGN } else { bits };
    if env.modes.f32.flush_inputs {
        map2(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |a, b| u32::from(f(f32::from_bits(flush(a)), f32::from_bits(flush(b)))),
        );
    } else {
        map2(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |a, b| u32::from(f(f32::from_bits(a), f32::from_bits(b))),
        );
    }
}

/// Defines comparisons of f32 rows.
macro_rules! float_compares {
    ($($name:ident = $relation:ident;)*) => {
        $(pub(crate) fn $name<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            compare_float(file, p, env, dst, #[inline(always)] |a, b| Relation::$relation.holds(a, b));
        })*
    };
}

float_compares! {
    eq_float = Eq;
    ne_float = Ne;
    lt_float = Lt;
    le_float = Le;
    gt_float = Gt;
    ge_float = Ge;
    lg_float = Lg;
    ordered_float = Ordered;
    unordered_float = Unordered;
}
