// SPDX-License-Identifier: MIT OR Apache-2.0
// printf: LLVM's expansion to records in a buffer, formats in the metadata with their escapes, and a call of `__printf_alloc`,
// which device libraries have.

int printf(constant const char *restrict format, ...) __attribute__((format(printf, 1, 2)));

kernel void numbers(global int *out, char c, short s, int i, long l, float f, double d) {
    printf("%c %hd %+d %#lx: %5.2f %e\n", c, s, i, l, f, d);
    printf("100%% \"quoted\" \\ back\tslash\a\b\f\r\v %p\n", out);
    printf("no arguments");
}

kernel void vectors(int4 i, float2 f, char3 c) {
    printf("%v4hld %.1v2hlf %v3hhd\n", i, f, c);
}

kernel void strings(int i) {
    printf("%s|%-8s|%.2s|%d\n", "constant: 1", "", "longer", i);
    if (__builtin_amdgcn_workitem_id_x() == 3)
        __builtin_trap();
}
