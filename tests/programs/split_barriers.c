// global=512 local=128 skip=opencl in:2048 out:2048 out:16
// Barriers in two steps (gfx12): waves signal, work, and wait; one waits for a flag that another sets after its own wait, and the first
// to signal is told so.
#include "program.h"

SHARED(u32, shared[128]);
SHARED(u32, flag[4]);

#if defined(__AMDGCN__) && defined(__GFX12__)
#define SIGNAL() __builtin_amdgcn_s_barrier_signal(-1)
#define WAIT() __builtin_amdgcn_s_barrier_wait(-1)
#define ORDER() __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup")
#define IS_FIRST() __builtin_amdgcn_s_barrier_signal_isfirst(-1)
#else
#define SIGNAL() (void)0
#define WAIT() barrier_all()
#define ORDER() (void)0
#endif

KERNEL split_barriers(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u32 *firsts) {
    u32 i = LOCAL_X, at = ITEM_X;
    if (i < 4) flag[i] = 0;
    barrier_all();
    shared[i] = in[at];
    ORDER();
    SIGNAL();
    // Work that needs nothing of others.
    u32 own = mix(in[at]);
    WAIT();
    ORDER();
    u32 other = shared[i ^ 64];
    barrier_all();
#if defined(__AMDGCN__) && defined(__GFX12__)
    // All waves signal. The last waves pass their wait and set a flag, before the first ones wait: they look at the flag until then.
    SIGNAL();
    if (i >= 64) {
        WAIT();
        if (i == 64) __atomic_store_n((LOCAL u32 *)&flag[0], 1, __ATOMIC_RELEASE);
    } else {
        while (__atomic_load_n((LOCAL u32 *)&flag[0], __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
        WAIT();
    }
    // One wave is the first to signal.
    if (IS_FIRST()) {
        if (LANE == 0) __atomic_fetch_add((LOCAL u32 *)&flag[1], 1, __ATOMIC_RELAXED);
    }
    WAIT();
    barrier_all();
    u32 first = flag[1];
    barrier_all();
    // The state: this barrier has no signals, as many waves as the work-group, and exists. Barrier 0 does nothing.
    u32 state = __builtin_amdgcn_s_get_barrier_state(-1);
    u32 waves = state >> 4 & 127, is_valid = state & 1 && waves * __builtin_amdgcn_wavefrontsize() == LOCAL_SIZE_X;
    __builtin_amdgcn_s_barrier_signal(0);
    barrier_all();
#else
    u32 first = 1, is_valid = 1;
#endif
    out[at] = own ^ other;
    if (i == 0) firsts[GROUP_X] = first * 2 + is_valid;
}

HOST(split_barriers, PTR(0), PTR(1), PTR(2))
