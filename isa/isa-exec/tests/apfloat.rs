//! Compares the arithmetic with `rustc_apfloat` in every format and rounding direction.
//!
//! `ISA_EXEC_SAMPLES` sets the number of random operands for each operation and direction (default 20,000).

use isa_exec::num::{self, FloatMode, Format, Round};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round as Direction};

/// A generator of random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A bit pattern of a format: random, near another one's exponent, or one of the corners.
    fn operand(&mut self, format: Format, near: u64) -> u64 {
        let mask = format.sign_bit() | format.magnitude_mask();
        let random = self.next();
        let bits = match random % 8 {
            0 => {
                let corners =
                    [0, 1, format.fraction_mask(), format.fraction_mask() + 1, format.one(), format.max_finite()];
                corners[(random >> 8) as usize % corners.len()] ^ (random >> 20 & 1) << (format.bits() - 1)
            }
            // The exponent of the other operand, give or take a little: cancellation and ties.
            1..=4 => {
                let exponent = (near & format.infinity()) >> format.fraction_bits();
                let spread = (random >> 8) % (2 * u64::from(format.fraction_bits()) + 4);
                let exponent = exponent.wrapping_add(spread).wrapping_sub(u64::from(format.fraction_bits()));
                let exponent = exponent << format.fraction_bits() & format.infinity();
                // Few bits in the fraction make exact results and ties likely.
                let few = if random & 1 << 40 != 0 { self.next() & self.next() & self.next() } else { self.next() };
                exponent | few & (format.fraction_mask() | format.sign_bit())
            }
            _ => self.next(),
        };
        bits & mask
    }
}

