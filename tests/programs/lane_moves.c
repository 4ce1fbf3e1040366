// global=256 local=64 skip=O0 in:1024 in:1024 out:8192
// Moves between lanes by numbers that each lane computes, active or not (gfx12), and over all lanes of a wave.
#include "program.h"

KERNEL lane_moves(GLOBAL const u32 *in, GLOBAL const u32 *numbers, GLOBAL u32 *out) {
    u32 i = ITEM_X, n = numbers[i], x = in[i];
    GLOBAL u32 *to = out + i * 8;
#if defined(__AMDGCN__) && defined(__GFX12__)
    to[0] = __builtin_amdgcn_permlane16_var(x, x, n, 0, 0);
    to[1] = __builtin_amdgcn_permlanex16_var(x, x, n, 0, 0);
    to[2] = (u32)__builtin_amdgcn_ds_bpermute_fi_b32((int)((n & 31) + (LANE & 32)) * 4, (int)x);
    to[3] = to[4] = to[5] = to[6] = 0;
    if (in[i ^ 1] & 1) {
        // Lanes whose neighbour is even do not take part: their values are 0 without, and there with the fetch of inactive ones.
        to[3] = __builtin_amdgcn_permlane16_var(7, x, n, 0, 1);
        to[4] = __builtin_amdgcn_permlane16_var(7, x, n, 1, 0);
        to[5] = (u32)__builtin_amdgcn_ds_bpermute((int)((n & 31) + (LANE & 32)) * 4, (int)x);
        to[6] = (u32)__builtin_amdgcn_ds_bpermute_fi_b32((int)((n & 31) + (LANE & 32)) * 4, (int)x);
    }
    // Across the halves of a wave of 64: the lane of the same number in the other half.
#ifdef WAVE64
    to[7] = (u32)__builtin_amdgcn_ds_bpermute((int)(LANE ^ 63) * 4, (int)x) ^ (u32)__builtin_amdgcn_ds_permute((int)(LANE ^ 32) * 4, (int)x);
#else
    to[7] = in[i ^ 63] ^ in[i ^ 32];
#endif
#else
    u32 row = i & ~15u, first_of_32 = i & ~31u;
    to[0] = in[row | n & 15];
    to[1] = in[(row ^ 16) | n & 15];
    to[2] = in[first_of_32 | n & 31];
    to[3] = to[4] = to[5] = to[6] = 0;
    if (in[i ^ 1] & 1) {
        u32 in_row = row | n & 15, in_half = first_of_32 | n & 31;
        to[3] = in[in_row ^ 1] & 1 ? in[in_row] : 0;
        to[4] = in[in_row];
        to[5] = in[in_half ^ 1] & 1 ? in[in_half] : 0;
        to[6] = in[in_half];
    }
    to[7] = in[i ^ 63] ^ in[i ^ 32];
#endif
}

HOST(lane_moves, PTR(0), PTR(1), PTR(2))
