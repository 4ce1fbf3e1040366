// SPDX-License-Identifier: MIT OR Apache-2.0
// Floating-point atomics: builtins of the target, and loops of compare and exchange where the hardware lacks one.
kernel void memory(global float *p, local float *q, global float *out, float x) {
    out[0] = __builtin_amdgcn_global_atomic_fadd_f32(p, x);
    out[1] = __builtin_amdgcn_ds_faddf(q, x, 0, 0, 0);
    out[2] = __builtin_amdgcn_ds_fminf(q, x, 0, 0, 0);
    out[3] = __builtin_amdgcn_ds_fmaxf(q, x, 0, 0, 0);
}

kernel void by_operation(global atomic_float *p, global atomic_double *d, local atomic_float *q, global float *out, float x) {
    out[0] = __opencl_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
    out[1] = __opencl_atomic_fetch_min(p, x, __ATOMIC_SEQ_CST, __OPENCL_MEMORY_SCOPE_WORK_GROUP);
    out[2] = __opencl_atomic_fetch_max(p, x, __ATOMIC_ACQ_REL, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES);
    out[3] = __opencl_atomic_fetch_add(q, x, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_WORK_GROUP);
    out[4] = __opencl_atomic_exchange(p, x, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
    __opencl_atomic_fetch_add(d, (double)x, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
    __opencl_atomic_fetch_max(d + 1, (double)x, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
}
