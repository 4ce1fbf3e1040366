// global=16,16 local=16,2 skip=O0 in:4096 out:1024
// Rotates a picture of bytes by 30 degrees with a linear filter and a black border, and stores bytes.
#include "image.h"

KERNEL image_rotation(GLOBAL const u32 *texels, GLOBAL u32 *out) {
    u32 x = ITEM_X, y = ITEM_Y;
    image i = { 32, 32, 1, RGBA8_UNORM, PLANE, 1, 0, 0 };
    sampler s = { BORDER, 0, 1, 0, 1, 0, 0 };
    // The sine and the cosine in 256ths, so that coordinates are exact.
    float dx = (float)x - 7.5f, dy = (float)y - 7.5f, sine = 0.5f, cosine = 222.0f / 256.0f, c[4];
    float at[2] = { (dx * cosine - dy * sine) / 16.0f + 0.5f, (dx * sine + dy * cosine) / 16.0f + 0.5f };
#ifdef __AMDGCN__
    f32x2 pair = { at[0], at[1] };
    f32x4 result;
    SAMPLE("image_sample_lz", "dmask:0xf dim:SQ_RSRC_IMG_2D", result, pair, texels, i, s);
    for (u32 k = 0; k < 4; k++) c[k] = result[k];
    u32x4 bits = { bits32(c[0]), bits32(c[1]), bits32(c[2]), bits32(c[3]) };
    u32 __attribute__((ext_vector_type(2))) to = { x, y };
    image target = { 16, 16, 1, RGBA8_UNORM, PLANE, 1, 0, 0 };
#ifdef __GFX12__
    __asm__ volatile("image_store %0, [%1, %2], %3 dmask:0xf dim:SQ_RSRC_IMG_2D" : : "v"(bits), "v"(to[0]), "v"(to[1]), "s"(resource(out, target)) : "memory");
#else
    __asm__ volatile("image_store %0, %1, %2 dmask:0xf dim:SQ_RSRC_IMG_2D unorm" : : "v"(bits), "v"(to), "s"(resource(out, target)) : "memory");
#endif
#else
    double exact[2] = { at[0], at[1] };
    u32 packed = 0;
    for (u32 k = 0; k < 4; k++) packed |= (u32)rint((double)sampled(texels, i, s, exact, 0, 0, k) * 255) << 8 * k;
    out[y * 16 + x] = packed;
#endif
}

HOST(image_rotation, PTR(0), PTR(1))
