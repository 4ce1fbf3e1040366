// global=64 local=64 in:1024 in:1024 in:1024 out:29696
// Matrix products of all types, dense and sparse, by the matrix instructions where the processor has them (gfx12): integers, and small
// integers as floats, so that every order of additions gives the same sums.
#include "program.h"

#define KINDS 29

// Element (row, k) of the first matrix and (k, column) of the second: the byte at row * 64 + k, or column * 64 + k.
static inline i32 part(u32 byte, u32 bits, int sign) {
    u32 v = byte & ((1u << bits) - 1);
    return sign ? (i32)(v << (32 - bits)) >> (32 - bits) : (i32)v;
}
static inline i32 small(u32 byte) { return (i32)(byte & 7) - 4; }
static inline i32 tiny(u32 byte) { return (i32)(byte % 3) - 1; }
// The two columns of four that a sparse row has, as two numbers of two bits.
static inline u32 pair(u32 byte) { return (u32)(0xed9c84u >> (4 * (byte % 6))) & 15; }

#if defined(__AMDGCN__) && defined(__GFX12__)
#define MATRIX_INSTRUCTIONS
#ifdef WAVE64
#define LANES(n) (n / 2)
#else
#define LANES(n) (n)
#endif
#ifdef WAVE64
#define DENSE(name) __builtin_amdgcn_wmma_##name##_w64_gfx12
#define SPARSE(name) __builtin_amdgcn_swmmac_##name##_w64
typedef i32 i32x8 __attribute__((ext_vector_type(4)));
typedef float f32x8 __attribute__((ext_vector_type(4)));
typedef f16 f16x8 __attribute__((ext_vector_type(4)));
typedef f16 f16x16 __attribute__((ext_vector_type(8)));
typedef i16 i16x8 __attribute__((ext_vector_type(4)));
typedef i16 i16x16 __attribute__((ext_vector_type(8)));
typedef i32 dwords2;
typedef i32 dwords4 __attribute__((ext_vector_type(2)));
typedef i32 dwords1;
#define HALF (LANE >> 5)
#else
#define DENSE(name) __builtin_amdgcn_wmma_##name##_w32_gfx12
#define SPARSE(name) __builtin_amdgcn_swmmac_##name##_w32
typedef i32 i32x8 __attribute__((ext_vector_type(8)));
typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef f16 f16x8 __attribute__((ext_vector_type(8)));
typedef f16 f16x16 __attribute__((ext_vector_type(16)));
typedef i16 i16x8 __attribute__((ext_vector_type(8)));
typedef i16 i16x16 __attribute__((ext_vector_type(16)));
typedef i32 dwords2 __attribute__((ext_vector_type(2)));
typedef i32 dwords4 __attribute__((ext_vector_type(4)));
typedef i32 dwords1;
#define HALF 0
#endif
#define GROUP (LANE >> 4 & 1)

// The number of the element `e` of the lane among those of its row or column. A lane of a wave of 32 has `n` of them, as many in each
// half of its registers. Numbers of 16 bits of the lower half come from one half of the row, those of the upper half from the other.
static inline u32 of_shorts(u32 e, u32 n) {
    e += HALF * (n / 2);
    return e / (n / 2) * n + GROUP * (n / 2) + e % (n / 2);
}
// Smaller numbers are consecutive. If they fit one register, lanes 32 to 63 have none.
static inline u32 of_bytes(u32 e, u32 n, u32 bits) {
    if (n * bits > 32) e += HALF * (n / 2);
    return GROUP * n + e;
}
// A float of 8 bits with `fraction` bits of fraction.
static inline u32 byte_float(i32 x, u32 fraction) {
    u32 m = (u32)(x < 0 ? -x : x), e = m >= 4 ? 2 : m >= 2 ? 1 : 0, bias = fraction == 3 ? 7 : 15;
    return m == 0 ? 0 : (x < 0 ? 0x80u : 0) | (bias + e) << fraction | (m - (1u << e)) << (fraction - e);
}
static inline i16 short_float(i32 x) { return (i16)(bits32((float)x) >> 16); }

