// global=64 local=64 skip=gfx1200 in:1024 in:1024 in:4096 out:16384
// Matrix products of bytes and half bytes, signed and not, saturated and not, of bf16 and with f16 sums.
#include "program.h"

typedef i32 i32x4 __attribute__((ext_vector_type(4)));
typedef i32 i32x2 __attribute__((ext_vector_type(2)));
typedef i32 i32x8 __attribute__((ext_vector_type(8)));
typedef i16 i16x16 __attribute__((ext_vector_type(16)));
typedef f16 f16x16 __attribute__((ext_vector_type(16)));
typedef f16 f16x8 __attribute__((ext_vector_type(8)));
typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef float f32x4 __attribute__((ext_vector_type(4)));

// Element (row, k) of the first matrix and (k, column) of the second: a byte at row * 16 + k, or column * 16 + k.
static inline i32 part(u32 byte, u32 bits, int sign) {
    u32 v = byte & ((1u << bits) - 1);
    return sign ? (i32)(v << (32 - bits)) >> (32 - bits) : (i32)v;
}
static inline float small(u32 byte) { return (float)((i32)(byte & 15) - 8); }

KERNEL wmma_kinds(GLOBAL const u8 *a, GLOBAL const u8 *b, GLOBAL const i32 *c, GLOBAL i32 *out) {
#ifdef __AMDGCN__
    u32 lane = LANE, column = lane & 15;
    i32x4 a8, b8; i32x2 a4, b4; i16x16 ab, bb; f16x16 ah, bh;
    for (u32 n = 0; n < 4; n++) a8[n] = 0, b8[n] = 0;
    for (u32 n = 0; n < 2; n++) a4[n] = 0, b4[n] = 0;
    for (u32 k = 0; k < 16; k++) {
        a8[k / 4] |= (u32)a[column * 16 + k] << 8 * (k % 4);
        b8[k / 4] |= (u32)b[column * 16 + k] << 8 * (k % 4);
        a4[k / 8] |= (u32)(a[column * 16 + k] & 15) << 4 * (k % 8);
        b4[k / 8] |= (u32)(b[column * 16 + k] & 15) << 4 * (k % 8);
        ab[k] = (i16)(bits32(small(a[column * 16 + k])) >> 16);
        bb[k] = (i16)(bits32(small(b[column * 16 + k])) >> 16);
        ah[k] = (f16)small(a[column * 16 + k]);
        bh[k] = (f16)small(b[column * 16 + k]);
    }
#ifdef WAVE64
#define GROUPS 4
    typedef i32x4 acc; typedef f32x4 facc; typedef f16x8 hacc;
#define W(name) name##_w64
#else
#define GROUPS 2
    typedef i32x8 acc; typedef f32x8 facc; typedef f16x16 hacc;
#define W(name) name##_w32
#endif
    acc s; facc f; hacc h;
    for (u32 n = 0; n < 16 / GROUPS; n++) {
        s[n] = c[(n * GROUPS + lane / 16) * 16 + column];
        f[n] = (float)(s[n] >> 24);
        h[2 * n] = (f16)(float)(s[n] >> 27), h[2 * n + 1] = (f16)(float)(s[n] & 15);
    }
    acc r0 = W(__builtin_amdgcn_wmma_i32_16x16x16_iu8)(1, a8, 1, b8, s, 0);
    acc r1 = W(__builtin_amdgcn_wmma_i32_16x16x16_iu8)(0, a8, 1, b8, s, 1);
    acc r2 = W(__builtin_amdgcn_wmma_i32_16x16x16_iu8)(0, a8, 0, b8, s, 0);
    acc r3 = W(__builtin_amdgcn_wmma_i32_16x16x16_iu4)(1, a4, 0, b4, s, 1);
    acc r4 = W(__builtin_amdgcn_wmma_i32_16x16x16_iu4)(1, a4, 1, b4, s, 0);
    facc r5 = W(__builtin_amdgcn_wmma_f32_16x16x16_bf16)(ab, bb, f);
    hacc r6 = W(__builtin_amdgcn_wmma_f16_16x16x16_f16)(ah, bh, h, 0);
    hacc r7 = W(__builtin_amdgcn_wmma_f16_16x16x16_f16)(ah, bh, h, 1);
    for (u32 n = 0; n < 16 / GROUPS; n++) {
        GLOBAL i32 *to = out + ((n * GROUPS + lane / 16) * 16 + column) * 8;
        to[0] = r0[n], to[1] = r1[n], to[2] = r2[n], to[3] = r3[n], to[4] = r4[n], to[5] = (i32)r5[n];
        to[6] = (i32)(float)r6[2 * n];
        to[7] = (i32)(float)r7[2 * n + 1];
    }
#else
    if (LANE != 0) return;
    for (u32 row = 0; row < 16; row++)
        for (u32 column = 0; column < 16; column++) {
            i32 s = c[row * 16 + column];
            i64 sum[5] = { s, s, s, s, s };
            float f = (float)(s >> 24), h = (float)(s >> 27), g = (float)(s & 15);
            for (u32 k = 0; k < 16; k++) {
                u32 x = a[row * 16 + k], y = b[column * 16 + k];
                sum[0] += part(x, 8, 1) * part(y, 8, 1);
                sum[1] += part(x, 8, 0) * part(y, 8, 1);
                sum[2] += part(x, 8, 0) * part(y, 8, 0);
                sum[3] += part(x, 4, 1) * part(y, 4, 0);
                sum[4] += part(x, 4, 1) * part(y, 4, 1);
                f += small(x) * small(y), h += small(x) * small(y), g += small(x) * small(y);
            }
            i32 *to = out + (row * 16 + column) * 8;
            for (u32 n = 0; n < 5; n++)
                to[n] = n == 1 || n == 3 ? sum[n] > 0x7fffffff ? 0x7fffffff : sum[n] < -0x80000000l ? (i32)-0x80000000l : (i32)sum[n] : (i32)sum[n];
            to[5] = (i32)f, to[6] = (i32)h, to[7] = (i32)g;
        }
#endif
}

HOST(wmma_kinds, PTR(0), PTR(1), PTR(2), PTR(3))
