// global=32,16 local=32,1 skip=O0 float:4096 out:16384 out:16384
// Planes and a row of floats with all clamp modes and borders, to the nearest texel and filtered linearly.
#include "image.h"

KERNEL image_filters(GLOBAL const float *texels, GLOBAL float *planes, GLOBAL float *rows) {
    image plane = { 11, 9, 1, RGBA32_FLOAT, PLANE, 1, 0, 0 }, row = { 37, 1, 1, R32_FLOAT, ROW, 1, 0, 0 };
    u32 n = ITEM_Y * 32 + ITEM_X;
    sampler s = { ITEM_Y & 7, 0, ITEM_Y >> 3, 0, ITEM_Y % 3, 0, 0 };
    float at[2] = { (float)(i32)(mix(n) % 2048) / 512.0f - 2.0f, (float)(i32)(mix(n + 999) % 2048) / 512.0f - 2.0f }, r[4], one;
#ifdef __AMDGCN__
    f32x2 pair = { at[0], at[1] };
    f32x4 result;
    SAMPLE("image_sample_lz", "dmask:0xf dim:SQ_RSRC_IMG_2D", result, pair, texels, plane, s);
    SAMPLE("image_sample_lz", "dmask:0x1 dim:SQ_RSRC_IMG_1D", one, at[0], texels, row, s);
    for (u32 k = 0; k < 4; k++) r[k] = result[k];
#else
    double exact[2] = { at[0], at[1] };
    for (u32 k = 0; k < 4; k++) r[k] = sampled(texels, plane, s, exact, 0, 0, k);
    one = sampled(texels, row, s, exact, 0, 0, 0);
#endif
    for (u32 k = 0; k < 4; k++) planes[n * 4 + k] = r[k];
    rows[n] = one;
}

HOST(image_filters, PTR(0), PTR(1), PTR(2))
