// global=512 local=128 in:2048 out:64 out:1024
// Atomics of 64 bits, of floats through comparison and exchange, and a lock-free list in memory.
#include "program.h"

#ifdef __OPENCL_C_VERSION__
#define ADD64(p, v) __opencl_atomic_fetch_add((global atomic_ulong *)(p), v, memory_order_relaxed, memory_scope_device)
#define MAX64(p, v) __opencl_atomic_fetch_max((global atomic_ulong *)(p), v, memory_order_relaxed, memory_scope_device)
#define EXCHANGE(p, e, v) __opencl_atomic_compare_exchange_strong((global atomic_uint *)(p), e, v, memory_order_relaxed, memory_order_relaxed, memory_scope_device)
#define ADD32(p, v) __opencl_atomic_fetch_add((global atomic_uint *)(p), v, memory_order_relaxed, memory_scope_device)
#else
#define ADD64(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define MAX64(p, v) __atomic_fetch_max(p, v, __ATOMIC_RELAXED)
#define EXCHANGE(p, e, v) __atomic_compare_exchange_n(p, e, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define ADD32(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#endif

KERNEL float_atomics(GLOBAL const u32 *in, GLOBAL u64 *out, GLOBAL u32 *bins) {
    u32 x = in[ITEM_X];
    ADD64(&out[0], (u64)x << 20 | x);
    MAX64(&out[1], (u64)x * x);
    // Small integers: no order of additions rounds.
    GLOBAL u32 *sum = (GLOBAL u32 *)&out[2];
    u32 old = *sum, next;
    do next = bits32(float32(old) + (float)(x & 255));
    while (!EXCHANGE(sum, &old, next));
    u32 place = ADD32(&bins[x & 127], 1u);
    ADD32(&bins[128 + (x & 127)], place);
}

HOST(float_atomics, PTR(0), PTR(1), PTR(2))
