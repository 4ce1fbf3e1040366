// global=128 local=128 in:8192 out:2048
// CRC-32 through a table in LDS, CRC-16 bit by bit, FNV-1a in 64 bits.
#include "program.h"

KERNEL crc(GLOBAL const u8 *in, GLOBAL u64 *out) {
    SHARED(u32, table)[256];
    for (u32 n = LOCAL_X; n < 256; n += 128) {
        u32 c = n;
        for (u32 k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[n] = c;
    }
    barrier_all();
    u32 i = ITEM_X, c32 = ~0u;
    u16 c16 = 0xffff;
    u64 hash = 0xcbf29ce484222325ul;
    for (u32 n = 0; n < 64; n++) {
        u8 byte = in[i * 64 + n];
        c32 = table[(c32 ^ byte) & 255] ^ c32 >> 8;
        c16 ^= (u16)((u16)byte << 8);
        for (u32 k = 0; k < 8; k++) c16 = (u16)(c16 & 0x8000 ? c16 << 1 ^ 0x1021 : c16 << 1);
        hash = (hash ^ byte) * 0x100000001b3ul;
    }
    out[i * 2] = (u64)c16 << 32 | ~c32;
    out[i * 2 + 1] = hash;
}

HOST(crc, PTR(0), PTR(1))
