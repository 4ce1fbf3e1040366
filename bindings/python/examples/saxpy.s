// y[i] += a * x[i] for i < n, in work-groups of 256 work-items.
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl saxpy
.p2align 8
.type saxpy,@function
saxpy:
    s_load_b128 s[4:7], s[0:1], null
    s_load_b64 s[8:9], s[0:1], 16
    v_lshl_add_u32 v0, s2, 8, v0
    s_waitcnt lgkmcnt(0)
    v_cmp_gt_u32 vcc_lo, s9, v0
    s_and_b32 exec_lo, exec_lo, vcc_lo
    v_lshlrev_b32 v1, 2, v0
    global_load_b32 v2, v1, s[4:5]
    global_load_b32 v3, v1, s[6:7]
    s_waitcnt vmcnt(0)
    v_fmac_f32 v3, s8, v2
    global_store_b32 v1, v3, s[6:7]
    s_endpgm
.size saxpy, . - saxpy

.section .rodata,"a"
.amdhsa_kernel saxpy
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_kernarg_size 24
    .amdhsa_next_free_vgpr 4
    .amdhsa_next_free_sgpr 10
.end_amdhsa_kernel

.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: saxpy
    .symbol: saxpy.kd
    .args:
      - { .name: x, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
      - { .name: y, .size: 8, .offset: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: a, .size: 4, .offset: 16, .value_kind: by_value, .type_name: float }
      - { .name: n, .size: 4, .offset: 20, .value_kind: by_value, .type_name: uint }
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 12
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
.end_amdgpu_metadata
