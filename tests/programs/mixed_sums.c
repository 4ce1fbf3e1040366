// global=128 local=64 half:2048 float:1024 out:3072
// Sums of halves in f32 by V_FMA_MIX*, whose inline constants are f16 or f32 as OPSEL_HI says.
#include "program.h"

typedef f16 f16x2 __attribute__((ext_vector_type(2)));
#define INV_2PI_HALF 0.1591796875f
#define INV_2PI 0x1.45f306p-3f

#ifdef __AMDGCN__
#define MIX(d, text) __asm__("v_fma_mix_f32 %0, " text : "=v"(d) : "v"(a), "v"(b), "v"(c))
#define MIX_HALF(d, lo, hi) \
    __asm__("v_fma_mixlo_f16 %0, " lo "\n v_fma_mixhi_f16 %0, " hi : "=&v"(d) : "v"(a), "v"(b), "v"(c))
#else
#define MIX(d, text)
#define MIX_HALF(d, lo, hi)
// Rounds once.
static inline u32 pair(double lo, double hi) {
    union { f16 f[2]; u32 u; } bits = { .f = { (f16)lo, (f16)hi } };
    return bits.u;
}
#endif

KERNEL mixed_sums(GLOBAL const f16x2 *halves, GLOBAL const float *floats, GLOBAL u32 *out) {
    u32 i = ITEM_X;
    f16x2 a = halves[i * 2], b = halves[i * 2 + 1];
    float c = floats[i * 2], sum, scaled, flipped, single;
    u32 both;
    MIX(sum, "%1, 1.0, %3 op_sel_hi:[1,1,0]");
    MIX(scaled, "%1, 0.15915494, -%3 op_sel:[1,0,0] op_sel_hi:[1,1,0]");
    MIX(flipped, "-2.0, |%2|, 0.5 op_sel:[0,1,0] op_sel_hi:[1,1,1]");
    MIX(single, "0.15915494, %3, 4.0 op_sel:[0,0,1] op_sel_hi:[0,0,1]");
    MIX_HALF(both, "%1, -4.0, %2 op_sel_hi:[1,1,1]", "%3, 0.5, %2 op_sel:[0,0,1] op_sel_hi:[0,1,1]");
#ifndef __AMDGCN__
    sum = __builtin_fmaf((float)a.x, 1, c);
    scaled = __builtin_fmaf((float)a.y, INV_2PI_HALF, -c);
    flipped = __builtin_fmaf(-2, __builtin_fabsf((float)b.y), 0.5f);
    // The high half of an f16 constant is zero.
    single = __builtin_fmaf(INV_2PI, c, 0);
    both = pair((double)a.x * -4 + (double)b.x, (double)c * 0.5 + (double)b.y);
#endif
    GLOBAL u32 *q = out + i * 6;
    q[0] = bits32(sum), q[1] = bits32(scaled), q[2] = bits32(flipped), q[3] = bits32(single), q[4] = both;
    // A loop, as LLVM 23 writes sums of halves.
    float total = 0;
    for (u32 n = 0; n < 8; n++) {
        a = halves[(i + n * 17) & 511];
#ifdef __AMDGCN__
        __asm__("v_fma_mix_f32 %0, %1, 1.0, %0 op_sel_hi:[1,1,0]\n v_fma_mix_f32 %0, %1, 1.0, %0 op_sel:[1,0,0] op_sel_hi:[1,1,0]"
                : "+v"(total) : "v"(a));
#else
        total = total + (float)a.x;
        total = total + (float)a.y;
#endif
    }
    q[5] = bits32(total);
}

HOST(mixed_sums, PTR(0), PTR(1), PTR(2))
