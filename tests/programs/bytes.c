// global=64 local=32 in:4096 out:4096
// Loads and stores of bytes and shorts, unaligned ones too, and arithmetic that wraps at their width.
#include "program.h"

struct __attribute__((packed)) record {
    u8 tag;
    u32 word;
    i16 short_part;
    u64 wide;
    i8 last;
};

KERNEL bytes(GLOBAL const u8 *in, GLOBAL u8 *out) {
    u32 i = ITEM_X;
    GLOBAL const u8 *from = in + i * 64;
    GLOBAL u8 *to = out + i * 64;
    GLOBAL const struct record *r = (GLOBAL const struct record *)(from + 1);
    GLOBAL struct record *s = (GLOBAL struct record *)(to + 1);
    s->tag = (u8)(r->tag + 200);
    s->word = r->word * 3;
    s->short_part = (i16)(r->short_part - 30000);
    s->wide = r->wide + r->word;
    s->last = (i8)-r->last;
    u8 private_copy[32];
    for (u32 n = 0; n < 32; n++) private_copy[(n * 7) & 31] = from[32 + n];
    for (u32 n = 0; n < 32; n += 2) {
        i16 pair = (i16)(private_copy[n] | private_copy[n + 1] << 8);
        pair = (i16)(pair >> 3 ^ pair << 2);
        to[32 + n] = (u8)pair, to[33 + n] = (u8)(pair >> 8);
    }
    i8 low = 127;
    for (u32 n = 0; n < 8; n++) {
        i8 x = (i8)from[n];
        low = x < low ? x : low;
        to[20 + n] = (u8)((u8)x >> 1 | (u8)(x << 7));
    }
    to[30] = (u8)low;
}

HOST(bytes, PTR(0), PTR(1))
