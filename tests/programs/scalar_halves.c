// global=128 local=64 skip=gfx1200 in:512 u32:1073757189 out:3072
// 16-bit instructions whose OPSEL chooses the halves of scalar registers, literals and inline constants.
#include "program.h"

#ifdef __AMDGCN__
#define SHORT(d, text) \
    __asm__("v_mov_b32 v2, %1\n v_readfirstlane_b32 s20, %2\n v_mov_b32 v3, 0\n " text "\n v_mov_b32 %0, v3" \
            : "=v"(d) : "v"(a), "v"(s) : "v2", "v3", "s20")
#else
#define SHORT(d, text)
#endif

KERNEL scalar_halves(GLOBAL const u32 *in, u32 s, GLOBAL u32 *out) {
    u32 i = ITEM_X, a = in[i], r[12];
    SHORT(r[0], "v_add_nc_u16 v3.l, s20, v2.l");
    SHORT(r[1], "v_add_nc_u16 v3.l, s20, v2.l op_sel:[1,0,0]");
    SHORT(r[2], "v_sub_nc_u16 v3.l, v2.h, s20 op_sel:[1,1,0]");
    SHORT(r[3], "v_mad_u16 v3.l, v2.l, 3, s20 op_sel:[0,0,1,0]");
    SHORT(r[4], "v_add_nc_u16 v3.l, -2, v2.l op_sel:[1,0,0]");
    SHORT(r[5], "v_add_nc_u16 v3.l, 5, v2.l op_sel:[1,0,0]");
    SHORT(r[6], "v_add_nc_i16 v3.h, s20, v2.l op_sel:[1,0,1]");
    SHORT(r[7], "v_mad_u32_u16 v3, s20, v2.l, v2 op_sel:[1,0,0,0]");
    SHORT(r[8], "v_mad_i32_i16 v3, v2.l, -7, 64");
    SHORT(r[9], "v_max_f16_e64 v3.l, s20, 0.5 op_sel:[1,0,0]");
    SHORT(r[10], "v_min_f16_e64 v3.l, s20, 4.0 op_sel:[1,1,0]");
    SHORT(r[11], "v_pack_b32_f16 v3, s20, 2.0 op_sel:[1,0,0]");
#ifndef __AMDGCN__
    u16 low = (u16)s, high = (u16)(s >> 16), x = (u16)a, y = (u16)(a >> 16);
    r[0] = (u16)(low + x), r[1] = (u16)(high + x), r[2] = (u16)(y - high), r[3] = (u16)(x * 3 + high);
    r[4] = (u16)(0xffff + x), r[5] = x, r[6] = (u32)(u16)(high + x) << 16;
    r[7] = (u32)high * x + a, r[8] = (u32)((i16)x * -7 + 64);
    // 2.0, the lesser of 2.0 and 0, 2.0 twice.
    r[9] = 0x4000, r[10] = 0, r[11] = 0x40004000;
#endif
    GLOBAL u32 *q = out + i * 6;
    for (u32 n = 0; n < 6; n++) q[n] = r[n] ^ r[n + 6] * 0x9e3779b1;
}

HOST(scalar_halves, PTR(0), NUM(1), PTR(2))
