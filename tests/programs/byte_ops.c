// global=256 local=64 skip=opencl in:4096 out:16384
// Permutations of bytes, sums of differences, averages, and dot products of bytes and nibbles.
#include "program.h"

#ifdef __AMDGCN__
#define PERM __builtin_amdgcn_perm
#define SAD __builtin_amdgcn_sad_u8
#define SAD_HI __builtin_amdgcn_sad_hi_u8
#define SAD16 __builtin_amdgcn_sad_u16
#define MSAD __builtin_amdgcn_msad_u8
#define QSAD __builtin_amdgcn_qsad_pk_u16_u8
#define MQSAD __builtin_amdgcn_mqsad_pk_u16_u8
#define LERP __builtin_amdgcn_lerp
#define UBFE __builtin_amdgcn_ubfe
#define SBFE __builtin_amdgcn_sbfe
#define ALIGNBIT __builtin_amdgcn_alignbit
#define ALIGNBYTE __builtin_amdgcn_alignbyte
#define DOT4 __builtin_amdgcn_sudot4
#define DOT8 __builtin_amdgcn_sudot8
#define UDOT4 __builtin_amdgcn_udot4
#define UDOT8 __builtin_amdgcn_udot8
#else
static u32 byte(u64 x, u32 n) { return (u32)(x >> 8 * n) & 255; }
static u32 distance(u32 a, u32 b) { return a > b ? a - b : b - a; }
static u32 PERM(u32 high, u32 low, u32 selectors) {
    u64 bytes = (u64)high << 32 | low;
    u32 result = 0;
    for (u32 k = 0; k < 4; k++) {
        u32 at = byte(selectors, k), value;
        if (at < 8) value = byte(bytes, at);
        else if (at < 12) value = byte(bytes, (at - 8) * 2 + 1) & 128 ? 255 : 0;
        else value = at == 12 ? 0 : 255;
        result |= value << 8 * k;
    }
    return result;
}
static u32 SAD(u32 a, u32 b, u32 sum) {
    for (u32 k = 0; k < 4; k++) sum += distance(byte(a, k), byte(b, k));
    return sum;
}
static u32 SAD_HI(u32 a, u32 b, u32 sum) { return (SAD(a, b, 0) << 16) + sum; }
static u32 SAD16(u32 a, u32 b, u32 sum) { return sum + distance(a & 65535, b & 65535) + distance(a >> 16, b >> 16); }
static u32 MSAD(u32 a, u32 b, u32 sum) {
    for (u32 k = 0; k < 4; k++) sum += byte(b, k) ? distance(byte(a, k), byte(b, k)) : 0;
    return sum;
}
static u64 four_sums(u64 a, u32 b, u64 sums, u32 (*sad)(u32, u32, u32)) {
    u64 result = 0;
    for (u32 k = 0; k < 4; k++) result |= (u64)(u16)(sad((u32)(a >> 8 * k), b, 0) + (u32)(sums >> 16 * k)) << 16 * k;
    return result;
}
static u64 QSAD(u64 a, u32 b, u64 sums) { return four_sums(a, b, sums, SAD); }
static u64 MQSAD(u64 a, u32 b, u64 sums) { return four_sums(a, b, sums, MSAD); }
static u32 LERP(u32 a, u32 b, u32 round) {
    u32 result = 0;
    for (u32 k = 0; k < 4; k++) result |= (byte(a, k) + byte(b, k) + (byte(round, k) & 1)) / 2 << 8 * k;
    return result;
}
static u32 UBFE(u32 a, u32 offset, u32 width) { return a >> (offset & 31) & ((1u << (width & 31)) - 1); }
static u32 SBFE(u32 a, u32 offset, u32 width) {
    u32 value = (u32)((i32)a >> (offset & 31)), cut = 32 - (width & 31);
    return cut == 32 ? 0 : (u32)((i32)(value << cut) >> cut);
}
static u32 ALIGNBIT(u32 high, u32 low, u32 shift) { return (u32)(((u64)high << 32 | low) >> (shift & 31)); }
static u32 ALIGNBYTE(u32 high, u32 low, u32 shift) { return ALIGNBIT(high, low, (shift & 3) * 8); }
static i64 element(u32 x, u32 at, u32 bits, int is_signed) {
    i64 value = x >> at & ((1u << bits) - 1);
    return is_signed && value >> (bits - 1) ? value - (1 << bits) : value;
}
static i64 dot(u32 bits, int signed_a, u32 a, int signed_b, u32 b, i64 sum) {
    for (u32 at = 0; at < 32; at += bits) sum += element(a, at, bits, signed_a) * element(b, at, bits, signed_b);
    return sum;
}
static u32 within(i64 value, i64 least, i64 most, int clamp) {
    return (u32)(!clamp ? value : value < least ? least : value > most ? most : value);
}
#define I32(value, clamp) within((value), -0x80000000l, 0x7fffffffl, clamp)
#define U32(value, clamp) within((value), 0, 0xffffffffl, clamp)
#define DOT4(signed_a, a, signed_b, b, sum, clamp) I32(dot(8, signed_a, a, signed_b, b, (i32)(sum)), clamp)
#define DOT8(signed_a, a, signed_b, b, sum, clamp) I32(dot(4, signed_a, a, signed_b, b, (i32)(sum)), clamp)
#define UDOT4(a, b, sum, clamp) U32(dot(8, 0, a, 0, b, (u32)(sum)), clamp)
#define UDOT8(a, b, sum, clamp) U32(dot(4, 0, a, 0, b, (u32)(sum)), clamp)
#endif

KERNEL byte_ops(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, a = in[i * 4], b = in[i * 4 + 1], c = in[i * 4 + 2], d = in[i * 4 + 3];
    u64 ac = (u64)a << 32 | c, db = (u64)d << 32 | b;
    if (i % 5 == 0) b &= 0xff00ffff;
    GLOBAL u32 *to = out + i * 16;
    to[0] = PERM(a, c, b & 0x0f0f0f0f) ^ PERM(a, c, 0x0c0d0b08) ^ PERM(c, a, d & 0x07070707);
    to[1] = SAD(a, b, c) + SAD_HI(a, b, c) * 3;
    to[2] = SAD16(a, b, c) + MSAD(a, b, d) * 3;
    to[3] = LERP(a, b, c);
    to[4] = UBFE(a, b, c) ^ UBFE(a, 4, 9);
    to[5] = (u32)SBFE(a, b, c) ^ (u32)SBFE(a, 3, 31);
    to[6] = ALIGNBIT(a, b, c) + ALIGNBYTE(a, b, d);
    u64 sums = QSAD(ac, b, db) + MQSAD(ac, b, db) * 3;
    to[7] = (u32)sums;
    to[8] = (u32)(sums >> 32);
    to[9] = (u32)DOT4(1, a, 1, b, c, 0) + (u32)DOT4(1, a, 0, b, c, 0) * 3 + (u32)DOT4(0, a, 1, b, (c | 0x7fff0000) & 0x7fffffff, 1) * 5;
    to[10] = UDOT4(a, b, c, 0) + UDOT4(a, b, c | 0xffff0000, 1) * 3;
    to[11] = (u32)DOT8(1, a, 1, b, c, 0) + (u32)DOT8(1, a, 0, b, c | 0x80000000, 1) * 3 + (u32)DOT8(1, a, 1, b, (c & 255) | 0x80000000, 1) * 7;
    to[12] = UDOT8(a, b, c, 0) + UDOT8(a, b, c | 0xffffff00, 1) * 3;
}

HOST(byte_ops, PTR(0), PTR(1))
