// global=128 local=64 in:512 out:2048
// Votes and ballots of the wave's 32 lanes, reads of one lane, and counts of lanes below.
#include "program.h"

#ifdef __AMDGCN__
#ifdef WAVE64
static inline u32 ballot(u32 condition) {
    u64 all = __builtin_amdgcn_ballot_w64(condition != 0);
    return (u32)(LANE & 32 ? all >> 32 : all);
}
#else
static inline u32 ballot(u32 condition) { return __builtin_amdgcn_ballot_w32(condition != 0); }
#endif
#else
static u32 ballot(u32 condition) {
    u32 mask = 0;
    for (u32 n = 0; n < 32; n++) mask |= (from_lane(condition, n) != 0) << n;
    return mask;
}
#endif

KERNEL votes(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i], lane = LANE & 31;
    u32 odd = ballot(x & 1), large = ballot(x > 0x80000000u);
    out[i * 4] = odd;
    out[i * 4 + 1] = (u32)__builtin_popcount(odd & ((1u << lane) - 1));
    out[i * 4 + 2] = large ? FROM_LANE(x, (u32)__builtin_ctz(large)) : 0;
    u32 sum = 0;
    if (x & 1) {
        for (u32 n = 0; n < (x >> 1 & 7); n++) sum += n * x;
    } else {
        sum = x / 5;
    }
    out[i * 4 + 3] = sum + ballot(sum > x);
}

HOST(votes, PTR(0), PTR(1))
