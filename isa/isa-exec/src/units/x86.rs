//! AVX2 and AVX-512.

mod halves;

use crate::rows::Wide;
use crate::units::{Numbers, Relation, Unit};
pub(crate) use halves::{F16c, HalfUnits};

/// AVX2 and FMA.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(pub pulp::x86::V3);

impl Unit for Avx2 {
    const HAS_FMA: bool = true;

    #[inline(always)]
    fn fma_f32(self, [a, b, c]: [&Wide; 3]) -> Wide {
        // Loops, since the closures of `map` would be compiled apart, without the instruction.
        let (a, b, c): ([pulp::f32x8; 4], [pulp::f32x8; 4], [pulp::f32x8; 4]) =
            (pulp::cast(a.0), pulp::cast(b.0), pulp::cast(c.0));
        let mut sums = c;
        for n in 0..4 {
            sums[n] = self.0.mul_add_f32x8(a[n], b[n], c[n]);
        }
        Wide(pulp::cast(sums))
    }

    #[inline(always)]
    fn fma_f64(self, a: f64, b: f64, c: f64) -> f64 {
        // Of one lane: the compiler makes vector instructions of it, as of all operations of a loop.
        let pulp::x86::V3 { sse2, fma, .. } = self.0;
        sse2._mm_cvtsd_f64(fma._mm_fmadd_sd(sse2._mm_set_sd(a), sse2._mm_set_sd(b), sse2._mm_set_sd(c)))
    }

    #[inline(always)]
    fn signs(self, row: &Wide) -> u32 {
        let pulp::x86::V3 { avx, avx2, .. } = self.0;
        let [a, b, c, d]: [pulp::i32x8; 4] = pulp::cast(row.0);
        // Saturation keeps signs. Each half of the bytes has four lanes of a, b, c and d.
        let ab = avx2._mm256_packs_epi32(pulp::cast(a), pulp::cast(b));
        let cd = avx2._mm256_packs_epi32(pulp::cast(c), pulp::cast(d));
        let order = avx._mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        let bytes = avx2._mm256_permutevar8x32_epi32(avx2._mm256_packs_epi16(ab, cd), order);
        avx2._mm256_movemask_epi8(bytes) as u32
    }

    #[inline(always)]
    fn shuffle(self, row: &Wide, from: &Wide) -> Wide {
        let pulp::x86::V3 { avx, avx2, .. } = self.0;
        let (source, numbers): ([pulp::f32x8; 4], [pulp::i32x8; 4]) = (pulp::cast(row.0), pulp::cast(from.0));
        let mut taken = source;
        for n in 0..4 {
            let numbers = pulp::cast(numbers[n]);
            // The lowest three bits of a number select a lane of eight, the next two the eight lanes, by their place in the sign.
            let mut eight = [avx._mm256_setzero_ps(); 4];
            for m in 0..4 {
                eight[m] = avx2._mm256_permutevar8x32_ps(pulp::cast(source[m]), numbers);
            }
            let third = avx._mm256_castsi256_ps(avx2._mm256_slli_epi32::<28>(numbers));
            let fourth = avx._mm256_castsi256_ps(avx2._mm256_slli_epi32::<27>(numbers));
            let low = avx._mm256_blendv_ps(eight[0], eight[1], third);
            let high = avx._mm256_blendv_ps(eight[2], eight[3], third);
            taken[n] = pulp::cast(avx._mm256_blendv_ps(low, high, fourth));
        }
        Wide(pulp::cast(taken))
    }

    #[inline(always)]
    fn has_nan(self, row: &Wide, mask: u32) -> bool {
        let avx = self.0.avx;
        let [a, b, c, d]: [pulp::f32x8; 4] = pulp::cast(row.0);
        macro_rules! unordered {
            ($a:ident, $b:ident) => {
                avx._mm256_cmp_ps::<{ core::arch::x86_64::_CMP_UNORD_Q }>(pulp::cast($a), pulp::cast($b))
            };
        }
        // Numbers are unordered if either is a NaN: one comparison looks at two vectors.
        let any = avx._mm256_or_ps(unordered!(a, b), unordered!(c, d));
        if avx._mm256_movemask_ps(any) == 0 {
            return false;
        }
        let nans = [unordered!(a, a), unordered!(b, b), unordered!(c, c), unordered!(d, d)];
        self.signs(&Wide(pulp::cast(nans))) & mask != 0
    }

