// SPDX-License-Identifier: MIT OR Apache-2.0
// Inline assembly: labels, comments, data between instructions, directives, sections, modifiers, several statements a line.
kernel void statements(global int *out, int x) {
    int y, z;
    __asm__ volatile("v_mov_b32 %0, %1 ; a comment\n\tv_add_nc_u32_e64 %0, %0, 3 // another\n\t/* a third */ s_nop 1" : "=v"(y) : "s"(__builtin_amdgcn_readfirstlane(x)));
    __asm__ volatile("v_mad_u32_u24 %0, %1, 0x1234, %1 \n s_nop 0; s_nop 1" : "=v"(z) : "v"(y));
    out[0] = y + z;
}

kernel void labels(global int *out, int x) {
    int n = 0;
    __asm__ volatile("s_mov_b32 %0, %1\n"
                     "loop_%=:\n\ts_sub_u32 %0, %0, 1\n\ts_cmp_lg_u32 %0, 0\n\ts_cbranch_scc1 loop_%=\n"
                     "1: s_cbranch_scc0 1f\n s_branch 1b\n1:"
                     : "=&s"(n) : "s"(__builtin_amdgcn_readfirstlane(x)) : "scc");
    out[0] = n;
}

kernel void data(global int *out) {
    int value;
    __asm__ volatile("s_branch 2f\n"
                     "1: .long 1, 2, 0x30\n .byte 1, 2\n .short 3\n .p2align 2\n .ascii \"ab\\tc\"\n .byte 7 ; not data\n .p2align 2, 0\n .quad 5\n .long 2f-1b, .-1b, 1b-.\n"
                     "2: s_getpc_b64 s[20:21]\n s_add_u32 s20, s20, 1b-2b-4\n s_addc_u32 s21, s21, -1\n s_load_b32 %0, s[20:21], 4\n s_waitcnt lgkmcnt(0)"
                     : "=s"(value) :: "s20", "s21", "scc");
    out[0] = value;
}

kernel void sections(global int *out) {
    int value;
    __asm__ volatile(".pushsection .rodata.strings,\"aMS\",@progbits,1\n .asciz \"text of a kernel\"\n .popsection\n"
                     ".pushsection .note.mine,\"\",@note\n .long 4, 4, 1\n .asciz \"abc\"\n .long 7\n .popsection\n"
                     ".set counter_%=, 5\n .if counter_%= > 3\n s_movk_i32 %0, counter_%=\n .else\n s_nop 0\n .endif\n"
                     ".rept 3\n s_nop counter_%=\n .endr" : "=s"(value));
    out[0] = value;
}

#ifdef WAVE64
#define VCC "vcc"
#else
#define VCC "vcc_lo"
#endif

kernel void registers(global int *out, ulong x) {
    ulong r;
    __asm__ volatile("s_bfm_b64 %0, %1, 3\n s_bitset1_b64 %0, 3\n s_getreg_b32 s4, hwreg(HW_REG_HW_ID1, 0, 12)\n s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s4\n"
                     "s_setprio 2\n v_cmp_class_f32 " VCC ", v0, 3\n s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)"
                     : "=&s"(r) : "s"(__builtin_amdgcn_readfirstlane((int)x)) : "s4", "vcc");
    out[0] = (int)r;
}
