// global=64 local=64 skip=opencl in:2048 out:4096
// Numbers of 128 bits.
#include "program.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

static void put(GLOBAL u64 *to, u128 value) {
    to[0] = (u64)value;
    to[1] = (u64)(value >> 64);
}

KERNEL wide_128(GLOBAL const u64 *in, GLOBAL u64 *out) {
    u32 i = ITEM_X, shift = i * 2 & 127;
    u128 a = in[i * 4] | (u128)in[i * 4 + 1] << 64, b = (in[i * 4 + 2] | (u128)in[i * 4 + 3] << 64) >> i | 1;
    GLOBAL u64 *to = out + i * 8;
    put(to, a * b + (a << shift) + (u128)((i128)a >> shift));
    put(to + 2, a / b ^ a % b * 3);
    put(to + 4, (u128)((i128)a / (i128)b) + (u128)((i128)a % (i128)b) * 5);
    put(to + 6, (a > b) + ((i128)a < (i128)b) * 2 + (u128)(i128)(double)(i64)in[i * 4] + (u64)(float)(a >> 70));
}

HOST(wide_128, PTR(0), PTR(1))
