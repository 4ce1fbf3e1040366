// Stores the square of each work-item's number: examples/assemble.rs assembles, lists and runs it.
.globl squares
.type squares,@function
.p2align 8
squares:
    s_load_b64 s[0:1], s[0:1], null
    v_mul_lo_u32 v1, v0, v0
    v_lshlrev_b32 v0, 2, v0
    s_waitcnt lgkmcnt(0)
    global_store_b32 v0, v1, s[0:1]
    s_endpgm
.size squares, . - squares

.section .rodata,"a"
.amdhsa_kernel squares
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_kernarg_size 8
    .amdhsa_next_free_vgpr 2
    .amdhsa_next_free_sgpr 2
.end_amdhsa_kernel

.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: squares
    .symbol: squares.kd
    .args:
      - { .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global }
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 2
    .vgpr_count: 2
    .max_flat_workgroup_size: 64
.end_amdgpu_metadata
