// global=128 local=64 float:2048 out:2048
// A complex FFT of 64 floats in a work-group: the twiddle factors by repeated multiplication.
#include "program.h"

KERNEL fft32(GLOBAL const float *in, GLOBAL float *out) {
    SHARED(float, re)[64];
    SHARED(float, im)[64];
    u32 x = LOCAL_X, from = 0;
    for (u32 k = 0; k < 6; k++) from |= (x >> k & 1) << (5 - k);
    re[x] = in[(GROUP_X * 64 + from) * 2];
    im[x] = in[(GROUP_X * 64 + from) * 2 + 1];
    // cos and sin of pi, pi/2, ... pi/32.
    float cosines[6] = { -1.0f, 0.0f, 0.70710677f, 0.9238795f, 0.98078525f, 0.9951847f };
    float sines[6] = { 0.0f, -1.0f, -0.70710677f, -0.38268343f, -0.19509032f, -0.09801714f };
    for (u32 s = 0; s < 6; s++) {
        u32 half_size = 1u << s;
        barrier_all();
        if (!(x & half_size)) {
            float wr = 1.0f, wi = 0.0f;
            for (u32 n = 0; n < (x & (half_size - 1)); n++) {
                float t = wr * cosines[s] - wi * sines[s];
                wi = wr * sines[s] + wi * cosines[s];
                wr = t;
            }
            u32 y = x + half_size;
            float tr = wr * re[y] - wi * im[y], ti = wr * im[y] + wi * re[y];
            re[y] = re[x] - tr, im[y] = im[x] - ti;
            re[x] += tr, im[x] += ti;
        }
    }
    barrier_all();
    out[ITEM_X * 2] = re[x];
    out[ITEM_X * 2 + 1] = im[x];
}

HOST(fft32, PTR(0), PTR(1))
