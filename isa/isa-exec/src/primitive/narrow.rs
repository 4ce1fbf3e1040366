//! Conversions from and to numbers of 16 and fewer bits. All ignore the bits of their arguments above the type.

use isa_runtime::body::{Builtin, Class, Type};

use crate::num::Round;
use crate::num::fast16::{F16, HalfFormat, higher, lower, magnitude, mask};
use crate::operation::{Operation, OperationKind};
use crate::primitive::functions::map1;
use crate::primitive::lanes::map_with_care;
use crate::primitive::{Env, Function, Primitive, general};
use crate::rows::{File, Row};

const F16_TYPE: Type = Type::new(Class::Float, 16, 1);
const F32_TYPE: Type = Type::new(Class::Float, 32, 1);

/// The function for a conversion, if it has one.
pub(crate) fn function<R: Row>(operation: &Operation) -> Option<Function<R>> {
    let (ty, [arg]) = (operation.ty, &*operation.args) else { return None };
    let from = arg.ty;
    match operation.kind {
        OperationKind::Cast => cast(from, ty),
        OperationKind::Call(Builtin::RtzF16) if from == F32_TYPE && ty == F16_TYPE => Some(float_to_half_zero::<R>),
        OperationKind::Call(Builtin::Snorm16) if ty.bits() == 16 => norm::<R, true>(from),
        OperationKind::Call(Builtin::Unorm16) if ty.bits() == 16 => norm::<R, false>(from),
        _ => None,
    }
}

/// Whether a type is one integer of at most `bits` bits.
fn is_integer(ty: Type, bits: u16) -> bool {
    matches!(ty.class(), Class::Signed | Class::Unsigned) && ty.lanes() == 1 && ty.bits() <= bits
}

fn cast<R: Row>(from: Type, to: Type) -> Option<Function<R>> {
    Some(match (from, to) {
        (F16_TYPE, F32_TYPE) => half_to_float::<R>,
        (F32_TYPE, F16_TYPE) => float_to_half::<R>,
        (F16_TYPE, _) if is_integer(to, 16) => half_to_integer::<R>,
        (F32_TYPE, _) if is_integer(to, 16) => float_to_integer::<R>,
        (_, F16_TYPE) if is_integer(from, 16) => integer_to_half::<R>,
        (_, F32_TYPE) if is_integer(from, 24) => integer_to_float::<R>,
        _ if is_integer(from, 32) && is_integer(to, 32) && from.bits().min(to.bits()) < 32 => resize::<R>,
        _ => return None,
    })
}

/// A conversion of a number in [-1, 1] or [0, 1].
fn norm<R: Row, const SIGNED: bool>(from: Type) -> Option<Function<R>> {
    match from {
        F32_TYPE => Some(float_to_norm::<R, SIGNED>),
        F16_TYPE => Some(half_to_norm::<R, SIGNED>),
        _ => None,
    }
}

/// Whether a half in the upper 16 bits is a NaN.
#[inline(always)]
pub(super) const fn is_nan(upper: u32) -> bool {
    upper & 0x7FFF_0000 > 0x7C00_0000
}

fn half_to_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    if env.modes.f16.flush_inputs {
        widen::<R, true>(file, p, env, dst);
    } else {
        widen::<R, false>(file, p, env, dst);
    }
}

#[inline(always)]
fn widen<R: Row, const FLUSH: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let quiet = if env.modes.f32.ieee { 0x0040_0000 } else { 0 };
    map1(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a| F16::widen_all::<FLUSH>(a << 16).to_bits() | mask(is_nan(a << 16)) & quiet,
    );
}

fn float_to_half<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    // Without a direction, denormal operands are as small as flushed ones.
    match (env.modes.f16.round, env.modes.f16.flush_outputs) {
        (Round::NearestEven, true) => to_half::<R, true, false>(file, p, env, dst),
        (Round::NearestEven, false) => to_half::<R, false, false>(file, p, env, dst),
        (Round::TowardZero, true) => to_half::<R, true, true>(file, p, env, dst),
        (Round::TowardZero, false) => to_half::<R, false, true>(file, p, env, dst),
        _ => general(file, p, env, dst),
    }
}

fn float_to_half_zero<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    if env.modes.f16.flush_outputs {
        to_half::<R, true, true>(file, p, env, dst);
    } else {
        to_half::<R, false, true>(file, p, env, dst);
    }
}

/// Rounds f32 to f16; `ZERO`: toward zero, else to nearest.
#[inline(always)]
fn to_half<R: Row, const FLUSH: bool, const ZERO: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let saturates = env.modes.f16.saturate || ZERO;
    let limit = F16::limit(saturates);
    // Infinities remain infinite where finite numbers do not become so.
    let infinity = if saturates { 0x7F80_0000 } else { 0x7F80_0001 };
    map_with_care::<R, u32, u32, 1>(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |[a], _| {
            let value = f32::from_bits(a);
            let half = if ZERO { F16::narrow_to_zero::<FLUSH>(value) } else { F16::narrow::<FLUSH>(value, limit) };
            (half, magnitude(value).to_bits() >= infinity)
        },
        |file, env| general(file, p, env, dst),
    );
}

