// global=128 local=64 in:1024 out:3072
// Products of bytes and shorts, saturation, medians, extraction and reversal of bits.
#include "program.h"

static inline i32 clamp_to(i32 x, i32 low, i32 high) { return x < low ? low : x > high ? high : x; }

KERNEL dots(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, a = in[i * 2], b = in[i * 2 + 1];
    i32 dot = 0;
    u32 unsigned_dot = 0, sad = 0;
    for (u32 n = 0; n < 4; n++) {
        i32 x = (i8)(a >> (8 * n)), y = (i8)(b >> (8 * n));
        u32 ux = a >> (8 * n) & 255, uy = b >> (8 * n) & 255;
        dot += x * y;
        unsigned_dot += ux * uy;
        sad += ux > uy ? ux - uy : uy - ux;
    }
    i32 s = (i16)a * (i16)b + (i16)(a >> 16) * (i16)(b >> 16);
    u32 sum = a + b, capped = sum < a ? ~0u : sum;
    GLOBAL u32 *q = out + i * 6;
    q[0] = (u32)dot;
    q[1] = unsigned_dot + (sad << 20);
    q[2] = (u32)s;
    q[3] = capped ^ (u32)clamp_to((i32)a, -32768, 32767);
    q[4] = (a >> (b & 31) & 0x3ff) ^ (u32)((i32)(b << 7) >> 19) ^ __builtin_bitreverse32(a);
    q[5] = (a & b | ~a & sum) + __builtin_rotateleft32(a, 9) + (a << 3 | b) + (a + b << 2) + (u32)((u64)a * b >> 32);
}

HOST(dots, PTR(0), PTR(1))
