// global=64 local=32 in:256 out:256
// Calls through tables of function pointers that differ between lanes.
#include "program.h"

#ifdef __OPENCL_C_VERSION__
// OpenCL C has no pointers to functions.
NOINLINE static u32 apply(u32 which, u32 x, u32 y) {
    switch (which) {
    case 0: return x + y;
    case 1: return x * y;
    case 2: return x > y ? x - y : y - x;
    default: return mix(x ^ y);
    }
}
#else
NOINLINE static u32 add(u32 x, u32 y) { return x + y; }
NOINLINE static u32 multiply(u32 x, u32 y) { return x * y; }
NOINLINE static u32 distance(u32 x, u32 y) { return x > y ? x - y : y - x; }
NOINLINE static u32 scramble(u32 x, u32 y) { return mix(x ^ y); }

typedef u32 (*operation)(u32, u32);

NOINLINE static u32 apply(u32 which, u32 x, u32 y) {
    operation table[4] = { add, multiply, distance, scramble };
    return table[which](x, y);
}
#endif

KERNEL pointers(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i], y = i;
    for (u32 n = 0; n < 6; n++) y = apply((x >> (2 * n)) & 3, y, x + n);
    out[i] = y;
}

HOST(pointers, PTR(0), PTR(1))
