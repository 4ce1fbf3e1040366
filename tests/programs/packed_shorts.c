// global=128 local=64 in:2048 out:4096
// Pairs of shorts: sums, products, shifts, minimum and maximum, comparisons.
#include "program.h"

typedef i16 i16x2 __attribute__((ext_vector_type(2)));
typedef u16 u16x2 __attribute__((ext_vector_type(2)));

static inline u32 pack(u16x2 v) { return v.x | (u32)v.y << 16; }
static inline u32 pack_signed(i16x2 v) { return (u16)v.x | (u32)(u16)v.y << 16; }

KERNEL packed_shorts(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X;
    u32 p = in[i * 4], q = in[i * 4 + 1], r = in[i * 4 + 2];
    u16x2 a = { (u16)p, (u16)(p >> 16) }, b = { (u16)q, (u16)(q >> 16) };
    i16x2 c = { (i16)q, (i16)(q >> 16) }, d = { (i16)r, (i16)(r >> 16) };
    GLOBAL u32 *to = out + i * 8;
    to[0] = pack(a + b), to[1] = pack(a * b + a);
    u16x2 amount = { (u16)(r & 15), (u16)(r >> 16 & 15) };
    to[2] = pack(a << amount), to[3] = pack(b >> amount);
    i16x2 signed_amount = { (i16)(p & 15), (i16)(p >> 16 & 15) };
    to[4] = pack_signed(c >> signed_amount) ^ pack_signed(c - d);
    u16x2 low = { a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y };
    i16x2 high = { c.x > d.x ? c.x : d.x, c.y > d.y ? c.y : d.y };
    to[5] = pack(low), to[6] = pack_signed(high);
    u16x2 swapped = a.yx * b + (u16x2)(3);
    to[7] = pack(swapped) ^ (u32)((i32)c.x * d.y - c.y * (i32)d.x);
}

HOST(packed_shorts, PTR(0), PTR(1))
