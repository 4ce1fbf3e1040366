//! Conversions from and to floats of 8 bits, and their dot products.

use isa_runtime::body::{Builtin, Class, Type};

use crate::num::{Format, eighths};
use crate::operation::{Operation, OperationKind, format};
use crate::primitive::lanes::{map, map_with, map_with_care};
use crate::primitive::{Env, Function, Primitive, general};
use crate::rows::{File, Row};

const F32: Type = Type::new(Class::Float, 32, 1);

/// The formats of 8 bits.
const F8: u8 = 0;
const BF8: u8 = 1;

const fn format_of(number: u8) -> Format {
    if number == F8 { Format::F8 } else { Format::BF8 }
}

/// A function for an operation that has one. It ignores the bits of its arguments above their types.
pub(crate) fn function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    let arg = |n: usize| operation.args.get(n).map(|arg| arg.ty);
    let (ty, first) = (operation.ty, arg(0)?);
    let one = |ty: Type| format(ty).filter(|_| ty.lanes() == 1);
    Some(match operation.kind {
        OperationKind::Cast => match (one(first)?, one(ty)?) {
            (Format::F8, Format::F32) => to_float::<R, F8>,
            (Format::BF8, Format::F32) => to_float::<R, BF8>,
            (Format::F32, Format::F8) => from_float::<R, F8>,
            (Format::F32, Format::BF8) => from_float::<R, BF8>,
            _ => return None,
        },
        OperationKind::Call(Builtin::Stochastic) if first == F32 => match one(ty)? {
            Format::F8 => stochastic::<R, F8>,
            Format::BF8 => stochastic::<R, BF8>,
            _ => return None,
        },
        OperationKind::Call(Builtin::Dot4) if ty == F32 && arg(2)? == F32 => match (format(first)?, format(arg(1)?)?) {
            (Format::F8, Format::F8) => dot4::<R, F8, F8>,
            (Format::F8, Format::BF8) => dot4::<R, F8, BF8>,
            (Format::BF8, Format::F8) => dot4::<R, BF8, F8>,
            (Format::BF8, Format::BF8) => dot4::<R, BF8, BF8>,
            _ => return None,
        },
        _ => return None,
    })
}

fn to_float<R: Row, const FORMAT: u8>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    map::<R, u32, u32, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| eighths::widen(format_of(FORMAT), a & 0xFF),
    );
}

fn from_float<R: Row, const FORMAT: u8>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let saturates = env.modes.of(format_of(FORMAT)).saturate;
    map::<R, u32, u32, 1>(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |[a]| eighths::narrow(format_of(FORMAT), a, saturates),
    );
}

fn stochastic<R: Row, const FORMAT: u8>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let saturates = env.modes.of(format_of(FORMAT)).saturate;
    map_with::<R, u32, u32, 1>(
        file,
        p,
        env,
        dst,
        p.args[1],
        #[inline(always)]
        |[a], random| eighths::narrow_stochastic(format_of(FORMAT), a, random, saturates),
    );
}

/// Adds products to a number. They are exact in f32, so that rounding each sum is all that is left of a fused multiply-add.
fn dot4<R: Row, const A: u8, const B: u8>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let mode = env.modes.f32;
    match (mode.flush_inputs, mode.flush_outputs) {
        (true, true) => sum::<R, A, B, true>(file, p, env, dst),
        (false, false) => sum::<R, A, B, false>(file, p, env, dst),
        _ => general(file, p, env, dst),
    }
}

#[inline(always)]
fn sum<R: Row, const A: u8, const B: u8, const FLUSH: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let flush = |value: f32| {
        let bits = value.to_bits();
        let is_denormal = FLUSH & (bits & 0x7F80_0000 == 0);
        f32::from_bits(if is_denormal { bits & 0x8000_0000 } else { bits })
    };
    map_with_care::<R, u32, u32, 3>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a, b, c], _| {
            let mut sum = flush(f32::from_bits(c));
            for shift in [0, 8, 16, 24] {
                let [x, y] = [(format_of(A), a), (format_of(B), b)]
                    .map(|(format, bits)| f32::from_bits(eighths::widen(format, bits >> shift & 0xFF)));
                sum = flush(x * y + sum);
            }
            // The payload of a NaN is that of the definition.
            (sum.to_bits(), sum.is_nan())
        },
        |file, env| general(file, p, env, dst),
    );
}
