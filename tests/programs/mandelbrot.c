// global=64,16 local=32,2 out:4096 f32:0.01
// Iterations of the Mandelbrot set: a loop that lanes leave at different times.
#include "program.h"

KERNEL mandelbrot(GLOBAL u32 *out, float scale) {
    float x0 = ((float)ITEM_X - 48.0f) * scale * 4.0f, y0 = ((float)ITEM_Y - 8.0f) * scale * 12.0f;
    float x = 0, y = 0;
    u32 n = 0;
    while (n < 500 && x * x + y * y <= 4.0f) {
        float t = x * x - y * y + x0;
        y = 2.0f * x * y + y0;
        x = t;
        n++;
    }
    out[ITEM_Y * 64 + ITEM_X] = n << 20 ^ bits32(x) >> 3;
}

HOST(mandelbrot, PTR(0), float32((u32)NUM(1)))
