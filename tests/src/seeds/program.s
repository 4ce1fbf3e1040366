	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 6
	.section .text.f,"ax",@progbits
	.globl f
	.p2align 8
	.type f,@function
f:	s_load_b64 s[2:3], s[0:1], 0x0 ; a comment
	v_lshlrev_b32 v0, 2, v0
.L1:	s_waitcnt vmcnt(0) & lgkmcnt(0)
	s_cbranch_scc1 .L1
	s_mov_b32 s4, k*2+(late-f)
	s_getpc_b64 s[6:7]
	s_add_u32 s6, s6, g@rel32@lo+4
	s_endpgm
late:
	.set k, max(1, 0x10, 'a')|alignto(5, 8)
	.size f, .-f
	.pushsection .rodata,"a"
	.byte 1, -1, late-f
	.long 0x12345678, f
	.quad -2
	.asciz "a\n\"b\\"
	.uleb128 300
	.sleb128 -2
	.fill 3, 4, 0x1234
	.balignl 16, 0x01020304
	.popsection
	.amdhsa_kernel f
		.amdhsa_next_free_vgpr 1
		.amdhsa_next_free_sgpr 8
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
/* a longer
   comment */
	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
...
	.end_amdgpu_metadata
