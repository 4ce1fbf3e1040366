// global=64 local=64 in:2048 out:1024
// Rounds of AES, whose box is computed in LDS.
#include "program.h"

static inline u8 twice(u8 x) { return (u8)(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }
static inline u8 product(u8 a, u8 b) {
    u8 r = 0;
    for (u32 n = 0; n < 8; n++, b >>= 1, a = twice(a))
        if (b & 1) r ^= a;
    return r;
}

KERNEL aes(GLOBAL const u8 *in, GLOBAL u8 *out) {
    SHARED(u8, box)[256];
    u32 i = LOCAL_X;
    for (u32 n = i; n < 256; n += 64) {
        u8 x = (u8)n, inverse = 1;
        // x to the power of 254.
        for (u32 k = 0; k < 7; k++) x = product(x, x), inverse = product(inverse, x);
        u8 s = inverse;
        for (u32 k = 1; k < 5; k++) s ^= (u8)(inverse << k | inverse >> (8 - k));
        box[n] = s ^ 0x63;
    }
    barrier_all();
    u8 state[16], key[16], next[16];
    for (u32 n = 0; n < 16; n++) state[n] = in[i * 32 + n], key[n] = in[i * 32 + 16 + n];
    u8 constant_byte = 1;
    for (u32 round = 0; round < 10; round++) {
        for (u32 n = 0; n < 16; n++) state[n] ^= key[n];
        for (u32 n = 0; n < 16; n++) next[n] = box[state[(n + n % 4 * 4) % 16]];
        for (u32 c = 0; c < 16; c += 4) {
            u8 all = next[c] ^ next[c + 1] ^ next[c + 2] ^ next[c + 3];
            for (u32 r = 0; r < 4; r++)
                state[c + r] = round == 9 ? next[c + r] : (u8)(next[c + r] ^ all ^ twice(next[c + r] ^ next[c + (r + 1) % 4]));
        }
        for (u32 n = 0; n < 4; n++) key[n] ^= box[key[12 + (n + 1) % 4]];
        key[0] ^= constant_byte, constant_byte = twice(constant_byte);
        for (u32 n = 4; n < 16; n++) key[n] ^= key[n - 4];
    }
    for (u32 n = 0; n < 16; n++) out[i * 16 + n] = state[n] ^ key[n];
}

HOST(aes, PTR(0), PTR(1))
