// global=256 local=64 bits:4096 out:24576
// Conversions between integers and floating-point numbers of all widths.
#include "program.h"

static inline u32 clean32(float value) { return value == value ? bits32(value) : 0x7fc00000; }
static inline u64 clean64(double value) { return value == value ? bits64(value) : 0x7ff8000000000000ul; }
static inline double within(double value, double most) { return value < most && value > -most ? value : 1.25; }

KERNEL conversions(GLOBAL const u64 *in, GLOBAL u64 *out) {
    u32 i = ITEM_X;
    u64 a = in[i * 2] >> (i & 31), b = in[i * 2 + 1];
    float f = float32((u32)b), g = (float)within(float32((u32)(b >> 32)), 2e9);
    double d = within(float64(b), 9e18);
    GLOBAL u64 *q = out + i * 12;
    q[0] = bits64((double)a) ^ bits32((float)a);
    q[1] = bits64((double)(i64)a) ^ bits32((float)(i64)a);
    q[2] = bits64((double)(u32)a) ^ (u64)bits32((float)(u32)a) << 7;
    q[3] = bits64((double)(i32)a) ^ (u64)bits32((float)(i32)a) << 7;
    q[4] = (u64)(i64)d ^ (u64)(d < 0 ? -d : d);
    q[5] = (u64)(i64)g ^ (u64)(i32)g << 32;
    q[6] = clean64((double)f);
    q[7] = clean32((float)float64(b));
    q[8] = (u32)(g < 0 ? -g : g) | (u64)(u16)(i16)(i32)(g / 65536.0f) << 32;
    q[9] = bits64((double)(i8)a) ^ bits32((float)(u8)a) ^ bits32((float)(u16)a) ^ bits32((float)(i16)a);
    f16 h = (f16)(float)within(f, 30000);
    union { f16 f; u16 u; } half_bits = { .f = h };
    q[10] = half_bits.u | (u64)(u16)(i16)h << 16 | (u64)bits32((float)h) << 32;
    union { f16 f; u16 u; } from_double = { .f = (f16)within(d, 30000) };
    q[11] = from_double.u | (u64)bits32((float)(f16)(i16)a) << 32;
}

HOST(conversions, PTR(0), PTR(1))
