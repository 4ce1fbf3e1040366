// global=32 local=32 in:12 in:28 in:20 out:384
// Uniform loads of 3, 5 and 7 dwords from buffers that are as short: compilers load the next power of two if the alignment allows.
#include "program.h"

#define ALIGNED(bytes) __attribute__((align_value(bytes)))

KERNEL short_tails(GLOBAL const u32 *ALIGNED(16) restrict three, GLOBAL const u32 *ALIGNED(32) restrict seven,
                   GLOBAL const u32 *ALIGNED(32) restrict five, GLOBAL u32 *restrict out) {
    u32 i = ITEM_X, sum = 0;
    out[i] = three[0] * i + (three[1] ^ three[2]);
    for (u32 k = 0; k < 7; k++) sum = sum * 31 + seven[k];
    out[i + 32] = sum + i;
    out[i + 64] = five[0] + five[1] * five[2] + (five[3] ^ five[4]) + i;
}

HOST(short_tails, PTR(0), PTR(1), PTR(2), PTR(3))
