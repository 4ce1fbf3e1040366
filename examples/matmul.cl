// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Tiled single-precision matrix multiply and a sum over a vector: small, but
// with what real kernels have: local memory, barriers, fused multiply-add,
// loops, a divergent branch and a reduction by halving.
//
// It needs no device library: the few hardware functions are clang's builtins.

#define TILE 16

#define LOCAL_X __builtin_amdgcn_workitem_id_x()
#define LOCAL_Y __builtin_amdgcn_workitem_id_y()
#define GROUP_X __builtin_amdgcn_workgroup_id_x()
#define GROUP_Y __builtin_amdgcn_workgroup_id_y()

/// Every work-item of the group has written before any reads on.
static inline void group_barrier(void) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/// c = a * b for n x n matrices in row order; n is a multiple of TILE, a group is TILE x TILE.
__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void matmul(global const float *restrict a, global const float *restrict b,
                   global float *restrict c, uint n) {
    local float tile_a[TILE][TILE];
    local float tile_b[TILE][TILE + 1]; // one more column: rows start in different banks

    const uint x = LOCAL_X, y = LOCAL_Y;
    const uint row = GROUP_Y * TILE + y, column = GROUP_X * TILE + x;

    float sum = 0.0f;
    for (uint k = 0; k < n; k += TILE) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + column];
        group_barrier();
        #pragma unroll
        for (uint i = 0; i < TILE; i++)
            sum = __builtin_fmaf(tile_a[y][i], tile_b[i][x], sum);
        group_barrier();
    }
    c[row * n + column] = sum;
}

/// out[group] = the sum of the group's 256 elements of `in`; elements past `count` are zero.
__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void reduce_sum(global const float *restrict in, global float *restrict out, uint count) {
    local float part[256];

    const uint x = LOCAL_X, at = GROUP_X * 256 + x;
    part[x] = at < count ? in[at] : 0.0f;
    group_barrier();
    #pragma nounroll
    for (uint half_size = 128; half_size > 0; half_size >>= 1) {
        if (x < half_size)
            part[x] += part[x + half_size];
        group_barrier();
    }
    if (x == 0)
        out[GROUP_X] = part[0];
}
