// global=1024 local=256 in:4096 out:8192
// Inclusive and exclusive prefix sums of each work-group: by halving in LDS, and by exchanges between lanes.
#include "program.h"

KERNEL scan(GLOBAL const u32 *in, GLOBAL u32 *out) {
    SHARED(u32, sums)[2][256];
    SHARED(u32, waves)[8];
    u32 x = LOCAL_X, value = in[ITEM_X], at = 0;
    sums[0][x] = value;
    barrier_all();
    for (u32 step = 1; step < 256; step *= 2) {
        sums[1 - at][x] = sums[at][x] + (x >= step ? sums[at][x - step] : 0);
        at = 1 - at;
        barrier_all();
    }
    out[ITEM_X * 2] = sums[at][x];

    u32 lane = x & 31, sum = value;
    for (u32 step = 1; step < 32; step *= 2) {
        u32 other = FROM_LANE(sum, lane - step);
        if (lane >= step) sum += other;
    }
    if (lane == 31) waves[x / 32] = sum;
    barrier_all();
    for (u32 n = 0; n < x / 32; n++) sum += waves[n];
    out[ITEM_X * 2 + 1] = sum - value;
}

HOST(scan, PTR(0), PTR(1))
