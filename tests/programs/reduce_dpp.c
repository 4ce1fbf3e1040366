// global=512 local=128 skip=gfx1200 in:2048 out:8192
// Reductions over 16 and 32 lanes by DPP, permutations of lanes and swizzles.
#include "program.h"

#ifdef __AMDGCN__
#define DPP(value, control) ((u32)__builtin_amdgcn_update_dpp(0, (int)(value), control, 15, 15, 1))
#define ROW_SHARE(value, n) DPP(value, 0x150 + n)
#define ROW_XMASK(value, n) DPP(value, 0x160 + n)
#define ROW_ROR(value, n) DPP(value, 0x120 + n)
#define ROW_SHR(value, n) DPP(value, 0x110 + n)
#define QUAD_SWAP(value) DPP(value, 0xb1)
#define ROW_MIRROR(value) DPP(value, 0x140)
#define OTHER_ROW(value) ((u32)__builtin_amdgcn_permlanex16((int)(value), (int)(value), 0x76543210, (int)0xfedcba98, 0, 0))
#define SWIZZLE(value) ((u32)__builtin_amdgcn_ds_swizzle((int)(value), 0x041f))
#else
static u32 row(u32 value, u32 lane) { return from_lane(value, (LANE & 16) | (lane & 15)); }
#define ROW_SHARE(value, n) row(value, n)
#define ROW_XMASK(value, n) row(value, LANE ^ n)
#define ROW_ROR(value, n) row(value, LANE - n)
static u32 shifted(u32 value, u32 n) {
    u32 other = row(value, LANE - n);
    return (LANE & 15) >= n ? other : 0;
}
#define ROW_SHR(value, n) shifted(value, n)
#define QUAD_SWAP(value) from_lane(value, LANE ^ 1)
#define ROW_MIRROR(value) row(value, 15 - (LANE & 15))
#define OTHER_ROW(value) from_lane(value, LANE ^ 16)
#define SWIZZLE(value) from_lane(value, LANE ^ 1)
#endif

KERNEL reduce_dpp(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, value = in[i] >> 8;
    u32 sum = value, most = value;
    sum += ROW_XMASK(sum, 1);
    sum += ROW_XMASK(sum, 2);
    sum += ROW_XMASK(sum, 4);
    sum += ROW_XMASK(sum, 8);
    sum += OTHER_ROW(sum);
    for (u32 n = 0; n < 4; n++) {
        u32 other = n == 0 ? ROW_ROR(most, 1) : n == 1 ? ROW_ROR(most, 2) : n == 2 ? ROW_ROR(most, 4) : ROW_ROR(most, 8);
        most = other > most ? other : most;
    }
    float f = (float)value;
    f += float32(QUAD_SWAP(bits32(f)));
    f -= float32(ROW_MIRROR(bits32(f)));
    out[i * 4] = sum;
    out[i * 4 + 1] = most ^ ROW_SHARE(value, 5);
    out[i * 4 + 2] = bits32(f);
    out[i * 4 + 3] = ROW_SHR(value, 3) * 3 + SWIZZLE(value);
}

HOST(reduce_dpp, PTR(0), PTR(1))
