// global=1024 local=64 skip=opencl in:4096 out:4096 out:4096 out:4
// Work-groups that wait for each other at barriers of the grid, asleep or not.
#include "exchange.h"

#define ROUNDS 6

static u32 next(GLOBAL const u32 *from, u32 at, u32 count) {
    return mix(from[(at + count - 1) % count] + 3 * from[(at + 1) % count]);
}

static void barrier_grid(GLOBAL u32 *arrived, u32 expected, u32 sleeps) {
    PUBLISH();
    barrier_all();
    if (LOCAL_X == 0) {
        ADD(arrived, 1);
        while (LOAD(arrived) < expected) {
            if (sleeps) PAUSE();
        }
    }
    barrier_all();
    PUBLISH();
}

KERNEL grid_barrier(GLOBAL const u32 *in, GLOBAL u32 *a, GLOBAL u32 *b, GLOBAL u32 *arrived) {
    u32 count = GLOBAL_SIZE_X, groups = count / LOCAL_SIZE_X;
    ON_HOST(
        for (u32 i = 0; i < count; i++) a[i] = in[i];
        for (u32 round = 0; round < ROUNDS; round++)
            for (u32 i = 0; i < count; i++) (round & 1 ? a : b)[i] = next(round & 1 ? b : a, i, count);
        *arrived = (ROUNDS + 1) * groups;
    );
    a[ITEM_X] = in[ITEM_X];
    barrier_grid(arrived, groups, 1);
    for (u32 round = 0; round < ROUNDS; round++) {
        (round & 1 ? a : b)[ITEM_X] = next(round & 1 ? b : a, ITEM_X, count);
        barrier_grid(arrived, (round + 2) * groups, round & 1);
    }
}

HOST(grid_barrier, PTR(0), PTR(1), PTR(2), PTR(3))
