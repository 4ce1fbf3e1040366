//! Conversions between f32, f64 and integers, powers of two, and classes of numbers.

use isa_runtime::body::Class;

use crate::num::Round;
use crate::primitive::lanes::{Bits, Masks, TO_INTEGER, map, map_with, map_with_care};
use crate::primitive::{Env, Primitive, general};
use crate::rows::{File, Row};

pub(crate) fn float_to_double<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let masks = Masks::<u32>::new(env.modes.f32);
    map_with_care::<R, u32, u64, 1>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a], _| (f64::from(masks.input(a).host()).to_bits(), a.is_nan()),
        |file, env| general(file, p, env, dst),
    );
}

pub(crate) fn double_to_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    if env.modes.f32.round != Round::NearestEven {
        return general(file, p, env, dst);
    }
    // Denormals of f64 are zeros of f32, whether they are flushed or not.
    let masks = Masks::<u32>::new(env.modes.f32);
    map_with_care::<R, u64, u32, 1>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a], _| {
            let result = (a.host() as f32).to_bits();
            (masks.output(result), result.is_nan())
        },
        |file, env| general(file, p, env, dst),
    );
}

/// Converts integers of up to 32 bits, all of which are numbers of f64.
pub(crate) fn integer_to_double<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let Some(from) = p.operation.args.first().map(|arg| arg.ty) else { return general(file, p, env, dst) };
    if from.class() == Class::Signed {
        let cut = 32 - u32::from(from.bits().clamp(1, 32));
        map::<R, u32, u64, 1>(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |[a]| f64::from((a << cut) as i32 >> cut).to_bits(),
        );
    } else {
        map::<R, u32, u64, 1>(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |[a]| f64::from(a).to_bits(),
        );
    }
}

/// Converts a number to an integer in a direction: out of range saturates, a NaN is 0.
#[inline(always)]
fn to_integer(value: f64, least: f64, greatest: f64, down: bool) -> u32 {
    let above = if value > least { value } else { least };
    let within = if above < greatest { above } else { greatest };
    // The sum is rounded to nearest; its lowest bits are those of the integer.
    let magnitude = if down { within } else { f64::from_bits(within.to_bits().magnitude()) };
    let nearest = magnitude + TO_INTEGER - TO_INTEGER;
    let integer = nearest - f64::from_bits(u64::ONE.only_if(nearest > magnitude));
    let sign = if down { 0 } else { within.to_bits() & u64::SIGN };
    let bits = (f64::from_bits(integer.to_bits() | sign) + TO_INTEGER).to_bits() as u32;
    bits.only_if(value.partial_cmp(&value).is_some())
}

/// The least and the greatest number of the operation's type, which is an integer of up to 32 bits, and the mask of its bits.
#[inline(always)]
fn range<R>(p: &Primitive<R>) -> (f64, f64, u32) {
    let ty = p.operation.ty;
    let bits = u32::from(ty.bits().clamp(1, 32));
    let mask = u32::MAX >> (32 - bits);
    if ty.class() == Class::Signed {
        (-f64::from(1u32 << (bits - 1)), f64::from(mask >> 1), mask)
    } else {
        (0.0, f64::from(mask), mask)
    }
}

/// Truncates to integers of up to 32 bits.
pub(crate) fn float_to_integer<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let (least, greatest, mask) = range(p);
    map::<R, u32, u32, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| to_integer(f64::from(a.host()), least, greatest, false) & mask,
    );
}

/// Truncates to integers of up to 32 bits.
pub(crate) fn double_to_integer<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let (least, greatest, mask) = range(p);
    map::<R, u64, u32, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| to_integer(a.host(), least, greatest, false) & mask,
    );
}

/// The integer below the sum with a half.
pub(crate) fn nearest_integer<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    map::<R, u32, u32, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| to_integer(f64::from(a.host()) + 0.5, f64::from(i32::MIN), f64::from(i32::MAX), true),
    );
}

