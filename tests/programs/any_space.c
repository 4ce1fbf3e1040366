// global=64 local=64 in:256 out:512
// Pointers of which nobody knows whether they point to memory, LDS or scratch.
#include "program.h"

NOINLINE static u32 sum_of(const u32 *from, u32 count) {
    u32 sum = 0;
    for (u32 n = 0; n < count; n++) sum = sum * 3 + from[n];
    return sum;
}
NOINLINE static void add_to(u32 *to, u32 value) { *to += value; }

KERNEL any_space(GLOBAL u32 *in, GLOBAL u32 *out) {
    SHARED(u32, shared)[64];
    u32 own[4], x = LOCAL_X;
    for (u32 n = 0; n < 4; n++) own[n] = mix(x * 4 + n);
    shared[x] = in[x];
    barrier_all();
    const u32 *from = x % 3 == 0 ? (const u32 *)own : x % 3 == 1 ? (const u32 *)(shared + (x & 32)) : (const u32 *)(in + (x & 32));
    out[x * 2] = sum_of(from, 4);
    barrier_all();
    u32 *to = x & 1 ? (u32 *)&shared[x] : (u32 *)&own[x >> 1 & 3];
    add_to(to, x);
    barrier_all();
    out[x * 2 + 1] = own[x >> 1 & 3] + shared[x ^ 1];
}

HOST(any_space, PTR(0), PTR(1))
