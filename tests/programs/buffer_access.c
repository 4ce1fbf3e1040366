// global=64 local=32 skip=opencl in:1024 out:4096
// Raw buffers that end before the last accesses: loads give 0, stores do nothing.
#include "program.h"

#ifdef __AMDGCN__
typedef u32 vector __attribute__((ext_vector_type(4)));
#define BUFFER(pointer, size) __builtin_amdgcn_make_buffer_rsrc((void *)(pointer), 0, size, 0x31004000)
#define LOAD(bits, at, base) __builtin_amdgcn_raw_buffer_load_b##bits(from, at, base, 0)
#define STORE(bits, value, at, base) __builtin_amdgcn_raw_buffer_store_b##bits(value, to, at, base, 0)
#else
static u32 load(const void *from, u32 at, u32 size) {
    u32 value = 0;
    if (at + size <= 600) __builtin_memcpy(&value, (const u8 *)from + at, size);
    return value;
}
static void store(void *to, u32 at, u32 value, u32 size) {
    if (at + size <= 3000) __builtin_memcpy((u8 *)to + at, &value, size);
}
#endif

KERNEL buffer_access(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X;
#ifdef __AMDGCN__
    __amdgpu_buffer_rsrc_t from = BUFFER(in, 600), to = BUFFER(out, 3000);
    STORE(32, LOAD(32, i * 16 + 4, 8), i * 64, 0);
    STORE(32, LOAD(8, i * 13, 1), i * 64, 4);
    STORE(16, (u16)LOAD(16, i * 14, 2), i * 64 + 10, 0);
    STORE(8, (u8)LOAD(8, i * 10, 0), i * 64 + 8, 5);
    STORE(128, LOAD(128, i * 16, 0), i * 64 + 16, 0);
#else
    store(out, i * 64, load(in, i * 16 + 12, 4), 4);
    store(out, i * 64 + 4, load(in, i * 13 + 1, 1), 4);
    store(out, i * 64 + 10, load(in, i * 14 + 2, 2), 2);
    store(out, i * 64 + 13, load(in, i * 10, 1), 1);
    for (u32 k = 0; k < 4; k++) store(out, i * 64 + 16 + k * 4, load(in, i * 16 + k * 4, 4), 4);
#endif
}

HOST(buffer_access, PTR(0), PTR(1))
