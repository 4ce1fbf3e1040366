// global=256 local=256 in:1024 out:1024
// Radix sort of a work-group's keys: four bits at a time, with prefix sums over flags in LDS.
#include "program.h"

KERNEL radix_sort(GLOBAL const u32 *in, GLOBAL u32 *out) {
    SHARED(u32, keys)[256];
    SHARED(u16, counts)[16][256];
    SHARED(u32, totals)[16];
    u32 x = LOCAL_X;
    keys[x] = in[x];
    for (u32 shift = 0; shift < 32; shift += 4) {
        barrier_all();
        u32 key = keys[x], digit = key >> shift & 15;
        for (u32 d = 0; d < 16; d++) counts[d][x] = d == digit;
        barrier_all();
        if (x < 16) {
            u32 sum = 0;
            for (u32 n = 0; n < 256; n++) {
                u16 flag = counts[x][n];
                counts[x][n] = (u16)sum;
                sum += flag;
            }
            totals[x] = sum;
        }
        barrier_all();
        u32 to = counts[digit][x];
        for (u32 d = 0; d < digit; d++) to += totals[d];
        barrier_all();
        keys[to] = key;
    }
    barrier_all();
    out[x] = keys[x];
}

HOST(radix_sort, PTR(0), PTR(1))
