// SPDX-License-Identifier: MIT OR Apache-2.0
// Wide vectors, shuffles, dynamic element access, many live registers (spills at -O0 and in functions).
kernel void shuffles(global float16 *p, int i) {
    float16 x = p[0], y = p[1];
    p[2] = x.sfedcba9876543210;
    p[3] = (float16)(x.lo, y.even);
    p[4].s0 = x[i];
    float16 z = p[5];
    z[i] = 3.5f;
    p[5] = z;
}
__attribute__((noinline)) float16 pressure(float16 a, float16 b, float16 c) {
    float16 d = a * b, e = b * c, f = c * a, g = a - b, h = b - c;
    for (int i = 0; i < 10; i++) { d += e * f; e -= g * h; f = f * a + d; g += h; h *= d; }
    return d + e + f + g + h;
}
kernel void live(global float16 *p) { p[0] = pressure(p[1], p[2], p[3]) * pressure(p[4], p[5], p[6]); }
kernel void lookups(global uchar16 *p, global long8 *q, global short3 *r) {
    p[0] = p[1] + p[2] * p[3];
    q[0] = q[1] << q[2];
    r[0] = r[1] - r[2];
}
