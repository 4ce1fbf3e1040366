// global=128 local=64 skip=opencl in:512 out:512
// Calls through a table, recursion through a pointer, and arguments that do not fit into registers.
#include "program.h"

typedef u32 (*function)(u32, u32);
struct big {
    u32 v[24];
};

NOINLINE static u32 sum(u32 a, u32 b) { return a + b; }
NOINLINE static u32 product(u32 a, u32 b) { return a * b + 1; }
NOINLINE static u32 recursive(u32 a, u32 b) { return b == 0 ? a : recursive(a * 31 + b, b - 1) ^ b; }
NOINLINE static u32 scattered(u32 a, u32 b) {
    u32 t[20], s = 0;
    for (u32 k = 0; k < 20; k++) t[(k * 7 + b) % 20] = a * k;
    for (u32 k = 0; k < 20; k++) s = s * 3 + t[k];
    return s;
}
static const function table[4] = { sum, product, recursive, scattered };

NOINLINE static struct big changed(u32 s, u64 t, f16 h, double d, struct big b, u8 c, i16 e) {
    for (u32 k = 0; k < 24; k++) b.v[k] = b.v[k * 5 % 24] * s + (u32)(t >> k) + c + (u32)e + (u32)(float)h + (u32)d;
    return b;
}
NOINLINE static u32 repeated(function f, u32 count, u32 x) {
    for (u32 k = 0; k < count; k++) x = f(x, k & 7);
    return x;
}

KERNEL function_pointers(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i];
    u32 result = table[x & 3](x, x >> 5 & 15) ^ repeated(table[in[5] & 3], 5, x);
    struct big b;
    for (u32 k = 0; k < 24; k++) b.v[k] = x + k;
    b = changed(x, (u64)x << 20, (f16)3.5f, 7.25, b, (u8)x, (i16)x);
    b = changed(b.v[3], (u64)b.v[4] << 10, (f16)1.5f, 2.25, b, (u8)b.v[0], (i16)b.v[9]);
    for (u32 k = 0; k < 24; k++) result = result * 7 + b.v[k];
    out[i] = result;
}

HOST(function_pointers, PTR(0), PTR(1))
