// global=256 local=64 in:1024 out:16384
// DPP controls with masks and old values, DPP8, permutations of lanes, swizzles, reads and writes of one lane.
#include "program.h"

#ifdef __AMDGCN__
#define DPP(old, value, control, rows, banks, bound) ((u32)__builtin_amdgcn_update_dpp((int)(old), (int)(value), control, rows, banks, bound))
#define DPP8(value, selector) ((u32)__builtin_amdgcn_mov_dpp8((value), selector))
#define PERMLANE16(old, value, low, high) ((u32)__builtin_amdgcn_permlane16((old), (value), (low), (high), 0, 0))
#define PERMLANEX16(old, value, low, high) ((u32)__builtin_amdgcn_permlanex16((old), (value), (low), (high), 0, 0))
#define PERMUTE(value, lane) ((u32)__builtin_amdgcn_ds_permute((int)((LANE & 32) + (lane)) << 2, (int)(value)))
#define SWIZZLE(value, pattern) ((u32)__builtin_amdgcn_ds_swizzle((int)(value), pattern))
#define READLANE(value, lane) ((u32)__builtin_amdgcn_readlane((int)(value), (int)(lane)))
#else
static i32 dpp_source(u32 lane, u32 control) {
    u32 row = lane & ~15u, at = lane & 15, n = control & 15;
    if (control < 0x100) return (lane & ~3u) | (control >> (2 * (lane & 3)) & 3);
    switch (control & 0x1f0) {
    case 0x100: return at + n < 16 ? (i32)(row + at + n) : -1;
    case 0x110: return at >= n ? (i32)(row + at - n) : -1;
    case 0x120: return row + ((at - n) & 15);
    case 0x140: return n == 0 ? row + 15 - at : row + (at & 8) + 7 - (at & 7);
    case 0x150: return row + n;
    default: return row + (at ^ n);
    }
}
static u32 dpp(u32 old, u32 value, u32 control, u32 rows, u32 banks, u32 bound) {
    i32 source = dpp_source(LANE, control);
    u32 other = from_lane(value, source < 0 ? 0 : source);
    if (!(rows >> (LANE / 16) & 1) || !(banks >> (LANE % 16 / 4) & 1)) return old;
    return source >= 0 ? other : bound ? 0 : old;
}
#define DPP(old, value, control, rows, banks, bound) dpp(old, value, control, rows, banks, bound)
#define DPP8(value, selector) from_lane(value, (LANE & ~7u) | ((u32)(selector) >> (3 * (LANE & 7)) & 7))
static u32 permlane(u32 value, u32 low, u32 high, u32 flip) {
    u32 select = (LANE & 8 ? high : low) >> (4 * (LANE & 7)) & 15;
    return from_lane(value, ((LANE & 16) ^ flip) | select);
}
#define PERMLANE16(old, value, low, high) permlane(value, low, high, 0)
#define PERMLANEX16(old, value, low, high) permlane(value, low, high, 16)
static u32 permute(u32 value, u32 to) {
    u32 result = 0;
    for (u32 from = 0; from < 32; from++) {
        u32 other = from_lane(to, from), moved = from_lane(value, from);
        if ((other & 31) == LANE) result = moved;
    }
    return result;
}
#define PERMUTE(value, lane) permute(value, lane)
static u32 swizzled(u32 value, u32 pattern) {
    u32 at = LANE, other;
    if (pattern >= 0xe000) {
        u32 mask = pattern & 31, reversed = 0;
        for (u32 n = 0; n < 5; n++) reversed |= (at >> n & 1) << (4 - n);
        other = reversed >> __builtin_popcount(mask) | (at & mask);
    } else if (pattern >= 0xc000) {
        u32 amount = pattern >> 5 & 31, mask = pattern & 31;
        other = (at & mask) | ((pattern >> 10 & 1 ? at - amount : at + amount) & 31 & ~mask);
    } else if (pattern & 0x8000) {
        other = (at & ~3u) | (pattern >> (2 * (at & 3)) & 3);
    } else {
        other = (((at & pattern) | pattern >> 5) ^ pattern >> 10) & 31;
    }
    return from_lane(value, other);
}
#define SWIZZLE(value, pattern) swizzled(value, pattern)
#define READLANE(value, lane) from_lane(value, lane)
#endif

KERNEL lane_ops(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i], old = x * 3 + 1;
    GLOBAL u32 *to = out + i * 16;
    to[0] = DPP(old, x, 0x1b, 15, 15, 0);
    to[1] = DPP(old, x, 0x101, 15, 15, 0) + DPP(old, x, 0x10f, 15, 15, 1);
    to[2] = DPP(old, x, 0x113, 15, 15, 0) ^ DPP(old, x, 0x11f, 15, 15, 1);
    to[3] = DPP(old, x, 0x127, 5, 15, 0) + DPP(old, x, 0x121, 15, 10, 0) * 3;
    to[4] = DPP(old, x, 0x140, 15, 15, 0) + DPP(old, x, 0x141, 10, 6, 1) * 5;
    to[5] = DPP(old, x, 0x153, 15, 15, 0) - DPP(old, x, 0x166, 15, 9, 0);
    to[6] = DPP8(x, 0xfac688 & 0xffffff) + DPP8(x, 0x53977);
    to[7] = PERMLANE16(old, x, 0x13579bdfu, 0x02468aceu);
    to[8] = PERMLANEX16(old, x, 0xfedc3210u, 0x77443311u);
    to[9] = PERMUTE(x, (LANE * 5 + 3) & 31);
    to[10] = SWIZZLE(x, 0xc0a0) + SWIZZLE(x, 0xc4e3) * 3;
    to[11] = SWIZZLE(x, 0x80b1) ^ SWIZZLE(x, 0x7c1f);
    to[12] = SWIZZLE(x, 0x10b7) + SWIZZLE(x, 0x0210);
#ifdef __AMDGCN__
    u32 base = LANE & 32;
    // One lane of each half, in one or two reads.
    u32 low = READLANE(x, 7), high = READLANE(x, 7 | (__builtin_amdgcn_wavefrontsize() > 32 ? 32 : 0));
    to[13] = base ? high : low;
#else
    to[13] = READLANE(x, 7);
#endif
    to[14] = FROM_LANE(x, x >> 3) + FROM_LANE(old, LANE + 9);
    // With half of the lanes inactive: what is read from them is not defined, so only active ones are read.
    u32 value = 0;
#ifdef __AMDGCN__
    if (LANE & 1) value = DPP(old, x, 0x4e, 15, 15, 0) + SWIZZLE(x, 0x081f);
#else
    u32 a = from_lane(x, LANE ^ 2), b = from_lane(x, LANE ^ 2);
    if (LANE & 1) value = a + b;
#endif
    to[15] = value;
}

HOST(lane_ops, PTR(0), PTR(1))
