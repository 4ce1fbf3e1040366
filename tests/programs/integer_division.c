// global=256 local=64 in:4096 out:20480
// Division and remainder of 8 to 64 bits, signed and unsigned, by variables and constants.
#include "program.h"

KERNEL integer_division(GLOBAL const u64 *in, GLOBAL u64 *out) {
    u32 i = ITEM_X;
    u64 a = in[i * 2], b = in[i * 2 + 1] >> (i % 61);
    if (b == 0) b = 1;
    i64 sa = (i64)a, sb = (i64)b;
    u32 c = (u32)a, d = (u32)b | 1;
    out[i * 10] = a / b;
    out[i * 10 + 1] = a % b;
    out[i * 10 + 2] = (u64)(sb == -1 ? 7 : sa / sb);
    out[i * 10 + 3] = (u64)(sb == -1 ? 7 : sa % sb);
    out[i * 10 + 4] = (u64)(c / d) << 32 | c % d;
    out[i * 10 + 5] = (u64)((i32)d == -1 ? 0 : (u32)((i32)c / (i32)d)) << 32 | (u32)((i32)d == -1 ? 0 : (i32)c % (i32)d);
    out[i * 10 + 6] = (u64)(u16)((u16)c / (u16)d) << 16 | (u8)((i8)c / ((i8)(d & 63) | 1));
    out[i * 10 + 7] = a / 1000000007u + a % 10;
    out[i * 10 + 8] = (u64)(sa / 7 - sa % 1000);
    out[i * 10 + 9] = (u64)(c / 641) << 32 | (u32)((i32)c / -12);
}

HOST(integer_division, PTR(0), PTR(1))
