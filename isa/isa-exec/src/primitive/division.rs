//! The steps of a division of f32 and f64: DIV_SCALE, DIV_FMAS and DIV_FIXUP.
//!
//! Rows of finite numbers without denormals are computed without branches.

use crate::num::{FloatMode, Format, Round};
use crate::primitive::doubles::fma_and;
use crate::primitive::floats::fma_by_doubles;
use crate::primitive::lanes::{Bits, Masks, compute_left, map, map_with_care, power, store_unmarked};
use crate::primitive::{Env, Primitive, general};
use crate::rows::{File, LANES, Row, Wide};
use crate::units::Unit;

/// The powers and exponents of a format.
struct Scaling {
    /// Operands are scaled by two to this power.
    scale: i32,
    /// Numerators with a stored exponent up to this are scaled up.
    tiny: i32,
    /// Quotients with an exponent of at least this need a scaled-up denominator.
    far: i32,
}

const fn scaling(format: Format) -> Scaling {
    match format {
        Format::F64 => Scaling { scale: 128, tiny: 53, far: 768 },
        _ => Scaling { scale: 64, tiny: 23, far: 96 },
    }
}

/// The scaled value and whether the quotient has to be scaled back; for zeros and normal numbers.
#[inline(always)]
fn scaled<B: Bits>([value, denominator, numerator]: [B; 3]) -> (B, bool) {
    let Scaling { scale, tiny, far } = scaling(B::FORMAT);
    let by = |power_of_two: i32| B::of(value.host() * B::cut(power(B::FORMAT, power_of_two)).host());
    let (up, down) = (by(scale), by(-scale));
    let (of_numerator, of_denominator) = (numerator.exponent(), denominator.exponent());
    let distance = of_numerator - of_denominator;
    // 2^(bias-1) is the largest number whose reciprocal is normal.
    let limit = B::cut(power(B::FORMAT, B::FORMAT.bias() - 1));
    let reciprocal_is_denormal = denominator.magnitude().host() > limit.host();
    // Hardware does not compare the fractions.
    let quotient_is_denormal = distance <= 1 - B::FORMAT.bias();
    let (is_denominator, is_numerator) = (value == denominator, value == numerator);
    // The last case that holds is the one that applies.
    let result = if of_numerator <= tiny { up } else { value };
    let of_small = if is_numerator { up } else { value };
    let result = if quotient_is_denormal { of_small } else { result };
    let of_both = if quotient_is_denormal & !is_denominator { value } else { down };
    let result = if reciprocal_is_denormal { of_both } else { result };
    let of_far = if is_denominator { up } else { value };
    let is_far = distance >= far;
    let result = if is_far { of_far } else { result };
    let is_invalid = (numerator.magnitude() == B::ZERO) | (denominator.magnitude() == B::ZERO);
    let result = if is_invalid { B::NAN } else { result };
    (result, is_invalid | is_far | quotient_is_denormal)
}

/// Whether a number is a zero or normal.
#[inline(always)]
fn is_usual<B: Bits>(bits: B) -> bool {
    let magnitude = bits.magnitude();
    let least = B::cut(power(B::FORMAT, 1 - B::FORMAT.bias()));
    ((magnitude.host() >= least.host()) | (magnitude == B::ZERO)) & (magnitude.host() < B::INFINITY.host())
}

/// Less than 0 if a division may need scaling, by the exponents of its denominator and its numerator. Differences instead of comparisons,
/// whose results the compiler narrows before it joins them.
#[inline(always)]
fn may_need_scaling<B: Bits>(d: i32, n: i32) -> i32 {
    let (Scaling { tiny, far, .. }, bias) = (scaling(B::FORMAT), B::FORMAT.bias());
    // Within ranges whose ends are not edge cases.
    let outside = |exponent: i32, least: i32, most: i32| (exponent - least) | (most - exponent);
    outside(n, tiny + 1, 2 * bias) | outside(d, 1, 2 * bias - 2) | outside(n - d, 2 - bias, far - 1)
}

