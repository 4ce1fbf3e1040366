// global=40 local=32 in:8000 out:8000
// Keccak-f[1600]: rotations of 64 bits, and a state of 25 lanes in private memory.
#include "program.h"

CONSTANT u64 ROUND[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};
CONSTANT u8 SHIFT[24] = { 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44 };
CONSTANT u8 LANE_OF[24] = { 10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1 };

static inline u64 rotate(u64 x, u32 n) { return x << n | x >> (64 - n); }

KERNEL keccak(GLOBAL const u64 *in, GLOBAL u64 *out) {
    u32 i = ITEM_X;
    u64 s[25], c[5];
    for (u32 n = 0; n < 25; n++) s[n] = in[i * 25 + n];
    for (u32 round = 0; round < 24; round++) {
        for (u32 n = 0; n < 5; n++) c[n] = s[n] ^ s[n + 5] ^ s[n + 10] ^ s[n + 15] ^ s[n + 20];
        for (u32 n = 0; n < 5; n++) {
            u64 d = c[(n + 4) % 5] ^ rotate(c[(n + 1) % 5], 1);
            for (u32 k = 0; k < 25; k += 5) s[k + n] ^= d;
        }
        u64 t = s[1];
        for (u32 n = 0; n < 24; n++) {
            u64 next = s[LANE_OF[n]];
            s[LANE_OF[n]] = rotate(t, SHIFT[n]);
            t = next;
        }
        for (u32 k = 0; k < 25; k += 5) {
            for (u32 n = 0; n < 5; n++) c[n] = s[k + n];
            for (u32 n = 0; n < 5; n++) s[k + n] ^= ~c[(n + 1) % 5] & c[(n + 2) % 5];
        }
        s[0] ^= ROUND[round];
    }
    for (u32 n = 0; n < 25; n++) out[i * 25 + n] = s[n];
}

HOST(keccak, PTR(0), PTR(1))
