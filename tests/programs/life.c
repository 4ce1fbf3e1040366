// global=40,24 local=16,8 in:1024 out:960
// The game of life on bytes, whose edges are joined; partial work-groups in two dimensions.
#include "program.h"

KERNEL life(GLOBAL const u8 *in, GLOBAL u8 *out) {
    i32 x = (i32)ITEM_X, y = (i32)ITEM_Y;
    u32 alive = 0;
    for (i32 dy = -1; dy <= 1; dy++)
        for (i32 dx = -1; dx <= 1; dx++)
            if (dx || dy) alive += in[(u32)((y + dy + 24) % 24 * 40 + (x + dx + 40) % 40)] & 1;
    u8 self = in[y * 40 + x] & 1;
    out[y * 40 + x] = (u8)(alive == 3 || (self && alive == 2)) | (u8)(alive << 4);
}

HOST(life, PTR(0), PTR(1))
