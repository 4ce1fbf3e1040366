// global=64 local=64 struct:01000000020304050600000000000000182d4454fb2109400000c0bf0a0b0c0d u32:77 in:256 out:1024
// Structures by value as arguments, and arrays of structures.
#include "program.h"

struct inner {
    u8 bytes[3];
    i16 short_part;
};
struct outer {
    i32 number;
    struct inner inner;
    double factor;
    float bias;
    u8 tail[4];
};
struct point {
    float x, y, z;
    u32 id;
};

KERNEL structures(struct outer o, u32 s, GLOBAL const u32 *in, GLOBAL struct point *out) {
    u32 i = ITEM_X, x = in[i];
    struct point p;
    p.x = (float)((double)(x & 0xffff) * o.factor);
    p.y = (float)(i32)(x >> 16) + o.bias;
    p.z = (float)(o.inner.bytes[i % 3] + o.inner.short_part);
    p.id = (u32)o.number + o.tail[i & 3] * x + s;
    struct point copy[2] = { p, p };
    copy[x & 1].id ^= 0xffff;
    copy[1].x += 1;
    out[i] = copy[x >> 1 & 1];
}

HOST(structures, *(struct outer *)PTR(0), NUM(1), PTR(2), PTR(3))
