// Multiplies two square matrices of f16 by WMMA, with sums in f32: each wave computes 32 by 32 of them.

#define GLOBAL __attribute__((address_space(1)))

typedef unsigned int u32;
typedef _Float16 f16x16 __attribute__((ext_vector_type(16)));
typedef float f32x8 __attribute__((ext_vector_type(8)));

__attribute__((amdgpu_kernel, reqd_work_group_size(32, 1, 1))) void
product(GLOBAL float *out, GLOBAL const _Float16 *a,
        GLOBAL const _Float16 *b, u32 size) {
    u32 lane = __builtin_amdgcn_workitem_id_x(), column = lane % 16, half = lane / 16;
    u32 row0 = __builtin_amdgcn_workgroup_id_y() * 32, column0 = __builtin_amdgcn_workgroup_id_x() * 32;
    f32x8 sums[2][2] = {};
    for (u32 k = 0; k < size; k += 16) {
        f16x16 rows[2], columns[2];
#pragma clang loop unroll(full)
        for (u32 tile = 0; tile < 2; tile++) {
            rows[tile] = *(GLOBAL const f16x16 *)(a + (row0 + 16 * tile + column) * size + k);
#pragma clang loop unroll(full)
            for (u32 n = 0; n < 16; n++)
                columns[tile][n] = b[(k + n) * size + column0 + 16 * tile + column];
        }
        for (u32 i = 0; i < 2; i++)
            for (u32 j = 0; j < 2; j++)
                sums[i][j] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(rows[i], columns[j], sums[i][j]);
    }
    for (u32 i = 0; i < 2; i++)
        for (u32 j = 0; j < 2; j++)
            for (u32 n = 0; n < 8; n++)
                out[(row0 + 16 * i + 2 * n + half) * size + column0 + 16 * j + column] = sums[i][j][n];
}
