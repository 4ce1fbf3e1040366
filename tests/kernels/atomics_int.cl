// SPDX-License-Identifier: MIT OR Apache-2.0
// Integer atomics in global memory and LDS: every operation, 32 and 64 bits, with and without a result, orders and scopes.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define RELAXED __ATOMIC_RELAXED
#define SEQ_CST __ATOMIC_SEQ_CST
#define WAVE __OPENCL_MEMORY_SCOPE_SUB_GROUP
#define GROUP __OPENCL_MEMORY_SCOPE_WORK_GROUP
#define DEVICE __OPENCL_MEMORY_SCOPE_DEVICE
#define SYSTEM __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES

#define ALL(SPACE, TYPE, NAME)                                                              \
    kernel void NAME(SPACE atomic_##TYPE *p, global TYPE *out, TYPE x) {                    \
        out[0] = __opencl_atomic_fetch_add(p, x, RELAXED, WAVE);                            \
        out[1] = __opencl_atomic_fetch_sub(p + 1, x, __ATOMIC_ACQUIRE, GROUP);              \
        out[2] = __opencl_atomic_fetch_and(p + 2, x, __ATOMIC_RELEASE, DEVICE);             \
        out[3] = __opencl_atomic_fetch_or(p + 3, x, __ATOMIC_ACQ_REL, SYSTEM);              \
        out[4] = __opencl_atomic_fetch_xor(p + 4, x, SEQ_CST, DEVICE);                      \
        out[5] = __opencl_atomic_fetch_min(p + 5, x, RELAXED, DEVICE);                      \
        out[6] = __opencl_atomic_fetch_max(p + 6, x, RELAXED, DEVICE);                      \
        out[7] = __opencl_atomic_exchange(p + 7, x, SEQ_CST, GROUP);                        \
        TYPE expected = x + 1;                                                              \
        out[8] = __opencl_atomic_compare_exchange_strong(p + 8, &expected, x, __ATOMIC_ACQ_REL, RELAXED, DEVICE); \
        out[9] = expected;                                                                  \
        out[10] = __opencl_atomic_load(p + 9, __ATOMIC_ACQUIRE, SYSTEM);                    \
        __opencl_atomic_store(p + 10, x, __ATOMIC_RELEASE, SYSTEM);                         \
        __opencl_atomic_fetch_add(p + 11, x, RELAXED, DEVICE);                              \
        __opencl_atomic_fetch_or(p + 1000, x, SEQ_CST, SYSTEM);                             \
    }

ALL(global, int, global_int)
ALL(global, uint, global_uint)
ALL(global, long, global_long)
ALL(global, ulong, global_ulong)
ALL(local, int, local_int)
ALL(local, uint, local_uint)
ALL(local, long, local_long)
ALL(local, ulong, local_ulong)

kernel void wrapping(global uint *p, local uint *q, global uint *out, uint x) {
    out[0] = __builtin_amdgcn_atomic_inc32(p, x, __ATOMIC_RELAXED, "agent");
    out[1] = __builtin_amdgcn_atomic_dec32(p, x, __ATOMIC_SEQ_CST, "");
    out[2] = __builtin_amdgcn_atomic_inc32(q, x, __ATOMIC_ACQUIRE, "workgroup");
    out[3] = __builtin_amdgcn_atomic_dec32(q, x, __ATOMIC_RELAXED, "wavefront");
}

kernel void flat(global int *g, local int *l, global int *out, int x) {
    int own = x;
    atomic_int *p = (atomic_int *)(x == 1 ? (int *)g : x == 2 ? (int *)l : &own);
    out[0] = __opencl_atomic_fetch_add(p, x, RELAXED, DEVICE);
    out[1] = __opencl_atomic_exchange(p, x, SEQ_CST, SYSTEM);
    out[2] = __opencl_atomic_fetch_min(p, x, RELAXED, WAVE) + own;
}
