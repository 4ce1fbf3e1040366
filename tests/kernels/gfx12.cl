// SPDX-License-Identifier: MIT OR Apache-2.0
// What gfx12 added: WMMA and SWMMAC on 8 registers, transposing loads, split barriers, 8-bit floats, lane permutations by
// registers, prefetches, IEEE minimum and maximum. Empty on other processors.
#if defined(__GFX12__)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef short s4v __attribute__((ext_vector_type(4)));
typedef short s8v __attribute__((ext_vector_type(8)));
typedef int i2v __attribute__((ext_vector_type(2)));
typedef int i4v __attribute__((ext_vector_type(4)));
typedef int i8v __attribute__((ext_vector_type(8)));
typedef half h4v __attribute__((ext_vector_type(4)));
typedef half h8v __attribute__((ext_vector_type(8)));
typedef half h16v __attribute__((ext_vector_type(16)));
typedef float f4v __attribute__((ext_vector_type(4)));
typedef float f8v __attribute__((ext_vector_type(8)));

#ifdef WAVE64
kernel void matrices(global f4v *c, h4v x, h4v y, int p, int q, i2v r, int idx, h8v z, global i4v *d, s4v bx, s4v by) {
    c[0] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12(x, y, c[0]);
    c[1] = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w64_gfx12(bx, by, c[1]);
    d[0] = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64_gfx12(1, p, 0, q, d[0], 1);
    c[2] = __builtin_amdgcn_wmma_f32_16x16x16_fp8_bf8_w64_gfx12(p, q, c[2]);
    c[3] = __builtin_amdgcn_swmmac_f32_16x16x32_f16_w64(x, z, c[3], (short)idx);
    d[1] = __builtin_amdgcn_swmmac_i32_16x16x32_iu8_w64(1, p, 1, r, d[1], (short)idx, 0);
}

kernel void transposed(global int *o, global int *i, global s4v *p, global s4v *q) {
    o[0] = __builtin_amdgcn_global_load_tr_b64_i32(i);
    p[0] = __builtin_amdgcn_global_load_tr_b128_v4i16(q);
}
#else
kernel void matrices(global f8v *c, h8v x, h8v y, i2v p, i2v q, i4v r, int idx, h16v z, global i8v *d, s8v bx, s8v by, global h8v *h, global s8v *b) {
    c[0] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, c[0]);
    c[1] = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(bx, by, c[1]);
    h[0] = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32_gfx12(x, y, h[0]);
    b[0] = __builtin_amdgcn_wmma_bf16_16x16x16_bf16_w32_gfx12(bx, by, b[0]);
    d[0] = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(1, p, 0, q, d[0], 1);
    d[1] = __builtin_amdgcn_wmma_i32_16x16x16_iu4_w32_gfx12(1, p.x, 0, q.x, d[1], 0);
    d[2] = __builtin_amdgcn_wmma_i32_16x16x32_iu4_w32_gfx12(1, p, 0, q, d[2], 0);
    c[2] = __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(p, q, c[2]);
    c[3] = __builtin_amdgcn_wmma_f32_16x16x16_bf8_fp8_w32_gfx12(p, q, c[3]);
    c[4] = __builtin_amdgcn_swmmac_f32_16x16x32_f16_w32(x, z, c[4], (short)idx);
    d[3] = __builtin_amdgcn_swmmac_i32_16x16x32_iu8_w32(1, p, 1, r, d[3], (short)idx, 0);
    d[4] = __builtin_amdgcn_swmmac_i32_16x16x64_iu4_w32(1, p, 1, r, d[4], idx, 1);
    c[5] = __builtin_amdgcn_swmmac_f32_16x16x32_fp8_bf8_w32(p, r, c[5], (short)idx);
}

kernel void transposed(global i2v *o, global i2v *i, global s8v *p, global s8v *q) {
    o[0] = __builtin_amdgcn_global_load_tr_b64_v2i32(i);
    p[0] = __builtin_amdgcn_global_load_tr_b128_v8i16(q);
}
#endif

kernel void barriers(local int *l, global int *o) {
    l[__builtin_amdgcn_workitem_id_x()] = o[0];
    __builtin_amdgcn_s_barrier_signal(-1);
    __builtin_amdgcn_s_barrier_wait(-1);
    o[1] = __builtin_amdgcn_s_barrier_signal_isfirst(-1);
    __builtin_amdgcn_s_barrier_wait(-1);
    o[2] = l[5];
    o[3] = __builtin_amdgcn_s_get_barrier_state(-1);
    __builtin_amdgcn_s_sleep_var(o[7]);
    __builtin_amdgcn_s_ttracedata_imm(5);
    o[8] = __builtin_amdgcn_s_get_barrier_state(-1);
}

kernel void small_floats(global int *o, float a, float b, int c) {
    o[0] = __builtin_amdgcn_cvt_pk_fp8_f32(a, b, o[0], false);
    o[1] = __builtin_amdgcn_cvt_pk_bf8_f32(a, b, o[1], true);
    o[2] = __builtin_amdgcn_cvt_sr_fp8_f32(a, c, o[2], 2);
    o[3] = as_int(__builtin_amdgcn_cvt_f32_fp8(c, 3));
    o[4] = as_int(__builtin_amdgcn_cvt_f32_bf8(c, 1));
    o[5] = __builtin_amdgcn_dot4_f32_fp8_bf8(c, o[6], a);
    o[6] = __builtin_amdgcn_permlane16_var(o[6], c, o[7], 0, 0);
    o[7] = __builtin_amdgcn_permlanex16_var(o[6], c, o[7], 1, 0);
    o[8] = __builtin_amdgcn_permlane64(o[8]);
}

kernel void prefetches(constant char *p, global char *g, constant int *q) {
    __builtin_amdgcn_s_prefetch_data(p, q[4]);
    __builtin_prefetch(p, 0, 1);
    __builtin_prefetch(g+1000, 1, 3);
    __builtin_amdgcn_s_prefetch_data(g, 5);
}

kernel void extremes(global float *a, global half *h, global double *d) {
    a[0] = __builtin_elementwise_minimum(a[1], a[2]);
    a[3] = __builtin_elementwise_maximum(__builtin_elementwise_maximum(a[4], a[5]), a[6]);
    a[7] = __builtin_elementwise_maximum(__builtin_elementwise_minimum(a[4], a[8]), a[9]);
    h[0] = __builtin_elementwise_minimum(h[1], h[2]);
    d[0] = __builtin_elementwise_maximum(d[1], d[2]);
    h[3] = __builtin_elementwise_maximum(__builtin_elementwise_maximum(h[4], h[5]), h[6]);
}

#else
kernel void nothing(void) {}
#endif
