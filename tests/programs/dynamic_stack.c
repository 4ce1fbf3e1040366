// global=96 local=48 skip=opencl in:384 out:1152
// Arrays whose sizes are known at run time, mutual recursion through pointers, and functions with large frames.
#include "program.h"

typedef u32 (*step)(u32, u32);
static u32 even(u32 n, u32 x);
static u32 odd(u32 n, u32 x);
NOINLINE static u32 even(u32 n, u32 x) {
    volatile u32 frame[6];
    for (u32 k = 0; k < 6; k++) frame[k] = x + k;
    if (n == 0) return frame[x % 6];
    step next = x & 4 ? odd : even;
    return next(n - 1, mix(x)) * 3 + frame[n % 6];
}
NOINLINE static u32 odd(u32 n, u32 x) {
    if (n == 0) return x ^ 0x5555;
    return even(n - 1, x * 7 + 1) - odd(n / 2, x + 1);
}
NOINLINE static u32 sized(u32 count, u32 seed) {
    u32 values[count];
    u16 *shorts = __builtin_alloca(count * 2);
    for (u32 n = 0; n < count; n++) values[n] = seed = mix(seed + n), shorts[n] = (u16)(seed >> 9);
    u32 sum = 0;
    for (u32 n = 0; n < count; n++) sum = sum * 31 + values[(seed >> n) % count] + shorts[n];
    return count > 3 ? sum + sized(count / 2, sum) : sum;
}
struct big { u32 words[17]; };
NOINLINE static struct big filled(u32 seed) {
    struct big b;
    for (u32 n = 0; n < 17; n++) b.words[n] = seed * (n + 1) + n;
    return b;
}
NOINLINE static u32 folded(struct big b, u32 k) {
    u32 sum = k;
    for (u32 n = 0; n < 17; n++) sum = (sum << 5 | sum >> 27) ^ b.words[(n * k) % 17];
    return sum;
}

KERNEL dynamic_stack(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, x = in[i];
    out[i * 3] = even(x % 6, x);
    out[i * 3 + 1] = sized(3 + (x & 7), x);
    out[i * 3 + 2] = folded(filled(x), x & 15);
}

HOST(dynamic_stack, PTR(0), PTR(1))
