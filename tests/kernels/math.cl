// SPDX-License-Identifier: MIT OR Apache-2.0
// Hardware functions of f32 and f64, divisions, modes of rounding, clamps and medians, constants of all encodings.
kernel void functions(global float *p, float a, float b) {
    p[0] = __builtin_amdgcn_rcpf(a) + __builtin_amdgcn_rsqf(b);
    p[1] = __builtin_amdgcn_sinf(a) * __builtin_amdgcn_cosf(p[2]);
    p[2] = __builtin_amdgcn_fmed3f(a, b, p[3]) + __builtin_amdgcn_fractf(p[4]);
    p[3] = __builtin_amdgcn_ldexpf(p[5], (int)b) + __builtin_amdgcn_frexp_mantf(p[6]);
    p[4] = p[7] / a;
    p[5] = __builtin_sqrtf(p[8]) + __builtin_exp2f(a) + __builtin_log2f(p[9]);
    p[6] = __builtin_fmaf(-p[10], __builtin_fabsf(b), 0.15915494f);
    p[7] = __builtin_fmaxf(__builtin_fminf(p[11] * 2.0f, 1.0f), 0.0f);
    p[8] = __builtin_amdgcn_div_fixupf(a, b, p[12]) + __builtin_amdgcn_cubeid(a, b, p[13]);
    p[9] = __builtin_rintf(p[14]) + __builtin_floorf(a) - __builtin_ceilf(b) + __builtin_truncf(p[15]);
    p[10] = __builtin_amdgcn_class(p[16], 0x207) ? 1234.5f : -4.0f;
    p[11] = p[17] * 0.5f + p[18] * -2.0f + p[19] * 1e-30f + p[20] * 64.0f;
}

kernel void integers(global int *p, int a, int b) {
    p[0] = p[1] / a + p[2] % b;
    p[1] = (uint)p[3] / 10u + (uint)p[4] % (uint)a;
    p[2] = __builtin_amdgcn_sbfe(p[5], 3, 7) + __builtin_abs(p[6]);
    p[3] = p[7] * -64 + (p[8] ^ 0xdeadbeef) - (p[9] & 65) - (p[10] | -17);
    p[4] = a > 64 ? -16 : 64;
    p[5] = __builtin_popcountl(((global long *)p)[11]) + __builtin_clzl(((global long *)p)[12]);
}

kernel void conversions(global float *f, global uchar4 *c, global int *i) {
    f[0] = (float)c[0].x + (float)c[0].y + (float)c[1].z + (float)c[2].w;
    i[1] = (int)f[1] + (uint)f[2] + (int)(long)f[3];
    c[3] = (uchar4)(f[4], f[5], f[6], f[7]);
    f[8] = (float)i[9] + (float)(uint)i[10] + (float)(ulong)i[11];
}
