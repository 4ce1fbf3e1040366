// SPDX-License-Identifier: MIT OR Apache-2.0
// Matrix multiplication in a wave: the WMMA builtins of 32 or 64 lanes. gfx12.cl has those of gfx12.
#ifdef __GFX12__
kernel void nothing(void) {}
#else
typedef half half16v __attribute__((ext_vector_type(16)));
typedef short short16v __attribute__((ext_vector_type(16)));
typedef float float8v __attribute__((ext_vector_type(8)));
typedef float float4v __attribute__((ext_vector_type(4)));
typedef int int8v __attribute__((ext_vector_type(8)));
typedef int int4v __attribute__((ext_vector_type(4)));
typedef int int2v __attribute__((ext_vector_type(2)));
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#if defined(__AMDGCN_WAVEFRONT_SIZE__) && __AMDGCN_WAVEFRONT_SIZE__ == 64 || defined(WAVE64)
#define FLOATS float4v
#define INTS int4v
#define NAME(x) __builtin_amdgcn_wmma_##x##_w64
#else
#define FLOATS float8v
#define INTS int8v
#define NAME(x) __builtin_amdgcn_wmma_##x##_w32
#endif

kernel void floats(global half16v *a, global short16v *b, global FLOATS *c) {
    c[0] = NAME(f32_16x16x16_f16)(a[0], a[1], c[0]);
    c[1] = NAME(f32_16x16x16_bf16)(b[0], b[1], c[1]);
}

kernel void integers(global int4v *a, global int2v *b, global INTS *c) {
    c[0] = NAME(i32_16x16x16_iu8)(1, a[0], 0, a[1], c[0], 1);
    c[1] = NAME(i32_16x16x16_iu4)(0, b[0], 1, b[1], c[1], 0);
}
#endif
