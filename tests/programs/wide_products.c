// global=64 local=64 in:4096 out:6144
// Products of numbers of 256 bits by their limbs, and of 128 bits by the compiler's type.
#include "program.h"

KERNEL wide_products(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, limbs[16];
    GLOBAL const u32 *a = in + i * 16, *b = a + 8;
    for (u32 n = 0; n < 16; n++) limbs[n] = 0;
    for (u32 n = 0; n < 8; n++) {
        u64 carry = 0;
        for (u32 k = 0; k < 8; k++) {
            carry += (u64)a[n] * b[k] + limbs[n + k];
            limbs[n + k] = (u32)carry;
            carry >>= 32;
        }
        limbs[n + 8] = (u32)carry;
    }
    GLOBAL u32 *to = out + i * 24;
    for (u32 n = 0; n < 16; n++) to[n] = limbs[n];
    typedef unsigned __int128 u128;
    u128 x = (u128)(((u64)a[1] << 32) | a[0]) << 64 | ((u64)a[3] << 32 | a[2]);
    u128 y = (u128)(((u64)b[1] << 32) | b[0]) << 64 | ((u64)b[3] << 32 | b[2]);
    u128 product = x * y, sum = x + y, shifted = x << (a[4] & 127) ^ y >> (b[4] & 127);
    for (u32 n = 0; n < 4; n++) {
        to[16 + n] = (u32)(product >> (32 * n));
        to[20 + n] = (u32)((x < y ? sum : shifted) >> (32 * n));
    }
}

HOST(wide_products, PTR(0), PTR(1))
