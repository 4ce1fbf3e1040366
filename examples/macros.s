// A kernel as people write it by hand: macros, repetitions, conditions, numbered labels. It does nothing of use.
//
//     isa asm --arch gfx1100 examples/macros.s
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.set vgprA, 4
.set sgprK, 8
.macro LOAD dst, src, count=2, more:vararg
    .irp offset, 0, 16
        global_load_b32 v[\dst], v[\src:\src+1], off offset:\offset \more
    .endr
    .if \count > 2
        s_nop \count
    .elseif \count == 2
        s_nop 0
    .else
        s_nop 15
    .endif
.endm
.macro LOOP name
loop_\name\()_\@:
    s_sub_u32 s[sgprK], s[sgprK], 1
    s_cmp_lg_u32 s[sgprK], 0
    s_cbranch_scc1 loop_\name\()_\@
.endm
.text
.p2align 8
k:
    LOAD vgprA, 2
    LOAD dst=1, src=vgprA, count=5, more=glc
    LOOP outer ; twice
    LOOP inner
    i = 0
    .rept 3
        v_fmac_f32 v[vgprA+i], v[i], v[i+1]
        i = i + 1
    .endr
1:  s_cbranch_scc0 1b
    s_branch 1f
    .if .amdgcn.gfx_generation_number == 11
1:  s_endpgm
    .endif
.section .rodata,#alloc
.amdhsa_kernel k
    .amdhsa_next_free_vgpr .amdgcn.next_free_vgpr
    .amdhsa_next_free_sgpr .amdgcn.next_free_sgpr
.end_amdhsa_kernel
.text
    s_movk_i32 s0, .amdgcn.next_free_vgpr
    s_movk_i32 s0, .amdgcn.next_free_sgpr
.macro COUNT n:req
    .ifnb \n
    .if \n > 0
        .byte \n, \@, \+
        COUNT \n-1
        .exitm
    .endif
    .endif
    .ifc \n, 0
    .ascii "end"
    .endif
.endm
    COUNT 3
.irpc letter, ab
    .ifeqs "\letter", "a"
    .print "first"
    .elseif 1
    .warning "second"
    .else
    .error "none"
    .endif
.endr
.ifndef nothing
.purgem COUNT
.endif
