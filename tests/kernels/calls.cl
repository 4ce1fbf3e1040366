// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions: direct, recursive, indirect and tail calls, arguments on the stack, results in memory, several kernels for one function.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#define NOINLINE __attribute__((noinline))

NOINLINE int square(int x) { return x * x; }
NOINLINE int cube(int x) { return x * square(x); }
NOINLINE static int hidden_helper(int x, global int *p) { return p[x] + cube(x); }
NOINLINE int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
NOINLINE int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }

typedef struct { int values[40]; } wide;

NOINLINE wide widen(wide from, int16 a, int16 b, int16 c) {
    for (int i = 0; i < 16; i++) from.values[i] += a[i] * b[i] - c[i];
    return from;
}

kernel void direct(global int *out, int x) {
    out[0] = hidden_helper(x, out);
    out[1] = gcd(x, 12);
    out[2] = ackermann(2, x);
}

kernel void large(global int *out, int x) {
    wide w;
    for (int i = 0; i < 40; i++) w.values[i] = i * x;
    w = widen(w, (int16)(x), (int16)(3), (int16)(4));
    for (int i = 0; i < 40; i++) out[i] = w.values[i];
}

typedef int (*function)(int);

kernel void indirect(global int *out, ulong table, int x) {
    for (int i = 0; i < 4; i++) out[i] = ((global const function *)table)[i](x);
}

kernel void chosen(global int *out, int x) {
    function f = x & 1 ? square : cube;
    out[0] = f(x);
}
