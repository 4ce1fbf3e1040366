//! Rounding to integers, exponents and fractions, and clamps of f32 and f64.

use crate::num::Round;
use crate::primitive::lanes::{Bits, Masks, map, map_with, power};
use crate::primitive::{Env, Primitive, general};
use crate::rows::{File, Row};

/// A direction of rounding to an integer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Nearest,
    Down,
    Up,
    TowardZero,
}

/// Rounds a number to an integer, the sign of zero kept; NaNs and infinities are returned.
#[inline(always)]
fn rounded<B: Bits>(bits: B, direction: Direction) -> B {
    let (sign, magnitude) = (bits & B::SIGN, bits.magnitude().host());
    // The sum has no bits for a fraction: it is rounded to nearest even.
    let nearest = B::of(magnitude + B::INTEGERS.host() - B::INTEGERS.host()) | sign;
    let (x, y) = (bits.host(), nearest.host());
    let integer = match direction {
        Direction::Nearest => nearest,
        Direction::Down => B::of(y - B::ONE.only_if(y > x).host()),
        Direction::Up => B::of(y + B::ONE.only_if(y < x).host()),
        Direction::TowardZero => {
            let y = nearest.magnitude();
            B::of(y.host() - B::ONE.only_if(y.host() > magnitude).host())
        }
    };
    if magnitude < B::INTEGERS.host() { integer | sign } else { bits }
}

/// Defines functions that round to integers.
macro_rules! roundings {
    ($($name:ident = $direction:ident;)*) => {
        $(pub(crate) fn $name<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            let masks = Masks::<B>::new(B::mode(&env.modes));
            map::<R, B, B, 1>(file, p, env, dst, #[inline(always)] |[a]| {
                let a = masks.input(a);
                masks.first_nan([a], rounded(a, Direction::$direction))
            });
        })*
    };
}

roundings! {
    floor_of = Down;
    ceil_of = Up;
    trunc_of = TowardZero;
    rndne_of = Nearest;
}

/// The difference to the integer below.
pub(crate) fn fract_of<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let mode = B::mode(&env.modes);
    if mode.round != Round::NearestEven {
        return general(file, p, env, dst);
    }
    let masks = Masks::<B>::new(mode);
    map::<R, B, B, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| {
            let a = masks.input(a);
            let difference = a.host() - rounded(a, Direction::Down).host();
            // Rounded to one: the largest number below.
            let fraction = if difference < B::ONE.host() { B::of(difference) } else { B::ONE.minus(B::UNIT) };
            // An infinity.
            let fraction = if B::of(difference).is_nan() { B::NAN } else { fraction };
            masks.first_nan([a], masks.output(fraction))
        },
    );
}

/// A denormal number times a power of two that makes it normal, and other numbers as they are; and what to subtract from the
/// exponent.
#[inline(always)]
fn normal<B: Bits>(bits: B) -> (B, i32) {
    let is_small = bits & B::INFINITY == B::ZERO;
    let scaled = B::of(bits.host() * B::INTEGERS.host());
    let power = if is_small { B::FORMAT.fraction_bits() as i32 } else { 0 };
    (if is_small { scaled } else { bits }, power)
}

/// Whether it is neither a zero, an infinity nor a NaN.
#[inline(always)]
fn is_finite_nonzero<B: Bits>(bits: B) -> bool {
    let number = bits.magnitude().host();
    (number > B::ZERO.host()) & (number < B::INFINITY.host())
}

pub(crate) fn frexp_exp_of<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let masks = Masks::<B>::new(B::mode(&env.modes));
    map::<R, B, u32, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| {
            let a = masks.input(a);
            let (scaled, power) = normal(a);
            let exponent = scaled.exponent() - power - B::FORMAT.bias() + 1;
            (exponent as u32).only_if(is_finite_nonzero(a))
        },
    );
}

pub(crate) fn frexp_mant_of<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let masks = Masks::<B>::new(B::mode(&env.modes));
    let half = B::cut(power(B::FORMAT, -1));
    map::<R, B, B, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| {
            let a = masks.input(a);
            let fraction = normal(a).0 & !B::INFINITY | half;
            let result = if is_finite_nonzero(a) { fraction } else { a };
            masks.first_nan([a], result)
        },
    );
}

/// Clamps to [0, 1].
pub(crate) fn clamp_of<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let kept = (!B::ZERO).only_if(!B::mode(&env.modes).dx10_clamp);
    map::<R, B, B, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| {
            // A NaN is not positive.
            let positive = a.only_if(a.host() > B::ZERO.host());
            let clamped = if positive.host() < B::ONE.host() { positive } else { B::ONE };
            clamped | (a & kept).only_if(a.is_nan())
        },
    );
}

/// Multiplies by 2, 4 or a half, as the lowest two bits of a row say.
pub(crate) fn omod_of<R: Row, B: Bits>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let mode = B::mode(&env.modes);
    if mode.ieee || !mode.flush_outputs {
        return map::<R, B, B, 1>(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |[a]| a,
        );
    }
    if mode.round != Round::NearestEven {
        return general(file, p, env, dst);
    }
    let masks = Masks::<B>::new(mode);
    let factors = [1, 2, -1].map(|by| B::cut(power(B::FORMAT, by)));
    map_with::<R, B, B, 1>(
        file,
        p,
        env,
        dst,
        p.args[1],
        #[inline(always)]
        |[a], code| {
            let code = code & 3;
            let factor = factors[0].only_if(code == 1) | factors[1].only_if(code == 2) | factors[2].only_if(code == 3);
            let product = masks.output(B::of(masks.input(a).host() * factor.host()));
            let product = product.only_if(product.magnitude() != B::ZERO);
            if a.is_nan() | (code == 0) { a } else { product }
        },
    );
}
