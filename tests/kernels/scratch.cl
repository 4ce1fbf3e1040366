// SPDX-License-Identifier: MIT OR Apache-2.0
// Scratch: dynamic indexing, a stack larger than an offset reaches, alignment, addresses that escape.
__attribute__((noinline)) void escape(int *p) { __asm__ volatile("" ::"v"(p) : "memory"); }

kernel void indexed(global int *out, uint at) {
    int values[24];
    for (int i = 0; i < 24; i++) values[i] = out[i] * i;
    out[at] = values[at % 24] + values[(at * 7) % 24];
}

kernel void large(global int *out, uint at) {
    int values[3000];
    for (int i = 0; i < 3000; i++) values[i] = i ^ at;
    out[0] = values[at % 3000];
}

kernel void bytes(global uchar *out, uint at) {
    volatile uchar values[100];
    volatile ushort halves[50];
    volatile ulong longs[20];
    for (int i = 0; i < 20; i++) { values[i] = out[i]; halves[i] = i; longs[i] = at; }
    out[at] = values[at % 100] + (uchar)halves[at % 50] + (uchar)longs[at % 20];
}

kernel void escaping(global int *out) {
    int value = out[0];
    int __attribute__((aligned(64))) aligned[4] = {1, 2, 3, 4};
    escape(&value);
    escape(aligned);
    out[0] = value + aligned[2];
}
