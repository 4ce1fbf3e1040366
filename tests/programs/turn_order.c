// global=1024 local=32 skip=opencl out:8 out:128
// A lock that work-groups hand on from the last to the first.
#include "exchange.h"

KERNEL turn_order(GLOBAL u32 *state, GLOBAL u32 *seen) {
    u32 groups = GLOBAL_SIZE_X / LOCAL_SIZE_X;
    ON_HOST(
        for (u32 turn = 0; turn < groups; turn++) {
            seen[groups - 1 - turn] = state[1];
            state[1] = mix(state[1] ^ (groups - 1 - turn));
        }
        state[0] = groups;
    );
    if (LOCAL_X != 0) return;
    while (LOAD(&state[0]) != groups - 1 - GROUP_X) {}
    seen[GROUP_X] = state[1];
    state[1] = mix(state[1] ^ GROUP_X);
    STORE(&state[0], groups - GROUP_X);
}

HOST(turn_order, PTR(0), PTR(1))
