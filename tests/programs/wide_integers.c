// global=200 local=100 in:6400 out:16000
// Arithmetic of 64 and 128 bits: products, shifts by variables, comparisons, carries, counts of bits.
#include "program.h"

static inline u64 high(u64 a, u64 b) {
    u64 al = (u32)a, ah = a >> 32, bl = (u32)b, bh = b >> 32;
    u64 middle = ah * bl + (al * bl >> 32), other = al * bh + (u32)middle;
    return ah * bh + (middle >> 32) + (other >> 32);
}

KERNEL wide_integers(GLOBAL const u64 *in, GLOBAL u64 *out) {
    u32 i = ITEM_X;
    GLOBAL const u64 *p = in + i * 4;
    u64 a = p[0], b = p[1], c = p[2], d = p[3];
    u32 n = (u32)d & 63;
    u64 low = a + c, carry = low < a;
    GLOBAL u64 *q = out + i * 10;
    q[0] = a * b + c;
    q[1] = high(a, b);
    q[2] = b + d + carry;
    q[3] = a << n ^ (u64)((i64)b >> n) ^ c >> (63 - n);
    q[4] = (a < b) | ((i64)a < (i64)b) << 1 | (a == c) << 2 | (u64)(a > c ? b : d) << 3;
    q[5] = (u64)__builtin_popcountl(a) | (u64)__builtin_clzl(b | 1) << 8 | (u64)__builtin_ctzl(c | 1ul << 63) << 16;
    q[6] = (d << 40 | d >> 24) - (a & ~b | c);
    q[7] = (u64)(i64)(i32)a * (u64)(i64)(i32)b + (u64)(u32)c * (u32)d;
    q[8] = ((i64)a < 0 ? -a : a) ^ (b << 13 | b >> 51);
    q[9] = (u64)__builtin_popcount((u32)a) << 32 | (u32)__builtin_clz((u32)b | 1) << 8 | (u32)__builtin_ctz((u32)c | 0x80000000);
}

HOST(wide_integers, PTR(0), PTR(1))
