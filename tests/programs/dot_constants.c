// global=128 local=64 skip=gfx1200 in:512 out:4096
// Dot products whose inline constants are in both halves, and literals that have halves of their own.
#include "program.h"

// An integer from 0 to 15 as an f16 and as the upper half of an f32.
static inline u32 half_of(u32 n) {
    union { f16 f; u16 u; } bits = { .f = (f16)(i32)(n & 15) };
    return bits.u;
}
static inline u32 brain_of(u32 n) { return bits32((float)(n & 15)) >> 16; }

#ifdef __AMDGCN__
#define DOT(d, text) __asm__(text : "=&v"(d) : "v"(a), "v"(b), "v"(c))
#else
#define DOT(d, text)
#endif

KERNEL dot_constants(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i] & 15, y = in[i] >> 4 & 15, z = in[i] >> 8 & 15;
    u32 a = half_of(x) | half_of(y) << 16, b = brain_of(x) | brain_of(y) << 16;
    float c = (float)z, r[8];
    DOT(r[0], "v_dot2_f32_f16 %0, %1, 2.0, %3");
    DOT(r[1], "v_dot2_f32_f16 %0, -4.0, %1, 1.0 op_sel_hi:[0,1,1]");
    DOT(r[2], "v_dot2_f32_bf16 %0, %2, 0.5, %3");
    DOT(r[3], "v_dot2_f32_bf16 %0, -1.0, %2, %3");
    DOT(r[4], "v_mov_b32 %0, %3\n v_dot2acc_f32_f16 %0, 4.0, %1");
    DOT(r[5], "v_mov_b32 %0, %3\n v_dot2acc_f32_f16 %0, 0x40003c00, %1");
    DOT(r[6], "v_dot2_f32_f16 %0, %1, 0x42000000, %3");
    DOT(r[7], "v_dot2_f32_bf16 %0, 0x40404040, %2, 0");
    u32 half_result = 0, brain_result = 0, packed = 0;
#ifdef __AMDGCN__
    __asm__("v_mov_b32 v2, %1\n v_mov_b32 v3, 0\n v_dot2_f16_f16 v3.l, v2, 2.0, 4.0\n v_mov_b32 %0, v3"
            : "=v"(half_result) : "v"(a) : "v2", "v3");
    __asm__("v_mov_b32 v2, %1\n v_mov_b32 v3, 0\n v_dot2_bf16_bf16 v3.l, -2.0, v2, 0.5\n v_mov_b32 %0, v3"
            : "=v"(brain_result) : "v"(b) : "v2", "v3");
    __asm__("v_mov_b32 %0, %1\n v_pk_fmac_f16 %0, 0x40004000, %1" : "=&v"(packed) : "v"(a));
#else
    float fx = (float)x, fy = (float)y;
    r[0] = fx * 2 + fy * 2 + c;
    r[1] = fx * -4 + fy * -4 + 1;
    r[2] = fx * 0.5f + fy * 0.5f + c;
    r[3] = c - fx - fy;
    r[4] = c + fx * 4 + fy * 4;
    r[5] = c + fx * 1 + fy * 2;
    r[6] = fy * 3 + c;
    r[7] = fx * 3 + fy * 3;
    half_result = half_of(0);
    union { f16 f; u16 u; } sum = { .f = (f16)(fx * 2 + fy * 2 + 4) };
    half_result = sum.u;
    brain_result = bits32(fx * -2 + fy * -2 + 0.5f) >> 16;
    union { f16 f[2]; u32 u; } both = { .f = { (f16)(fx * 3), (f16)(fy * 3) } };
    packed = both.u;
#endif
    GLOBAL u32 *q = out + i * 8;
    for (u32 n = 0; n < 6; n++) q[n] = bits32(r[n]);
    q[6] = bits32(r[6]) ^ bits32(r[7]) * 3 ^ packed * 5;
    q[7] = half_result | brain_result << 16;
}

HOST(dot_constants, PTR(0), PTR(1))
