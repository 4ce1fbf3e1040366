// global=300 local=64 bits:2400 out:4800
// Division and square root of f32 from any bits, denormal numbers and infinities included.
#include "program.h"

static inline u32 clean(float value) { return value == value ? bits32(value) : 0x7fc00000; }

KERNEL float_division(GLOBAL const float *in, GLOBAL u32 *out) {
    u32 i = ITEM_X;
    float a = in[i * 2], b = in[i * 2 + 1];
    out[i * 4] = clean(a / b);
    out[i * 4 + 1] = clean(1.0f / a);
    out[i * 4 + 2] = clean(__builtin_sqrtf(a < 0 ? -a : a));
    out[i * 4 + 3] = clean(b / 3.0f) ^ clean(a * 1e-30f);
}

HOST(float_division, PTR(0), PTR(1))
