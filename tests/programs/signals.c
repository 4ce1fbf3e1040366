// global=512 local=128 skip=opencl in:2048 out:4096
// A wave that waits for another one's flag, the last work-group of a grid, and a lock.
#include "program.h"

KERNEL signals(GLOBAL const u32 *in, GLOBAL u32 *out) {
    SHARED(u32, flag)[1];
    SHARED(u32, box)[64];
    SHARED(u32, is_last)[1];
    u32 at = LOCAL_X, i = ITEM_X, sum = 0;
    if (at == 0) flag[0] = 0;
    barrier_all();
#ifdef __AMDGCN__
    if (at == 64)
        while (__atomic_load_n(&flag[0], __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
    if (at < 64) {
        box[at] = in[i] * 3;
        __atomic_thread_fence(__ATOMIC_RELEASE);
        if (at == 0) __atomic_store_n(&flag[0], 1u, __ATOMIC_RELEASE);
    }
#else
    if (at < 64) box[at] = in[i] * 3;
#endif
    barrier_all();
    out[i] = box[at & 63] + at;
    GLOBAL u32 *count = &out[1000], *lock = &out[1001], *total = &out[1002];
#ifdef __AMDGCN__
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    barrier_all();
    if (at == 0) is_last[0] = __scoped_atomic_fetch_add(count, 1u, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE) == 3;
    barrier_all();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
#else
    barrier_all();
    if (at == 0) is_last[0] = (*count)++ == 3;
    barrier_all();
#endif
    if (is_last[0] && at < 64) {
        for (u32 k = at; k < 512; k += 64) sum += out[k];
        out[600 + at] = sum;
    }
    if (at % 64 != 0) return;
#ifdef __AMDGCN__
    while (__scoped_atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) != 0) {}
    *(volatile GLOBAL u32 *)total += i + 1;
    __scoped_atomic_store_n(lock, 0u, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
#else
    *total += i + 1;
#endif
}

HOST(signals, PTR(0), PTR(1))
