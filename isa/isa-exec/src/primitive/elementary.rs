//! Reciprocals, roots, exponentials, logarithms and trigonometric functions of rows, computed in f64 without branches.
//!
//! Reciprocals and roots are the operations of the definition. For the other functions the definition calls `libm`; here they are
//! series, whose results differ from those of `libm` by less than [`NEAR`] units in the last place of f64. A lane needs care if
//! that could matter: if the result is that near to the middle between two numbers of f32. `cargo xtask rows` compares all inputs.

use core::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, LN_2, PI, TAU};

use crate::num::fast16::{F16, HalfFormat, mask};
use crate::num::{FloatMode, Format};
use crate::primitive::lanes::{Bits, HALVES, Masks, TO_INTEGER, compute_left, map_with_care, store_unmarked};
use crate::primitive::{Env, Primitive, general};
use crate::rows::{File, Row};
use crate::units::sqrt;

/// An upper bound for the difference of a series to the function of `libm`, in units in the last place of f64. A test finds at most an
/// eighth of it.
const NEAR: u32 = 32;

/// What elementary functions do with denormals and NaNs: f32 flushes denormals regardless of MODE.
fn own_masks<B: Bits>(mode: FloatMode) -> Masks<B> {
    Masks::new(if matches!(B::FORMAT, Format::F32) { mode.flushing() } else { mode })
}

/// Computes a function of f64 and rounds to nearest. The function says which lanes need care.
#[inline(always)]
fn by_doubles<R: Row, B: Bits>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    masks: Masks<B>,
    f: impl Fn(f64) -> (f64, bool),
) {
    map_with_care::<R, B, B, 1>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a], _| {
            let a = masks.input(a);
            let (result, care) = f(a.double());
            (masks.result([a], B::of_double(result)), care)
        },
        |file, env| general(file, p, env, dst),
    );
}

/// Whether a number is near the middle between two numbers of f32, so that its neighbours may be rounded to others.
#[inline(always)]
fn is_near_tie(result: f64) -> bool {
    (result.to_bits() as u32 & 0x1FFF_FFFF).wrapping_sub(0x1000_0000 - NEAR) <= 2 * NEAR
}

/// The same for numbers that may be denormal, which have fewer bits.
#[inline(always)]
fn is_near_tie_or_tiny(result: f64) -> bool {
    let magnitude = result.to_bits().high() & !u32::SIGN;
    is_near_tie(result) | (magnitude.wrapping_sub(1) < (1023 - 126) << 20)
}

/// Defines functions.
macro_rules! elementary {
    ($($name:ident<$bits:ident> = $masks:path, |$x:ident| $result:expr;)*) => {
        $(pub(crate) fn $name<R: Row, $bits: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            let masks = $masks($bits::mode(&env.modes));
            by_doubles::<R, $bits>(file, p, env, dst, masks, #[inline(always)] |$x| $result);
        })*
    };
}

elementary! {
    rcp_of<B> = own_masks, |x| (1.0 / x, false);
    sqrt_of<B> = own_masks, |x| (sqrt(x), false);
    rsq_of<B> = own_masks, |x| (1.0 / sqrt(x), false);
}

/// Defines functions of f32 by series.
macro_rules! series {
    ($($name:ident = $masks:path, $f:ident, $needs_care:ident;)*) => {
        $(pub(crate) fn $name<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            by_doubles::<R, u32>(file, p, env, dst, $masks(env.modes.f32), #[inline(always)] |x| {
                let result = $f(x);
                (result, $needs_care(result))
            });
        })*
    };
}

series! {
    // Denormal results are flushed.
    exp2_float = own_masks, exp2, is_near_tie;
    log2_float = own_masks, log2, is_near_tie;
    sin_float = Masks::new, sin, is_near_tie_or_tiny;
    cos_float = Masks::new, cos, is_near_tie;
}