/// Scales an operand of a division. `unscaled` gives the result's rows where no lane needs scaling.
#[inline(always)]
fn div_scale<R: Row, B: Bits, C: Bits>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    unscaled: impl FnOnce(&File<R>) -> C::Rows<R>,
    result: impl Fn((B, bool)) -> C,
) {
    let mode = B::mode(&env.modes);
    let masks = Masks::<B>::new(mode);
    let careful = |file: &mut File<R>, env: &Env| {
        if mode.round != Round::NearestEven {
            return general(file, p, env, dst);
        }
        map_with_care::<R, B, C, 3>(
            file,
            p,
            env,
            dst,
            0,
            #[inline(always)]
            |args, _| {
                let args = [masks.input(args[0]), masks.input(args[1]), masks.input(args[2])];
                (result(scaled(args)), !(is_usual(args[0]) & is_usual(args[1]) & is_usual(args[2])))
            },
            |file, env| general(file, p, env, dst),
        );
    };
    let left = env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [value, denominator, numerator, ..] = p.args;
            let value = B::high_row(file, value);
            let (denominator, numerator) = (B::high_row(file, denominator), B::high_row(file, numerator));
            let flushes = if mode.flush_inputs { -1 } else { 0 };
            let mut marks = R::ZERO;
            for lane in 0..R::ZERO.lanes().len() {
                let scaling = may_need_scaling::<B>(B::exponent_of(denominator[lane]), B::exponent_of(numerator[lane]));
                // Less than 0 for a denormal, which the mode may flush, and for zeros, which are rare.
                let denormal = B::exponent_of(value[lane]) - 1;
                marks.lanes_mut()[lane] = (scaling | denormal & flushes) as u32;
            }
            store_unmarked::<R, C, { u32::SIGN }>(file, env, dst, &unscaled(file), &marks)
        },
    );
    compute_left(file, env, left, careful);
}

pub(crate) fn div_scale_of<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    div_scale::<R, B, B>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |file| B::load(file, p.args[0]),
        #[inline(always)]
        |(value, _)| value,
    );
}

pub(crate) fn div_scale_flag_of<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    div_scale::<R, B, u32>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |_| R::ZERO,
        #[inline(always)]
        |(_, flag)| u32::from(flag),
    );
}

/// Whether a stored exponent is that of a normal number.
#[inline(always)]
const fn is_normal(format: Format, exponent: i32) -> bool {
    ((exponent - 1) as u32) < 2 * format.bias() as u32
}

/// The power of two by which DIV_FMAS multiplies the sum, from the stored exponent of the addend and the flag.
#[inline(always)]
const fn power_of_sum(format: Format, addend: i32, flag: u32) -> i32 {
    let Scaling { scale, .. } = scaling(format);
    let power = if addend > format.bias() { scale } else { -scale };
    if flag & 1 != 0 { power } else { 0 }
}

/// Whether a sum that is multiplied by a power of two is exact then: a normal number that becomes a normal one.
#[inline(always)]
const fn is_scaled_exactly(format: Format, sum: i32, power: i32) -> bool {
    is_normal(format, sum) & is_normal(format, sum + power)
}

/// The row of the flag of DIV_FMAS.
fn flag<R>(p: &Primitive<R>) -> u16 {
    p.operation.args.get(3).map_or(0, |flag| flag.row)
}

