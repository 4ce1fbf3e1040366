// global=70 local=32 in:4480 out:1400 u32:70
// SHA-1 of a block of 64 bytes for each work-item, with the schedule in private memory.
#include "program.h"

static inline u32 rotate(u32 x, u32 n) { return x << n | x >> (32 - n); }

KERNEL sha1(GLOBAL const u8 *in, GLOBAL u32 *out, u32 count) {
    u32 i = ITEM_X;
    if (i >= count) return;
    u32 w[80];
    for (u32 t = 0; t < 16; t++) {
        GLOBAL const u8 *p = in + i * 64 + t * 4;
        w[t] = (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3];
    }
    for (u32 t = 16; t < 80; t++) w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    u32 a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;
    for (u32 t = 0; t < 80; t++) {
        u32 f, k;
        if (t < 20) f = (b & c) | (~b & d), k = 0x5a827999;
        else if (t < 40) f = b ^ c ^ d, k = 0x6ed9eba1;
        else if (t < 60) f = (b & c) | (b & d) | (c & d), k = 0x8f1bbcdc;
        else f = b ^ c ^ d, k = 0xca62c1d6;
        u32 sum = rotate(a, 5) + f + e + k + w[t];
        e = d, d = c, c = rotate(b, 30), b = a, a = sum;
    }
    out[i * 5] = a + 0x67452301, out[i * 5 + 1] = b + 0xefcdab89, out[i * 5 + 2] = c + 0x98badcfe;
    out[i * 5 + 3] = d + 0x10325476, out[i * 5 + 4] = e + 0xc3d2e1f0;
}

HOST(sha1, PTR(0), PTR(1), NUM(2))
