// global=32,32 local=16,16 in:4096 in:4096 out:4096
// A tiled product of integer matrices in LDS.
#include "program.h"

KERNEL tiles(GLOBAL const u32 *a, GLOBAL const u32 *b, GLOBAL u32 *c) {
    SHARED(u32, ta)[16][16];
    SHARED(u32, tb)[16][17];
    u32 x = LOCAL_X, y = LOCAL_Y, sum = 0;
    for (u32 k = 0; k < 32; k += 16) {
        ta[y][x] = a[ITEM_Y * 32 + k + x];
        tb[y][x] = b[(k + y) * 32 + ITEM_X];
        barrier_all();
        for (u32 n = 0; n < 16; n++) sum += ta[y][n] * tb[n][x];
        barrier_all();
    }
    c[ITEM_Y * 32 + ITEM_X] = sum;
}

HOST(tiles, PTR(0), PTR(1), PTR(2))
