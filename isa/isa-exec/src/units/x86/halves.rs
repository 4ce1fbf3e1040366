//! Arithmetic of f16 in f32, by instructions that convert a vector register of f16.

use core::arch::x86_64::{
    __m256, __m256i, __m512, _CMP_NEQ_UQ, _MM_FROUND_NO_EXC, _MM_FROUND_TO_NEAREST_INT, _mm256_castsi256_si128,
    _mm256_cvtph_ps, _mm256_cvtps_ph, _mm256_extracti128_si256, _mm256_set_m128i,
};

use fearless_simd::{Level, Simd};
use pulp::x86::V3;

use crate::rows::Wide;
use crate::units::HalfOperation;
use crate::units::x86::Avx512;

/// Units that have instructions that convert f16.
#[derive(Clone, Copy)]
pub(crate) enum HalfUnits {
    F16c(F16c),
    Avx512(Avx512),
}

impl HalfUnits {
    /// An operation on both f16 of each lane, rounded to nearest once, with denormals. Numbers that are computed from infinities or NaNs
    /// may be any.
    #[inline(always)]
    pub(crate) fn compute(self, operation: HalfOperation, abc: [&Wide; 3]) -> Wide {
        match self {
            HalfUnits::F16c(unit) => compute(unit, operation, abc),
            HalfUnits::Avx512(unit) => compute(unit, operation, abc),
        }
    }

    /// The f16 in the low half of each lane of `c`, plus the product of the low halves of `a` and `b`, plus that of the high ones: the
    /// first sum and the second one, each rounded to nearest, in the low halves. Other numbers as above.
    #[inline(always)]
    pub(crate) fn add_products(self, abc: [&Wide; 3]) -> [Wide; 2] {
        match self {
            HalfUnits::F16c(unit) => add_products(unit, abc),
            HalfUnits::Avx512(unit) => add_products(unit, abc),
        }
    }
}

/// The f16 of a row, sixteen to a vector.
type Vectors = [__m256i; 4];

/// Arithmetic of sixteen f32 that are converted from and to f16.
trait HalfArithmetic: Copy {
    /// The f32.
    type Floats: Copy;

    /// The units with vectors of 256 bits.
    fn v3(self) -> V3;
    /// Converts f16 to f32.
    fn widen(self, halves: __m256i) -> Self::Floats;
    /// Rounds f32 to the nearest f16.
    fn narrow(self, floats: Self::Floats) -> __m256i;
    /// `a + b`.
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a - b`.
    fn sub(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a * b`.
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// A sum with the last bit 1, if its error is not zero: the neighbour in the direction of the error where the bit is 0.
    fn to_odd(self, sum: Self::Floats, error: Self::Floats) -> Self::Floats;

    /// `a + b` rounded to odd, so that rounding it to f16 gives the bits of rounding once.
    #[inline(always)]
    fn odd_sum(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        let sum = self.add(a, b);
        // The error of the sum is exact (Knuth's TwoSum).
        let shadow = self.sub(sum, a);
        let of_a = self.sub(a, self.sub(sum, shadow));
        let error = self.add(of_a, self.sub(b, shadow));
        self.to_odd(sum, error)
    }
}

/// [`HalfUnits::compute`].
#[inline(always)]
fn compute<U: HalfArithmetic>(unit: U, operation: HalfOperation, [a, b, c]: [&Wide; 3]) -> Wide {
    let (a, b, c): (Vectors, Vectors, Vectors) = (pulp::cast(a.0), pulp::cast(b.0), pulp::cast(c.0));
    let mut row = a;
    for n in 0..4 {
        let (a, b) = (unit.widen(a[n]), unit.widen(b[n]));
        let value = match operation {
            // f32 has more than twice the bits of f16 and two more: rounding twice gives the bits of rounding once.
            HalfOperation::Add => unit.add(a, b),
            HalfOperation::Sub => unit.sub(a, b),
            HalfOperation::Mul => unit.mul(a, b),
            // The product is exact.
            HalfOperation::Fma => unit.odd_sum(unit.mul(a, b), unit.widen(c[n])),
        };
        row[n] = unit.narrow(value);
    }
    Wide(pulp::cast(row))
}

