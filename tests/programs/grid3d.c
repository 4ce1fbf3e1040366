// global=10,6,5 local=4,3,2 out:4800 u32:10 u32:6
// A grid of three dimensions whose last work-groups are partial, and what the packet says of it.
#include "program.h"

KERNEL grid3d(GLOBAL u32 *out, u32 width, u32 height) {
    u32 at = (ITEM_Z * height + ITEM_Y) * width + ITEM_X;
    GLOBAL u32 *q = out + at * 4;
    q[0] = ITEM_X | ITEM_Y << 8 | ITEM_Z << 16;
    q[1] = LOCAL_X | LOCAL_Y << 8 | LOCAL_Z << 16;
    q[2] = GROUP_X | GROUP_Y << 8 | GROUP_Z << 16;
    q[3] = (GLOBAL_SIZE_X * 100 + GLOBAL_SIZE_Y) * 100 + GLOBAL_SIZE_Z + (LOCAL_SIZE_X + LOCAL_SIZE_Y * 10 + LOCAL_SIZE_Z * 100) * 1000000;
}

HOST(grid3d, PTR(0), NUM(1), NUM(2))
