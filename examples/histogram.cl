// SPDX-License-Identifier: MIT OR Apache-2.0
//
// How often each byte occurs: every work-group counts in local memory by atomics, waits at a barrier, and adds its counts to
// those in global memory by atomics again.

#define LOCAL_X __builtin_amdgcn_workitem_id_x()
#define GROUP_X __builtin_amdgcn_workgroup_id_x()
#define BINS 256

/// Every work-item of the group has written before any reads on.
static inline void group_barrier(void) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/// counts[b] += how many of the first `size` bytes are b; a group has 256 work-items, one for each bin.
__attribute__((reqd_work_group_size(BINS, 1, 1)))
kernel void histogram(global const uchar *restrict bytes, uint size, global uint *restrict counts) {
    local uint bins[BINS];

    const uint x = LOCAL_X, at = GROUP_X * BINS + x;
    bins[x] = 0;
    group_barrier();
    if (at < size)
        __opencl_atomic_fetch_add((local atomic_uint *)&bins[bytes[at]], 1u, __ATOMIC_RELAXED, memory_scope_work_group);
    group_barrier();
    if (bins[x] != 0)
        __opencl_atomic_fetch_add((global atomic_uint *)&counts[x], bins[x], __ATOMIC_RELAXED, memory_scope_device);
}