pub(crate) fn div_fmas_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    if env.modes.f32.round != Round::NearestEven {
        return general(file, p, env, dst);
    }
    // Inputs are not flushed.
    let masks = Masks::<u32>::new(env.modes.f32);
    let power_of_sum = |c: u32, flag: u32| power_of_sum(Format::F32, c.exponent(), flag);
    let careful = |file: &mut File<R>, env: &Env| {
        map_with_care::<R, u32, u32, 3>(
            file,
            p,
            env,
            dst,
            flag(p),
            #[inline(always)]
            |[a, b, c], flag| {
                let power = power_of_sum(c, flag);
                let factor = f64::from_bits(u64::from((power + Format::F64.bias()) as u32) << 52);
                let (sum, is_exact) = fma_by_doubles::<true>(a, b, c, factor);
                (masks.output(sum), !is_exact)
            },
            |file, env| general(file, p, env, dst),
        );
    };
    let left = env.units.run_fused(
        #[inline(always)]
        |fused| {
            let ([a, b, c], flags) = (p.rows(file), file.row(flag(p)));
            let (Some(a), Some(b), Some(c), Some(flags)) = (a.wide(), b.wide(), c.wide(), flags.wide()) else {
                return None;
            };
            let (mut sums, mut marks) = (fused.fma_f32([a, b, c]), Wide([0; LANES]));
            for lane in 0..LANES {
                let (sum, flag) = (sums.0[lane], flags.0[lane]);
                let power = power_of_sum(c.0[lane], flag);
                let is_exact = is_scaled_exactly(Format::F32, sum.exponent(), power);
                let care = (flag & 1 != 0) & !is_exact | sum.is_nan();
                marks.0[lane] = if care { u32::MAX } else { 0 };
                sums.0[lane] = masks.output(sum.wrapping_add((power as u32) << Format::F32.fraction_bits()));
            }
            Some(store_unmarked::<R, u32, { u32::MAX }>(file, env, dst, &R::from_wide(sums)?, &R::from_wide(marks)?))
        },
    );
    match left.flatten() {
        Some(left) => compute_left(file, env, left, careful),
        None => careful(file, env),
    }
}

pub(crate) fn div_fmas_double<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    // Inputs are not flushed.
    let masks = Masks::<u64>::new(FloatMode { flush_inputs: false, ..env.modes.f64 });
    /// The bits of the fraction in the upper dword.
    const FRACTION: u32 = Format::F64.fraction_bits() - 32;
    fma_and(
        file,
        p,
        env,
        dst,
        (masks, flag(p)),
        #[inline(always)]
        |sum, c, flag| {
            let power = power_of_sum(Format::F64, u64::exponent_of(c), flag);
            let is_exact = is_scaled_exactly(Format::F64, u64::exponent_of(sum), power);
            (sum.wrapping_add((power as u32) << FRACTION), (flag & 1 != 0) & !is_exact)
        },
    );
}

/// The quotient with the special cases of division put right.
pub(crate) fn div_fixup_of<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let mode = B::mode(&env.modes);
    if mode.round != Round::NearestEven {
        return general(file, p, env, dst);
    }
    let masks = Masks::<B>::new(mode);
    // Quotients with an exponent below are zeros.
    let far = if matches!(B::FORMAT, Format::F64) { -1075 } else { -150 };
    let careful = |file: &mut File<R>, env: &Env| {
        map::<R, B, B, 3>(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |[quotient, denominator, numerator]| {
                let (denominator, numerator) = (masks.input(denominator), masks.input(numerator));
                let sign = (denominator ^ numerator) & B::SIGN;
                let (n, d) = (numerator.magnitude(), denominator.magnitude());
                let magnitude = masks.output(quotient.magnitude());
                // A quotient that is a NaN overflowed on its way.
                let magnitude = if quotient.is_nan() { B::INFINITY } else { magnitude };
                let is_far = numerator.exponent() - denominator.exponent() < far;
                let (no_numerator, no_denominator) = (n == B::ZERO, d == B::ZERO);
                let (all_numerator, all_denominator) = (n == B::INFINITY, d == B::INFINITY);
                let magnitude = if is_far | no_numerator | all_denominator { B::ZERO } else { magnitude };
                let magnitude = if no_denominator | all_numerator { B::INFINITY } else { magnitude };
                let is_invalid = no_numerator & no_denominator | all_numerator & all_denominator;
                let result = if is_invalid { B::NAN } else { magnitude | sign };
                masks.first_nan([numerator, denominator], result)
            },
        );
    };
    map_with_care::<R, B, B, 3>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[quotient, denominator, numerator], _| {
            let (n, d) = (numerator.exponent(), denominator.exponent());
            let is_usual = is_normal(B::FORMAT, n) & is_normal(B::FORMAT, d) & (n - d >= far);
            let sign = (denominator ^ numerator) & B::SIGN;
            (masks.output(quotient.magnitude()) | sign, !is_usual | quotient.is_nan())
        },
        careful,
    );
}
