// SPDX-License-Identifier: MIT OR Apache-2.0
// f64: arithmetic, division, comparison, conversion, constants that need both halves or fit the upper one.
kernel void arithmetic(global double *p, double a, double b) {
    p[0] = a + b;
    p[1] = a * b - p[2];
    p[2] = a / b;
    p[3] = __builtin_sqrt(a);
    p[4] = a < b ? a : b * 0.1;
    p[5] = p[6] + 1024.0;
    p[6] = __builtin_fma(a, b, 3.5);
    p[7] = __builtin_floor(a) + __builtin_trunc(b) + __builtin_ldexp(a, 3);
    p[8] = __builtin_fabs(a) - __builtin_fmax(b, 0.15915494309189532);
}

kernel void convert(global double *p, global int *i, global ulong *l, global float *f) {
    i[0] = (int)p[0];
    l[1] = (ulong)p[1];
    p[2] = (double)l[2];
    p[3] = (double)i[3];
    f[4] = (float)p[4];
    p[5] = f[5];
}
