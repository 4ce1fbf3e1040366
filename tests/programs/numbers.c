// global=192 local=64 in:1536 out:4608
// Number theory: greatest common divisors, powers modulo a number, primes, Collatz sequences, integer roots.
#include "program.h"

static inline u32 gcd(u32 a, u32 b) {
    while (b) {
        u32 t = a % b;
        a = b, b = t;
    }
    return a;
}
static inline u64 power(u64 base, u32 exponent, u64 modulus) {
    u64 result = 1;
    for (base %= modulus; exponent; exponent >>= 1) {
        if (exponent & 1) result = result * base % modulus;
        base = base * base % modulus;
    }
    return result;
}

KERNEL numbers(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, a = in[i * 2], b = in[i * 2 + 1];
    GLOBAL u32 *to = out + i * 6;
    to[0] = gcd(a, b);
    to[1] = (u32)power(a, b & 0xffff, 2147483647u);
    u32 candidate = (a & 0xfff) | 1, divisor = 3;
    while (divisor * divisor <= candidate && candidate % divisor) divisor += 2;
    to[2] = divisor * divisor > candidate ? candidate : divisor;
    u32 steps = 0;
    for (u64 n = (b & 0xfff) + 1; n != 1 && steps < 300; steps++) n = n & 1 ? 3 * n + 1 : n >> 1;
    to[3] = steps;
    u32 root = 0;
    for (i32 bit = 15; bit >= 0; bit--)
        if ((root | 1u << bit) * (root | 1u << bit) <= a) root |= 1u << bit;
    to[4] = root;
    u32 gray = b ^ b >> 1, parity = gray;
    for (u32 s = 16; s; s >>= 1) parity ^= parity >> s;
    to[5] = gray + (parity & 1);
}

HOST(numbers, PTR(0), PTR(1))
