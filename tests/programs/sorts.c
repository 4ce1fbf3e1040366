// global=40 local=32 in:5120 out:5120
// Insertion sort of shorts, and heap sort of signed bytes, in private memory.
#include "program.h"

static void sift(i8 *heap, u32 root, u32 end) {
    for (;;) {
        u32 child = 2 * root + 1;
        if (child >= end) return;
        if (child + 1 < end && heap[child] < heap[child + 1]) child++;
        if (heap[root] >= heap[child]) return;
        i8 t = heap[root];
        heap[root] = heap[child], heap[child] = t;
        root = child;
    }
}

KERNEL sorts(GLOBAL const i16 *in, GLOBAL i16 *out) {
    u32 i = ITEM_X;
    i16 a[32];
    i8 h[32];
    for (u32 n = 0; n < 32; n++) a[n] = in[i * 64 + n], h[n] = (i8)in[i * 64 + 32 + n];
    for (i32 n = 1; n < 32; n++) {
        i16 key = a[n];
        i32 k = n - 1;
        while (k >= 0 && a[k] > key) a[k + 1] = a[k], k--;
        a[k + 1] = key;
    }
    for (i32 n = 15; n >= 0; n--) sift(h, (u32)n, 32);
    for (u32 end = 31; end > 0; end--) {
        i8 t = h[0];
        h[0] = h[end], h[end] = t;
        sift(h, 0, end);
    }
    for (u32 n = 0; n < 32; n++) out[i * 64 + n] = a[n], out[i * 64 + 32 + n] = h[n];
}

HOST(sorts, PTR(0), PTR(1))
