// global=768 local=64 skip=opencl out:4 out:256
// A lock that work-groups take several times, with barriers while they hold it.
#include "exchange.h"

#define TIMES 10

KERNEL spin_lock(GLOBAL u32 *lock, GLOBAL u32 *sums) {
    for (u32 time = 0; time < TIMES; time++) {
        if (LOCAL_X == 0) {
            while (SWAP(lock, 1) != 0) {}
        }
        barrier_all();
        PUBLISH();
        sums[LOCAL_X] += GROUP_X * TIMES + time;
        PUBLISH();
        barrier_all();
        if (LOCAL_X == 0) STORE(lock, 0);
    }
}

HOST(spin_lock, PTR(0), PTR(1))
