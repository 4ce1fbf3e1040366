// global=64 local=64 in:4096 out:512
// Levenshtein distances and longest common subsequences: tables of bytes in private memory.
#include "program.h"

KERNEL edit_distance(GLOBAL const u8 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X;
    u8 a[24], b[24], row[25], common[25];
    for (u32 n = 0; n < 24; n++) a[n] = in[i * 64 + n] & 3, b[n] = in[i * 64 + 32 + n] & 3;
    for (u32 n = 0; n <= 24; n++) row[n] = (u8)n, common[n] = 0;
    for (u32 y = 0; y < 24; y++) {
        u8 corner = row[0], corner_common = 0;
        row[0] = (u8)(y + 1);
        for (u32 x = 0; x < 24; x++) {
            u8 same = a[y] == b[x], above = row[x + 1], least = corner + !same;
            if (row[x] + 1 < least) least = row[x] + 1;
            if (above + 1 < least) least = above + 1;
            corner = above, row[x + 1] = least;
            u8 old = common[x + 1];
            common[x + 1] = same ? corner_common + 1 : old > common[x] ? old : common[x];
            corner_common = old;
        }
    }
    out[i * 2] = row[24], out[i * 2 + 1] = common[24];
}

HOST(edit_distance, PTR(0), PTR(1))
