// SPDX-License-Identifier: MIT OR Apache-2.0
// A function longer than a branch reaches: conditions and loops around 144 KiB of code, so that branches are replaced by calculated
// addresses. The compiler counts lines of inline assembly as instructions, and sees nothing of what a repetition stands for.
#define FOUR(x) x x x x
#define MANY(x) FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(x))))))
#define LONG MANY("v_fma_f32 v127, v126, v125, 0x12345678\n")

kernel void far(global int *out, int x) {
    for (int i = 0; i < x; i++) {
        if (out[i] == 3) {
            __asm__ volatile(LONG LONG LONG ::: "v127");
            out[i] = i;
        } else {
            __asm__ volatile("s_nop 1");
        }
    }
    out[x] = 1;
}
