// Images for the programs of this folder: descriptors, made from the address of a buffer, and a sampler for the host.
//
// The GPU samples with instructions in assembly, whose descriptors -O0 does not keep in scalar registers. Coordinates and weights have
// 8 fractional bits, as docs/reference/disagreements.md says, so that results are the same bit for bit.
#include "program.h"

typedef struct { u32 width, height, layers, format, type, levels, base_level, last_level; } image;
typedef struct { u32 clamp, compare, linear, linear_mip, border, minimum, maximum; } sampler;

enum { ROW = 8, PLANE = 9, VOLUME = 10, CUBE = 11, PLANES = 13 };
enum { R32_FLOAT = 22, RGBA8_UNORM = 42, RGBA32_FLOAT = 63 };
enum { WRAP, MIRROR, CLAMP, MIRROR_ONCE, HALF_BORDER, MIRROR_HALF_BORDER, BORDER, MIRROR_BORDER };

#ifdef __AMDGCN__

typedef u32 u32x4 __attribute__((ext_vector_type(4)));
typedef u32 u32x8 __attribute__((ext_vector_type(8)));
typedef float f32x2 __attribute__((ext_vector_type(2)));
typedef float f32x3 __attribute__((ext_vector_type(3)));
typedef float f32x4 __attribute__((ext_vector_type(4)));

static inline u32 uniform(u32 value) { return (u32)__builtin_amdgcn_readfirstlane((int)value); }

#ifdef __GFX12__
#define WAIT_FOR_SAMPLE "s_wait_samplecnt 0x0"
#define WAIT_FOR_LOAD "s_wait_loadcnt 0x0"
#else
#define WAIT_FOR_SAMPLE "s_waitcnt vmcnt(0)"
#define WAIT_FOR_LOAD WAIT_FOR_SAMPLE
#endif

// T#: guide 10.5, table 50; RDNA4's table 60.
static inline u32x8 resource(GLOBAL const void *texels, image i) {
    u64 base = (u64)texels;
    u32 depth = i.layers > 1 ? i.layers - 1 : 0;
    u32x8 words;
    words[0] = uniform((u32)(base >> 8));
#ifdef __GFX12__
    words[1] = uniform((u32)(base >> 40) | (i.levels - 1) << 12 | i.format << 17 | i.base_level << 25 | (i.width - 1) << 30);
    words[2] = uniform((i.width - 1) >> 2 | (i.height - 1) << 14);
    words[3] = uniform(0xFAC | i.last_level << 15 | i.type << 28);
#else
    words[1] = uniform((u32)(base >> 40) | (i.levels - 1) << 16 | i.format << 20 | (i.width - 1) << 30);
    words[2] = uniform((i.width - 1) >> 2 | (i.height - 1) << 14);
    words[3] = uniform(0xFAC | i.base_level << 12 | i.last_level << 16 | i.type << 28);
#endif
    words[4] = uniform(depth);
    words[5] = words[6] = words[7] = uniform(0);
    return words;
}

// S#: guide 10.6, table 51; RDNA4's table 61.
static inline u32x4 filter(sampler s) {
    u32x4 words;
    words[0] = uniform(s.clamp | s.clamp << 3 | s.clamp << 6 | s.compare << 12);
#ifdef __GFX12__
    words[1] = uniform(s.minimum | s.maximum << 13);
#else
    words[1] = uniform(s.minimum | s.maximum << 12);
#endif
    words[2] = uniform(s.linear << 20 | s.linear << 22 | s.linear_mip << 26);
    words[3] = uniform(s.border << 30);
    return words;
}

#ifdef __GFX12__
// Each of the first three registers of an address has a field, and the fourth one stands for those that are left.
#define SAMPLE(op, more, result, at, texels, i, s)                                                                  \
    do {                                                                                                            \
        float all[4] = { 0 };                                                                                       \
        __builtin_memcpy(all, &(at), sizeof(float) * (sizeof(at) / 4));                                             \
        u32x8 t = resource(texels, i);                                                                              \
        u32x4 f = filter(s);                                                                                        \
        switch (sizeof(at) / 4) {                                                                                   \
        case 1: SAMPLE_AT("%1", op, more, result, all, t, f); break;                                                \
        case 2: SAMPLE_AT("[%1, %2]", op, more, result, all, t, f); break;                                          \
        default:                                                                                                    \
            if (THREE_OF(at)) SAMPLE_AT("[%1, %2, %3]", op, more, result, all, t, f);                               \
            else SAMPLE_AT("[%1, %2, %3, %4]", op, more, result, all, t, f);                                        \
        }                                                                                                           \
    } while (0)
#define SAMPLE_AT(registers, op, more, result, all, t, f)                                                           \
    __asm__ volatile(op " %0, " registers ", %5, %6 " more "\n\t" WAIT_FOR_SAMPLE                                    \
                     : "=&v"(result) : "v"(all[0]), "v"(all[1]), "v"(all[2]), "v"(all[3]), "s"(t), "s"(f))
// Vectors of three numbers are as large as those of four.
#define THREE_OF(at) __builtin_types_compatible_p(__typeof__(at), f32x3)
#else
#define SAMPLE(op, more, result, at, texels, i, s)                                                                  \
    __asm__ volatile(op " %0, %1, %2, %3 " more "\n\t" WAIT_FOR_SAMPLE                                              \
                     : "=&v"(result) : "v"(at), "s"(resource(texels, i)), "s"(filter(s)))
#endif

#else

