// Hashes the 16-byte message { id, round, 0, 0 } with MD5 for each round, and combines the digests by exclusive disjunction.

typedef unsigned int u32;

static const u32 K[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static const u32 ROTATE[16] = { 7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21 };

static inline __attribute__((always_inline)) void md5(u32 id, u32 rounds, u32 digest[4]) {
    u32 sum[4] = { 0, 0, 0, 0 };
    for (u32 round = 0; round < rounds; round++) {
        u32 message[16] = { id, round, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 0 };
        u32 a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
#pragma clang loop unroll(full)
        for (int i = 0; i < 64; i++) {
            u32 f, at;
            switch (i / 16) {
            case 0: f = (b & c) | (~b & d); at = i; break;
            case 1: f = (d & b) | (~d & c); at = 5 * i + 1; break;
            case 2: f = b ^ c ^ d; at = 3 * i + 5; break;
            default: f = c ^ (b | ~d); at = 7 * i; break;
            }
            u32 turned = a + f + K[i] + message[at % 16];
            u32 count = ROTATE[i / 16 * 4 + i % 4];
            a = d;
            d = c;
            c = b;
            b += turned << count | turned >> (32 - count);
        }
        sum[0] ^= a + 0x67452301;
        sum[1] ^= b + 0xefcdab89;
        sum[2] ^= c + 0x98badcfe;
        sum[3] ^= d + 0x10325476;
    }
    for (int i = 0; i < 4; i++)
        digest[i] = sum[i];
}

#ifdef __AMDGCN__
__attribute__((amdgpu_kernel)) void kernel(__attribute__((address_space(1))) u32 *out, u32 first, u32 rounds) {
    u32 id = __builtin_amdgcn_workitem_id_x();
    u32 digest[4];
    md5(first + id, rounds, digest);
    for (int i = 0; i < 4; i++)
        out[4 * id + i] = digest[i];
}
#else
void host(u32 *out, u32 first, u32 rounds, u32 count) {
    for (u32 id = 0; id < count; id++)
        md5(first + id, rounds, out + 4 * id);
}
#endif
