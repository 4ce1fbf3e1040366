// global=512 local=32 skip=opencl in:2048 out:2048 out:128
// Pairs of work-groups: the first of each takes from a ring of four numbers what the second puts there.
#include "exchange.h"

#define ITEMS 60
#define SLOTS 4

KERNEL ring(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u32 *counts) {
    u32 pairs = GLOBAL_SIZE_X / LOCAL_SIZE_X / 2, pair = GROUP_X / 2;
    ON_HOST(
        for (u32 p = 0; p < pairs; p++) {
            u32 sum = 0;
            for (u32 n = 0; n < ITEMS; n++) {
                u32 value = mix(in[p] + n);
                out[64 * p + n % SLOTS] = value;
                sum = mix(sum + value);
            }
            out[64 * p + SLOTS] = sum;
            counts[2 * p] = counts[2 * p + 1] = ITEMS;
        }
    );
    GLOBAL u32 *slots = &out[64 * pair];
    GLOBAL u32 *taken = &counts[2 * pair];
    GLOBAL u32 *put = &counts[2 * pair + 1];
    if (LOCAL_X != 0) return;
    if (GROUP_X & 1) {
        for (u32 n = 0; n < ITEMS; n++) {
            while (n - LOAD(taken) >= SLOTS) PAUSE();
            slots[n % SLOTS] = mix(in[pair] + n);
            STORE(put, n + 1);
        }
    } else {
        u32 sum = 0;
        for (u32 n = 0; n < ITEMS; n++) {
            while (LOAD(put) == n) {}
            sum = mix(sum + slots[n % SLOTS]);
            STORE(taken, n + 1);
        }
        slots[SLOTS] = sum;
    }
}

HOST(ring, PTR(0), PTR(1), PTR(2))
