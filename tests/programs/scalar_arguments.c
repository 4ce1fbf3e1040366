// global=100,3 local=33,2 skip=opencl u8:200 i8:-100 u16:60000 i16:-30000 f16:1.5 u32:7 i64:-5 f32:2.25 f64:-3.5 struct:0102030405060708090a0b0c0d0e0f10111213 out:4800 u8:7
// Arguments of all sizes, and a packed structure between them, in partial work-groups.
#include "program.h"

struct __attribute__((packed)) packed {
    u8 a;
    u32 b;
    u16 c;
    u64 d;
    u32 e;
};

KERNEL scalar_arguments(u8 a, i8 b, u16 c, i16 d, f16 e, u32 f, i64 g, float h, double k, struct packed s, GLOBAL u32 *out, u8 last) {
    GLOBAL u32 *to = out + (ITEM_Y * 100 + ITEM_X) * 4;
    to[0] = a + (u32)b * c + (u32)d;
    to[1] = bits32((float)e * h + (float)k) + ITEM_X;
    to[2] = (u32)(g * f >> 3) ^ s.b ^ s.c ^ ITEM_Y;
    to[3] = (u32)(s.d >> 13) + s.a * s.e + last;
}

static inline f16 float16(u64 value) {
    union { u16 u; f16 f; } bits = { .u = (u16)value };
    return bits.f;
}
HOST(scalar_arguments, NUM(0), NUM(1), NUM(2), NUM(3), float16(NUM(4)), NUM(5), NUM(6), float32(NUM(7)), float64(NUM(8)), *(struct packed *)PTR(9), PTR(10), NUM(11))