    #[inline(always)]
    fn select_bytes(self, low: &Wide, high: &Wide, selectors: &Wide) -> Option<Wide> {
        let pulp::x86::V3 { avx, avx2, .. } = self.0;
        let (low, high): ([pulp::i32x8; 4], [pulp::i32x8; 4]) = (pulp::cast(low.0), pulp::cast(high.0));
        let (selectors, mut bytes): ([pulp::i32x8; 4], [pulp::i32x8; 4]) = (pulp::cast(selectors.0), low);
        // The instruction selects among 16 bytes: the first byte of each dword among them, in all bytes of the dword.
        let first =
            avx._mm256_setr_epi32(0, 0x0404_0404, 0x0808_0808, 0x0C0C_0C0C, 0, 0x0404_0404, 0x0808_0808, 0x0C0C_0C0C);
        // The second and the last byte of a dword, in the lower or the upper half of one; no byte in the other half.
        let odd = avx2._mm256_add_epi16(first, avx._mm256_set1_epi32(0x0301_0301));
        let lower = avx2._mm256_or_si256(odd, avx._mm256_set1_epi32(0x8080_0000_u32 as i32));
        let upper = avx2._mm256_or_si256(odd, avx._mm256_set1_epi32(0x8080));
        let (zero, three, thirteen) = (avx._mm256_setzero_si256(), avx._mm256_set1_epi8(3), avx._mm256_set1_epi8(13));
        for n in 0..4 {
            let (low, high, selectors) = (pulp::cast(low[n]), pulp::cast(high[n]), pulp::cast(selectors[n]));
            let number = avx2._mm256_or_si256(avx2._mm256_and_si256(selectors, three), first);
            let of_low = avx2._mm256_shuffle_epi8(low, number);
            let of_high = avx2._mm256_shuffle_epi8(high, number);
            let low_signs = avx2._mm256_shuffle_epi8(avx2._mm256_cmpgt_epi8(zero, low), lower);
            let high_signs = avx2._mm256_shuffle_epi8(avx2._mm256_cmpgt_epi8(zero, high), upper);
            let of_signs = avx2._mm256_shuffle_epi8(avx2._mm256_or_si256(low_signs, high_signs), number);
            // Bits 2 and 3 of a selector, as its sign.
            let (bit2, bit3) = (avx2._mm256_slli_epi32::<5>(selectors), avx2._mm256_slli_epi32::<4>(selectors));
            let ones = avx2._mm256_cmpeq_epi8(avx2._mm256_max_epu8(selectors, thirteen), selectors);
            let of_bytes = avx2._mm256_blendv_epi8(of_low, of_high, bit2);
            let of_others = avx2._mm256_blendv_epi8(of_signs, zero, bit2);
            let picked = avx2._mm256_blendv_epi8(of_bytes, of_others, bit3);
            bytes[n] = pulp::cast(avx2._mm256_or_si256(picked, ones));
        }
        Some(Wide(pulp::cast(bytes)))
    }

    #[inline(always)]
    fn compare(self, relation: Relation, numbers: Numbers, a: &Wide, b: &Wide) -> Option<u32> {
        use core::arch::x86_64::{_CMP_EQ_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NEQ_OQ, _CMP_ORD_Q};
        let pulp::x86::V3 { avx, avx2, .. } = self.0;
        let (a, b): ([pulp::i32x8; 4], [pulp::i32x8; 4]) = (pulp::cast(a.0), pulp::cast(b.0));
        macro_rules! each {
            (|$a:ident, $b:ident| $result:expr) => {{
                let mut rows = a;
                for n in 0..4 {
                    let ($a, $b) = (pulp::cast(a[n]), pulp::cast(b[n]));
                    rows[n] = pulp::cast($result);
                }
                self.signs(&Wide(pulp::cast(rows)))
            }};
        }
        // Unsigned numbers are ordered as signed ones whose top bit is the opposite.
        let top = avx._mm256_set1_epi32(i32::MIN);
        Some(match (numbers, relation) {
            (Numbers::Float, Relation::Eq) => each!(|a, b| avx._mm256_cmp_ps::<_CMP_EQ_OQ>(a, b)),
            (Numbers::Float, Relation::Lt) => each!(|a, b| avx._mm256_cmp_ps::<_CMP_LT_OQ>(a, b)),
            (Numbers::Float, Relation::Le) => each!(|a, b| avx._mm256_cmp_ps::<_CMP_LE_OQ>(a, b)),
            (Numbers::Float, Relation::Lg) => each!(|a, b| avx._mm256_cmp_ps::<_CMP_NEQ_OQ>(a, b)),
            (Numbers::Float, Relation::Ordered) => each!(|a, b| avx._mm256_cmp_ps::<_CMP_ORD_Q>(a, b)),
            (Numbers::Signed | Numbers::Unsigned, Relation::Eq) => each!(|a, b| avx2._mm256_cmpeq_epi32(a, b)),
            (Numbers::Signed, Relation::Lt) => each!(|a, b| avx2._mm256_cmpgt_epi32(b, a)),
            (Numbers::Unsigned, Relation::Lt) => {
                each!(|a, b| avx2._mm256_cmpgt_epi32(avx2._mm256_xor_si256(b, top), avx2._mm256_xor_si256(a, top)))
            }
            _ => return None,
        })
    }
}

/// AVX-512.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(pub pulp::x86::V4);