/// Extends the lowest bits of a dword, by their sign if there is one: the bits to the left of them, and whether there is one.
#[inline(always)]
pub(super) const fn extend(bits: u32, (cut, is_signed): (u32, bool)) -> u32 {
    let at_top = bits << cut;
    if is_signed { (at_top as i32 >> cut) as u32 } else { at_top >> cut }
}

/// The arguments of [`extend`] for the numbers of an operation's argument.
#[inline(always)]
fn extension<R>(p: &Primitive<R>) -> (u32, bool) {
    let from = p.operation.args.first().map_or(p.operation.ty, |arg| arg.ty);
    (32 - u32::from(from.bits().clamp(1, 32)), from.class() == Class::Signed)
}

/// The bits of a type in a dword.
#[inline(always)]
pub(super) const fn bits_of(ty: Type) -> u32 {
    if ty.bits() >= 32 { u32::MAX } else { (1 << ty.bits()) - 1 }
}

/// Calls `f` with the numbers of an integer argument, extended to 32 bits.
#[inline(always)]
pub(super) fn map_extended<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32) -> u32) {
    // A loop for each sort of extension.
    match extension(p) {
        (cut, true) => map1(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |a| f(extend(a, (cut, true))),
        ),
        (cut, false) => map1(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |a| f(extend(a, (cut, false))),
        ),
    }
}

/// Cuts or extends an integer.
fn resize<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    let kept = bits_of(p.operation.ty);
    map_extended(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a| a & kept,
    );
}

fn integer_to_half<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    if env.modes.f16.round != Round::NearestEven {
        return general(file, p, env, dst);
    }
    let limit = F16::limit(env.modes.f16.saturate);
    // No integer is denormal.
    map_extended(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a| F16::narrow::<false>(a as i32 as f32, limit),
    );
}

/// Converts integers of at most 24 bits, which is exact.
fn integer_to_float<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    map_extended(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a| (a as i32 as f32).to_bits(),
    );
}

/// Truncates numbers to an integer of at most 16 bits. `f` gives the value of a dword and whether it is a NaN.
#[inline(always)]
fn truncate<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16, f: impl Fn(u32) -> (f32, bool)) {
    let ty = p.operation.ty;
    let is_signed = ty.class() == Class::Signed;
    let half = (1u32 << (ty.bits().clamp(1, 16) - 1)) as f32;
    // The largest magnitudes of numbers without and with a sign.
    let (greatest, least) = if is_signed { (half - 1.0, half) } else { (2.0 * half - 1.0, 0.0) };
    let (greatest, least, kept) = (greatest.to_bits(), least.to_bits(), bits_of(ty));
    // The sum of this and a smaller number is an integer, in the lowest bits.
    const INTEGER: f32 = 8_388_608.0;
    map1(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a| {
            let (value, is_nan) = f(a);
            let sign = (value.to_bits() as i32 >> 31) as u32;
            let magnitude = lower(magnitude(value), f32::from_bits(least & sign | greatest & !sign));
            let nearest = magnitude + INTEGER;
            let is_above = mask(nearest - INTEGER > magnitude);
            let integer = nearest.to_bits().wrapping_sub(INTEGER.to_bits()).wrapping_add(is_above);
            (integer ^ sign).wrapping_sub(sign) & !mask(is_nan) & kept
        },
    );
}

fn half_to_integer<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    // An infinity widens to a number above all integers.
    truncate(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a| (F16::widen::<false>(a << 16), is_nan(a << 16)),
    );
}

fn float_to_integer<R: Row>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    truncate(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a| (f32::from_bits(a), f32::from_bits(a).is_nan()),
    );
}

/// The nearest integer to a number in [-1, 1] times 32767 or, without a sign, in [0, 1] times 65535. A NaN gives 0.
#[inline(always)]
fn normalized<const SIGNED: bool>(value: f32, is_nan: bool) -> u32 {
    let (least, scale) = if SIGNED { (-1.0, 32767.0) } else { (0.0, 65535.0) };
    // The product is exact, and the sum is an integer, in the lowest bits.
    const INTEGER: f64 = 6_755_399_441_055_744.0;
    let scaled = f64::from(higher(lower(value, 1.0), least)) * scale + INTEGER;
    scaled.to_bits() as u32 & 0xFFFF & !mask(is_nan)
}

fn float_to_norm<R: Row, const SIGNED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    // A denormal gives 0, flushed or not.
    map1(
        file,
        p,
        env,
        dst,
        #[inline(always)]
        |a| normalized::<SIGNED>(f32::from_bits(a), f32::from_bits(a).is_nan()),
    );
}

fn half_to_norm<R: Row, const SIGNED: bool>(file: &mut File<R>, p: &Primitive<R>, env: &Env, dst: u16) {
    if env.modes.f16.flush_inputs {
        map1(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |a| normalized::<SIGNED>(F16::widen::<true>(a << 16), is_nan(a << 16)),
        );
    } else {
        map1(
            file,
            p,
            env,
            dst,
            #[inline(always)]
            |a| normalized::<SIGNED>(F16::widen::<false>(a << 16), is_nan(a << 16)),
        );
    }
}
