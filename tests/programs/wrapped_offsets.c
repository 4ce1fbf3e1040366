// global=64 local=32 skip=opencl in:512 out:2048
// Negative offsets in VGPRs beside positive ones in the instruction: the sums wrap at 32 bits, in buffers and in LDS.
#include "program.h"

#ifdef __AMDGCN__
#define BUFFER(pointer, size) __builtin_amdgcn_make_buffer_rsrc((void *)(pointer), 0, size, 0x31004000)
#define LOAD(at) __builtin_amdgcn_raw_buffer_load_b32(from, at, 0, 0)
#define STORE(value, at) __builtin_amdgcn_raw_buffer_store_b32(value, to, at, 0, 0)
// From here on the compiler does not know the value.
#define HIDE(x) asm volatile("" : "+v"(x))
#else
#define HIDE(x)
#define LOAD(at) load((const u8 *)in, at)
#define STORE(value, at) store((u8 *)out, at, value)
static u32 load(const u8 *from, u32 at) {
    u32 value = 0;
    if (at <= 400 - 4) __builtin_memcpy(&value, from + at, 4);
    return value;
}
static void store(u8 *to, u32 at, u32 value) {
    if (at <= 1600 - 4) __builtin_memcpy(to + at, &value, 4);
}
#endif

KERNEL wrapped_offsets(GLOBAL const u32 *in, GLOBAL u32 *out) {
    SHARED(u32, shared)[64];
    u32 i = ITEM_X, local = LOCAL_X, sum = 0;
    shared[local] = in[i], shared[local + 32] = i;
    barrier_all();
#ifdef __AMDGCN__
    __amdgpu_buffer_rsrc_t from = BUFFER(in, 400), to = BUFFER(out, 1600);
#endif
    // From -480 up to 0, of which the first 5 steps are before the buffer, and some at its end behind it.
    for (u32 at = i * 4 - 500; (i32)at < 0; at += 16) sum += LOAD(at + 484) ^ at;
    u32 before = local * 4 - 64, minus = i * 32 - 400;
    HIDE(before);
    HIDE(minus);
    u32 near = *(LOCAL u32 *)((LOCAL u8 *)shared + (before + 96));
    *(LOCAL u32 *)((LOCAL u8 *)shared + (before + 64)) = near + 1;
    STORE(sum, minus + 404);
    STORE(near, minus + 412);
    STORE(shared[local], minus + 424);
}

HOST(wrapped_offsets, PTR(0), PTR(1))