/// [`HalfUnits::add_products`].
#[inline(always)]
fn add_products<U: HalfArithmetic>(unit: U, [a, b, c]: [&Wide; 3]) -> [Wide; 2] {
    let (a, b, c): (Vectors, Vectors, Vectors) = (pulp::cast(a.0), pulp::cast(b.0), pulp::cast(c.0));
    // Without a loop, which would keep its results in memory: the compiler stores the halves of a vector of F16C apart, and loads of
    // both cause store-forwarding stalls.
    let ([first0, first1], [second0, second1]) = add_sixteen(unit, [a[0], a[1]], [b[0], b[1]], [c[0], c[1]]);
    let ([first2, first3], [second2, second3]) = add_sixteen(unit, [a[2], a[3]], [b[2], b[3]], [c[2], c[3]]);
    let first = Wide(pulp::cast([first0, first1, first2, first3]));
    [first, Wide(pulp::cast([second0, second1, second2, second3]))]
}

/// [`HalfUnits::add_products`] for sixteen lanes of each argument.
#[inline(always)]
fn add_sixteen<U: HalfArithmetic>(
    unit: U,
    a: [__m256i; 2],
    b: [__m256i; 2],
    c: [__m256i; 2],
) -> ([__m256i; 2], [__m256i; 2]) {
    let v3 = unit.v3();
    let product = |a, b| unit.mul(unit.widen(a), unit.widen(b));
    let low = product(low_halves(v3, a), low_halves(v3, b));
    let first = unit.narrow(unit.odd_sum(low, unit.widen(low_halves(v3, c))));
    let high = product(high_halves(v3, a), high_halves(v3, b));
    let second = unit.narrow(unit.odd_sum(high, unit.widen(first)));
    (in_low_halves(v3, first), in_low_halves(v3, second))
}

/// The low halves of dwords, in an order that [`in_low_halves`] undoes.
#[inline(always)]
fn low_halves(V3 { avx, avx2, .. }: V3, [first, second]: [__m256i; 2]) -> __m256i {
    let mask = avx._mm256_set1_epi32(0xFFFF);
    avx2._mm256_packus_epi32(avx2._mm256_and_si256(first, mask), avx2._mm256_and_si256(second, mask))
}

/// The high halves of dwords, in the same order.
#[inline(always)]
fn high_halves(V3 { avx2, .. }: V3, [first, second]: [__m256i; 2]) -> __m256i {
    avx2._mm256_packus_epi32(avx2._mm256_srli_epi32::<16>(first), avx2._mm256_srli_epi32::<16>(second))
}

/// Dwords with these low halves, and zero above.
#[inline(always)]
fn in_low_halves(V3 { avx, avx2, .. }: V3, halves: __m256i) -> [__m256i; 2] {
    let zero = avx._mm256_setzero_si256();
    [avx2._mm256_unpacklo_epi16(halves, zero), avx2._mm256_unpackhi_epi16(halves, zero)]
}

/// AVX2, FMA and F16C.
#[derive(Clone, Copy, Debug)]
pub(crate) struct F16c {
    v3: V3,
    f16c: fearless_simd::Avx2,
}

fearless_simd::kernel! {
    #[inline]
    fn widen(f16c: Avx2, halves: __m256i) -> [__m256; 2] {
        let (low, high) = (_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves));
        [_mm256_cvtph_ps(low), _mm256_cvtph_ps(high)]
    }
}

fearless_simd::kernel! {
    #[inline]
    fn narrow(f16c: Avx2, floats: [__m256; 2]) -> __m256i {
        let [low, high] = floats;
        let high = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(high);
        _mm256_set_m128i(high, _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(low))
    }
}

