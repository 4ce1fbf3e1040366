// global=256 local=64 in:1024 out:1024
// A virtual machine: a switch over operation codes, which differ between lanes.
#include "program.h"

KERNEL switches(GLOBAL const u32 *in, GLOBAL u32 *out) {
    u32 i = ITEM_X, state = in[i], acc = i, stack[8], top = 0;
    for (u32 n = 0; n < 40; n++) {
        state = mix(state + n);
        switch (state % 12) {
        case 0: acc += state >> 8; break;
        case 1: acc *= state | 1; break;
        case 2: acc ^= acc << 5; break;
        case 3: stack[top++ & 7] = acc; break;
        case 4: acc -= top ? stack[--top & 7] : 17; break;
        case 5: acc = acc >> 3 | acc << 29; break;
        case 6: acc = ~acc;
        case 7: acc += 99; break;
        case 8: if (acc & 1) break; acc /= 3; break;
        case 9: acc = (u32)((i32)acc >> 2); break;
        case 10: for (u32 k = 0; k < (state & 3); k++) acc += k * state; break;
        default: acc = acc < state ? state : acc; break;
        }
    }
    out[i] = acc + top;
}

HOST(switches, PTR(0), PTR(1))
