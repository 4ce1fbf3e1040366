// SPDX-License-Identifier: MIT OR Apache-2.0
// Several kernels and functions a file with attributes that reach the descriptor: sizes, registers, waves, floating-point modes.
static inline int helper(int x) { return x * 17 + 3; }
__attribute__((noinline)) static int kept(int x) { return helper(x) ^ x; }

kernel __attribute__((amdgpu_flat_work_group_size(32, 64))) void sized(global int *p) { p[0] = helper(p[1]); }
kernel __attribute__((amdgpu_waves_per_eu(2, 4))) void waves(global int *p) { p[0] = kept(p[1]); }
kernel __attribute__((amdgpu_num_vgpr(48), amdgpu_num_sgpr(40))) void registers(global int *p) { p[1] = kept(p[0]); }
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void single(global int *p) { p[1] = p[0]; }
kernel __attribute__((work_group_size_hint(64, 1, 1), vec_type_hint(float4))) void hinted(global float4 *p) { p[1] = p[0]; }
kernel void nothing(void) {}
kernel void arguments(char a, ushort b, int3 c, double16 d, global const float *restrict e, constant int *f, local int *g,
                      global volatile uchar *h, global float *out) {
    out[0] = a + b + c.y + (float)d.s9 + e[1] + f[2] + g[3] + h[4];
}
