// global=256 local=64 float:1024 double:2048 out:12288
// Rounding to integers, parts of numbers, minimum and maximum, fused multiply-add.
#include "program.h"

KERNEL rounding(GLOBAL const float *in, GLOBAL const double *wide, GLOBAL u64 *out) {
    u32 i = ITEM_X;
    float f = in[i] * 100, g = in[i ^ 1];
    double d = wide[i] * 1000, e = wide[i ^ 1];
    GLOBAL u64 *q = out + i * 6;
    q[0] = (u64)bits32(__builtin_floorf(f)) << 32 | bits32(__builtin_ceilf(f));
    q[1] = (u64)bits32(__builtin_truncf(f)) << 32 | bits32(__builtin_rintf(f));
    q[2] = bits64(__builtin_floor(d)) ^ bits64(__builtin_ceil(d)) * 3;
    q[3] = bits64(__builtin_trunc(d)) ^ bits64(__builtin_rint(d)) * 3;
    q[4] = (u64)bits32(__builtin_fminf(f, g)) << 32 | bits32(__builtin_fmaxf(f, __builtin_fabsf(g)));
    q[5] = bits64(__builtin_fma(d, e, __builtin_copysign(d, e))) ^ bits32(__builtin_fmaf(f, g, -f)) ^ bits64(__builtin_fmin(d, e));
}

HOST(rounding, PTR(0), PTR(1), PTR(2))
