// SPDX-License-Identifier: MIT OR Apache-2.0
// Buffer descriptors: raw loads and stores of all widths, atomics, offsets, cache policy.
typedef uint v2 __attribute__((ext_vector_type(2)));
typedef uint v3 __attribute__((ext_vector_type(3)));
typedef uint v4 __attribute__((ext_vector_type(4)));
#ifdef __GFX12__
#define POLICY 6 // 7 has no name in LLVM's text
#else
#define POLICY 7
#endif
kernel void raw(global void *p, global uint *out, int size, int at, int base) {
    __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc(p, 0, size, 0x31004000);
    out[0] = __builtin_amdgcn_raw_buffer_load_b8(r, at, base, 0);
    out[1] = __builtin_amdgcn_raw_buffer_load_b16(r, at + 2, 0, 1);
    out[2] = __builtin_amdgcn_raw_buffer_load_b32(r, at + 4000, base, 2);
    v2 two = __builtin_amdgcn_raw_buffer_load_b64(r, at + 5000, base, 3);
    v3 three = __builtin_amdgcn_raw_buffer_load_b96(r, 16, 64, 4);
    v4 four = __builtin_amdgcn_raw_buffer_load_b128(r, 0, 65, POLICY);
    __builtin_amdgcn_raw_buffer_store_b8((uchar)two.x, r, at, base, 0);
    __builtin_amdgcn_raw_buffer_store_b16((ushort)two.y, r, at, 0, 1);
    __builtin_amdgcn_raw_buffer_store_b32(three.x, r, at, base, 0);
    __builtin_amdgcn_raw_buffer_store_b64(two, r, at + 8, base, 0);
    __builtin_amdgcn_raw_buffer_store_b96(three, r, at + 16, base, 2);
    __builtin_amdgcn_raw_buffer_store_b128(four, r, at + 4095, base, 0);
}

kernel void lanes(global void *p, global uint *out, int size) {
    __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc(p, 16, size, 0x31004000);
    int at = out[__builtin_amdgcn_workitem_id_x()];
    out[0] = __builtin_amdgcn_raw_buffer_load_b32(r, at, out[1], 0);
}
