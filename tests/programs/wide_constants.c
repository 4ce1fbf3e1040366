// global=128 local=64 in:2048 double:1024 out:6144
// Constants of 64-bit sources: integers are sign-extended, floats are f64, literals are the upper half of an f64.
#include "program.h"

// RDNA4 needs a wait between a write of scalar registers that vector instructions have read and the next read; LLVM does not insert it
// inside of inline assembly.
#ifdef __GFX12__
#define WRITTEN "\n s_wait_alu depctr_sa_sdst(0)"
#else
#define WRITTEN
#endif

#ifdef __AMDGCN__
#define WIDE(d, text) __asm__(text : "=v"(d) : "v"(a), "v"(f))
#define SCALAR(d, text) __asm__(text WRITTEN "\n v_mov_b32 %0, s20\n v_xor_b32 %0, s21, %0" : "=&v"(d) : "v"(a) : "s20", "s21", "s22", "s23", "scc")
#else
#define WIDE(d, text)
#define SCALAR(d, text)
#endif

KERNEL wide_constants(GLOBAL const u64 *in, GLOBAL const double *doubles, GLOBAL u64 *out) {
    u32 i = ITEM_X;
    u64 a = in[i * 2], shifted, product, ashifted;
    double f = doubles[i], sum, scaled, of_integer;
    WIDE(sum, "v_add_f64 %0, 0.15915494309189532, %2");
    WIDE(scaled, "v_fma_f64 %0, %2, -4.0, 0x40590000");
    WIDE(of_integer, "v_max_f64 %0, %2, 64");
    WIDE(shifted, "v_lshlrev_b64 %0, 9, %1");
    WIDE(ashifted, "v_ashrrev_i64 %0, 70, %1");
    WIDE(product, "v_mad_u64_u32 %0, null, 3, 5, -1");
    u32 masks[3];
    SCALAR(masks[0], "s_mov_b64 s[20:21], -7");
    SCALAR(masks[1], "s_mov_b64 s[20:21], 0.5");
    SCALAR(masks[2], "s_mov_b64 s[22:23], 0x89abcdef\n s_ashr_i64 s[20:21], 0x89abcdef, 4" WRITTEN "\n s_add_u32 s20, s20, s23");
#ifndef __AMDGCN__
    sum = 0.15915494309189532 + f;
    scaled = __builtin_fma(f, -4, 100);
    union { u64 u; double f; } denormal = { .u = 64 };
    of_integer = f > denormal.f ? f : denormal.f;
    shifted = a << 9, ashifted = (u64)((i64)a >> 6), product = 14;
    masks[0] = 6, masks[1] = 0x3fe00000;
    masks[2] = 0xf89abcde ^ 0xffffffff;
#endif
    union { double f; u64 u; } bits[3] = { { .f = sum }, { .f = scaled }, { .f = of_integer } };
    GLOBAL u64 *q = out + i * 6;
    q[0] = bits[0].u, q[1] = bits[1].u, q[2] = bits[2].u;
    q[3] = shifted, q[4] = ashifted + product;
    q[5] = masks[0] | (u64)(masks[1] ^ masks[2]) << 32;
}

HOST(wide_constants, PTR(0), PTR(1), PTR(2))
