// global=64,2 local=32,1 skip=O0 float:65536 out:4096
// The level of detail that the coordinates of a quad give, and the texels of that level.
#include "image.h"

KERNEL image_quads(GLOBAL const float *texels, GLOBAL float *out) {
    u32 n = ITEM_Y * 64 + ITEM_X;
    image i = { 32, 32, 1, R32_FLOAT, PLANE, 6, 0, 5 };
    sampler s = { WRAP, 0, 1, 2, 0, 0, 2048 };
    // Lanes of a quad are a power of two of texels apart.
    u32 quad = n / 4, in_quad = n % 4, level = quad % 4;
    float step = (float)(1u << level) / 32.0f;
    float x = (float)(mix(quad) % 64) / 64.0f + (float)(in_quad & 1) * step, y = (float)(mix(quad + 9) % 64) / 64.0f + (float)(in_quad >> 1) * step;
    float value, lods[2];
#ifdef __AMDGCN__
    f32x2 at = { x, y }, both;
    SAMPLE("image_sample", "dmask:0x1 dim:SQ_RSRC_IMG_2D", value, at, texels, i, s);
    SAMPLE("image_get_lod", "dmask:0x3 dim:SQ_RSRC_IMG_2D", both, at, texels, i, s);
    lods[0] = both[0], lods[1] = both[1];
#else
    double at[2] = { x, y };
    value = sampled(texels, i, s, at, 0, level, 0);
    lods[0] = lods[1] = (float)level;
#endif
    out[n * 4] = value, out[n * 4 + 1] = lods[0], out[n * 4 + 2] = lods[1];
}

HOST(image_quads, PTR(0), PTR(1))
