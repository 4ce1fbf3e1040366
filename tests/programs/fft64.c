// global=128 local=64 double:2048 out:2048
// A complex FFT of 64 doubles in a work-group: the twiddle factors by repeated multiplication.
#include "program.h"

KERNEL fft64(GLOBAL const double *in, GLOBAL double *out) {
    SHARED(double, re)[64];
    SHARED(double, im)[64];
    u32 x = LOCAL_X, from = 0;
    for (u32 k = 0; k < 6; k++) from |= (x >> k & 1) << (5 - k);
    re[x] = in[(GROUP_X * 64 + from) * 2];
    im[x] = in[(GROUP_X * 64 + from) * 2 + 1];
    // cos and sin of pi, pi/2, ... pi/32.
    double cosines[6] = { -1.0, 0.0, 0.7071067811865476, 0.9238795325112867, 0.9807852804032304, 0.9951847266721969 };
    double sines[6] = { 0.0, -1.0, -0.7071067811865476, -0.3826834323650898, -0.19509032201612825, -0.0980171403295606 };
    for (u32 s = 0; s < 6; s++) {
        u32 half_size = 1u << s;
        barrier_all();
        if (!(x & half_size)) {
            double wr = 1.0, wi = 0.0;
            for (u32 n = 0; n < (x & (half_size - 1)); n++) {
                double t = wr * cosines[s] - wi * sines[s];
                wi = wr * sines[s] + wi * cosines[s];
                wr = t;
            }
            u32 y = x + half_size;
            double tr = wr * re[y] - wi * im[y], ti = wr * im[y] + wi * re[y];
            re[y] = re[x] - tr, im[y] = im[x] - ti;
            re[x] += tr, im[x] += ti;
        }
    }
    barrier_all();
    out[ITEM_X * 2] = re[x];
    out[ITEM_X * 2 + 1] = im[x];
}

HOST(fft64, PTR(0), PTR(1))
