// global=64 local=64 skip=gfx1200 skip=opencl in:256 out:12288
// LDS instructions that C has no word for, as assembly; each work-item has 64 bytes of its own.
#include "program.h"

#ifdef __AMDGCN__
#define LDS(operation, ...) \
    asm volatile(operation "\ns_waitcnt lgkmcnt(0)" : "+v"(result) : "v"(address), ##__VA_ARGS__ : "memory")
#endif

KERNEL lds_operations(GLOBAL const u32 *in, GLOBAL u32 *out) {
    SHARED(u32, shared)[64 * 16];
    u32 i = LOCAL_X, x = in[i], y = x * 0x9e3779b9u + i;
    float f = (float)(i32)(x >> 8) - 8e6f;
    GLOBAL u32 *to = out + i * 48;
    LOCAL u32 *p = shared + i * 16;
    for (u32 k = 0; k < 16; k++) p[k] = mix(x + k);
    p[7] = bits32(1.5f), p[8] = bits32(-3e5f), p[9] = bits32(2e5f);
    barrier_all();
#ifdef __AMDGCN__
    u32 address = (u32)(unsigned long)p, result;
    LDS("ds_mskor_rtn_b32 %0, %1, %2, %3", "v"(x), "v"(y));
    to[0] = result;
    LDS("ds_inc_rtn_u32 %0, %1, %2 offset:4", "v"(x));
    to[1] = result;
    LDS("ds_dec_rtn_u32 %0, %1, %2 offset:8", "v"(x));
    to[2] = result;
    LDS("ds_rsub_rtn_u32 %0, %1, %2 offset:12", "v"(x));
    to[3] = result;
    LDS("ds_wrap_rtn_b32 %0, %1, %2, %3 offset:16", "v"(x), "v"(y));
    to[4] = result;
    LDS("ds_cmpstore_rtn_b32 %0, %1, %2, %3 offset:20", "v"(x), "v"(i & 1 ? y : mix(x + 5)));
    to[5] = result;
    LDS("ds_storexchg_rtn_b32 %0, %1, %2 offset:24", "v"(y));
    to[6] = result;
    LDS("ds_add_rtn_f32 %0, %1, %2 offset:28", "v"(f));
    to[7] = result;
    LDS("ds_min_rtn_f32 %0, %1, %2 offset:32", "v"(f));
    to[8] = result;
    LDS("ds_max_rtn_f32 %0, %1, %2 offset:36", "v"(f));
    to[9] = result;
    LDS("ds_store_b8_d16_hi %1, %2 offset:41", "v"(x));
    LDS("ds_store_b16_d16_hi %1, %2 offset:46", "v"(x));
    result = y;
    LDS("ds_load_u8_d16 %0, %1 offset:3");
    to[10] = result;
    LDS("ds_load_i8_d16_hi %0, %1 offset:5");
    to[11] = result;
    LDS("ds_load_u16_d16_hi %0, %1 offset:6");
    to[12] = result;
    LDS("ds_store_2addr_b32 %1, %2, %3 offset0:14 offset1:12", "v"(x), "v"(y));
#else
    for (u32 k = 0; k < 10; k++) to[k] = p[k];
    p[0] = (p[0] & ~x) | y;
    p[1] = p[1] >= x ? 0 : p[1] + 1;
    p[2] = p[2] == 0 || p[2] > x ? x : p[2] - 1;
    p[3] = x - p[3];
    p[4] = p[4] >= x ? p[4] - x : p[4] + y;
    if (p[5] == (i & 1 ? y : mix(x + 5))) p[5] = x;
    p[6] = y;
    p[7] = bits32(1.5f + f);
    p[8] = bits32(f < -3e5f ? f : -3e5f);
    p[9] = bits32(f > 2e5f ? f : 2e5f);
    u8 *bytes = (u8 *)p;
    bytes[41] = (u8)(x >> 16);
    p[11] = (p[11] & 0xffff) | (x & 0xffff0000);
    to[10] = (y & 0xffff0000) | bytes[3];
    to[11] = (to[10] & 0xffff) | (u32)(i8)bytes[5] << 16;
    to[12] = (to[10] & 0xffff) | (p[1] >> 16) << 16;
    p[14] = x, p[12] = y;
#endif
    barrier_all();
    for (u32 k = 0; k < 16; k++) to[16 + k] = p[k];
}

HOST(lds_operations, PTR(0), PTR(1))