// The integers or floats of a lane, `n` of a wave of 32 lanes, one after the other.
#define BYTES(bits, of) \
    static inline u32 of##_##bits##_dword(GLOBAL const u8 *row, u32 dword, u32 n) { \
        u32 all = 0; \
        for (u32 e = 0; e < 32 / bits; e++) \
            all |= (of(row[of_bytes(dword * (32 / bits) + e, n, bits)]) & ((1u << (bits % 32)) - 1)) << bits * e; \
        return all; \
    }
#define WHOLE(byte) (u32)(byte)
#define AS_F8(byte) byte_float(small(byte), 3)
#define AS_BF8(byte) byte_float(small(byte), 2)
BYTES(8, WHOLE)
BYTES(4, WHOLE)
BYTES(8, AS_F8)
BYTES(8, AS_BF8)
#ifdef WAVE64
#define DWORDS2(of, row, n) (i32) of(row, 0, n)
#define DWORDS4(of, row, n) (dwords4){ (i32)of(row, 0, n), (i32)of(row, 1, n) }
#else
#define DWORDS2(of, row, n) (dwords2){ (i32)of(row, 0, n), (i32)of(row, 1, n) }
#define DWORDS4(of, row, n) (dwords4){ (i32)of(row, 0, n), (i32)of(row, 1, n), (i32)of(row, 2, n), (i32)of(row, 3, n) }
#endif
// The indices of a lane's elements of a sparse row, two bits each, from the lowest bit on.
static inline u32 indices(GLOBAL const u8 *row, u32 n, u32 bits) {
    u32 all = 0, of_lane = n * bits > 32 ? LANES(n) : n;
    for (u32 e = 0; e < of_lane; e += 2) {
        u32 p = bits == 16 ? of_shorts(e, n) : of_bytes(e, n, bits);
        all |= pair(row[32 + p / 2]) << 2 * e;
    }
    return all;
}
#endif

