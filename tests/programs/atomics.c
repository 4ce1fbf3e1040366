// global=256 local=64 skip=opencl in:1024 out:128 out:1536
// Atomic operations of 8 to 64 bits on memory, LDS and pointers of unknown kind. What is left does not depend on their order.
#include "program.h"

#ifdef __AMDGCN__
#define FETCH(op, p, v) __scoped_atomic_fetch_##op((p), (v), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define WRAP(op, p, v) __builtin_amdgcn_atomic_##op##32((p), (v), __ATOMIC_RELAXED, "agent")
#else
#define FETCH(op, p, v) __atomic_fetch_##op((p), (v), __ATOMIC_RELAXED)
#define WRAP(op, p, v) op(p, v)
static void inc(u32 *at, u32 limit) { *at = *at >= limit ? 0 : *at + 1; }
static void dec(u32 *at, u32 limit) { *at = *at == 0 || *at > limit ? limit : *at - 1; }
#endif
#define EXCHANGE(p, old, new) __atomic_compare_exchange_n((p), (old), (new), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)

// Each kind on eight numbers: `SPACE` and `type` say where and how wide they are, `signed_type` is as wide.
#define ALL(SPACE, type, signed_type, at, x)                        \
    do {                                                            \
        FETCH(add, at + 0, x);                                      \
        FETCH(sub, at + 1, x);                                      \
        FETCH(xor, at + 2, x);                                      \
        FETCH(or, at + 3, (type)1 << (x & 31));                     \
        FETCH(and, at + 4, ~((type)1 << (x & 31)));                 \
        FETCH(min, (SPACE signed_type *)at + 5, (signed_type)x);    \
        FETCH(max, (SPACE signed_type *)at + 6, (signed_type)x);    \
        FETCH(max, at + 7, x);                                      \
    } while (0)

KERNEL atomics(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u64 *wide) {
    SHARED(u32, narrow_shared)[16];
    SHARED(u64, wide_shared)[16];
    u32 x = in[ITEM_X], at = LOCAL_X;
    u64 w = (u64)x << 32 | mix(x);
    if (at < 16) narrow_shared[at] = wide_shared[at] = at == 4 ? ~0u : 0;
    barrier_all();
    ALL(GLOBAL, u32, i32, out, x);
    ALL(GLOBAL, u64, i64, wide, w);
    ALL(LOCAL, u32, i32, narrow_shared, x);
    ALL(LOCAL, u64, i64, wide_shared, w);
    u32 narrow_old = narrow_shared[8];
    while (!EXCHANGE(&narrow_shared[8], &narrow_old, narrow_old + (x | 1))) {}
    u64 wide_old = wide_shared[8];
    while (!EXCHANGE(&wide_shared[8], &wide_old, wide_old ^ w)) {}
    wide_old = wide[8];
    while (!EXCHANGE(&wide[8], &wide_old, wide_old + w)) {}
    WRAP(inc, &out[8], 17u);
    WRAP(dec, &out[9], 23u);
    WRAP(inc, &narrow_shared[9], 5u);
    WRAP(dec, &narrow_shared[10], 7u);
    // Parts of a dword.
    FETCH(add, (GLOBAL u16 *)&out[10] + 1, (u16)x);
    FETCH(xor, (GLOBAL u8 *)&out[11] + 3, (u8)x);
    FETCH(sub, (LOCAL u16 *)&narrow_shared[11] + 1, (u16)x);
    FETCH(xor, (LOCAL u8 *)&narrow_shared[12] + 1, (u8)x);
    u32 own[2] = { x, 5 };
    u32 *narrow_any = x & 1 ? (u32 *)&narrow_shared[13] : (u32 *)&out[12];
    u64 *wide_any = x & 2 ? (u64 *)&wide_shared[9] : (u64 *)&wide[9];
    u32 *private_any = x & 4 ? (u32 *)&own[x >> 3 & 1] : (u32 *)&narrow_shared[14];
    FETCH(add, narrow_any, x);
    FETCH(xor, wide_any, w);
    FETCH(add, private_any, 3u);
    FETCH(add, &wide[10], own[0] + own[1]);
    barrier_all();
    if (at < 16) {
        wide[32 + GROUP_X * 32 + at] = wide_shared[at];
        wide[48 + GROUP_X * 32 + at] = narrow_shared[at];
    }
}

HOST(atomics, PTR(0), PTR(1), PTR(2))
