//! The builtin functions that depend on their arguments and the mode alone.

use isa_runtime::body::{Builtin, Class, Type};

use crate::eval::{Typed, elementwise, saturate};
use crate::num::{self, FloatMode, Format, Round};
use crate::operation::{Modes, element, extended, format, low_bits};

type Ternary = fn(Format, FloatMode, u64, u64, u64) -> u64;

/// Computes a builtin function; 0 for those that need more than their arguments.
pub(crate) fn call(builtin: Builtin, ty: Type, args: &[Typed], modes: &Modes) -> u128 {
    use Builtin as B;
    let none = Typed { bits: 0, ty };
    let [a, b, c] = [0, 1, 2].map(|n| args.get(n).copied().unwrap_or(none));
    let float1 = |f: fn(Format, FloatMode, u64) -> u64| {
        elementwise(ty, &[a], |args| with_format(args[0].ty, |format| f(format, modes.of(format), word(args[0]))))
    };
    let float3 = |f: Ternary| {
        elementwise(ty, &[a, b, c], |args| {
            with_format(args[0].ty, |format| f(format, modes.of(format), word(args[0]), word(args[1]), word(args[2])))
        })
    };
    match builtin {
        B::Carry | B::Borrow => u128::from(carries(builtin, a, b, c)),
        B::Bfe | B::Bitrev | B::Ctz | B::Clz | B::Cls | B::Popcount | B::Quadmask | B::Wqm | B::Replicate => {
            bits(builtin, a, b, c)
        }
        B::Abs => elementwise(ty, &[a], |args| absolute(args[0])),
        B::Min => pick(ty, &[a, b], modes, |[a, b, _]| a.min(b), |f, m, a, b, _| num::min(f, m, a, b)),
        B::Max => pick(ty, &[a, b], modes, |[a, b, _]| a.max(b), |f, m, a, b, _| num::max(f, m, a, b)),
        B::Minimum => pick(ty, &[a, b], modes, |[a, b, _]| a.min(b), |f, m, a, b, _| num::minimum(f, m, a, b)),
        B::Maximum => pick(ty, &[a, b], modes, |[a, b, _]| a.max(b), |f, m, a, b, _| num::maximum(f, m, a, b)),
        B::Min3 => pick(ty, &[a, b, c], modes, |[a, b, c]| a.min(b).min(c), num::min3),
        B::Max3 => pick(ty, &[a, b, c], modes, |[a, b, c]| a.max(b).max(c), num::max3),
        B::Med3 => pick(ty, &[a, b, c], modes, |[a, b, c]| a.min(b).max(a.max(b).min(c)), num::med3),
        B::Minmax => pick(ty, &[a, b, c], modes, |[a, b, c]| a.min(b).max(c), num::minmax),
        B::Maxmin => pick(ty, &[a, b, c], modes, |[a, b, c]| a.max(b).min(c), num::maxmin),
        B::Sad | B::Msad => sad(a, b, builtin == B::Msad),
        B::Qsad => num::qsad_pk_u16_u8(word(a), b.bits as u32, word(c)).into(),
        B::MqsadU16 => num::mqsad_pk_u16_u8(word(a), b.bits as u32, word(c)).into(),
        B::MqsadU32 => num::mqsad_u32_u8(word(a), b.bits as u32, c.bits),
        B::BytePerm => num::byte_perm((a.bits >> 32) as u32, a.bits as u32, b.bits as u32).into(),
        B::Lerp => num::lerp_u8(a.bits as u32, b.bits as u32, c.bits as u32).into(),
        B::SetByte => {
            let shift = (b.bits as u32 & 3) * 8;
            a.bits & !(0xFF << shift) | (c.bits & 0xFF) << shift
        }
        B::SatU8 | B::SatU16 | B::SatI16 => {
            elementwise(ty, &[a], |args| saturate(extended(args[0].bits, args[0].ty), ty))
        }
        B::Fma => float3(num::fma),
        B::FmaF16 => num::fma_to_f16(modes.f32, modes.f16, word(a), word(b), word(c)).into(),
        B::Class => u128::from(format(a.ty).is_some_and(|format| num::class(format, word(a), b.bits as u32))),
        B::Floor => float1(num::floor),
        B::Ceil => float1(num::ceil),
        B::Trunc => float1(num::trunc),
        B::Rndne => float1(num::rndne),
        B::Fract => float1(num::fract),
        B::Sqrt => float1(num::sqrt),
        B::Exp2 => float1(num::exp2),
        B::Log2 => float1(num::log2),
        B::Sin => float1(num::sin),
        B::Cos => float1(num::cos),
        B::Rcp => float1(num::rcp),
        B::Rsq => float1(num::rsq),
        B::FrexpMant => float1(num::frexp_mant),
        B::Clamp => float1(num::clamp),
        B::Nearest => format(a.ty).map_or(0, |format| num::nearest(format, word(a))) as u32 as u128,
        B::FrexpExp => {
            let exponent = format(a.ty).map_or(0, |format| num::frexp_exp(format, modes.of(format), word(a)));
            exponent as u128
        }
        B::Ldexp => elementwise(ty, &[a, b], |args| {
            let power = extended(args[1].bits, args[1].ty).clamp(-0x8000, 0x8000) as i32;
            with_format(args[0].ty, |format| num::ldexp(format, modes.of(format), word(args[0]), power))
        }),
        B::DivScale => float3(|f, m, a, b, c| num::div_scale(f, m, a, b, c).0),
        B::DivScaleFlag => u128::from(
            format(a.ty).is_some_and(|format| num::div_scale(format, modes.of(format), word(a), word(b), word(c)).1),
        ),
        B::DivFmas => {
            let scaled = args.get(3).is_some_and(|flag| flag.bits & 1 != 0);
            with_format(ty, |format| num::div_fmas(format, modes.of(format), word(a), word(b), word(c), scaled))
        }
        B::DivFixup => float3(num::div_fixup),
        B::TrigPreop => num::trig_preop(modes.f64, word(a), b.bits as u32).into(),
        B::CubeId => float3(num::cube_id),
        B::CubeSc => float3(num::cube_sc),
        B::CubeTc => float3(num::cube_tc),
        B::CubeMa => float3(num::cube_ma),
        B::Mullit => float3(num::mullit),
        B::Snorm16 => elementwise(ty, &[a], |args| {
            with_format(args[0].ty, |format| num::to_snorm(format, modes.of(format), word(args[0])) as u16 as u64)
        }),
        B::Unorm16 => elementwise(ty, &[a], |args| {
            with_format(args[0].ty, |format| num::to_unorm(format, modes.of(format), word(args[0])) as u64)
        }),
        B::RtzF16 => {
            let mode = modes.f16.rounding(Round::TowardZero);
            num::convert(Format::F32, modes.f32, Format::F16, mode, word(a)).into()
        }
        B::Dot2 => dot2(ty, a, b, c, modes),
        B::Dot4 => dot4(ty, a, b, c, modes),
        B::Stochastic => with_format(ty, |format| {
            let saturates = modes.of(format).saturate;
            num::narrow_stochastic(format, a.bits as u32, b.bits as u32, saturates).into()
        }),
        B::Dot | B::DotSigned => dot(ty, args) as u128,
        B::Omod => elementwise(ty, &[a], |args| {
            let code = b.bits as u32;
            with_format(args[0].ty, |format| num::omod(format, modes.of(format), word(args[0]), code))
        }),
        B::Join => {
            let mut at = 0;
            args.iter().fold(0, |joined, arg| {
                let bits = arg.bits.checked_shl(at).unwrap_or(0);
                at += u32::from(arg.ty.total_bits());
                joined | bits
            })
        }
        _ => 0,
    }
}

