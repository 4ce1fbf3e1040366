// global=33,17 local=16,4 float:4096 float:4096 out:2244 u32:33 u32:17 u32:31
// A tiled product of float matrices whose sizes are no multiples of the tile's.
#include "program.h"

KERNEL matmul(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, u32 columns, u32 rows, u32 inner) {
    u32 x = ITEM_X, y = ITEM_Y;
    if (x >= columns || y >= rows) return;
    float sum = 0;
    for (u32 k = 0; k < inner; k++) sum += a[y * inner + k] * b[k * columns + x];
    float fused = 0;
    for (u32 k = 0; k < inner; k++) fused = __builtin_fmaf(a[y * inner + k], b[k * columns + x], fused);
    c[y * columns + x] = sum - fused * 0.5f;
}

HOST(matmul, PTR(0), PTR(1), PTR(2), NUM(3), NUM(4), NUM(5))
