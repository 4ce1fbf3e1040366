// global=96 local=32 half:768 out:1536
// Arithmetic of f16, alone and in pairs.
#include "program.h"

typedef f16 f16x2 __attribute__((ext_vector_type(2)));

static inline u16 bits16(f16 value) {
    union { f16 f; u16 u; } bits = { .f = value };
    return value == value ? bits.u : 0x7e00;
}

KERNEL half_math(GLOBAL const f16x2 *in, GLOBAL u16 *out) {
    u32 i = ITEM_X;
    f16x2 a = in[i * 2], b = in[i * 2 + 1];
    f16x2 sum = a + b, product = a * b, less = a - b;
    f16x2 mixed = a * b + sum;
    f16 quotient = b.x == 0 ? (f16)0 : a.x / b.x;
    out[i * 8] = bits16(sum.x), out[i * 8 + 1] = bits16(sum.y);
    out[i * 8 + 2] = bits16(product.x), out[i * 8 + 3] = bits16(less.y);
    out[i * 8 + 4] = bits16(mixed.x), out[i * 8 + 5] = bits16(mixed.y);
    out[i * 8 + 6] = bits16(quotient);
    out[i * 8 + 7] = (u16)((a.x < b.x) | (a.y >= b.y) << 1 | (i32)(a.x * (f16)64) << 2);
}

HOST(half_math, PTR(0), PTR(1))