const fn word(value: Typed) -> u64 {
    value.bits as u64
}

fn with_format(ty: Type, f: impl FnOnce(Format) -> u64) -> u128 {
    format(ty).map_or(0, f).into()
}

fn carries(builtin: Builtin, a: Typed, b: Typed, c: Typed) -> bool {
    let width = u32::from(a.ty.bits()).max(1);
    let (x, y, carry) = (a.bits, b.bits, c.bits & 1);
    match builtin {
        Builtin::Carry => {
            x.checked_add(y).and_then(|sum| sum.checked_add(carry)).is_none_or(|sum| low_bits(sum, width) != sum)
        }
        _ => y.checked_add(carry).is_none_or(|subtrahend| x < subtrahend),
    }
}

/// Bit fields, counts and scans.
fn bits(builtin: Builtin, a: Typed, b: Typed, c: Typed) -> u128 {
    let width = u32::from(a.ty.total_bits()).clamp(1, 64);
    let value = word(a);
    // The number of bits where the guide's functions give -1.
    let count = |n: i32| u128::from(u32::try_from(n).unwrap_or(width));
    match builtin {
        Builtin::Bfe => {
            let (offset, bits) = (b.bits as u32, c.bits as u32);
            if a.ty.class() == Class::Signed {
                num::bfe_i64(extended(a.bits, a.ty) as i64, offset, bits) as u128
            } else {
                num::bfe_u64(value, offset, bits).into()
            }
        }
        Builtin::Bitrev => num::bitrev(value, width).into(),
        Builtin::Ctz => count(num::ctz(value)),
        Builtin::Clz => count(num::clz(value, width)),
        Builtin::Cls => count(num::cls(value, width)),
        Builtin::Popcount => a.bits.count_ones().into(),
        Builtin::Quadmask => num::quadmask(value).into(),
        Builtin::Wqm => num::wqm(value).into(),
        _ => (0..32).fold(0, |all, at| all | ((a.bits >> at & 1) * 3) << (2 * at)),
    }
}

