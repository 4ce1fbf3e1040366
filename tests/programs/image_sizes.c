// global=32 local=32 skip=O0 in:65536 out:2048
// The sizes of mip levels of planes, volumes, cubes and arrays.
#include "image.h"

KERNEL image_sizes(GLOBAL const u32 *texels, GLOBAL u32 *out) {
    u32 level = ITEM_X & 7;
    for (u32 n = 0; n < 4; n++) {
        const image all[4] = {
            { 100, 30, 1, R32_FLOAT, PLANE, 7, 0, 6 },
            { 64, 48, 20, RGBA8_UNORM, VOLUME, 6, 1, 4 },
            { 32, 32, 12, RGBA32_FLOAT, CUBE, 6, 0, 5 },
            { 33, 17, 9, RGBA8_UNORM, PLANES, 5, 2, 3 },
        };
        image i = all[n];
        u32 size[4];
#ifdef __AMDGCN__
        u32x4 result;
        __asm__ volatile("image_get_resinfo %0, %1, %2 dmask:0xf dim:SQ_RSRC_IMG_2D\n\t" WAIT_FOR_LOAD
                         : "=&v"(result) : "v"(level), "s"(resource(texels, i)));
        for (u32 k = 0; k < 4; k++) size[k] = result[k];
#else
        u32 levels = i.last_level - i.base_level + 1, depth = i.type == VOLUME ? size_of(i.layers, level + i.base_level) : i.layers;
        size[0] = size_of(i.width, level + i.base_level), size[1] = size_of(i.height, level + i.base_level), size[2] = depth;
        if (level >= levels) size[0] = size[1] = size[2] = 0;
        size[3] = levels;
#endif
        for (u32 k = 0; k < 4; k++) out[(ITEM_X * 4 + n) * 4 + k] = size[k];
    }
}

HOST(image_sizes, PTR(0), PTR(1))
