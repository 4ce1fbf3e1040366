// global=256 local=32 skip=opencl out:4096 out:16 out:4096
// Work-groups that take tasks from a queue until none is left. A task adds two smaller ones.
#include "exchange.h"

#define START 40

// The queue's number of tasks that were put, taken, and not ended.
enum { PUT, TAKEN, OPEN };

static void put(GLOBAL u32 *queue, GLOBAL u32 *counts, u32 task) {
    ADD(&counts[OPEN], 1);
    STORE(&queue[ADD(&counts[PUT], 1)], task);
}

static u32 tasks_below(u32 task) { return task < 3 ? 1 : 1 + tasks_below(task / 2) + tasks_below(task / 3); }

static void count_below(GLOBAL u32 *done, u32 task) {
    done[task]++;
    if (task >= 3) count_below(done, task / 2), count_below(done, task / 3);
}

KERNEL persistent(GLOBAL u32 *queue, GLOBAL u32 *counts, GLOBAL u32 *done) {
    ON_HOST(
        for (u32 task = 1; task <= START; task++) {
            count_below(done, task);
            counts[PUT] += tasks_below(task);
        }
        counts[TAKEN] = counts[PUT];
        counts[3] = 1;
    );
    if (LOCAL_X != 0) return;
    if (GROUP_X == GLOBAL_SIZE_X / LOCAL_SIZE_X - 1) {
        for (u32 task = 1; task <= START; task++) put(queue, counts, task);
        STORE(&counts[3], 1);
    }
    while (!LOAD(&counts[3])) PAUSE();
    while (LOAD(&counts[OPEN]) > 0) {
        u32 taken = LOAD(&counts[TAKEN]);
        if (taken >= LOAD(&counts[PUT])) continue;
        if (!__scoped_atomic_compare_exchange_n(&counts[TAKEN], &taken, taken + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,
                                                __MEMORY_SCOPE_DEVICE))
            continue;
        u32 task;
        while (!(task = LOAD(&queue[taken]))) {}
        STORE(&queue[taken], 0);
        ADD(&done[task], 1);
        if (task >= 3) {
            put(queue, counts, task / 2);
            put(queue, counts, task / 3);
        }
        ADD(&counts[OPEN], -1u);
    }
}

HOST(persistent, PTR(0), PTR(1), PTR(2))
