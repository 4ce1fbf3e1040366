// global=48 local=32 skip=opencl in:192 out:576
// Recursion with frames in scratch memory: Ackermann, Fibonacci, permutations.
#include "program.h"

NOINLINE static u32 ackermann(u32 m, u32 n) {
    if (m == 0) return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
NOINLINE static u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
NOINLINE static u32 permute(u8 *items, u32 at, u32 count, u32 seed) {
    if (at == count) {
        u32 code = seed;
        for (u32 n = 0; n < count; n++) code = code * 7 + items[n];
        return mix(code);
    }
    u32 sum = 0;
    for (u32 n = at; n < count; n++) {
        u8 t = items[at];
        items[at] = items[n], items[n] = t;
        sum += permute(items, at + 1, count, seed);
        t = items[at];
        items[at] = items[n], items[n] = t;
    }
    return sum;
}

KERNEL recursion(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i];
    u8 items[4];
    for (u32 n = 0; n < 4; n++) items[n] = (u8)(x >> (8 * n));
    out[i * 3] = ackermann(x % 3, (x >> 8) % 4);
    out[i * 3 + 1] = fibonacci(x % 9);
    out[i * 3 + 2] = permute(items, 0, 4, x);
}

HOST(recursion, PTR(0), PTR(1))
