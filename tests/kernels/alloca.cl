// SPDX-License-Identifier: MIT OR Apache-2.0
// A stack of a size known at run time, and frames that need a pointer of their own.
__attribute__((noinline)) void consume(void *p, uint n) { __asm__ volatile("" ::"v"(p), "v"(n) : "memory"); }
void dynamic(uint n) {
    int *p = (int *)__builtin_alloca(n * 4);
    for (uint i = 0; i < n; i++) p[i] = (int)(i * n);
    consume(p, n);
}
kernel void allocate(global uint *n) { dynamic(n[__builtin_amdgcn_workitem_id_x()]); }
__attribute__((noinline)) int realigned(int x) {
    int __attribute__((aligned(128))) values[8];
    for (int i = 0; i < 8; i++) values[i] = x * i;
    consume(values, 8);
    return values[x & 7];
}
kernel void aligned(global int *out) { out[0] = realigned(out[1]); }
