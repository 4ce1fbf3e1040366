// global=40,36 local=16,16 in:5760 out:5760 out:8192
// Transposition through padded tiles, and LDS of 16 KiB that is read at strides.
#include "program.h"

KERNEL transpose(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u32 *sums) {
    SHARED(u32, tile)[16][17];
    SHARED(u32, wide)[4096];
    u32 x = LOCAL_X, y = LOCAL_Y, gx = GROUP_X * 16, gy = GROUP_Y * 16;
    if (gx + x < 40 && gy + y < 36) tile[y][x] = in[(gy + y) * 40 + gx + x];
    u32 columns = 40 - gx < 16 ? 40 - gx : 16;
    if (y == 0)
        for (u32 n = x; n < 4096; n += columns) wide[n] = n * 2654435761u;
    barrier_all();
    u32 tx = gy + x, ty = gx + y;
    if (tx < 36 && ty < 40 && gx + y < 40 && gy + x < 36) {
        // Of partial groups only the square part is transposed.
        u32 width = 40 - gx < 16 ? 40 - gx : 16, height = 36 - gy < 16 ? 36 - gy : 16;
        if (x < height && y < width) out[ty * 36 + tx] = tile[x][y];
    }
    u32 sum = 0;
    for (u32 n = 0; n < 16; n++) sum += wide[(x * 257 + n * 31) & 4095];
    sums[(GROUP_Y * 3 + GROUP_X) * 256 / 4 + x] = sum;
}

HOST(transpose, PTR(0), PTR(1), PTR(2))
