// global=32,4 local=32,1 skip=O0 in:4096 out:8192
// Four texels of a plane, by component, and with a comparison; normalized bytes.
#include "image.h"

KERNEL image_gathers(GLOBAL const u32 *texels, GLOBAL float *out) {
    u32 n = ITEM_Y * 32 + ITEM_X;
    image i = { 16, 8, 1, RGBA8_UNORM, PLANE, 1, 0, 0 };
    sampler s = { CLAMP, 1, 1, 0, 0, 0, 0 };
    float x = (float)(mix(n) % 512) / 256.0f - 0.5f, y = (float)(mix(n + 1) % 512) / 256.0f - 0.5f, four[4], compared;
#ifdef __AMDGCN__
    f32x2 at = { x, y };
    f32x3 with_reference = { 0.5f, x, y };
    f32x4 result;
    switch (ITEM_Y) {
    case 0: SAMPLE("image_gather4_lz", "dmask:0x1 dim:SQ_RSRC_IMG_2D", result, at, texels, i, s); break;
    case 1: SAMPLE("image_gather4_lz", "dmask:0x2 dim:SQ_RSRC_IMG_2D", result, at, texels, i, s); break;
    case 2: SAMPLE("image_gather4_lz", "dmask:0x4 dim:SQ_RSRC_IMG_2D", result, at, texels, i, s); break;
    default: SAMPLE("image_gather4_lz", "dmask:0x8 dim:SQ_RSRC_IMG_2D", result, at, texels, i, s);
    }
    SAMPLE("image_sample_c_lz", "dmask:0x1 dim:SQ_RSRC_IMG_2D", compared, with_reference, texels, i, s);
    for (u32 k = 0; k < 4; k++) four[k] = result[k];
#else
    long cx = ((long)floor((double)x * 16 * 256 + 0.5) - 128) >> 8, cy = ((long)floor((double)y * 8 * 256 + 0.5) - 128) >> 8;
    static const u32 right[4] = { 0, 1, 1, 0 }, down[4] = { 1, 1, 0, 0 };
    for (u32 k = 0; k < 4; k++)
        four[k] = texel(texels, i, 0, wrapped(cx + right[k], 16, CLAMP), wrapped(cy + down[k], 8, CLAMP), 0, ITEM_Y);
    double at[2] = { (double)x * 16, (double)y * 8 };
    float reference = 0.5f;
    compared = (float)filtered(texels, i, s, 0, at, 0, 0, &reference);
#endif
    for (u32 k = 0; k < 4; k++) out[n * 8 + k] = four[k];
    out[n * 8 + 4] = compared;
}

HOST(image_gathers, PTR(0), PTR(1))
