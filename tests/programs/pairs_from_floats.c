// global=128 local=64 float:1024 out:2048
// V_CVT_PK_RTZ_F16_F32, which ignores CLMP and OMOD, and halves that V_FMA_MIX reads back with constants.
#include "program.h"

#ifdef __AMDGCN__
#define FROM(d, text) __asm__(text : "=&v"(d) : "v"(x), "v"(y))
#else
#define FROM(d, text)
// Rounds toward zero to 11 bits; the numbers are in the range of normal f16, or 0.
static inline u32 half_of(float value) {
    u32 bits = bits32(value), magnitude = bits & 0x7fffffff;
    return (bits >> 16 & 0x8000) | (magnitude == 0 ? 0 : (magnitude - (112u << 23)) >> 13);
}
static inline float float_of(u32 half) {
    union { u16 u; f16 f; } bits = { .u = (u16)half };
    return (float)bits.f;
}
#endif

KERNEL pairs_from_floats(GLOBAL const float *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, pair, clamped, scaled;
    // Away from the denormals of f16.
    float x = in[i * 2] + (in[i * 2] < 0 ? -3.0f : 3.0f), y = in[i * 2 + 1] + 5.0f, sum;
    FROM(pair, "v_cvt_pk_rtz_f16_f32 %0, %1, %2");
    FROM(clamped, "v_cvt_pk_rtz_f16_f32_e64 %0, %1, -%2 clamp");
    FROM(scaled, "v_cvt_pk_rtz_f16_f32_e64 %0, 0.15915494, |%1| mul:4");
    FROM(sum, "v_cvt_pk_rtz_f16_f32 %0, %1, %2\n v_fma_mix_f32 %0, %0, -2.0, 1.0 op_sel:[1,0,0] op_sel_hi:[1,1,0]");
#ifndef __AMDGCN__
    pair = half_of(x) | half_of(y) << 16;
    clamped = half_of(x) | half_of(-y) << 16;
    scaled = half_of(float32(0x3e22f983)) | half_of(x < 0 ? -x : x) << 16;
    sum = float_of(pair >> 16) * -2 + 1;
#endif
    GLOBAL u32 *q = out + i * 4;
    q[0] = pair, q[1] = clamped, q[2] = scaled, q[3] = bits32(sum);
}

HOST(pairs_from_floats, PTR(0), PTR(1))
