// global=512 local=64 skip=opencl bits:8192 out:24576
// Medians, classes, fractions and exponents, faces of cubes, and packing conversions. NaNs count as one value.
#include "program.h"

static u32 number32(float x) { return x != x ? 0x7fc00000 : bits32(x); }
static u64 number64(double x) { return x != x ? 0x7ff8000000000000ul : bits64(x); }

#ifdef __AMDGCN__
#define PACKED(value) __builtin_bit_cast(u32, value)
#define MED3 __builtin_amdgcn_fmed3f
#define CLASS __builtin_amdgcn_classf
#define CLASS64 __builtin_amdgcn_class
#define FRACTION __builtin_amdgcn_frexp_mantf
#define EXPONENT __builtin_amdgcn_frexp_expf
#define FRACTION64 __builtin_amdgcn_frexp_mant
#define EXPONENT64 __builtin_amdgcn_frexp_exp
#define CUBE_ID __builtin_amdgcn_cubeid
#define CUBE_MA __builtin_amdgcn_cubema
#define CUBE_SC __builtin_amdgcn_cubesc
#define CUBE_TC __builtin_amdgcn_cubetc
#define PACK_U16(a, b) PACKED(__builtin_amdgcn_cvt_pk_u16(a, b))
#define PACK_I16(a, b) PACKED(__builtin_amdgcn_cvt_pk_i16(a, b))
#define PACK_F16(a, b) PACKED(__builtin_amdgcn_cvt_pkrtz(a, b))
#define PACK_SNORM(a, b) PACKED(__builtin_amdgcn_cvt_pknorm_i16(a, b))
#define PACK_UNORM(a, b) PACKED(__builtin_amdgcn_cvt_pknorm_u16(a, b))
#define PACK_BYTE(a, at, old) __builtin_amdgcn_cvt_pk_u8_f32(a, at, old)
#else
#include <math.h>
static float larger(float a, float b) { return a == 0 && b == 0 ? (signbit(a) ? b : a) : fmaxf(a, b); }
static float MED3(float a, float b, float c) {
    if (a != a || b != b || c != c) return fminf(fminf(a, b), c);
    float most = larger(larger(a, b), c);
    return most == a ? larger(b, c) : most == b ? larger(a, c) : larger(a, b);
}
// Bits 0 to 9: signaling and quiet NaN, -infinity, negative normal and denormal, -0, and the positive ones in reverse.
static u32 class_of(u64 sign, u32 is_top, u32 exponent, u64 fraction, u32 is_quiet) {
    if (is_top && fraction) return is_quiet;
    u32 size = is_top ? 3 : exponent ? 2 : fraction ? 1 : 0;
    return sign ? 5 - size : 6 + size;
}
static u32 CLASS(float x, u32 mask) {
    u32 u = bits32(x), e = u >> 23 & 255;
    return mask >> class_of(u >> 31, e == 255, e, u & 0x7fffff, u >> 22 & 1) & 1;
}
static u32 CLASS64(double x, u32 mask) {
    u64 u = bits64(x);
    u32 e = u >> 52 & 2047;
    return mask >> class_of(u >> 63, e == 2047, e, u & 0xffffffffffffful, u >> 51 & 1) & 1;
}
static double split(double x, int *exponent) {
    *exponent = 0;
    return isfinite(x) ? frexp(x, exponent) : x;
}
static double FRACTION64(double x) { int e; return split(x, &e); }
static int EXPONENT64(double x) { int e; split(x, &e); return e; }
#define FRACTION(x) ((float)FRACTION64(x))
#define EXPONENT(x) EXPONENT64(x)
static float CUBE_ID(float x, float y, float z) {
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    return az >= ax && az >= ay ? (z < 0 ? 5 : 4) : ay >= ax ? (y < 0 ? 3 : 2) : (x < 0 ? 1 : 0);
}
static float CUBE_MA(float x, float y, float z) {
    u32 axis = (u32)CUBE_ID(x, y, z) / 2;
    return 2 * (axis == 2 ? z : axis == 1 ? y : x);
}
static float CUBE_SC(float x, float y, float z) {
    u32 face = (u32)CUBE_ID(x, y, z);
    return face == 0 ? -z : face == 1 ? z : face == 5 ? -x : x;
}
static float CUBE_TC(float x, float y, float z) {
    u32 face = (u32)CUBE_ID(x, y, z);
    return face == 2 ? z : face == 3 ? -z : -y;
}
#define PACK(a, b) ((u32)(u16)(a) | (u32)(u16)(b) << 16)
static u32 u16_of(u32 x) { return x > 65535 ? 65535 : x; }
static i32 i16_of(i32 x) { return x > 32767 ? 32767 : x < -32768 ? -32768 : x; }
#define PACK_U16(a, b) PACK(u16_of(a), u16_of(b))
#define PACK_I16(a, b) PACK(i16_of(a), i16_of(b))
static u32 f16_toward_zero(float x) {
    u32 u = bits32(x), sign = u >> 16 & 0x8000, fraction = u & 0x7fffff;
    i32 exponent = (i32)(u >> 23 & 255) - 112;
    if (exponent == 143) return sign | 0x7c00;
    if (exponent >= 31) return sign | 0x7bff;
    if (exponent < -10) return sign;
    return exponent > 0 ? sign | (u32)exponent << 10 | fraction >> 13 : sign | (fraction | 0x800000) >> (14 - exponent);
}
#define PACK_F16(a, b) PACK(f16_toward_zero(a), f16_toward_zero(b))
static i32 norm(float x, float least, double scale) { return (i32)rint((x < least ? least : x > 1 ? 1 : x) * scale); }
#define PACK_SNORM(a, b) PACK(norm(a, -1, 32767), norm(b, -1, 32767))
#define PACK_UNORM(a, b) PACK(norm(a, 0, 65535), norm(b, 0, 65535))
static u32 PACK_BYTE(float a, u32 at, u32 old) {
    u32 byte = a > 255 ? 255 : a > 0 ? (u32)rintf(a) : 0;
    return (old & ~(255u << 8 * (at & 3))) | byte << 8 * (at & 3);
}
#endif

