// SPDX-License-Identifier: MIT OR Apache-2.0
// Lanes of a wave: DPP, permutations, broadcasts, ballots, readlane and writelane, swizzles.
#define ID __builtin_amdgcn_workitem_id_x()
kernel void dpp(global int *p) {
    int x = p[ID];
    p[ID] = __builtin_amdgcn_mov_dpp(x, 0x1b, 0xf, 0xf, 0);
    p[ID + 64] = __builtin_amdgcn_update_dpp(x, p[1], 0x111, 0xf, 0xf, 1);
    p[ID + 128] = __builtin_amdgcn_update_dpp(0, x, 0x141, 0x5, 0x3, 0);
    p[ID + 192] = __builtin_amdgcn_update_dpp(0, x, 0x151, 0xf, 0xf, 0) + __builtin_amdgcn_update_dpp(0, x, 0x161, 0xf, 0xf, 0);
    p[ID + 256] = __builtin_amdgcn_mov_dpp8(x, 0x7af52);
}

kernel void exchange(global int *p, int at) {
    int x = p[ID];
    p[ID] = __builtin_amdgcn_ds_permute(at, x);
    p[ID + 1] = __builtin_amdgcn_ds_bpermute(at * 4, x);
    p[ID + 2] = __builtin_amdgcn_ds_swizzle(x, 0x1f);
    p[ID + 3] = __builtin_amdgcn_ds_swizzle(x, 0x8055);
    p[ID + 4] = __builtin_amdgcn_readlane(x, at) + __builtin_amdgcn_readfirstlane(p[at]);
    p[ID + 5] = __builtin_amdgcn_permlane16(x, p[3], 1, 2, 0, 0) + __builtin_amdgcn_permlanex16(x, p[3], at, 2, 1, 1);
    p[ID + 6] = __builtin_amdgcn_permlane64(x);
}

kernel void sum(global float *p) {
    float x = p[ID];
    x += __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(0, __builtin_bit_cast(int, x), 0x118, 0xf, 0xf, 1));
    x += __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(0, __builtin_bit_cast(int, x), 0x114, 0xf, 0xf, 1));
    x += __builtin_bit_cast(float, __builtin_amdgcn_update_dpp(0, __builtin_bit_cast(int, x), 0x112, 0xf, 0xf, 1));
    p[ID] = x;
}

kernel void masks(global uint *p) {
    p[0] = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
    p[1] = (uint)__builtin_amdgcn_read_exec();
    p[2] = __builtin_amdgcn_sicmp(p[ID], 7, 33) != 0;
}
