// global=128 local=64 skip=opencl out:512
// Waits for the clocks, which go on while a wave executes instructions.
#include "exchange.h"

KERNEL clocks(GLOBAL u32 *out) {
    u32 checks = 0;
#ifdef __AMDGCN__
    u32 start = __builtin_readcyclecounter(), now;
    do now = __builtin_readcyclecounter(); while ((now - start & 0xfffff) < 5000);
    checks |= (now - start & 0xfffff) < 8000;
    u64 begin = __builtin_readsteadycounter(), end;
    do end = __builtin_readsteadycounter(); while (end - begin < 200);
    checks |= (u32)(end - begin < 400) << 1;
    // A hundred times 64 cycles at 25 cycles a tick.
    for (u32 i = 0; i < 100; i++) __builtin_amdgcn_s_sleep(1);
    u64 slept = __builtin_readsteadycounter() - end;
    checks |= (u32)(slept >= 256 && slept < 2000) << 2;
#else
    checks = 7;
#endif
    out[ITEM_X] = checks;
}

HOST(clocks, PTR(0))
