// global=1000 local=250 in:4000 in:1024 out:64
// A histogram in LDS that is added to one in memory, and the other atomics on memory.
#include "program.h"

#ifdef __OPENCL_C_VERSION__
#define ADD_LOCAL(p, v) __opencl_atomic_fetch_add((local atomic_uint *)(p), v, memory_order_relaxed, memory_scope_work_group)
#define AT(op, p, v) __opencl_atomic_fetch_##op((global atomic_uint *)(p), v, memory_order_relaxed, memory_scope_device)
#define AT_SIGNED(op, p, v) __opencl_atomic_fetch_##op((global atomic_int *)(p), v, memory_order_relaxed, memory_scope_device)
#else
#define ADD_LOCAL(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define AT(op, p, v) __atomic_fetch_##op(p, v, __ATOMIC_RELAXED)
#define AT_SIGNED(op, p, v) __atomic_fetch_##op((GLOBAL i32 *)(p), v, __ATOMIC_RELAXED)
#endif

KERNEL histogram(GLOBAL const u32 *in, GLOBAL u32 *bins, GLOBAL u32 *out) {
    SHARED(u32, counts)[256];
    for (u32 n = LOCAL_X; n < 256; n += 250) counts[n] = 0;
    barrier_all();
    u32 value = in[ITEM_X];
    for (u32 n = 0; n < 4; n++) ADD_LOCAL(&counts[value >> (8 * n) & 255], 1u);
    barrier_all();
    for (u32 n = LOCAL_X; n < 256; n += 250) AT(add, &bins[n], counts[n]);
    AT(add, &out[0], value);
    AT(sub, &out[1], value);
    AT(and, &out[2], value | 0xff);
    AT(or, &out[3], value & 0xf0f0f0f);
    AT(xor, &out[4], value);
    AT(max, &out[5], value);
    AT(min, &out[6], value);
    AT_SIGNED(max, &out[7], (i32)value);
    AT_SIGNED(min, &out[8], (i32)value);
}

HOST(histogram, PTR(0), PTR(1), PTR(2))
