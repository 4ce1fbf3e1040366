// global=96 local=48 in:1536 out:6144 u32:3
// ChaCha20 blocks, with vectors of four numbers.
#include "program.h"

typedef u32 u32x4 __attribute__((ext_vector_type(4)));

#define ROTATE(v, n) (v << n | v >> (32 - n))

static inline void quarters(u32x4 *a, u32x4 *b, u32x4 *c, u32x4 *d) {
    *a += *b, *d ^= *a, *d = ROTATE(*d, 16);
    *c += *d, *b ^= *c, *b = ROTATE(*b, 12);
    *a += *b, *d ^= *a, *d = ROTATE(*d, 8);
    *c += *d, *b ^= *c, *b = ROTATE(*b, 7);
}

KERNEL chacha(GLOBAL const u32x4 *in, GLOBAL u32x4 *out, u32 nonce) {
    u32 i = ITEM_X;
    u32x4 first[4] = { { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 }, in[i], in[95 - i], { i, nonce, ~i, i * nonce } };
    u32x4 a = first[0], b = first[1], c = first[2], d = first[3];
    for (u32 n = 0; n < 10; n++) {
        quarters(&a, &b, &c, &d);
        b = b.yzwx, c = c.zwxy, d = d.wxyz;
        quarters(&a, &b, &c, &d);
        b = b.wxyz, c = c.zwxy, d = d.yzwx;
    }
    out[i * 4] = a + first[0], out[i * 4 + 1] = b + first[1], out[i * 4 + 2] = c + first[2], out[i * 4 + 3] = d + first[3];
}

HOST(chacha, PTR(0), PTR(1), NUM(2))
