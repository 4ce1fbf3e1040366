// global=512 local=256 in:2048 out:2048
// Sorts the 256 keys of each work-group in LDS.
#include "program.h"

KERNEL bitonic(GLOBAL const u32 *in, GLOBAL u32 *out) {
    SHARED(u32, keys)[256];
    u32 x = LOCAL_X;
    keys[x] = in[ITEM_X];
    barrier_all();
    for (u32 size = 2; size <= 256; size *= 2) {
        for (u32 step = size / 2; step > 0; step /= 2) {
            u32 other = x ^ step;
            if (other > x) {
                u32 a = keys[x], b = keys[other];
                if ((a > b) == ((x & size) == 0)) keys[x] = b, keys[other] = a;
            }
            barrier_all();
        }
    }
    out[ITEM_X] = keys[x];
}

HOST(bitonic, PTR(0), PTR(1))
