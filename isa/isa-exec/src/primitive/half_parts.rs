//! Functions of the parts of single f16 numbers: rounding to integers, exponents and fractions, classes, quotients; and the choice of
//! elementary functions. All ignore the bits of their arguments above the type.

use isa_runtime::body::{Builtin, Class, Type};

use crate::num::Round;
use crate::num::fast16::{F16, HalfFormat, magnitude, mask};
use crate::operation::{Operation, OperationKind};
use crate::primitive::elementary::{cos_half, exp2_half, log2_half, rcp_half, rsq_half, sin_half, sqrt_half};
use crate::primitive::functions::map2;
use crate::primitive::halves::{fast_mode, special};
use crate::primitive::lanes::{HALVES, map_marked, map_with_care};
use crate::primitive::narrow::{extend, is_nan};
use crate::primitive::{Env, Function, Primitive, general};
use crate::rows::{File, Row};

const SIGN: u32 = 0x8000_0000;

/// The function for an operation on one f16, if it has one.
pub(crate) fn function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    const HALF: Type = Type::new(Class::Float, 16, 1);
    use Builtin as B;
    let OperationKind::Call(builtin) = operation.kind else { return None };
    let second = operation.args.get(1).map(|arg| arg.ty);
    let is_integer = |ty: Type| ty.lanes() == 1 && ty.bits() <= 32 && ty.class() == Class::Signed;
    if operation.args.first()?.ty != HALF {
        return None;
    }
    match (builtin, second) {
        (B::Class, Some(mask)) if mask.bits() <= 32 => Some(class::<R>),
        (B::FrexpExp, None) if operation.ty.bits() == 32 => Some(frexp_exp::<R>),
        _ if operation.ty != HALF => None,
        (B::Ldexp, Some(power)) if is_integer(power) => Some(ldexp::<R>),
        (B::Floor, None) => Some(floor::<R>),
        (B::Ceil, None) => Some(ceil::<R>),
        (B::Trunc, None) => Some(trunc::<R>),
        (B::Rndne, None) => Some(rndne::<R>),
        (B::Fract, None) => Some(fract::<R>),
        (B::FrexpMant, None) => Some(frexp_mant::<R>),
        (B::DivFixup, Some(_)) => Some(div_fixup::<R>),
        (B::Rcp, None) => Some(rcp_half::<R>),
        (B::Sqrt, None) => Some(sqrt_half::<R>),
        (B::Rsq, None) => Some(rsq_half::<R>),
        (B::Exp2, None) => Some(exp2_half::<R>),
        (B::Log2, None) => Some(log2_half::<R>),
        (B::Sin, None) => Some(sin_half::<R>),
        (B::Cos, None) => Some(cos_half::<R>),
        _ => None,
    }
}

/// Computes f16 rows: `f` of a number in the upper 16 bits and its value, denormals flushed as the mode has them; a NaN is evaluated
/// apart.
#[inline(always)]
fn map_value<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32, f32) -> u32) {
    if env.modes.f16.flush_inputs {
        map_flushed::<R, true>(file, p, env, dst, f);
    } else {
        map_flushed::<R, false>(file, p, env, dst, f);
    }
}

#[inline(always)]
fn map_flushed<R: Row, const FLUSH: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn(u32, f32) -> u32,
) {
    map_with_care::<R, u32, u32, 1>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a], _| (f(a << 16, F16::widen::<FLUSH>(a << 16)), is_nan(a << 16)),
        |file, env| general(file, p, env, dst),
    );
}

/// Rounds the magnitude of a widened f16 to an integer in a direction.
#[inline(always)]
fn to_integer(value: f32, round: Round) -> f32 {
    // The sum of this and a smaller number is an integer.
    const INTEGER: f32 = 8_388_608.0;
    let magnitude = magnitude(value);
    let nearest = magnitude + INTEGER - INTEGER;
    if round == Round::NearestEven {
        return nearest;
    }
    let below = nearest - f32::from_bits(mask(nearest > magnitude) & 1.0f32.to_bits());
    let is_negative = (value.to_bits() as i32 >> 31) as u32;
    let rounds_away = match round {
        Round::Up => !is_negative,
        Round::Down => is_negative,
        _ => 0,
    };
    below + f32::from_bits(mask(below < magnitude) & rounds_away & 1.0f32.to_bits())
}

macro_rules! to_integers {
    ($($name:ident = $round:ident;)*) => {
        $(fn $name<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
            map_value(file, p, env, dst, #[inline(always)] |upper, value| {
                let integer = to_integer(value, Round::$round);
                // An infinity has the widened value of the next power of two, which narrows to it. Zeros keep the sign.
                F16::narrow::<false>(integer, F16::limit(false)) | (upper & SIGN) >> 16
            });
        })*
    };
}

