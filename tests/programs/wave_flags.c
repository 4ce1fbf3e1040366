// global=512 local=256 skip=opencl skip=wave64 in:2048 out:2048
// Waves of 32 lanes that wait for flags of later ones in LDS, while others are at a barrier or have ended.
#include "exchange.h"

#define WAVE (LOCAL_X / 32)

KERNEL wave_flags(GLOBAL const u32 *in, GLOBAL u32 *out) {
#ifdef __AMDGCN__
    SHARED(u32, flags)[8];
    SHARED(u32, values)[256];
    if (LOCAL_X < 8) flags[LOCAL_X] = 0;
    barrier_all();
    u32 value = in[ITEM_X];
    if (LOCAL_X < 192) {
        if (WAVE < 5) {
            while (!__scoped_atomic_load_n(&flags[WAVE + 1], __ATOMIC_ACQUIRE, __MEMORY_SCOPE_WRKGRP)) {}
            value += values[LOCAL_X + 32];
        }
        values[LOCAL_X] = mix(value);
        __scoped_atomic_store_n(&flags[WAVE], 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_WRKGRP);
    }
    out[ITEM_X] = value;
    // The waves from 192 on do not come here.
    if (LOCAL_X < 192) {
        barrier_all();
        out[ITEM_X] += values[(LOCAL_X + 32) % 192];
    }
#else
    ON_HOST(
        for (u32 g = 0; g < GLOBAL_SIZE_X; g += 256) {
            u32 values[256];
            for (u32 i = 256; i-- > 0;) {
                u32 value = in[g + i] + (i < 160 ? values[i + 32] : 0);
                values[i] = mix(value);
                out[g + i] = value;
            }
            for (u32 i = 0; i < 192; i++) out[g + i] += values[(i + 32) % 192];
        }
    );
#endif
}

HOST(wave_flags, PTR(0), PTR(1))
