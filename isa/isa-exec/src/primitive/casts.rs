//! Functions of floats of 16 and 64 bits: signs and conversions.

use isa_runtime::body::Class;

use crate::num::{self, Format};
use crate::primitive::functions::{each, each_wide, map1, row_functions};
use crate::primitive::{Env, Primitive, general};
use crate::rows::{File, Row};

/// Changes the high dwords of numbers of 64 bits.
#[inline(always)]
fn map_high<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32) -> u32) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let (low, high) = (*file.row(p.args[0]), file.row(p.args[0].wrapping_add(1)).lanes());
            let high = R::from_fn(|lane| f(high[lane]));
            file.set_lanes(dst, env.mask, low);
            file.set_lanes(dst.wrapping_add(1), env.mask, high);
        },
    );
}

row_functions! {
    negate_half = map1 |a| a ^ 0x8000;
    abs_half = map1 |a| a & 0x7FFF;
    negate_double = map_high |a| a ^ 0x8000_0000;
    abs_double = map_high |a| a & 0x7FFF_FFFF;
    // Exact.
    small_to_float = map1 |a| (a as f32).to_bits();
}

pub(crate) fn half_to_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    each::<R, 1>(file, p, env, dst, |[a, ..]| {
        num::convert(Format::F16, env.modes.f16, Format::F32, env.modes.f32, a) as u32
    });
}

pub(crate) fn float_to_half<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    each::<R, 1>(file, p, env, dst, |[a, ..]| {
        num::convert(Format::F32, env.modes.f32, Format::F16, env.modes.f16, a) as u32
    });
}

/// Calls a function in each lane with a row, for a result of two rows.
#[inline(always)]
fn widen<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32) -> u64) {
    let a = *file.row(p.args[0]);
    let mut high = R::ZERO;
    let low = R::from_fn(|lane| {
        let result = f(a.lanes()[lane]);
        if let Some(to) = high.lanes_mut().get_mut(lane) {
            *to = (result >> 32) as u32;
        }
        result as u32
    });
    file.set_lanes(dst, env.mask, low);
    file.set_lanes(dst.wrapping_add(1), env.mask, high);
}

pub(crate) fn float_to_double<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    widen(file, p, env, dst, |a| num::convert(Format::F32, env.modes.f32, Format::F64, env.modes.f64, a.into()));
}

pub(crate) fn double_to_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    each_wide::<R, 1>(file, p, env, dst, false, |[a, ..]| {
        num::convert(Format::F64, env.modes.f64, Format::F32, env.modes.f32, a)
    });
}

pub(crate) fn int_to_double<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let Some(from) = p.operation.args.first().map(|arg| arg.ty) else { return general(file, p, env, dst) };
    // Numbers of 32 bits are exact.
    let cut = 32 - u32::from(from.bits().clamp(1, 32));
    if from.class() == Class::Signed {
        widen(file, p, env, dst, |a| f64::from((a << cut) as i32 >> cut).to_bits());
    } else {
        widen(file, p, env, dst, |a| f64::from(a).to_bits());
    }
}

/// Truncates f64 to integers of 32 bits.
pub(crate) fn double_to_int<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    // `as` saturates, and makes 0 of NaN.
    if p.operation.ty.class() == Class::Signed {
        each_wide::<R, 1>(file, p, env, dst, false, |[a, ..]| u64::from(f64::from_bits(a) as i32 as u32));
    } else {
        each_wide::<R, 1>(file, p, env, dst, false, |[a, ..]| u64::from(f64::from_bits(a) as u32));
    }
}
