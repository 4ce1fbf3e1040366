// global=256 local=64 skip=opencl float:4096 out:16384
// Arithmetic and conversions in each rounding mode.
#include "program.h"

// 0 to 3: to nearest even, up, down, toward zero.
#ifdef __AMDGCN__
#define ROUNDED(type, result, operation, mode, ...) \
    asm volatile("s_round_mode 5*" #mode "\n" operation "\ns_round_mode 0" : "=&v"(result) : __VA_ARGS__)
#define ADD(mode, result, a, b) ROUNDED(float, result, "v_add_f32 %0, %1, %2", mode, "v"(a), "v"(b))
#define MUL(mode, result, a, b) ROUNDED(float, result, "v_mul_f32 %0, %1, %2", mode, "v"(a), "v"(b))
#define FMA(mode, result, a, b, c) ROUNDED(float, result, "v_fma_f32 %0, %1, %2, %3", mode, "v"(a), "v"(b), "v"(c))
#define ADD64(mode, result, a, b) ROUNDED(double, result, "v_add_f64 %0, %1, %2", mode, "v"(a), "v"(b))
#define MUL64(mode, result, a, b) ROUNDED(double, result, "v_mul_f64 %0, %1, %2", mode, "v"(a), "v"(b))
#define NARROWED(mode, result, a) ROUNDED(float, result, "v_cvt_f32_f64 %0, %1", mode, "v"(a))
#define SIGNED(mode, result, a) ROUNDED(float, result, "v_cvt_f32_i32 %0, %1", mode, "v"(a))
#define UNSIGNED(mode, result, a) ROUNDED(float, result, "v_cvt_f32_u32 %0, %1", mode, "v"(a))
#else
#include <fenv.h>
#include <math.h>
static const int modes[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
// Volatile operands keep the operation between the two changes of the mode.
#define ROUNDED(mode, result, operation) (fesetround(modes[mode]), result = (operation), fesetround(FE_TONEAREST))
#define KEEP(type, value) (*(volatile type *)&(type){ value })
#define ADD(mode, result, a, b) ROUNDED(mode, *(volatile float *)&result, KEEP(float, a) + KEEP(float, b))
#define MUL(mode, result, a, b) ROUNDED(mode, *(volatile float *)&result, KEEP(float, a) * KEEP(float, b))
#define FMA(mode, result, a, b, c) ROUNDED(mode, *(volatile float *)&result, fmaf(KEEP(float, a), KEEP(float, b), KEEP(float, c)))
#define ADD64(mode, result, a, b) ROUNDED(mode, *(volatile double *)&result, KEEP(double, a) + KEEP(double, b))
#define MUL64(mode, result, a, b) ROUNDED(mode, *(volatile double *)&result, KEEP(double, a) * KEEP(double, b))
#define NARROWED(mode, result, a) ROUNDED(mode, *(volatile float *)&result, (float)KEEP(double, a))
#define SIGNED(mode, result, a) ROUNDED(mode, *(volatile float *)&result, (float)KEEP(i32, a))
#define UNSIGNED(mode, result, a) ROUNDED(mode, *(volatile float *)&result, (float)(i64)KEEP(u32, a))
#endif

#define IN_MODE(mode)                                         \
    do {                                                      \
        float sum, product, fused, narrow, from_i32, from_u32; \
        double wide_sum, wide_product;                        \
        ADD(mode, sum, a, b);                                 \
        MUL(mode, product, a, b);                             \
        FMA(mode, fused, a, b, c);                            \
        ADD64(mode, wide_sum, wide, (double)c);               \
        MUL64(mode, wide_product, wide, wide);                \
        NARROWED(mode, narrow, wide);                         \
        SIGNED(mode, from_i32, (i32)bits32(a));               \
        UNSIGNED(mode, from_u32, bits32(b));                  \
        to[mode * 4] = bits32(sum) + bits32(product) * 3;     \
        to[mode * 4 + 1] = bits32(fused) ^ bits32(narrow) * 5; \
        to[mode * 4 + 2] = (u32)(bits64(wide_sum) ^ bits64(wide_product) * 3 ^ bits64(wide_product) >> 32); \
        to[mode * 4 + 3] = bits32(from_i32) ^ bits32(from_u32) * 3; \
    } while (0)

KERNEL round_modes(GLOBAL const float *in, GLOBAL u32 *out) {
    u32 i = ITEM_X;
    float a = in[i * 4], b = in[i * 4 + 1] * 1e-3f, c = in[i * 4 + 2] * 1e-6f;
    double wide = (double)a * 1.1;
    GLOBAL u32 *to = out + i * 16;
    IN_MODE(0);
    IN_MODE(1);
    IN_MODE(2);
    IN_MODE(3);
}

HOST(round_modes, PTR(0), PTR(1))
