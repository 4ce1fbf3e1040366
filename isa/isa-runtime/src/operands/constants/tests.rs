//! Tests of constants against the inline constants of AMD's GPUs.

use super::{Constant, Constants, EncodedConstant, InlineFloat, InlineIntegers};
use crate::{Class, Type};

/// The constants of all generations; the code of 1/(2 pi) came with GCN 1.2.
const CONSTANTS: Constants = Constants {
    integers: &[InlineIntegers { code: 128, first: 0, last: 64 }, InlineIntegers { code: 193, first: -1, last: -16 }],
    floats: &INLINE_FLOATS,
    literal: Some(255),
};

/// The inline floating-point constants, from code 240 on.
static INLINE_FLOATS: [InlineFloat; 9] = [
    InlineFloat::new(240, "0.5", 0.5),
    InlineFloat::new(241, "-0.5", -0.5),
    InlineFloat::new(242, "1.0", 1.0),
    InlineFloat::new(243, "-1.0", -1.0),
    InlineFloat::new(244, "2.0", 2.0),
    InlineFloat::new(245, "-2.0", -2.0),
    InlineFloat::new(246, "4.0", 4.0),
    InlineFloat::new(247, "-4.0", -4.0),
    // 1/(2 pi), truncated in a bf16.
    InlineFloat {
        code: 248,
        name: "0.15915494",
        value: 0.159_154_94,
        f16: 0x3118,
        bf16: 0x3e22,
        f32: 0x3e22_f983,
        f64: 0x3fc4_5f30_6dc9_c882,
    },
];

/// All types of operands that take constants.
fn types() -> impl Iterator<Item = Type> {
    let classes = [Class::Bits, Class::Unsigned, Class::Signed, Class::EitherSign, Class::Float, Class::BFloat];
    let shapes = [(8, 1), (8, 4), (4, 8), (16, 1), (16, 2), (24, 1), (32, 1), (64, 1), (16, 4), (32, 2)];
    classes
        .into_iter()
        .flat_map(move |class| shapes.into_iter().map(move |(bits, lanes)| Type::new(class, bits, lanes)))
}

/// Literals near the limits of all formats, and as many random ones.
fn literals() -> impl Iterator<Item = u32> {
    let limits = [0, 1, 0x40, 0x41, 0x7fff, 0x8000, 0xffef, 0xfff0, 0xffff, 0x1_0000, 0x3c00_3c00, 0x7fff_ffff];
    let floats = INLINE_FLOATS.iter().flat_map(|f| [f.f32, f.f16.into(), f.bf16.into(), (f.f64 >> 32) as u32]);
    let mut random = 1u32;
    let random = (0..2000).map(move |_| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        random
    });
    let near = move |x: u32| [x, x.wrapping_neg(), !x, x.wrapping_add(1), x | 0xffff_0000];
    limits.into_iter().chain(floats).flat_map(near).chain(random)
}

#[test]
fn each_code_and_literal_comes_back_in_each_type() {
    let mut checked = 0;
    for ty in types() {
        for code in (0..255).filter(|code| CONSTANTS.bits(*code, 0, ty).is_some()) {
            let (constant, forced) = CONSTANTS.decode(code, 0, ty).unwrap();
            let inline = EncodedConstant { code, literal: None, exact: true };
            assert_eq!(CONSTANTS.encode(constant, ty, forced), Some(inline), "{code} as {ty}: {constant:?}");
            checked += 1;
        }
        for literal in literals() {
            let (constant, forced) = CONSTANTS.decode(255, literal, ty).unwrap();
            let same = EncodedConstant { code: 255, literal: Some(literal), exact: true };
            assert_eq!(CONSTANTS.encode(constant, ty, forced), Some(same), "{literal:#x} as {ty}: {constant:?}");
            checked += 1;
        }
    }
    // 81 integers and 9 floats.
    assert!(checked > types().count() * (90 + 2000), "{checked}");
}