fn absolute(a: Typed) -> u128 {
    match format(a.ty) {
        Some(format) => a.bits & u128::from(format.magnitude_mask()),
        None => extended(a.bits, a.ty).unsigned_abs(),
    }
}

/// One of two or three numbers, by functions for integers and for floats.
fn pick(ty: Type, args: &[Typed], modes: &Modes, integers: fn([i128; 3]) -> i128, floats: Ternary) -> u128 {
    elementwise(ty, args, |args| {
        let nth = |n: usize| args.get(n).copied().unwrap_or(args[0]);
        let all = [nth(0), nth(1), nth(2)];
        match format(all[0].ty) {
            Some(format) => {
                let [a, b, c] = all.map(word);
                floats(format, modes.of(format), a, b, c).into()
            }
            None => integers(all.map(|value| extended(value.bits, value.ty))) as u128,
        }
    })
}

/// The sum of the absolute differences of elements.
fn sad(a: Typed, b: Typed, masked: bool) -> u128 {
    let elements = (0..u32::from(a.ty.lanes().max(1))).map(|at| (element(a.bits, a.ty, at), element(b.bits, b.ty, at)));
    elements.filter(|(_, b)| !masked || *b != 0).map(|(a, b)| a.abs_diff(b)).sum()
}

/// `c` plus two products of floats.
fn dot2(ty: Type, a: Typed, b: Typed, c: Typed, modes: &Modes) -> u128 {
    let (Some(to), Some(from)) = (format(ty), format(a.ty)) else { return 0 };
    let widened = |value: Typed, at| {
        let bits = element(value.bits, value.ty, at) as u64;
        num::convert(from, modes.of(from), to, modes.of(to), bits)
    };
    let sum = (0..2).fold(word(c), |sum, at| num::fma(to, modes.of(to), widened(a, at), widened(b, at), sum));
    sum.into()
}

/// `c` plus four products of floats of 8 bits.
fn dot4(ty: Type, a: Typed, b: Typed, c: Typed, modes: &Modes) -> u128 {
    let (Some(to), Some(of_a), Some(of_b)) = (format(ty), format(a.ty), format(b.ty)) else { return 0 };
    let mode = modes.of(to).rounding(Round::NearestEven);
    let widened = |value: Typed, format, at| {
        num::convert(format, FloatMode::IEEE, to, FloatMode::IEEE, element(value.bits, value.ty, at) as u64)
    };
    let sum = (0..4).fold(word(c), |sum, at| num::fma(to, mode, widened(a, of_a, at), widened(b, of_b, at), sum));
    sum.into()
}

/// The exact sum of an integer and the products of elements.
pub(crate) fn dot(_ty: Type, args: &[Typed]) -> i128 {
    let [a, b, c, ..] = args else { return 0 };
    let sign = |n: usize, ty: Type| match args.get(n) {
        Some(flag) if flag.bits & 1 != 0 => ty.element().with_class(Class::Signed),
        Some(_) => ty.element().with_class(Class::Unsigned),
        None => ty.element(),
    };
    let (of_a, of_b) = (sign(3, a.ty), sign(4, b.ty));
    (0..u32::from(a.ty.lanes())).fold(extended(c.bits, c.ty), |sum, at| {
        sum + extended(element(a.bits, a.ty, at), of_a) * extended(element(b.bits, b.ty, at), of_b)
    })
}