KERNEL matrices(GLOBAL const u8 *a, GLOBAL const u8 *b, GLOBAL const u8 *c, GLOBAL i32 *out) {
#ifdef MATRIX_INSTRUCTIONS
    u32 at = LANE & 15;
    GLOBAL const u8 *x = a + at * 64, *y = b + at * 64;
    f16x8 ah; f16x16 bh;
    i16x8 ab, at_most; i16x16 bb, bt;
    for (u32 e = 0; e < LANES(8); e++) {
        u32 k = of_shorts(e, 8);
        ah[e] = (f16)(float)small(x[k]), ab[e] = short_float(small(x[k])), at_most[e] = short_float(tiny(x[k]));
    }
    f16x8 bh8; i16x8 bb8, bt8;
    for (u32 e = 0; e < LANES(8); e++) {
        u32 k = of_shorts(e, 8);
        bh8[e] = (f16)(float)small(y[k]), bb8[e] = short_float(small(y[k])), bt8[e] = short_float(tiny(y[k]));
    }
    for (u32 e = 0; e < LANES(16); e++) {
        u32 k = of_shorts(e, 16);
        bh[e] = (f16)(float)small(y[k]), bb[e] = short_float(small(y[k])), bt[e] = short_float(tiny(y[k]));
    }
    i32x8 s; f32x8 f; f16x8 h; i16x8 t;
    for (u32 n = 0; n < LANES(8); n++) {
        i32 number = (i32)c[(GROUP * 8 + HALF * 4 + n) * 16 + at] - 128;
        s[n] = number << 24, f[n] = (float)number, h[n] = (f16)(float)number, t[n] = short_float(number / 8);
    }
#define WRITE(kind, value) \
    for (u32 n = 0; n < LANES(8); n++) out[(kind) * 256 + (GROUP * 8 + HALF * 4 + n) * 16 + at] = value;
    dwords2 x8 = DWORDS2(WHOLE_8_dword, x, 8), y8 = DWORDS2(WHOLE_8_dword, y, 8);
    dwords2 xf = DWORDS2(AS_F8_8_dword, x, 8), yf = DWORDS2(AS_F8_8_dword, y, 8);
    dwords2 xg = DWORDS2(AS_BF8_8_dword, x, 8), yg = DWORDS2(AS_BF8_8_dword, y, 8);
    dwords4 y8s = DWORDS4(WHOLE_8_dword, y, 16), yfs = DWORDS4(AS_F8_8_dword, y, 16), ygs = DWORDS4(AS_BF8_8_dword, y, 16);
    i32 x4 = (i32)WHOLE_4_dword(x, 0, 8), y4 = (i32)WHOLE_4_dword(y, 0, 8);
    dwords2 x4s = DWORDS2(WHOLE_4_dword, x, 16), y4s = DWORDS2(WHOLE_4_dword, y, 16);
    dwords4 y4ss = DWORDS4(WHOLE_4_dword, y, 32);
    i16 of_shorts_index = (i16)indices(x, 8, 16), of_bytes_index = (i16)indices(x, 8, 8), of_4_index = (i16)indices(x, 8, 4);
    u32 of_64_index = indices(x, 16, 4);
    f32x8 r; f16x8 rh; i16x8 rb; i32x8 ri;
#define FLOATS(kind, value) r = value; WRITE(kind, (i32)r[n])
#define HALVES(kind, value) rh = value; WRITE(kind, (i32)(float)rh[n])
#define SHORTS(kind, value) rb = value; WRITE(kind, (i32)float32((u32)(u16)rb[n] << 16))
#define INTEGERS(kind, value) ri = value; WRITE(kind, ri[n])
    FLOATS(0, DENSE(f32_16x16x16_f16)(ah, bh8, f))
    FLOATS(1, DENSE(f32_16x16x16_bf16)(ab, bb8, f))
    HALVES(2, DENSE(f16_16x16x16_f16)(ah, bh8, h))
    SHORTS(3, DENSE(bf16_16x16x16_bf16)(at_most, bt8, t))
    INTEGERS(4, DENSE(i32_16x16x16_iu8)(1, x8, 0, y8, s, 1))
    INTEGERS(5, DENSE(i32_16x16x16_iu4)(0, x4, 1, y4, s, 0))
    INTEGERS(6, DENSE(i32_16x16x32_iu4)(1, x4s, 1, y4s, s, 0))
    FLOATS(7, DENSE(f32_16x16x16_fp8_fp8)(xf, yf, f))
    FLOATS(8, DENSE(f32_16x16x16_fp8_bf8)(xf, yg, f))
    FLOATS(9, DENSE(f32_16x16x16_bf8_fp8)(xg, yf, f))
    FLOATS(10, DENSE(f32_16x16x16_bf8_bf8)(xg, yg, f))
    FLOATS(11, SPARSE(f32_16x16x32_f16)(ah, bh, f, of_shorts_index))
    FLOATS(12, SPARSE(f32_16x16x32_bf16)(ab, bb, f, of_shorts_index))
    HALVES(13, SPARSE(f16_16x16x32_f16)(ah, bh, h, of_shorts_index))
    SHORTS(14, SPARSE(bf16_16x16x32_bf16)(at_most, bt, t, of_shorts_index))
    INTEGERS(15, SPARSE(i32_16x16x32_iu8)(0, x8, 1, y8s, s, of_bytes_index, 0))
    INTEGERS(16, SPARSE(i32_16x16x32_iu4)(1, x4, 0, y4s, s, of_4_index, 1))
#ifdef WAVE64
    INTEGERS(17, SPARSE(i32_16x16x64_iu4)(0, x4s, 0, y4ss, s, (i16)of_64_index, 0))
#else
    INTEGERS(17, SPARSE(i32_16x16x64_iu4)(0, x4s, 0, y4ss, s, (i32)of_64_index, 0))
#endif
    FLOATS(18, SPARSE(f32_16x16x32_fp8_fp8)(xf, yfs, f, of_bytes_index))
    FLOATS(19, SPARSE(f32_16x16x32_fp8_bf8)(xf, ygs, f, of_bytes_index))
    FLOATS(20, SPARSE(f32_16x16x32_bf8_fp8)(xg, yfs, f, of_bytes_index))
    FLOATS(21, SPARSE(f32_16x16x32_bf8_bf8)(xg, ygs, f, of_bytes_index))
    // Signs of operands, which the compiler makes modifiers of.
    FLOATS(22, DENSE(f32_16x16x16_f16)(-ah, bh8, -f))
    FLOATS(23, DENSE(f32_16x16x16_fp8_fp8)(xf, yf, __builtin_elementwise_abs(f)))
    HALVES(24, DENSE(f16_16x16x16_f16)(ah, -bh8, -__builtin_elementwise_abs(h)))
    // Constants in all elements of the third matrix.
    FLOATS(26, DENSE(f32_16x16x16_f16)(ah, bh8, (f32x8)2.0f))
    HALVES(27, DENSE(f16_16x16x16_f16)(ah, bh8, (f16x8)(f16)4.0f))
    INTEGERS(28, DENSE(i32_16x16x16_iu8)(1, x8, 0, y8, (i32x8)-7, 0))
    // The index in the upper half of its register, where the instruction takes a part.
    volatile u32 halves = (u32)(u16)of_shorts_index << 16 | 0x4e4e;
    FLOATS(25, SPARSE(f32_16x16x32_f16)(ah, bh, f, (i16)(halves >> 16)))
#else
    // Each work-item computes four elements.
    for (u32 element = ITEM_X; element < 256; element += 64) {
        u32 row = element / 16, column = element % 16;
        i32 number = (i32)c[row * 16 + column] - 128;
        GLOBAL const u8 *x = a + row * 64, *y = b + column * 64;
        for (u32 kind = 0; kind < KINDS; kind++) {
            int is_sparse = kind >= 11 && kind <= 21 || kind == 25;
            u32 terms = kind == 17 ? 64 : is_sparse || kind == 6 ? 32 : 16;
            i64 sum = kind == 3 || kind == 14 ? number / 8 : (i64)number;
            int has_integers = kind >= 4 && kind <= 6 || kind >= 15 && kind <= 17;
            if (has_integers) sum = (i64)number << 24;
            if (kind == 22) sum = -sum;
            if (kind >= 26) sum = kind == 26 ? 2 : kind == 27 ? 4 : -7;
            if (kind == 23) sum = sum < 0 ? -sum : sum;
            if (kind == 24) sum = sum < 0 ? sum : -sum;
            for (u32 k = 0; k < terms; k++) {
                u32 xk = k;
                if (is_sparse) {
                    u32 indices = pair(x[32 + k / 4]), first = indices & 3, second = indices >> 2;
                    if (k % 4 != first && k % 4 != second) continue;
                    xk = k / 4 * 2 + (k % 4 == second);
                }
                u32 m = x[xk], n = y[k];
                i32 product;
                if (kind == 3 || kind == 14) product = tiny(m) * tiny(n);
                else if (kind == 4 || kind == 28) product = part(m, 8, 1) * part(n, 8, 0);
                else if (kind == 5) product = part(m, 4, 0) * part(n, 4, 1);
                else if (kind == 6) product = part(m, 4, 1) * part(n, 4, 1);
                else if (kind == 15) product = part(m, 8, 0) * part(n, 8, 1);
                else if (kind == 16) product = part(m, 4, 1) * part(n, 4, 0);
                else if (kind == 17) product = part(m, 4, 0) * part(n, 4, 0);
                else product = small(m) * small(n);
                sum += kind == 22 || kind == 24 ? -product : product;
            }
            if (kind == 4 || kind == 16) sum = sum > 0x7fffffff ? 0x7fffffff : sum < -0x80000000l ? -0x80000000l : sum;
            out[kind * 256 + row * 16 + column] = (i32)sum;
        }
    }
#endif
}

HOST(matrices, PTR(0), PTR(1), PTR(2), PTR(3))