#[test]
fn an_encoded_integer_has_its_own_bits() {
    let edges = [0, 1, 16, 17, 64, 65, 0x3c00, 0x3f80_0000, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0xffff_ffff];
    let wide = [0x1_0000_0000, 0x3ff0_0000_0000_0000, i64::MAX, i64::MIN, 0x3fc4_5f30_6dc9_c882];
    let random = literals().map(|n| i64::from(n) << (n & 31));
    for n in edges.into_iter().chain(wide).chain(random).flat_map(|n| [n, n.wrapping_neg()]) {
        for ty in types() {
            let width = match ty.total_bits() {
                16 => 16,
                64 => 64,
                _ => 32,
            };
            let Some(EncodedConstant { code, literal, exact }) = CONSTANTS.encode(Constant::Integer(n), ty, false)
            else {
                let small = n >> (width.min(32) - 1) == 0 || n >> (width.min(32) - 1) == -1;
                assert!(!small, "{n:#x} fits {ty}");
                continue;
            };
            assert!(exact);
            let bits = CONSTANTS.bits(code, literal.unwrap_or(0), ty).unwrap();
            match (width, literal) {
                (16 | 32, _) => assert_eq!(bits, n as u64 & ((1 << width) - 1), "{n:#x} as {ty}"),
                (_, None) => assert_eq!(bits, n as u64, "{n:#x} as {ty}"),
                // The literal holds 32 bits; the type says what becomes of them.
                (_, Some(literal)) if ty.is_float() => {
                    assert!(
                        literal == n as u32 && i64::from(n as i32) == n
                            || bits == n as u64
                            || literal == n as u32 && n >> 32 == 0
                    );
                }
                (_, Some(literal)) => {
                    assert!(literal == n as u32 && (n >> 32 == 0 || n >> 31 == -1), "{n:#x} as {ty}")
                }
            }
        }
    }
}

#[test]
fn an_encoded_float_is_rounded_or_refused() {
    for bits in literals() {
        let (single, ty) = (f32::from_bits(bits), Type::new(Class::Float, 32, 1));
        let found = CONSTANTS.encode(Constant::Float(single.into()), ty, false);
        // Numbers that are not finite have no text, and so no constant.
        let subnormal = bits << 1 != 0 && bits >> 23 & 0xff == 0;
        assert!(found.is_some() || !single.is_finite() || subnormal, "{single}");
        if let Some(EncodedConstant { code, literal, exact }) = found {
            assert_eq!(CONSTANTS.bits(code, literal.unwrap_or(0), ty), Some(bits.into()));
            assert!(exact);
        }
        let double = f64::from_bits(u64::from(bits) << 32 | u64::from(bits & 1));
        let ty = Type::new(Class::Float, 64, 1);
        let EncodedConstant { code, literal, exact } = CONSTANTS.encode(Constant::Float(double), ty, false).unwrap();
        assert_eq!(exact, CONSTANTS.bits(code, literal.unwrap_or(0), ty) == Some(double.to_bits()), "{double}");
    }
}

#[test]
fn each_f16_and_bf16_comes_back() {
    for bits in 0..=u16::MAX {
        let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff) / 1024.0);
        let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
        if exponent < 31 {
            let power = f64::from_bits(((exponent.max(1) - 15 + 1023) as u64) << 52);
            let value = sign * power * (mantissa + if exponent == 0 { 0.0 } else { 1.0 });
            let ty = Type::new(Class::Float, 16, 1);
            let EncodedConstant { code, literal, .. } =
                CONSTANTS.encode(Constant::Float(value), ty, false).unwrap_or_else(|| panic!("{bits:#x} {value}"));
            assert_eq!(CONSTANTS.bits(code, literal.unwrap_or(0), ty), Some(bits.into()), "{value}");
        }
        let value = f32::from_bits(u32::from(bits) << 16);
        let ty = Type::new(Class::BFloat, 16, 1);
        if value.is_finite()
            && let Some(EncodedConstant { code, literal, .. }) =
                CONSTANTS.encode(Constant::Float(value.into()), ty, false)
        {
            assert_eq!(CONSTANTS.bits(code, literal.unwrap_or(0), ty), Some(bits.into()), "{value}");
        }
    }
}

#[test]
fn doubles_lose_no_bits_silently() {
    let ty = Type::new(Class::Float, 64, 1);
    let exact = |f| CONSTANTS.encode(Constant::Float(f), ty, false).map(|c| (c.literal, c.exact));
    assert_eq!(exact(3.0), Some((Some(0x4008_0000), true)));
    assert_eq!(exact(core::f64::consts::PI), Some((Some(0x4009_21fb), false)));
    assert_eq!(exact(0.159_154_943_091_895_32), Some((None, true)));
    let bits = |n| CONSTANTS.encode(Constant::Integer(n), ty, false);
    assert_eq!(bits(0x4008_0000_0000_0000).and_then(|c| c.literal), Some(0x4008_0000));
    assert_eq!(bits(0x1_2345_6789), None);
    let forced = CONSTANTS.encode(Constant::Float(1.0), Type::new(Class::Float, 32, 1), true);
    assert_eq!(forced.and_then(|c| c.literal), Some(0x3f80_0000));
}