/// Multiplies f32 by a power of two: in f64, which neither over- nor underflows, and rounded once.
pub(crate) fn ldexp_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    if env.modes.f32.round != Round::NearestEven {
        return general(file, p, env, dst);
    }
    let masks = Masks::<u32>::new(env.modes.f32);
    map_with::<R, u32, u32, 1>(
        file,
        p,
        env,
        dst,
        p.args[1],
        #[inline(always)]
        |[a], by| {
            let a = masks.input(a);
            // Beyond, every result is zero or infinite.
            let by = (by as i32).clamp(-300, 300);
            let factor = f64::from_bits(u64::from((by + 1023) as u32) << 52);
            let result = (f64::from(a.host()) * factor) as f32;
            masks.first_nan([a], masks.output(result.to_bits()))
        },
    );
}

/// Multiplies f64 by a power of two.
pub(crate) fn ldexp_double<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let masks = Masks::<u64>::new(env.modes.f64);
    if env.modes.f64.round != Round::NearestEven {
        return general(file, p, env, dst);
    }
    map_with_care::<R, u64, u64, 1>(
        file,
        p,
        env,
        dst,
        p.args[1],
        #[inline(always)]
        |[a], by| {
            let a = masks.input(a);
            let by = (by as i32).clamp(-0x1000, 0x1000);
            let exponent = a.exponent() + by;
            let (is_small, is_special) = (a.exponent() == 0, a.exponent() == 0x7FF);
            let is_kept = is_special | (a.magnitude() == 0);
            let scaled = a.plus(u64::from(by as u32) << 52);
            let scaled = if exponent > 0x7FE { a & u64::SIGN | u64::INFINITY } else { scaled };
            // Less than half of the least denormal number.
            let scaled = if exponent < -52 { a & u64::SIGN } else { scaled };
            let result = if is_kept { a } else { scaled };
            let is_denormal = is_small | (-52..1).contains(&exponent);
            (masks.first_nan([a], result), is_denormal & !is_kept)
        },
        |file, env| general(file, p, env, dst),
    );
}

/// Whether a number is in a class that a mask selects; the bits are those of a format of 32 bits with this many bits of fraction.
#[inline(always)]
fn class<const FRACTION: u32>(bits: u32, selected: u32) -> u32 {
    let infinity = u32::SIGN - (1 << FRACTION);
    let magnitude = bits & !u32::SIGN;
    // Bits of positive numbers from zero on, and of negative ones.
    let pick = |condition: bool, positive: u32, negative: u32, other: u32| {
        let of_sign = if bits & u32::SIGN == 0 { positive } else { negative };
        if condition { of_sign } else { other }
    };
    let class = pick(magnitude < infinity, 1 << 8, 1 << 3, 0);
    let class = pick(magnitude < 1 << FRACTION, 1 << 7, 1 << 4, class);
    let class = pick(magnitude == 0, 1 << 6, 1 << 5, class);
    let class = pick(magnitude == infinity, 1 << 9, 1 << 2, class);
    let is_quiet = bits & 1 << (FRACTION - 1) != 0;
    let of_nan = if is_quiet { 1 << 1 } else { 1 };
    let class = if magnitude > infinity { of_nan } else { class };
    u32::from(class & selected != 0)
}

pub(crate) fn class_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    map_with::<R, u32, u32, 1>(
        file,
        p,
        env,
        dst,
        p.args[1],
        #[inline(always)]
        |[a], selected| class::<23>(a, selected),
    );
}

pub(crate) fn class_double<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    map_with::<R, u64, u32, 1>(
        file,
        p,
        env,
        dst,
        p.args[1],
        #[inline(always)]
        |[a], selected| {
            // The class depends on whether the lower half is zero.
            let high = (a >> 32) as u32 | u32::from(a as u32 != 0);
            class::<20>(high, selected)
        },
    );
}
