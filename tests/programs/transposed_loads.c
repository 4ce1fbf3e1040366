// global=64 local=64 in:512 in:256 out:2048
// Loads that transpose a matrix of 16 by 16 elements of 16 or 8 bits (gfx12). Addresses make the result the rows of the matrix: eight
// elements in each lane.
#include "program.h"

KERNEL transposed_loads(GLOBAL const u16 *shorts, GLOBAL const u8 *bytes, GLOBAL u32 *out) {
#if defined(__AMDGCN__) && defined(__GFX12__)
    // A prefetch changes nothing.
    __builtin_amdgcn_s_prefetch_data((const void *)shorts, 3);
    u32 lane = LANE & 31;
    // Lane `n` gets the elements of column n % 16, of rows n / 16 * 8 on: it names eight elements of one of these rows.
    GLOBAL const u16 *from = shorts + (lane / 16 * 8 + lane % 8) * 16 + lane / 8 % 2 * 8;
    GLOBAL const u8 *byte = bytes + (lane / 8 * 4 + lane % 4) * 16 + lane / 4 % 2 * 8;
    u32 column = lane % 16, row = lane / 16 * 8;
#ifdef WAVE64
    typedef i16 i16x4 __attribute__((ext_vector_type(4)));
    i16x4 values = __builtin_amdgcn_global_load_tr_b128_v4i16((GLOBAL i16x4 *)from);
    u32 small = (u32)__builtin_amdgcn_global_load_tr_b64_i32((GLOBAL int *)byte);
    row += LANE / 32 * 4;
    for (u32 n = 0; n < 4; n++)
        out[(column * 16 + row + n) * 2] = (u16)values[n], out[(column * 16 + row + n) * 2 + 1] = small >> 8 * n & 255;
#else
    typedef i16 i16x8 __attribute__((ext_vector_type(8)));
    typedef i32 i32x2 __attribute__((ext_vector_type(2)));
    i16x8 values = __builtin_amdgcn_global_load_tr_b128_v8i16((GLOBAL i16x8 *)from);
    i32x2 small = __builtin_amdgcn_global_load_tr_b64_v2i32((GLOBAL i32x2 *)byte);
    for (u32 n = 0; n < 8; n++)
        out[(column * 16 + row + n) * 2] = (u16)values[n], out[(column * 16 + row + n) * 2 + 1] = (u32)small[n / 4] >> 8 * (n % 4) & 255;
#endif
#else
    if (ITEM_X != 0) return;
    for (u32 column = 0; column < 16; column++)
        for (u32 row = 0; row < 16; row++) {
            out[(column * 16 + row) * 2] = shorts[row * 16 + column];
            out[(column * 16 + row) * 2 + 1] = bytes[row * 16 + column];
        }
#endif
}

HOST(transposed_loads, PTR(0), PTR(1), PTR(2))