#include <math.h>
#include <string.h>

// Whether the results are compared with those of gfx12.
#ifdef __GFX12__
enum { GFX12 = 1 };
#else
enum { GFX12 = 0 };
#endif

static inline u32 size_of(u32 size, u32 level) { return size >> level ? size >> level : 1; }

// The component of a texel; rows are padded if there are several levels, of which the smallest is first: to 256 bytes, and on gfx12
// to 128 bytes in levels that are as large as if it were 256.
static inline float texel(const void *texels, image i, u32 level, u32 x, u32 y, u32 layer, u32 component) {
    u32 bytes = i.format == RGBA32_FLOAT ? 16 : 4, layer_bytes = 0, before = 0;
    for (u32 l = 0; l < i.levels; l++) {
        u32 row = size_of(i.width, l) * bytes;
        if (i.levels > 1) row = (row + 255) & ~255u;
        layer_bytes += row * size_of(i.height, l);
        if (l > level) before += row * size_of(i.height, l);
    }
    u32 row = size_of(i.width, level) * bytes;
    if (i.levels > 1) row = (row + (GFX12 ? 127 : 255)) & ~(GFX12 ? 127u : 255u);
    const u8 *at = (const u8 *)texels + layer * layer_bytes + before + y * row + x * bytes;
    if (i.format == RGBA8_UNORM) return (float)(at[component] / 255.0);
    if (i.format == R32_FLOAT && component > 0) return component == 3;
    float value;
    memcpy(&value, at + 4 * component, 4);
    return value;
}

// The number of a texel within an image, or -1 for the border.
static inline long wrapped(long i, long n, u32 clamp) {
    long once = i < 0 ? -1 - i : i;
    switch (clamp) {
    case WRAP: return ((i % n) + n) % n;
    case MIRROR: i = ((i % (2 * n)) + 2 * n) % (2 * n); return i < n ? i : 2 * n - 1 - i;
    case CLAMP: return i < 0 ? 0 : i < n ? i : n - 1;
    case MIRROR_ONCE: return once < n ? once : n - 1;
    case MIRROR_HALF_BORDER: case MIRROR_BORDER: return once < n ? once : -1;
    default: return i >= 0 && i < n ? i : -1;
    }
}

// The first texel along an axis in 256ths, for a coordinate in texels.
static inline long fixed(double at, long n, sampler s) {
    if (s.clamp == HALF_BORDER) at = fmin(fmax(at, 0), n);
    if (s.clamp == MIRROR_HALF_BORDER) at = fmin(fabs(at), n);
    return (long)floor(at * 256 + 0.5) - (s.linear ? 128 : 0);
}

static inline double border_of(sampler s, u32 component) { return s.border == 2 || (s.border == 1 && component == 3); }

// A component of a level, filtered; `at` is in texels of the level. With a reference: of the comparisons.
static inline double filtered(const void *texels, image i, sampler s, u32 level, const double *at, u32 layer, u32 component, const float *reference) {
    long n[2] = { size_of(i.width, level), i.type == ROW ? 1 : size_of(i.height, level) };
    double sum = 0;
    for (int dy = 0; dy <= (s.linear && i.type != ROW); dy++)
        for (int dx = 0; dx <= (int)s.linear; dx++) {
            long ux = fixed(at[0], n[0], s), uy = i.type == ROW ? 0 : fixed(at[1], n[1], s);
            double wx = s.linear ? (ux & 255) / 256.0 : 0, wy = s.linear && i.type != ROW ? (uy & 255) / 256.0 : 0;
            double weight = (dx ? wx : 1 - wx) * (dy ? wy : 1 - wy);
            if (weight == 0) continue;
            u32 half = !s.linear && (s.clamp == HALF_BORDER || s.clamp == MIRROR_HALF_BORDER);
            u32 clamp = half ? s.clamp == HALF_BORDER ? CLAMP : MIRROR_ONCE : s.clamp;
            long x = wrapped((ux >> 8) + dx, n[0], clamp), y = i.type == ROW ? 0 : wrapped((uy >> 8) + dy, n[1], clamp);
            double value = x < 0 || y < 0 ? border_of(s, component) : texel(texels, i, level, x, y, layer, component);
            if (reference) {
                u32 holds = *reference < value ? s.compare & 1 : *reference == value ? s.compare >> 1 & 1 : s.compare >> 2 & 1;
                value = holds;
            }
            sum += weight * value;
        }
    return sum;
}

// A component at a level of detail.
static inline float sampled(const void *texels, image i, sampler s, const double *at, u32 layer, double lod, u32 component) {
    lod = fmin(fmax(lod, s.minimum / 256.0), s.maximum / 256.0);
    lod = floor(lod * 256 + 0.5) / 256;
    u32 last = i.last_level - i.base_level, count = s.linear_mip == 2 ? 2 : 1;
    double level = s.linear_mip == 2 ? floor(lod) : s.linear_mip == 1 ? floor(lod + 0.5) : 0, part = s.linear_mip == 2 ? lod - level : 0, sum = 0;
    for (u32 k = 0; k < count; k++) {
        double weight = k ? part : 1 - part;
        if (weight == 0) continue;
        u32 l = level + k > last ? last : (u32)level + k;
        l += i.base_level;
        double texels_at[2] = { at[0] * size_of(i.width, l), at[1] * size_of(i.height, l) };
        sum += weight * filtered(texels, i, s, l, texels_at, layer, component, 0);
    }
    return (float)sum;
}

#endif