fn samples() -> u64 {
    std::env::var("ISA_EXEC_SAMPLES").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

const fn direction(round: Round) -> Direction {
    match round {
        Round::NearestEven => Direction::NearestTiesToEven,
        Round::Up => Direction::TowardPositive,
        Round::Down => Direction::TowardNegative,
        Round::TowardZero => Direction::TowardZero,
    }
}

/// Whether two results agree, NaNs being alike.
fn agree(format: Format, ours: u64, theirs: u64) -> bool {
    ours == theirs || format.is_nan(ours) && format.is_nan(theirs)
}

fn arithmetic<F: Float>(format: Format, seed: u64, count: u64) {
    let mut random = Random(seed);
    for round in Round::ALL {
        let mode = FloatMode::IEEE.rounding(round);
        let to = direction(round);
        for _ in 0..count {
            let near = random.next();
            let a = random.operand(format, near);
            let b = random.operand(format, a);
            let product = u64::try_from((F::from_bits(a.into()) * F::from_bits(b.into())).value.to_bits()).unwrap_or(0);
            let c = random.operand(format, product);
            let [x, y, z] = [a, b, c].map(|bits| F::from_bits(bits.into()));
            let bits = |value: F| u64::try_from(value.to_bits()).expect("at most 64 bits");
            let check = |name: &str, ours: u64, theirs: u64| {
                assert!(
                    agree(format, ours, theirs),
                    "{name} {format:?} {round:?} {a:#x} {b:#x} {c:#x}: {ours:#x}, not {theirs:#x}"
                );
            };
            check("add", num::add(format, mode, a, b), bits(x.add_r(y, to).value));
            check("sub", num::sub(format, mode, a, b), bits(x.sub_r(y, to).value));
            check("mul", num::mul(format, mode, a, b), bits(x.mul_r(y, to).value));
            check("fma", num::fma(format, mode, a, b, c), bits(x.mul_add_r(y, z, to).value));
            let power = (near % 600) as i32 - 300;
            check("ldexp", num::ldexp(format, mode, a, power), bits(x.scalbn_r(power, to)));
            let integer = near as i64 >> (near % 64);
            check(
                "from_signed",
                num::from_signed(format, mode, integer),
                bits(F::from_i128_r(integer.into(), to).value),
            );
            check("from_unsigned", num::from_unsigned(format, mode, near), bits(F::from_u128_r(near.into(), to).value));
            let integral = bits(x.round_to_integral(to).value);
            match round {
                Round::NearestEven => check("rndne", num::rndne(format, mode, a), integral),
                Round::Up => check("ceil", num::ceil(format, mode, a), integral),
                Round::Down => check("floor", num::floor(format, mode, a), integral),
                Round::TowardZero => check("trunc", num::trunc(format, mode, a), integral),
            }
        }
    }
}

#[test]
fn f32_agrees_with_apfloat() {
    arithmetic::<Single>(Format::F32, 1, samples());
}

#[test]
fn f16_agrees_with_apfloat() {
    arithmetic::<Half>(Format::F16, 2, samples());
}

#[test]
fn bf16_agrees_with_apfloat() {
    arithmetic::<BFloat>(Format::BF16, 3, samples());
}

#[test]
fn f64_agrees_with_apfloat() {
    arithmetic::<Double>(Format::F64, 4, samples());
}

fn conversion<F: Float + FloatConvert<T>, T: Float>(from: Format, to: Format) {
    let mut random = Random(5);
    for round in Round::ALL {
        let mode = FloatMode::IEEE.rounding(round);
        for _ in 0..samples() {
            let near = random.next();
            let bits = random.operand(from, near);
            let ours = num::convert(from, FloatMode::IEEE, to, mode, bits);
            let theirs: T = F::from_bits(bits.into()).convert_r(direction(round), &mut false).value;
            let theirs = u64::try_from(theirs.to_bits()).expect("at most 64 bits");
            assert!(agree(to, ours, theirs), "{from:?} {to:?} {round:?} {bits:#x}: {ours:#x}, not {theirs:#x}");
        }
    }
}

#[test]
fn conversions_agree_with_apfloat() {
    conversion::<Single, Half>(Format::F32, Format::F16);
    conversion::<Half, Single>(Format::F16, Format::F32);
    conversion::<Double, Single>(Format::F64, Format::F32);
    conversion::<Single, Double>(Format::F32, Format::F64);
    conversion::<Single, BFloat>(Format::F32, Format::BF16);
}

#[test]
fn conversions_to_integers_agree_with_apfloat() {
    let mut random = Random(6);
    for _ in 0..samples() {
        let near = random.next();
        let bits = random.operand(Format::F32, near);
        let value = Single::from_bits(bits.into());
        let signed = value.to_i128_r(32, Direction::TowardZero, &mut false).value;
        let unsigned = value.to_u128_r(32, Direction::TowardZero, &mut false).value;
        assert_eq!(
            i128::from(num::to_signed(Format::F32, bits, 32)),
            if value.is_nan() { 0 } else { signed },
            "{bits:#x}"
        );
        assert_eq!(
            u128::from(num::to_unsigned(Format::F32, bits, 32)),
            if value.is_nan() { 0 } else { unsigned },
            "{bits:#x}"
        );
    }
}

/// The functions for whole rows of lanes equal those for all modes, flushing and NaN payloads included.
#[test]
fn fast_f32_equals_the_general_functions() {
    let mut random = Random(7);
    for _ in 0..4 * samples() {
        let near = random.next();
        let a = random.operand(Format::F32, near);
        let b = random.operand(Format::F32, a);
        let product = num::mul(Format::F32, FloatMode::IEEE, a, b);
        let c = random.operand(Format::F32, product);
        let check = |name: &str, fast: u32, general: u64| {
            assert_eq!(u64::from(fast), general, "{name} {a:#x} {b:#x} {c:#x}: {fast:#x}, not {general:#x}");
        };
        let [x, y, z] = [a, b, c].map(|bits| bits as u32);
        let keep = FloatMode::IEEE;
        check("add", num::add_nearest::<false, true>(x, y), num::add(Format::F32, keep, a, b));
        check("mul", num::mul_nearest::<false, true>(x, y), num::mul(Format::F32, keep, a, b));
        check("fma", num::fma_nearest::<false, true>(x, y, z), num::fma(Format::F32, keep, a, b, c));
        let flush = FloatMode { ieee: false, ..keep.flushing() };
        check("add", num::add_nearest::<true, false>(x, y), num::add(Format::F32, flush, a, b));
        check("mul", num::mul_nearest::<true, false>(x, y), num::mul(Format::F32, flush, a, b));
        check("fma", num::fma_nearest::<true, false>(x, y, z), num::fma(Format::F32, flush, a, b, c));
    }
}
