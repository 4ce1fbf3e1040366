// global=64 local=64 in:256 out:1024
// Calls of functions: with many arguments, with arrays in private memory, through pointers, of several results.
#include "program.h"

struct pair {
    u32 first, second;
};

NOINLINE static u32 many(u32 a, u32 b, u32 c, u32 d, u32 e, u32 f, u64 g, u32 h, u16 i, i8 j, float k, double l) {
    return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + (u32)(g >> 17) + h * 17 + i * 19u + (u32)(i32)j * 23 + (u32)(k * 4) + (u32)(l * 8);
}
NOINLINE static struct pair two(u32 x) {
    struct pair p = { x * 5, x ^ 0x55aa55aa };
    return p;
}
NOINLINE static void fill(u32 *to, u32 count, u32 seed) {
    for (u32 n = 0; n < count; n++) to[n] = seed = mix(seed + n);
}
NOINLINE static u32 fold(const u32 *from, u32 count) {
    u32 sum = 0;
    for (u32 n = 0; n < count; n++) sum = sum * 31 + from[n];
    return sum;
}
NOINLINE static u32 twice(u32 x) { return x * 2 + 1; }
NOINLINE static u32 square(u32 x) { return x * x; }

KERNEL calls(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i], array[20];
    struct pair p = two(x);
    fill(array, 20, x);
    out[i * 4] = many(x, x + 1, x + 2, x + 3, x + 4, x + 5, (u64)x << 20, x + 7, (u16)x, (i8)x, (float)(x & 1023), (double)(x & 511));
    out[i * 4 + 1] = p.first + p.second;
    out[i * 4 + 2] = fold(array, 20) + fold(array + 5, x & 7);
    u32 last = x;
    for (u32 n = 0; n < (x & 15); n++) last = last & 1 ? twice(last) : square(last) + 1;
    out[i * 4 + 3] = last;
}

HOST(calls, PTR(0), PTR(1))
