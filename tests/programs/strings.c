// global=64 local=32 in:4096 out:4096
// Decimal digits of numbers, comparison and reversal of strings, and a search for a pattern.
#include "program.h"

NOINLINE static u32 digits(u32 value, u8 *to) {
    u8 reversed[10];
    u32 count = 0;
    do reversed[count++] = (u8)('0' + value % 10), value /= 10;
    while (value);
    for (u32 n = 0; n < count; n++) to[n] = reversed[count - 1 - n];
    to[count] = 0;
    return count;
}

KERNEL strings(GLOBAL const u32 *in, GLOBAL u8 *out) {
    u32 i = ITEM_X;
    // The last comparison may copy bytes after the text.
    u8 text[64] = {0};
    u32 length = 0;
    for (u32 n = 0; n < 4; n++) length += digits(in[i * 16 + n] >> (n * 6), text + length);
    GLOBAL u8 *to = out + i * 64;
    for (u32 n = 0; n < length; n++) to[n] = text[n];
    u32 found = 99;
    for (u32 n = 0; n + 2 <= length && found == 99; n++)
        if (text[n] == '1' && text[n + 1] >= '5') found = n;
    to[48] = (u8)found, to[49] = (u8)length;
    u64 packed = 0;
    __builtin_memcpy(&packed, text + (found == 99 ? 0 : found), 8);
    for (u32 n = 0; n < 8; n++) to[50 + n] = (u8)(packed >> (8 * n));
}

HOST(strings, PTR(0), PTR(1))
