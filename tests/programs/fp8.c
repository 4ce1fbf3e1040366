// global=256 local=64 in:2048 in:1024 out:14336
// Conversions from and to floats of 8 bits, and dot products of them, by instructions where the processor has them (gfx12).
#include "program.h"

// FP8 is E4M3 with a NaN and without infinities, BF8 is E5M2. `fraction` is the number of bits of the fraction.
static inline u32 bias(u32 fraction) { return fraction == 3 ? 7 : 15; }
static inline u32 largest(u32 fraction) { return fraction == 3 ? 0x7e : 0x7b; }

static inline float power(i32 exponent) { return float32((u32)(exponent + 127) << 23); }

static inline float widen(u32 bits, u32 fraction) {
    u32 magnitude = bits & 127, exponent = magnitude >> fraction, mantissa = magnitude & ((1u << fraction) - 1);
    if (magnitude > largest(fraction)) {
        // One NaN for all.
        if (fraction == 3 || mantissa) return float32(0x7fc00000);
        return bits & 128 ? -float32(0x7f800000) : float32(0x7f800000);
    }
    i32 unit = (i32)(exponent ? exponent : 1) - (i32)(bias(fraction) + fraction);
    float value = (float)(mantissa + (exponent ? 1u << fraction : 0)) * power(unit);
    return bits & 128 ? -value : value;
}

// The number below a magnitude, or the nearest one, by trying all.
static inline u32 narrow(u32 bits, u32 fraction, int truncate) {
    u32 sign = bits >> 24 & 128, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return sign | 127;
    u32 below = 0;
    for (u32 step = 64; step; step >>= 1)
        if (below + step <= largest(fraction) && bits32(widen(below + step, fraction)) <= magnitude) below += step;
    float value = float32(magnitude), low = widen(below, fraction);
    // What follows the largest number is as far away as the one before it.
    float high = below < largest(fraction) ? widen(below + 1, fraction) : low + (low - widen(below - 1, fraction));
    u32 up = value - low > high - value || value - low == high - value && below & 1;
    if (truncate) up = value >= high;
    u32 number = below + up;
    return sign | (number > largest(fraction) ? fraction == 3 ? 127 : 124 : number);
}

static inline u32 stochastic(u32 bits, u32 random, u32 fraction) {
    u32 added = random >> (fraction == 3 ? 12 : 11);
    return narrow((bits & 0x7fffffff) + added < 0x7f800000 ? bits + added : bits, fraction, 1);
}

static inline float dot(u32 a, u32 b, float sum, u32 of_a, u32 of_b) {
    for (u32 n = 0; n < 4; n++) sum += widen(a >> 8 * n & 255, of_a) * widen(b >> 8 * n & 255, of_b);
    return sum;
}

static inline u32 comparable(float value) { return value != value ? 0x7fc00000 : bits32(value); }

// A number that both formats, or one of them, can hold about.
static inline u32 number(u32 x) {
    u32 exponent = x % 64 < 62 ? 105 + (x >> 8) % 40 : x >> 8 & 255;
    return (x & 0x80000000) | exponent << 23 | (x & 4 ? x >> 9 & 0x7fffff : x >> 9 & 0x780000);
}

KERNEL fp8(GLOBAL const u32 *in, GLOBAL const u32 *other, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = number(in[2 * i]), y = number(in[2 * i + 1]), random = other[i % 256];
    GLOBAL u32 *to = out + i * 14;
    // Numbers of 8 bits whose products and sums are exact.
    u32 a = in[2 * i] & 0xb3b3b3b3, b = in[2 * i + 1] & 0xb3b3b3b3;
    float sum = (float)((i32)random >> 24);
#if defined(__AMDGCN__) && defined(__GFX12__)
    typedef float f32x2 __attribute__((ext_vector_type(2)));
    i32 packed = __builtin_amdgcn_cvt_pk_fp8_f32(float32(x), float32(y), (i32)random, 0);
    to[0] = (u32)packed;
    to[1] = (u32)__builtin_amdgcn_cvt_pk_bf8_f32(float32(x), float32(y), (i32)random, 1);
    i32 bytes = (i32)random;
    bytes = __builtin_amdgcn_cvt_sr_fp8_f32(float32(x), (i32)other[i], bytes, 1);
    bytes = __builtin_amdgcn_cvt_sr_bf8_f32(float32(y), (i32)in[i], bytes, 2);
    to[2] = (u32)bytes;
    bytes = __builtin_amdgcn_cvt_sr_bf8_f32(float32(x), (i32)other[i], bytes, 3);
    to[3] = (u32)__builtin_amdgcn_cvt_sr_fp8_f32(float32(y), (i32)in[i], bytes, 0);
    // All bytes, since there are 256 items.
    i32 all = (i32)(i | (i ^ 0x55) << 8 | (i ^ 0xff) << 16 | (i ^ 0x80) << 24);
    float values[4] = { __builtin_amdgcn_cvt_f32_fp8(all, 0), __builtin_amdgcn_cvt_f32_bf8(all, 1),
                        __builtin_amdgcn_cvt_f32_fp8(all, 2), __builtin_amdgcn_cvt_f32_bf8(all, 3) };
    for (u32 n = 0; n < 4; n++) to[4 + n] = comparable(values[n]);
    f32x2 low = __builtin_amdgcn_cvt_pk_f32_fp8(all, 0), high = __builtin_amdgcn_cvt_pk_f32_bf8(all, 1);
    to[8] = comparable(low[0]) ^ comparable(low[1]) >> 1;
    to[9] = comparable(high[0]) ^ comparable(high[1]) >> 1;
    to[10] = bits32(__builtin_amdgcn_dot4_f32_fp8_fp8(a, b, sum));
    to[11] = bits32(__builtin_amdgcn_dot4_f32_fp8_bf8(a, b, -sum));
    to[12] = bits32(__builtin_amdgcn_dot4_f32_bf8_fp8(a, b, __builtin_fabsf(sum)));
    to[13] = bits32(__builtin_amdgcn_dot4_f32_bf8_bf8(a, b, sum));
#else
    to[0] = narrow(x, 3, 0) | narrow(y, 3, 0) << 8 | (random & 0xffff0000);
    to[1] = (narrow(x, 2, 0) | narrow(y, 2, 0) << 8) << 16 | (random & 0xffff);
    u32 bytes = (random & 0xffff00ff) | stochastic(x, other[i], 3) << 8;
    bytes = (bytes & 0xff00ffff) | stochastic(y, in[i], 2) << 16;
    to[2] = bytes;
    bytes = (bytes & 0x00ffffff) | stochastic(x, other[i], 2) << 24;
    to[3] = (bytes & 0xffffff00) | stochastic(y, in[i], 3);
    u32 all[4] = { i, i ^ 0x55, i ^ 0xff, i ^ 0x80 };
    for (u32 n = 0; n < 4; n++) to[4 + n] = comparable(widen(all[n], n & 1 ? 2 : 3));
    to[8] = comparable(widen(all[0], 3)) ^ comparable(widen(all[1], 3)) >> 1;
    to[9] = comparable(widen(all[2], 2)) ^ comparable(widen(all[3], 2)) >> 1;
    to[10] = bits32(dot(a, b, sum, 3, 3));
    to[11] = bits32(dot(a, b, -sum, 3, 2));
    to[12] = bits32(dot(a, b, sum < 0 ? -sum : sum, 2, 3));
    to[13] = bits32(dot(a, b, sum, 2, 2));
#endif
}

HOST(fp8, PTR(0), PTR(1), PTR(2))
