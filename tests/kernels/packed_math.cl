// SPDX-License-Identifier: MIT OR Apache-2.0
// Packed integers, dot products, bit fields, saturation, wide multiplication, byte permutation.
kernel void shorts(global short2 *p, short2 a) {
    p[0] = p[1] + a;
    p[1] = p[2] * a - p[3];
    p[2] = p[3] << (short2)(3);
    p[3] = __builtin_elementwise_max(p[4], a);
    p[4] = __builtin_elementwise_add_sat(p[5], a);
    p[5] = p[6] >> p[7];
}

kernel void dots(global int *out, global uint *u, int a, int b) {
    out[0] = __builtin_amdgcn_sudot4(1, a, 0, b, out[5], 0);
    out[1] = __builtin_amdgcn_sudot8(1, a, 1, b, out[6], 1);
    u[2] = __builtin_amdgcn_udot4(u[3], u[4], u[5], 0);
    u[3] = __builtin_amdgcn_udot8(u[3], u[4], u[5], 1);
}

kernel void bits(global uint *p, uint a, uint b) {
    p[0] = __builtin_amdgcn_ubfe(p[1], a, b);
    p[1] = __builtin_amdgcn_perm(p[2], a, b);
    p[2] = __builtin_amdgcn_alignbit(p[3], a, b);
    p[3] = __builtin_amdgcn_alignbyte(p[4], a, b);
    p[4] = __builtin_amdgcn_sad_u8(p[5], a, b);
    p[5] = __builtin_amdgcn_lerp(p[6], a, b);
    p[6] = __builtin_amdgcn_msad_u8(p[7], a, b);
    p[7] = __builtin_bitreverse32(p[8]) + __builtin_clz(a) + __builtin_ctz(p[9]);
    p[8] = (p[9] & a) | b;
    p[9] = p[10] << a | p[11] >> 7;
    p[10] = __builtin_elementwise_add_sat(p[12], a);
}

kernel void wide(global ulong *p, global uint *q, ulong a) {
    p[0] = a * p[1];
    p[1] = (ulong)q[0] * q[1] + a;
    p[2] = p[3] / a;
    p[4] = p[5] << q[2] ^ a >> 3;
    q[3] = (uint)(((ulong)q[4] * q[5]) >> 32);
    p[6] = p[7] - a < 10 ? p[8] : ~p[9];
}
