// global=1024 local=64 skip=opencl in:65536 out:4096 out:64 out:64 out:4 out:4
// Stream-K: work-groups share tiles. The owner of a tile waits for the parts of the next work-groups; the last work-group to end
// adds up the tiles.
#include "exchange.h"

// Each tile has three parts, of which three consecutive work-groups compute one each.
#define PARTS 3
#define STEPS 16

static u32 part(GLOBAL const u32 *in, u32 group, u32 item) {
    u32 sum = 0;
    for (u32 step = 0; step < STEPS; step++) sum += mix(in[(group * STEPS + step) * 64 + item]);
    return sum;
}

KERNEL stream_k(GLOBAL const u32 *in, GLOBAL u32 *parts, GLOBAL u32 *ready, GLOBAL u32 *tiles, GLOBAL u32 *ended,
                GLOBAL u32 *total) {
    u32 groups = GLOBAL_SIZE_X / LOCAL_SIZE_X;
    ON_HOST(
        for (u32 g = 0; g < groups; g++) {
            for (u32 i = 0; i < 64; i++) parts[64 * g + i] = part(in, g, i);
            ready[g] = 1;
        }
        for (u32 g = 0; g < groups; g++)
            for (u32 i = 0; i < 64; i++) tiles[g / PARTS] ^= mix(parts[64 * g + i] + i);
        for (u32 t = 0; t < (groups + PARTS - 1) / PARTS; t++) *total += tiles[t];
        *ended = groups;
    );
    SHARED(u32, is_last);
    parts[64 * GROUP_X + LOCAL_X] = part(in, GROUP_X, LOCAL_X);
    PUBLISH();
    barrier_all();
    if (LOCAL_X == 0) STORE(&ready[GROUP_X], 1);
    if (GROUP_X % PARTS == 0 && LOCAL_X == 0) {
        u32 tile = 0;
        for (u32 g = GROUP_X; g < GROUP_X + PARTS && g < groups; g++) {
            while (!LOAD(&ready[g])) {}
            for (u32 i = 0; i < 64; i++) tile ^= mix(parts[64 * g + i] + i);
        }
        tiles[GROUP_X / PARTS] = tile;
    }
    PUBLISH();
    barrier_all();
    if (LOCAL_X == 0) is_last = ADD(ended, 1) == groups - 1;
    barrier_all();
    if (is_last && LOCAL_X == 0) {
        u32 sum = 0;
        for (u32 t = 0; t < (groups + PARTS - 1) / PARTS; t++) sum += LOAD(&tiles[t]);
        *total = sum;
    }
}

HOST(stream_k, PTR(0), PTR(1), PTR(2), PTR(3), PTR(4), PTR(5))