/// Computes a function of f16 in f64 and rounds to f32, then to f16. The function ignores the bits above the type.
///
/// Rounding twice gives what rounding once does, unless the f32 is halfway between two numbers of f16. A test compares all inputs.
#[expect(clippy::needless_range_loop, reason = "with iterators the loops take up to three times as long")]
#[inline(always)]
fn half_by_doubles<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(f64) -> f64) {
    const INFINITY: u32 = F16::INFINITY;
    const NAN: u32 = Format::F16.nan() as u32;
    let mode = env.modes.f16;
    if mode.saturate {
        return general(file, p, env, dst);
    }
    let cut = |flushes: bool| mask(flushes) & 0x7FFF;
    let (cut_inputs, cut_outputs) = (cut(mode.flush_inputs), cut(mode.flush_outputs));
    let quiet = if mode.ieee { 0x0200 } else { 0 };
    let left = env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let a = file.row(p.args[0]).lanes();
            let (mut row, mut marks) = (R::ZERO, R::ZERO);
            // A loop for each width of numbers: one loop for all would not become vector instructions.
            for lane in 0..R::ZERO.lanes().len() {
                let input = a[lane] & !(cut_inputs & mask(a[lane] & INFINITY == 0));
                row.lanes_mut()[lane] = F16::widen_all::<false>(input << 16).to_bits();
            }
            for lane in 0..R::ZERO.lanes().len() {
                let result = f(f32::from_bits(row.lanes()[lane]).into());
                row.lanes_mut()[lane] = (result as f32).to_bits();
            }
            for lane in 0..R::ZERO.lanes().len() {
                let value = f32::from_bits(row.lanes()[lane]);
                let half = F16::narrow::<false>(value, F16::limit(false));
                let half = half & !(cut_outputs & mask(half & INFINITY == 0));
                let is_invalid = mask(value.is_nan());
                let result = half & !is_invalid | NAN & is_invalid;
                let is_nan = mask(a[lane] & 0x7FFF > INFINITY);
                row.lanes_mut()[lane] = result & !is_nan | (a[lane] & 0xFFFF | quiet) & is_nan;
                marks.lanes_mut()[lane] = mask(value.to_bits() & 0x1FFF == 0x1000);
            }
            store_unmarked::<R, u32, HALVES>(file, env, dst, &row, &marks)
        },
    );
    compute_left(file, env, left, |file, env| general(file, p, env, dst));
}

/// Defines functions of f16.
macro_rules! of_halves {
    ($($name:ident = |$x:ident| $result:expr;)*) => {
        $(pub(super) fn $name<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            half_by_doubles(file, p, env, dst, #[inline(always)] |$x| $result);
        })*
    };
}

of_halves! {
    rcp_half = |x| 1.0 / x;
    sqrt_half = |x| sqrt(x);
    rsq_half = |x| 1.0 / sqrt(x);
    exp2_half = |x| exp2(x);
    log2_half = |x| log2(x);
    sin_half = |x| sin(x);
    cos_half = |x| cos(x);
}

/// The value of a polynomial, the lowest coefficient first.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut value = 0.0;
    for n in (0..N).rev() {
        value = value * x + coefficients[n];
    }
    value
}

/// The Taylor coefficients of two to the power of a number: ln(2)^n / n!. For numbers up to a half the rest is below 2^-57.
const EXP2: [f64; 14] = {
    let mut coefficients = [1.0; 14];
    let mut n = 1;
    while n < coefficients.len() {
        coefficients[n] = coefficients[n - 1] * LN_2 / n as f64;
        n += 1;
    }
    coefficients
};

/// Two to the power of a number, or of the nearest number in a range outside which results over- or underflow f32.
#[inline(always)]
fn exp2(x: f64) -> f64 {
    let x = if x > -160.0 { x } else { -160.0 };
    let x = if x < 160.0 { x } else { 160.0 };
    let shifted = x + TO_INTEGER;
    let fraction = x - (shifted - TO_INTEGER);
    f64::from_bits(polynomial(&EXP2, fraction).to_bits().plus(shifted.to_bits() << 52))
}

/// The coefficients of atanh(s) / s in s^2, 1 / (2n + 1), times 2 / ln(2). For s up to 3 - sqrt(8) the rest is below 2^-54.
const LOG2: [f64; 10] = {
    let mut coefficients = [0.0; 10];
    let mut n = 0;
    while n < coefficients.len() {
        coefficients[n] = 2.0 / LN_2 / (2 * n + 1) as f64;
        n += 1;
    }
    coefficients
};

/// The logarithm to the base 2 of a number that is not denormal.
#[inline(always)]
fn log2(x: f64) -> f64 {
    // x = 2^k * m with m from 1 / sqrt(2) to sqrt(2).
    let least = FRAC_1_SQRT_2.to_bits();
    let shifted = x.to_bits().minus(least).plus(u64::ONE);
    let k = f64::from_bits(shifted >> 52 | TO_INTEGER.to_bits()) - (TO_INTEGER + 1023.0);
    let m = f64::from_bits((shifted & ((1 << 52) - 1)).plus(least));
    // log(m) = 2 * atanh(s).
    let s = (m - 1.0) / (m + 1.0);
    let result = k + s * polynomial(&LOG2, s * s);
    let result = if x < f64::INFINITY { result } else { x };
    let of_others = if x < 0.0 { f64::NAN } else { f64::NEG_INFINITY };
    if x > 0.0 { result } else { of_others }
}

