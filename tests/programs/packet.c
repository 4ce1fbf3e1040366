// global=50,4,3 local=16,2,2 skip=opencl out:9600 u32:5
// The dispatch packet, the hidden arguments, and the argument segment itself.
#include "program.h"

#ifdef __AMDGCN__
#define FIXED const __attribute__((address_space(4)))
struct packet {
    u16 header, setup, local[3], reserved;
    u32 global[3];
};
#endif

KERNEL packet(GLOBAL u32 *out, u32 number) {
    u32 x = GROUP_X * 16 + LOCAL_X, y = GROUP_Y * 2 + LOCAL_Y, z = GROUP_Z * 2 + LOCAL_Z;
    GLOBAL u32 *to = out + ((z * 4 + y) * 50 + x) * 4;
#ifdef __AMDGCN__
    FIXED struct packet *p = (FIXED struct packet *)__builtin_amdgcn_dispatch_ptr();
    FIXED u32 *counts = (FIXED u32 *)__builtin_amdgcn_implicitarg_ptr();
    FIXED u16 *sizes = (FIXED u16 *)(counts + 3), *dimensions = (FIXED u16 *)(counts + 16);
    FIXED u64 *arguments = (FIXED u64 *)__builtin_amdgcn_kernarg_segment_ptr();
    to[0] = p->local[0] | p->local[1] << 8 | p->local[2] << 16 | (p->setup & 3) << 24;
    to[1] = p->global[0] + p->global[1] * 100 + p->global[2] * 10000;
    // Counts of full work-groups.
    to[2] = counts[0] | counts[1] << 8 | counts[2] << 16 | (u32)*dimensions << 24;
    to[3] = sizes[0] | sizes[1] << 6 | sizes[2] << 12 | sizes[3] << 18 | sizes[4] << 22 | sizes[5] << 26;
    to[3] += (arguments[0] == (u64)out) + (u32)arguments[1] + number;
#else
    to[0] = 16 | 2 << 8 | 2 << 16 | 3 << 24;
    to[1] = 50 + 400 + 30000;
    to[2] = 3 | 2 << 8 | 1 << 16 | 3 << 24;
    // The last work-group has 2 columns and 1 plane.
    to[3] = 16 | 2 << 6 | 2 << 12 | 2 << 18 | 0 << 22 | 1 << 26;
    to[3] += 1 + 2 * number;
#endif
}

HOST(packet, PTR(0), NUM(1))
