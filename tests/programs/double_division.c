// global=300 local=64 bits:4800 out:9600
// Division, square root and fused multiply-add of f64 from any bits.
#include "program.h"

static inline u64 clean(double value) { return value == value ? bits64(value) : 0x7ff8000000000000ul; }

KERNEL double_division(GLOBAL const double *in, GLOBAL u64 *out) {
    u32 i = ITEM_X;
    double a = in[i * 2], b = in[i * 2 + 1];
    out[i * 4] = clean(a / b);
    out[i * 4 + 1] = clean(1.0 / a);
    out[i * 4 + 2] = clean(__builtin_sqrt(a < 0 ? -a : a));
    out[i * 4 + 3] = clean(__builtin_fma(a, b, 1.5)) ^ clean(a * b) ^ clean(a + b) * 3;
}

HOST(double_division, PTR(0), PTR(1))