impl F16c {
    /// The units, if this processor has them.
    pub(crate) fn detect() -> Option<F16c> {
        Some(F16c { v3: V3::try_new()?, f16c: Level::try_detect()?.as_avx2()? })
    }

    /// Calls a function that is compiled for these units, if all that it calls is inlined.
    #[inline(always)]
    pub(crate) fn vectorize<T>(self, f: impl FnOnce() -> T) -> T {
        self.f16c.vectorize(f)
    }
}

impl HalfArithmetic for F16c {
    type Floats = [__m256; 2];

    #[inline(always)]
    fn v3(self) -> V3 {
        self.v3
    }

    #[inline(always)]
    fn widen(self, halves: __m256i) -> [__m256; 2] {
        widen(self.f16c, halves)
    }

    #[inline(always)]
    fn narrow(self, floats: [__m256; 2]) -> __m256i {
        narrow(self.f16c, floats)
    }

    #[inline(always)]
    fn add(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        let avx = self.v3.avx;
        [avx._mm256_add_ps(a[0], b[0]), avx._mm256_add_ps(a[1], b[1])]
    }

    #[inline(always)]
    fn sub(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        let avx = self.v3.avx;
        [avx._mm256_sub_ps(a[0], b[0]), avx._mm256_sub_ps(a[1], b[1])]
    }

    #[inline(always)]
    fn mul(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        let avx = self.v3.avx;
        [avx._mm256_mul_ps(a[0], b[0]), avx._mm256_mul_ps(a[1], b[1])]
    }

    #[inline(always)]
    fn to_odd(self, mut sum: [__m256; 2], error: [__m256; 2]) -> [__m256; 2] {
        let V3 { avx, avx2, .. } = self.v3;
        for n in 0..2 {
            let bits = avx._mm256_castps_si256(sum[n]);
            let signs = avx2._mm256_xor_si256(bits, avx._mm256_castps_si256(error[n]));
            // One less if the error has the other sign: an odd sum becomes even by it, and odd again.
            let below = avx2._mm256_add_epi32(bits, avx2._mm256_srai_epi32::<31>(signs));
            let odd = avx2._mm256_or_si256(below, avx._mm256_set1_epi32(1));
            let is_inexact = avx._mm256_cmp_ps::<_CMP_NEQ_UQ>(error[n], avx._mm256_setzero_ps());
            sum[n] = avx._mm256_blendv_ps(sum[n], avx._mm256_castsi256_ps(odd), is_inexact);
        }
        sum
    }
}

/// The rounding of conversions to f16.
const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

impl HalfArithmetic for Avx512 {
    type Floats = __m512;

    #[inline(always)]
    fn v3(self) -> V3 {
        *self.0
    }

    #[inline(always)]
    fn widen(self, halves: __m256i) -> __m512 {
        self.0.avx512f._mm512_cvtph_ps(halves)
    }

    #[inline(always)]
    fn narrow(self, floats: __m512) -> __m256i {
        self.0.avx512f._mm512_cvtps_ph::<NEAREST>(floats)
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_add_ps(a, b)
    }

    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_sub_ps(a, b)
    }

    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        self.0.avx512f._mm512_mul_ps(a, b)
    }

    #[inline(always)]
    fn to_odd(self, sum: __m512, error: __m512) -> __m512 {
        let avx = self.0.avx512f;
        let one = avx._mm512_set1_epi32(1);
        let bits = avx._mm512_castps_si512(sum);
        let signs = avx._mm512_xor_si512(bits, avx._mm512_castps_si512(error));
        let step = avx._mm512_or_si512(avx._mm512_srai_epi32::<31>(signs), one);
        let is_inexact = avx._mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(error, avx._mm512_setzero_ps());
        let changes = avx._mm512_mask_testn_epi32_mask(is_inexact, bits, one);
        avx._mm512_castsi512_ps(avx._mm512_mask_add_epi32(bits, changes, bits, step))
    }
}
