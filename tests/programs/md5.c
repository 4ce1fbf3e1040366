// global=100 local=64 in:6400 out:1600 u32:100
// MD5 of a block of 64 bytes for each work-item.
#include "program.h"

CONSTANT u32 K[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
    0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
    0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
    0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
    0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
    0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
CONSTANT u8 S[16] = { 7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21 };

KERNEL md5(GLOBAL const u32 *in, GLOBAL u32 *out, u32 count) {
    u32 i = ITEM_X;
    if (i >= count) return;
    u32 state[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
    u32 a = state[0], b = state[1], c = state[2], d = state[3];
    for (u32 n = 0; n < 64; n++) {
        u32 f, g;
        switch (n / 16) {
        case 0: f = (b & c) | (~b & d), g = n; break;
        case 1: f = (d & b) | (~d & c), g = (5 * n + 1) % 16; break;
        case 2: f = b ^ c ^ d, g = (3 * n + 5) % 16; break;
        default: f = c ^ (b | ~d), g = 7 * n % 16; break;
        }
        u32 s = S[n / 16 * 4 + n % 4];
        f += a + K[n] + in[i * 16 + g];
        a = d, d = c, c = b, b += f << s | f >> (32 - s);
    }
    out[i * 4] = state[0] + a, out[i * 4 + 1] = state[1] + b, out[i * 4 + 2] = state[2] + c, out[i * 4 + 3] = state[3] + d;
}

HOST(md5, PTR(0), PTR(1), NUM(2))
