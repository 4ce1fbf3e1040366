// global=32 local=32 double:16384 out:4096
// Gaussian elimination with pivots on matrices of doubles in private memory.
#include "program.h"

KERNEL linear(GLOBAL const double *in, GLOBAL double *out) {
    u32 i = ITEM_X;
    double m[4][5];
    for (u32 r = 0; r < 4; r++)
        for (u32 c = 0; c < 5; c++) m[r][c] = in[i * 64 + r * 8 + c];
    for (u32 k = 0; k < 4; k++) {
        u32 pivot = k;
        for (u32 r = k + 1; r < 4; r++)
            if (__builtin_fabs(m[r][k]) > __builtin_fabs(m[pivot][k])) pivot = r;
        for (u32 c = 0; c < 5; c++) {
            double t = m[k][c];
            m[k][c] = m[pivot][c], m[pivot][c] = t;
        }
        for (u32 r = k + 1; r < 4; r++) {
            double factor = m[r][k] / m[k][k];
            for (u32 c = k; c < 5; c++) m[r][c] -= factor * m[k][c];
        }
    }
    for (i32 k = 3; k >= 0; k--) {
        double sum = m[k][4];
        for (u32 c = (u32)k + 1; c < 4; c++) sum -= m[k][c] * m[c][4];
        m[k][4] = sum / m[k][k];
        out[i * 16 + (u32)k] = m[k][4];
    }
}

HOST(linear, PTR(0), PTR(1))
