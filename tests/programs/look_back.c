// global=2048 local=64 skip=opencl in:8192 out:8192 out:256
// A prefix sum in one pass: a work-group adds up the sums of those before it in memory, which run after it, until it finds one that
// knows the sum of all before.
#include "exchange.h"

#define SUM (1ull << 32)
#define PREFIX (2ull << 32)

KERNEL look_back(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u64 *states) {
    u32 groups = GLOBAL_SIZE_X / LOCAL_SIZE_X, block = groups - 1 - GROUP_X;
    ON_HOST(
        u32 sum = 0;
        for (u32 b = 0; b < groups; b++) {
            for (u32 i = 0; i < 64; i++) out[64 * b + i] = sum += in[64 * b + i];
            states[b] = PREFIX | sum;
        }
    );
    SHARED(u32, sums)[64];
    SHARED(u32, before);
    sums[LOCAL_X] = in[64 * block + LOCAL_X];
    barrier_all();
    for (u32 width = 1; width < 64; width *= 2) {
        u32 other = LOCAL_X >= width ? sums[LOCAL_X - width] : 0;
        barrier_all();
        sums[LOCAL_X] += other;
        barrier_all();
    }
    if (LOCAL_X == 0) {
        u32 sum = 0;
        if (block > 0) {
            STORE(&states[block], SUM | sums[63]);
            for (u32 b = block; b-- > 0;) {
                u64 state;
                while (!(state = LOAD(&states[b]))) {}
                sum += (u32)state;
                if (state >= PREFIX) break;
            }
        }
        before = sum;
        STORE(&states[block], PREFIX | (u32)(sum + sums[63]));
    }
    barrier_all();
    out[64 * block + LOCAL_X] = before + sums[LOCAL_X];
}

HOST(look_back, PTR(0), PTR(1), PTR(2))