to_integers! {
    floor = Down;
    ceil = Up;
    trunc = TowardZero;
    rndne = NearestEven;
}

/// The distance from the integer below, which is below 1.
fn fract<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    match fast_mode(env.modes.f16) {
        Some(true) => fract_in::<R, true>(file, p, env, dst),
        Some(false) => fract_in::<R, false>(file, p, env, dst),
        None => general(file, p, env, dst),
    }
}

#[inline(always)]
fn fract_in<R: Row, const FLUSH: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    map_marked::<R, u32, u32, 1, HALVES>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a], _| {
            let upper = a << 16;
            let value = F16::widen::<FLUSH>(upper);
            let floor = f32::from_bits(to_integer(value, Round::Down).to_bits() | upper & SIGN);
            // Exact in f32, and below 1; as f16 it may be 1.
            let half = F16::narrow::<FLUSH>(value - floor, F16::limit(false));
            (half.min(0x3BFF), special::<F16>(upper))
        },
        |file, env| general(file, p, env, dst),
    );
}

/// Multiplies by a power of two.
fn ldexp<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    match fast_mode(env.modes.f16) {
        Some(true) => ldexp_in::<R, true>(file, p, env, dst),
        Some(false) => ldexp_in::<R, false>(file, p, env, dst),
        None => general(file, p, env, dst),
    }
}

#[inline(always)]
fn ldexp_in<R: Row, const FLUSH: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let limit = F16::limit(env.modes.f16.saturate);
    let cut = p.operation.args.get(1).map_or(0, |arg| 32 - u32::from(arg.ty.bits().clamp(1, 32)));
    map_marked::<R, u32, u32, 2, HALVES>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a, power], _| {
            // Beyond this range every number over- or underflows.
            let power = (extend(power, (cut, true)) as i32).clamp(-60, 60);
            let scale = f32::from_bits(((127 + power) as u32) << 23);
            let value = F16::widen::<FLUSH>(a << 16) * scale;
            (F16::narrow::<FLUSH>(value, limit), special::<F16>(a << 16))
        },
        |file, env| general(file, p, env, dst),
    );
}

/// The fraction in [0.5, 1), with the sign.
fn frexp_mant<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    map_value(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |upper, value| {
            let bits = value.to_bits();
            let fraction = 14 << 10 | bits >> 13 & 0x03FF;
            let is_zero = mask(bits & !SIGN == 0);
            let is_infinite = mask(upper & !SIGN == 0x7C00_0000);
            fraction & !is_zero & !is_infinite | is_infinite & 0x7C00 | (upper & SIGN) >> 16
        },
    );
}

/// The exponent of a number whose fraction is in [0.5, 1); 0 for zeros, infinities and NaNs.
fn frexp_exp<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let exponent = |upper: u32, value: f32| {
        let bits = value.to_bits();
        let is_number = mask(bits & !SIGN != 0 && upper & 0x7C00_0000 != 0x7C00_0000);
        (bits >> 23 & 0xFF).wrapping_sub(126) & is_number
    };
    map_value(file, p, env, dst, exponent);
}

/// Whether a number is in one of the classes of a mask.
fn class<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    map2(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a, classes| {
            // All ones where a condition holds: `if` would become branches.
            let select = |condition: bool, yes: u32, no: u32| yes & mask(condition) | no & !mask(condition);
            let (exponent, is_negative) = (a & 0x7C00, a & 0x8000 != 0);
            let small = select(a & 0x03FF != 0, select(is_negative, 0x10, 0x80), select(is_negative, 0x20, 0x40));
            let large = select(exponent == 0x7C00, select(is_negative, 0x04, 0x200), select(is_negative, 0x08, 0x100));
            let number = select(exponent == 0, small, large);
            let nan = select(a & 0x0200 != 0, 2, 1);
            let class = select(a & 0x7FFF > 0x7C00, nan, number);
            u32::from(class & classes != 0)
        },
    );
}

/// The quotient with the special cases of division put right, which are evaluated apart.
fn div_fixup<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    // Quotients with an exponent below are zeros.
    const FAR: i32 = -25;
    let cut = mask(env.modes.f16.flush_outputs) & 0x7FFF;
    map_with_care::<R, u32, u32, 3>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[quotient, denominator, numerator], _| {
            let exponent = |bits: u32| (bits >> 10 & 31) as i32;
            let (n, d) = (exponent(numerator), exponent(denominator));
            let is_normal = |exponent: i32| ((exponent - 1) as u32) < 30;
            let is_usual = is_normal(n) & is_normal(d) & (n - d >= FAR) & !is_nan(quotient << 16);
            let magnitude = quotient & 0x7FFF & !(cut & mask(quotient & F16::INFINITY == 0));
            (magnitude | (denominator ^ numerator) & 0x8000, !is_usual)
        },
        |file, env| general(file, p, env, dst),
    );
}
