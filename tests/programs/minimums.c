// global=256 local=64 skip=opencl skip=gfx1100 bits:4096 out:8192 bits:1024
// Minima and maxima by IEEE 754-2019, in which a NaN wins, and those in which a number wins, also as atomics.
#include "program.h"

static inline u32 number(float x) { return x != x ? 0x7fc00000 : bits32(x); }
static inline u32 half(f16 x) {
    union { f16 f; u16 u; } bits = { .f = x };
    return x != x ? 0x7e00 : bits.u;
}
static inline f16 half16(u32 bits) {
    union { u16 u; f16 f; } value = { .u = (u16)bits };
    return value.f;
}

// The lesser number, -0 below +0; a number, if the other one is a NaN.
static inline float least_number(float a, float b) {
    if (a != a || b != b) return a != a ? b : a;
    return a < b || (a == b && bits32(a) >> 31) ? a : b;
}

SHARED(float, cell[64]);

KERNEL minimums(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL const u32 *cells) {
    u32 i = ITEM_X;
    float a = float32(in[i * 4]), b = float32(in[i * 4 + 1]), c = float32(in[i * 4 + 2]);
    double d = float64((u64)in[i * 4] << 32 | in[i * 4 + 3]), e = float64((u64)in[i * 4 + 1] << 32 | in[i * 4 + 3]);
    f16 g = half16(in[i * 4] >> 16), h = half16(in[i * 4 + 1] >> 16);
    GLOBAL u32 *to = out + i * 8;
    to[0] = number(__builtin_elementwise_minimum(a, b)) ^ number(__builtin_elementwise_maximum(b, a)) >> 1;
    to[1] = number(__builtin_elementwise_minimum(__builtin_elementwise_maximum(a, b), c));
    to[2] = number(__builtin_elementwise_maximum(__builtin_elementwise_maximum(a, b), c));
    double least = __builtin_elementwise_minimum(d, e), most = __builtin_elementwise_maximum(d, e);
    to[3] = least != least ? 7 : (u32)(bits64(least) >> 32) ^ (u32)bits64(most);
    to[4] = half(__builtin_elementwise_minimum(g, h)) | half(__builtin_elementwise_maximum(g, h)) << 16;
    // Atomics of a number and a cell of LDS.
    cell[LOCAL_X] = float32(cells[i]);
    barrier_all();
#ifdef __AMDGCN__
    float old = __builtin_amdgcn_ds_fminf(&cell[LOCAL_X], a, __ATOMIC_RELAXED, 2, 0);
    float next = __builtin_amdgcn_ds_fmaxf(&cell[LOCAL_X], c, __ATOMIC_RELAXED, 2, 0);
#else
    float old = cell[LOCAL_X], next = least_number(a, old);
    cell[LOCAL_X] = -least_number(-c, -next);
#endif
    barrier_all();
    to[5] = number(old);
    to[6] = number(next);
    to[7] = number(cell[LOCAL_X]);
}

HOST(minimums, PTR(0), PTR(1), PTR(2))
