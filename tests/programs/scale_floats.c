// global=256 local=128 bits:4096 out:12288
// Exponents and classes of numbers, signs, comparisons of any two numbers, and denormal results.
#include "program.h"

static inline u32 clean(float value) { return value == value ? bits32(value) : 0x7fc00000; }
static inline u64 clean_wide(double value) { return value == value ? bits64(value) : 0x7ff8000000000000ul; }

KERNEL scale_floats(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X;
    float a = float32(in[i * 4]), b = float32(in[i * 4 + 1]);
    double d = float64((u64)in[i * 4 + 2] << 32 | in[i * 4 + 3]);
    GLOBAL u32 *to = out + i * 12;
    i32 n = (i32)(in[i * 4 + 1] % 300) - 150;
    to[0] = clean(__builtin_ldexpf(a, n));
    u64 w = clean_wide(__builtin_ldexp(d, n * 7));
    to[1] = (u32)w, to[2] = (u32)(w >> 32);
    to[3] = __builtin_isnan(a) | __builtin_isinf(a) << 1 | __builtin_isfinite(b) << 2 | (u32)!!__builtin_signbit(b) << 3
        | (u32)(__builtin_isnormal(a) != 0) << 4;
    to[4] = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5 | !(a < b) << 6 | !(a >= b) << 7;
    to[5] = clean(a * 1.17549435e-38f) ^ clean(b * 0.5f);
    to[6] = clean(a + b) ^ clean(a - b);
    to[7] = clean(__builtin_fabsf(a) * -b);
    to[8] = clean(__builtin_copysignf(a, b));
    to[9] = (d < (double)a) | (d == d) << 1 | (d >= 0.0) << 2 | (u32)__builtin_isinf(d) << 3;
    to[10] = clean(__builtin_fmaf(a, b, -a));
    to[11] = a > 0 && b > 0 ? clean(a > b ? a / b : b / a) : 0;
}

HOST(scale_floats, PTR(0), PTR(1))