// A number without denormals, quiet if it is a NaN.
static float tamed(u32 bits) {
    float x = float32(bits);
    return x != x ? float32(0x7fc00000) : (bits & 0x7f800000) == 0 ? 0 : x;
}

KERNEL float_ops(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i * 4], y = in[i * 4 + 1];
    float a = tamed(x), b = tamed(y), c = tamed(in[i * 4 + 2]);
    double d = float64(in[i * 4 + 2] | (u64)in[i * 4 + 3] << 32);
    if (i % 7 == 1) b = a, c = -a;
    if (i % 7 == 2) b = -a;
    float small = (float)((i32)(x >> 3) % 4000) / 1024.f, other = (float)((i32)(y >> 3) % 4000) / 1777.f;
    GLOBAL u32 *to = out + i * 12;
    to[0] = number32(MED3(a, b, c)) ^ bits32(MED3(small, 0.f, 1.f));
    to[1] = CLASS(a, 0x155) | CLASS(float32(y), in[i * 4 + 3]) << 1 | CLASS64(d, 0x2aa) << 2 | CLASS64(d, x) << 3;
    to[2] = number32(FRACTION(a)) ^ (u32)EXPONENT(b);
    u64 fraction = number64(FRACTION64(d));
    to[3] = (u32)(fraction ^ fraction >> 32) ^ (u32)EXPONENT64(d);
    if (a == a && b == b && c == c) {
        to[4] = number32(CUBE_ID(a, b, c)) ^ number32(CUBE_MA(a, b, c)) * 3;
        to[5] = number32(CUBE_SC(a, b, c));
        to[6] = number32(CUBE_TC(a, b, c));
    }
    to[7] = PACK_U16(x >> (y & 31), y) ^ PACK_I16((i32)x >> (y & 31), (i32)y) * 3;
    to[8] = PACK_F16(small * 17.123f, other * 1e-6f) ^ PACK_F16(a == a ? a : 0, b == b ? b : 0) * 5;
    to[9] = PACK_SNORM(small, other);
    to[10] = PACK_UNORM(small, other);
    to[11] = PACK_BYTE(small * 100, 1, PACK_BYTE((float)(x & 1023) / 4, y, x));
}

HOST(float_ops, PTR(0), PTR(1))
