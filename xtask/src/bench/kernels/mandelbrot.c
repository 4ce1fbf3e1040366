// Counts the steps after which z = z * z + c leaves the circle of radius 2, for points of a row of the complex plane.

typedef unsigned int u32;

static inline __attribute__((always_inline)) u32 steps(float x, float y, u32 limit) {
    float re = 0.0f, im = 0.0f;
    u32 n = 0;
    while (n < limit) {
        float square_re = re * re, square_im = im * im;
        if (square_re + square_im > 4.0f)
            break;
        im = 2.0f * re * im + y;
        re = square_re - square_im + x;
        n++;
    }
    return n;
}

#ifdef __AMDGCN__
__attribute__((amdgpu_kernel)) void kernel(__attribute__((address_space(1))) u32 *out, u32 first, u32 limit) {
    u32 id = __builtin_amdgcn_workitem_id_x();
    u32 at = first + id;
    float x = (float)(at % 256) * (3.0f / 256.0f) - 2.25f;
    float y = (float)(at / 256) * (2.5f / 256.0f) - 1.25f;
    out[id] = steps(x, y, limit);
}
#else
void host(u32 *out, u32 first, u32 limit, u32 count) {
    for (u32 id = 0; id < count; id++) {
        u32 at = first + id;
        float x = (float)(at % 256) * (3.0f / 256.0f) - 2.25f;
        float y = (float)(at / 256) * (2.5f / 256.0f) - 1.25f;
        out[id] = steps(x, y, limit);
    }
}
#endif
