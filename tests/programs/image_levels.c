// global=32,9 local=32,1 skip=O0 float:65536 out:4608
// Mip levels: none, the nearest one or the two nearest, by a level and by derivatives, within limits of the view and the sampler.
#include "image.h"

KERNEL image_levels(GLOBAL const float *texels, GLOBAL float *out) {
    u32 n = ITEM_Y * 32 + ITEM_X;
    image i = { 23, 14, 2, RGBA32_FLOAT, PLANES, 5, ITEM_Y % 2, 4 };
    sampler s = { MIRROR, 0, ITEM_Y / 3 % 2, ITEM_Y % 3, 0, 64, 900 };
    float x = (float)(mix(n) % 1024) / 512.0f - 0.5f, y = (float)(mix(n + 77) % 1024) / 512.0f - 0.5f, layer = (float)(n & 1);
    float lod = (float)(mix(n + 5) % 1280) / 256.0f, red, red_of_size;
#ifdef __AMDGCN__
    f32x4 at = { x, y, layer, lod };
    SAMPLE("image_sample_l", "dmask:0x1 dim:SQ_RSRC_IMG_2D_ARRAY", red, at, texels, i, s);
    image square = { 32, 32, 1, R32_FLOAT, PLANE, 6, 0, 5 };
    float step = (float)(1u << (n & 3)) / 32.0f, zero = 0, half_step = step / 2;
    float result;
#ifdef __GFX12__
    __asm__ volatile("image_sample_d %0, [%1, %2, %2, %3], %4, %5 dmask:0x1 dim:SQ_RSRC_IMG_2D\n\t" WAIT_FOR_SAMPLE
                     : "=&v"(result) : "v"(step), "v"(zero), "v"((f32x3){ half_step, x, y }), "s"(resource(texels, square)), "s"(filter(s)));
#else
    __asm__ volatile("image_sample_d %0, [%1, %2, %2, %3, %4], %5, %6 dmask:0x1 dim:SQ_RSRC_IMG_2D\n\t" WAIT_FOR_SAMPLE
                     : "=&v"(result) : "v"(step), "v"(zero), "v"(half_step), "v"((f32x2){ x, y }), "s"(resource(texels, square)), "s"(filter(s)));
#endif
    red_of_size = result;
#else
    double at[2] = { x, y };
    red = sampled(texels, i, s, at, (u32)layer, lod, 0);
    image square = { 32, 32, 1, R32_FLOAT, PLANE, 6, 0, 5 };
    red_of_size = sampled(texels, square, s, at, 0, n & 3, 0);
#endif
    out[n * 4] = red, out[n * 4 + 1] = red_of_size;
}

HOST(image_levels, PTR(0), PTR(1))