/// The Taylor coefficients of sin(x) / x in x^2: (-1)^n / (2n + 1)!. For numbers up to pi / 2 the rest is below 2^-59.
const SIN: [f64; 11] = {
    let mut coefficients = [1.0; 11];
    let mut n = 1;
    while n < coefficients.len() {
        coefficients[n] = -coefficients[n - 1] / (2 * n * (2 * n + 1)) as f64;
        n += 1;
    }
    coefficients
};

/// pi / 2 less the f64 nearest to it.
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;

/// The nearest integer, and one that has the same lowest bits.
#[inline(always)]
fn nearest(x: f64) -> (f64, u64) {
    let shifted = x + TO_INTEGER;
    (shifted - TO_INTEGER, shifted.to_bits())
}

/// The part of a number of turns that matters, from -1/2 to 1/2; a NaN for infinities.
#[inline(always)]
fn reduced(turns: f64) -> f64 {
    // Numbers of f32 from 2^24 on are integers.
    let is_small = turns.to_bits().magnitude().host() < 16_777_216.0;
    if is_small { turns - nearest(turns).0 } else { turns * 0.0 + 0.0 }
}

/// The sine of a number from -pi / 2 to pi / 2.
#[inline(always)]
fn sine(x: f64) -> f64 {
    x * polynomial(&SIN, x * x)
}

/// The sine of a number of turns.
#[inline(always)]
fn sin(turns: f64) -> f64 {
    let turns = reduced(turns);
    let (half_turns, lowest) = nearest(2.0 * turns);
    // Rounded as in the definition: near a half turn the error is visible.
    let angle = turns * TAU;
    let rest = (angle - half_turns * PI) - half_turns * (2.0 * FRAC_PI_2_REST);
    let result = f64::from_bits(sine(rest).to_bits() ^ lowest << 63);
    if turns.to_bits().magnitude() == 0.5f64.to_bits() { 0.0 } else { result }
}

/// The cosine of a number of turns.
#[inline(always)]
fn cos(turns: f64) -> f64 {
    let turns = f64::from_bits(reduced(turns).to_bits().magnitude());
    let result = sine((FRAC_PI_2 - turns * TAU) + FRAC_PI_2_REST);
    if turns == 0.25 { 0.0 } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a series with a function of libm on numbers of f32 between two, of which it takes one in `step`.
    fn check(ours: fn(f64) -> f64, theirs: fn(f64) -> f64, first: f32, last: f32, step: usize) {
        for x in (first.to_bits()..last.to_bits()).step_by(step).map(|bits| f64::from(f32::from_bits(bits))) {
            let distance = ours(x).to_bits().abs_diff(theirs(x).to_bits());
            assert!(distance <= u64::from(NEAR) / 8, "{x}: {} and {}", ours(x), theirs(x));
        }
    }

    #[test]
    fn series_are_much_nearer_to_libm_than_ties_may_be() {
        check(exp2, libm::exp2, 1e-9, 150.0, 2001);
        check(exp2, libm::exp2, -1e-9, -126.0, 2001);
        check(log2, libm::log2, 1e-37, 3e38, 10_001);
        check(log2, libm::log2, 0.99, 0.999_999_94, 13);
        check(log2, libm::log2, 1.0, 1.01, 13);
        let sine = |turns: f64| libm::sin((turns - libm::rint(turns)) * TAU);
        let cosine = |turns: f64| libm::cos((turns - libm::rint(turns)) * TAU);
        check(sin, sine, 1e-30, 0.49, 5001);
        check(sin, sine, 0.499, 0.5, 3);
        check(sin, sine, 0.500_000_06, 0.99, 501);
        check(sin, sine, -0.1, -0.499, 501);
        check(sin, sine, 1000.51, 1000.99, 3);
        check(cos, cosine, 1e-9, 0.24, 5001);
        check(cos, cosine, 0.249, 0.25, 3);
        check(cos, cosine, 0.250_000_03, 0.749, 501);
        check(cos, cosine, 1000.251, 1000.749, 3);
    }
}
