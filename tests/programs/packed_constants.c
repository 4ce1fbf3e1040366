// global=128 local=64 half:512 in:512 out:4096
// Packed arithmetic with inline constants, which are in the low half: OPSEL and OPSEL_HI choose it or the high half.
#include "program.h"

typedef f16 f16x2 __attribute__((ext_vector_type(2)));
typedef u16 u16x2 __attribute__((ext_vector_type(2)));

#ifdef __AMDGCN__
#define PACKED(d, text, x) __asm__(text : "=v"(d) : "v"(x))
#else
#define PACKED(d, text, x)
#endif

static inline u32 bits_of(f16x2 pair) {
    union { f16x2 f; u32 u; } bits = { .f = pair };
    return bits.u;
}
static inline u32 bits_of_shorts(u16x2 pair) { return pair.x | (u32)pair.y << 16; }

KERNEL packed_constants(GLOBAL const f16x2 *halves, GLOBAL const u16x2 *shorts, GLOBAL u32 *out) {
    u32 i = ITEM_X;
    f16x2 a = halves[i], low, both, swapped, third;
    u16x2 s = shorts[i], plus, minus, float_low, float_both;
    PACKED(low, "v_pk_add_f16 %0, %1, 1.0", a);
    PACKED(both, "v_pk_mul_f16 %0, %1, -2.0 op_sel_hi:[1,0]", a);
    PACKED(swapped, "v_pk_add_f16 %0, 0.5, %1 op_sel:[1,1] op_sel_hi:[0,0]", a);
    PACKED(third, "v_pk_fma_f16 %0, %1, %1, 4.0 op_sel_hi:[1,1,0]", a);
    PACKED(plus, "v_pk_add_u16 %0, %1, 7", s);
    PACKED(minus, "v_pk_sub_i16 %0, %1, -3", s);
    PACKED(float_low, "v_pk_add_u16 %0, %1, 2.0", s);
    PACKED(float_both, "v_pk_mad_u16 %0, %1, 3, 1.0 op_sel:[0,0,1] op_sel_hi:[1,0,1]", s);
#ifndef __AMDGCN__
    low = (f16x2){ a.x + (f16)1, a.y + (f16)0 };
    both = (f16x2){ a.x * (f16)-2, a.y * (f16)-2 };
    swapped = (f16x2){ (f16)0 + a.y, (f16)0.5 + a.x };
    third = (f16x2){ (f16)((double)a.x * (double)a.x + 4), (f16)((double)a.y * (double)a.y + 4) };
    plus = (u16x2){ s.x + 7, s.y };
    minus = (u16x2){ s.x + 3, s.y + 1 };
    // An integer has the bits of an f32.
    float_low = (u16x2){ s.x, s.y + 0x4000 };
    float_both = (u16x2){ s.x * 3 + 0x3f80, s.y * 3 + 0x3f80 };
#endif
    GLOBAL u32 *q = out + i * 8;
    q[0] = bits_of(low), q[1] = bits_of(both), q[2] = bits_of(swapped), q[3] = bits_of(third);
    q[4] = bits_of_shorts(plus), q[5] = bits_of_shorts(minus);
    q[6] = bits_of_shorts(float_low), q[7] = bits_of_shorts(float_both);
}

HOST(packed_constants, PTR(0), PTR(1), PTR(2))
