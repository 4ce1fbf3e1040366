// global=64 local=64 skip=opencl in:16384 out:256
// More live values than registers: vector and scalar ones are spilled.
#include "program.h"

#ifdef __AMDGCN__
__attribute__((amdgpu_num_vgpr(24), amdgpu_num_sgpr(40)))
#endif
KERNEL spills(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, own[64], uniform[90], sum = 0;
#pragma unroll
    for (u32 k = 0; k < 64; k++) own[k] = in[i + k * 64];
#pragma unroll
    for (u32 k = 0; k < 90; k++) uniform[k] = in[k * 5];
#pragma unroll
    for (u32 k = 0; k < 64; k++) own[k] += own[(k * 13 + 5) & 63] * own[(k * 29 + 1) & 63];
#pragma unroll
    for (u32 k = 0; k < 64; k++) sum = sum * 31 + (own[k] ^ own[63 - k] >> (k & 7));
    for (u32 round = 0; round < 3; round++) {
#pragma unroll
        for (u32 k = 0; k < 90; k++) {
            if (sum >> (k & 7) & 1) sum += uniform[k] ^ uniform[(k * 17 + 3) % 90];
            else sum ^= uniform[k] * 3;
        }
    }
    out[i] = sum;
}

HOST(spills, PTR(0), PTR(1))
