// global=64 local=32 in:256 out:1024
// Queens on a board by backtracking with an explicit stack, and a maze by breadth-first search.
#include "program.h"

KERNEL solver(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i];
    u32 solutions = 0, size = 4 + x % 3;
    u32 columns[8], depth = 0;
    columns[0] = 0;
    for (;;) {
        if (columns[depth] >= size) {
            if (depth == 0) break;
            columns[--depth]++;
            continue;
        }
        u32 fits = 1;
        for (u32 n = 0; n < depth; n++) {
            u32 d = depth - n, c = columns[depth], o = columns[n];
            if (c == o || c == o + d || c + d == o) fits = 0;
        }
        if (!fits) columns[depth]++;
        else if (depth + 1 == size) solutions++, columns[depth]++;
        else columns[++depth] = 0;
    }
    u8 distance[36], queue[36];
    u64 walls = ((u64)mix(x) << 32 | mix(x + 1)) & ((u64)mix(x + 2) << 32 | mix(x + 3));
    for (u32 n = 0; n < 36; n++) distance[n] = 255;
    u32 head = 0, tail = 0;
    distance[0] = 0, queue[tail++] = 0;
    while (head < tail) {
        u32 at = queue[head++];
        for (u32 k = 0; k < 4; k++) {
            i32 nx = (i32)(at % 6) + (k == 0) - (k == 1), ny = (i32)(at / 6) + (k == 2) - (k == 3);
            if (nx < 0 || ny < 0 || nx > 5 || ny > 5) continue;
            u32 next = (u32)(ny * 6 + nx);
            if (walls >> next & 1 || distance[next] != 255) continue;
            distance[next] = distance[at] + 1;
            queue[tail++] = (u8)next;
        }
    }
    u32 code = 0;
    for (u32 n = 0; n < 36; n++) code = code * 33 + distance[n];
    out[i * 4] = solutions, out[i * 4 + 1] = tail, out[i * 4 + 2] = code, out[i * 4 + 3] = distance[35];
}

HOST(solver, PTR(0), PTR(1))
