// global=128 local=64 skip=gfx1200 half:2048 half:2048 float:4096 out:4096
// Products of 16 by 16 matrices by WMMA: small integers in f16, so that every order of additions gives the same sums.
#include "program.h"

typedef f16 f16x16 __attribute__((ext_vector_type(16)));
typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef float f32x4 __attribute__((ext_vector_type(4)));

static inline f16 small(f16 x) { return (f16)(i32)(x * (f16)4); }

#ifdef __AMDGCN__
static void product(GLOBAL const f16 *a, GLOBAL const f16 *b, GLOBAL const float *c, GLOBAL float *out) {
    u32 lane = LANE, column = lane & 15;
    f16x16 row_a, column_b;
    for (u32 k = 0; k < 16; k++) {
        row_a[k] = small(a[column * 16 + k]);
        column_b[k] = small(b[k * 16 + column]);
    }
#ifdef WAVE64
    f32x4 sum;
    for (u32 n = 0; n < 4; n++) sum[n] = __builtin_floorf(c[(n * 4 + lane / 16) * 16 + column]);
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64(row_a, column_b, sum);
    for (u32 n = 0; n < 4; n++) out[(n * 4 + lane / 16) * 16 + column] = sum[n];
#else
    f32x8 sum;
    for (u32 n = 0; n < 8; n++) sum[n] = __builtin_floorf(c[(n * 2 + lane / 16) * 16 + column]);
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(row_a, column_b, sum);
    for (u32 n = 0; n < 8; n++) out[(n * 2 + lane / 16) * 16 + column] = sum[n];
#endif
}
#endif

KERNEL wmma(GLOBAL const f16 *a, GLOBAL const f16 *b, GLOBAL const float *c, GLOBAL float *out) {
    u32 base = ITEM_X / 32 * 256;
#if defined(__AMDGCN__) && defined(WAVE64)
    // A wave multiplies the matrices of both of its halves.
    base = ITEM_X / 64 * 512;
    product(a + base, b + base, c + base, out + base);
    base += 256;
    product(a + base, b + base, c + base, out + base);
#elif defined(__AMDGCN__)
    product(a + base, b + base, c + base, out + base);
#else
    for (u32 n = 0; n < 8; n++) {
        u32 cell = LANE * 8 + n, row = cell / 16, column = cell % 16;
        float sum = __builtin_floorf(c[base + cell]);
        for (u32 k = 0; k < 16; k++) sum += (float)small(a[base + row * 16 + k]) * (float)small(b[base + k * 16 + column]);
        out[base + cell] = sum;
    }
#endif
}

HOST(wmma, PTR(0), PTR(1), PTR(2), PTR(3))
