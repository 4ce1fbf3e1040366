// SPDX-License-Identifier: MIT OR Apache-2.0
// Structures, copies and moves of memory, generic pointers that are told apart at run time, volatile and non-temporal accesses.
typedef struct { int a; long b; char c[60]; } record;
kernel void structures(global record *to, global const record *from, record by_value) {
    to[0] = from[1];
    to[1] = by_value;
    __builtin_memcpy(to + 2, from + 5, 500);
    __builtin_memset(to + 40, 3, 200);
    __builtin_memmove(to + 50, to + 51, 300);
}
kernel void of_any_space(global int *g, local int *l, int x) {
    int own[4] = {x, 1, 2, 3};
    int *p = x == 1 ? (int *)g : x == 2 ? (int *)l : own;
    p[x & 3] += 3;
    g[0] = __builtin_amdgcn_is_shared(p) + 2 * __builtin_amdgcn_is_private(p) + own[2];
}
kernel void hints(global int *p, volatile global long *q) {
    __builtin_nontemporal_store(__builtin_nontemporal_load(p) + 1, p + 1);
    q[0] = q[1] * 3;
    __builtin_prefetch(p);
}
