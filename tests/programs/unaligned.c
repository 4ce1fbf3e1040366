// global=64 local=32 skip=opencl in:16384 out:16384
// Copies, moves and fills of odd sizes, packed structures and unaligned vectors in memory, LDS and scratch.
#include "program.h"

struct __attribute__((packed)) packed {
    u8 a;
    u64 b;
    u16 c;
    u32 d;
    double e;
};
typedef u32 vector __attribute__((ext_vector_type(4), aligned(1)));

KERNEL unaligned(GLOBAL const u8 *in, GLOBAL u8 *out) {
    SHARED(u8, shared)[32 * 64];
    u32 i = ITEM_X;
    GLOBAL const u8 *from = in + i * 256;
    GLOBAL u8 *to = out + i * 256;
    LOCAL u8 *part = shared + LOCAL_X * 64;
    u8 own[100];
    __builtin_memcpy(own, from + (i & 3), 100);
    __builtin_memmove(own + 3, own, 61);
    __builtin_memset(own + 70, (int)i, i & 15);
    __builtin_memcpy(part, own + 1, 63);
    __builtin_memset(part + 20, 0x5a, 13);
    __builtin_memmove(part + 7, part + 3, 40);
    struct packed *s = (struct packed *)(own + i % 5);
    s->b += s->d;
    s->e = s->e == s->e ? (double)s->c : 1.0;
    s->a ^= 0x55;
    s->c = (u16)(s->b >> 9);
    __builtin_memcpy(to, own, 100);
    __builtin_memcpy(to + 101, part, 63);
    GLOBAL struct packed *last = (GLOBAL struct packed *)(to + 167);
    last->a = 1, last->b = s->b * 3, last->c = 9, last->d = s->d, last->e = 2.5;
    __builtin_memcpy(to + 200, from + 100, i & 31);
    *(GLOBAL vector *)(to + 233) = *(GLOBAL const vector *)(from + 77) + 1u;
}

HOST(unaligned, PTR(0), PTR(1))