impl Avx512 {
    /// The lanes that are NaNs or denormals.
    #[inline(always)]
    fn nans_and_denormals(self, row: &Wide) -> u32 {
        // Quiet NaNs, denormals, signaling NaNs.
        const CLASSES: i32 = 1 | 1 << 5 | 1 << 7;
        let [low, high]: [pulp::f32x16; 2] = pulp::cast(row.0);
        let of = |half: pulp::f32x16| u32::from(self.0.avx512dq._mm512_fpclass_ps_mask::<CLASSES>(pulp::cast(half)));
        of(low) | of(high) << 16
    }
}

impl Unit for Avx512 {
    const HAS_FMA: bool = true;

    #[inline(always)]
    fn fma_f32(self, [a, b, c]: [&Wide; 3]) -> Wide {
        let (a, b, c): ([pulp::f32x16; 2], [pulp::f32x16; 2], [pulp::f32x16; 2]) =
            (pulp::cast(a.0), pulp::cast(b.0), pulp::cast(c.0));
        let mut sums = c;
        for n in 0..2 {
            sums[n] = self.0.mul_add_f32x16(a[n], b[n], c[n]);
        }
        Wide(pulp::cast(sums))
    }

    #[inline(always)]
    fn signs(self, row: &Wide) -> u32 {
        let [low, high]: [pulp::f32x16; 2] = pulp::cast(row.0);
        let of = |half: pulp::f32x16| u32::from(self.0.avx512dq._mm512_movepi32_mask(pulp::cast(half)));
        of(low) | of(high) << 16
    }

    #[inline(always)]
    fn shuffle(self, row: &Wide, from: &Wide) -> Wide {
        let (source, numbers): ([pulp::i32x16; 2], [pulp::i32x16; 2]) = (pulp::cast(row.0), pulp::cast(from.0));
        let mut taken = source;
        for n in 0..2 {
            let (low, numbers, high) = (pulp::cast(source[0]), pulp::cast(numbers[n]), pulp::cast(source[1]));
            taken[n] = pulp::cast(self.0.avx512f._mm512_permutex2var_epi32(low, numbers, high));
        }
        Wide(pulp::cast(taken))
    }

    #[inline(always)]
    fn has_nan(self, row: &Wide, mask: u32) -> bool {
        let [low, high]: [pulp::f32x16; 2] = pulp::cast(row.0);
        let avx = self.0.avx512f;
        let of = |half: pulp::f32x16| {
            let half = pulp::cast(half);
            u32::from(avx._mm512_cmp_ps_mask::<{ core::arch::x86_64::_CMP_UNORD_Q }>(half, half))
        };
        (of(low) | of(high) << 16) & mask != 0
    }

    #[inline(always)]
    fn has_nan_or_denormal<const N: usize>(self, args: [&Wide; N], result: &Wide, mask: u32) -> bool {
        let mut special = self.nans_and_denormals(result);
        for row in &args {
            special |= self.nans_and_denormals(row);
        }
        special & mask != 0
    }

    #[inline(always)]
    fn compare(self, relation: Relation, numbers: Numbers, a: &Wide, b: &Wide) -> Option<u32> {
        use core::arch::x86_64::{
            _CMP_EQ_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NEQ_OQ, _CMP_ORD_Q, _MM_CMPINT_EQ, _MM_CMPINT_LT,
        };
        let avx = self.0.avx512f;
        let (a, b): ([pulp::i32x16; 2], [pulp::i32x16; 2]) = (pulp::cast(a.0), pulp::cast(b.0));
        macro_rules! both {
            ($compare:ident, $relation:ident) => {{
                let low = avx.$compare::<$relation>(pulp::cast(a[0]), pulp::cast(b[0]));
                let high = avx.$compare::<$relation>(pulp::cast(a[1]), pulp::cast(b[1]));
                u32::from(low) | u32::from(high) << 16
            }};
        }
        Some(match (numbers, relation) {
            (Numbers::Float, Relation::Eq) => both!(_mm512_cmp_ps_mask, _CMP_EQ_OQ),
            (Numbers::Float, Relation::Lt) => both!(_mm512_cmp_ps_mask, _CMP_LT_OQ),
            (Numbers::Float, Relation::Le) => both!(_mm512_cmp_ps_mask, _CMP_LE_OQ),
            (Numbers::Float, Relation::Lg) => both!(_mm512_cmp_ps_mask, _CMP_NEQ_OQ),
            (Numbers::Float, Relation::Ordered) => both!(_mm512_cmp_ps_mask, _CMP_ORD_Q),
            (Numbers::Signed | Numbers::Unsigned, Relation::Eq) => both!(_mm512_cmp_epi32_mask, _MM_CMPINT_EQ),
            (Numbers::Signed, Relation::Lt) => both!(_mm512_cmp_epi32_mask, _MM_CMPINT_LT),
            (Numbers::Unsigned, Relation::Lt) => both!(_mm512_cmp_epu32_mask, _MM_CMPINT_LT),
            _ => return None,
        })
    }
}
