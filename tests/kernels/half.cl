// SPDX-License-Identifier: MIT OR Apache-2.0
// f16: arithmetic, packed pairs, conversions, comparisons, true 16-bit registers.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void scalar(global half *p, half a, half b) {
    p[0] = a + b;
    p[1] = a * b - p[8];
    p[2] = a / b;
    p[3] = a < b ? a : b;
    p[4] = __builtin_fabsf16(a) - (half)3.0f;
    p[5] = (half)(float)p[9] * (half)0.15915494f;
    p[6] = __builtin_elementwise_sqrt(p[7]);
}

kernel void packed(global half2 *p, half2 a) {
    p[0] = p[1] * a + p[2];
    p[3] = __builtin_elementwise_max(p[4], -a);
    p[5] = (half2)(p[6].y, p[6].x) + (half2)(1.0f, 2.0f);
    p[7] = p[8] - (half2)(p[9].x);
}

kernel void convert(global half *h, global float *f, global double *d, global short *s) {
    h[0] = (half)f[0];
    f[1] = (float)h[1];
    d[2] = (double)h[2];
    s[3] = (short)h[3];
    h[4] = (half)s[4];
    h[5] = (half)d[5];
}

kernel void vectors(global half8 *p, global half4 *q) { p[0] = p[1] * p[2] + p[3]; q[0] = q[1] < q[2] ? q[3] : q[4]; }
