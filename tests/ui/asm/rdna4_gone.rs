// Instructions and encodings of RDNA3 and before that RDNA4 lacks.
const CODE: &[u32] = &rdna4::asm! {
    s_waitcnt_vscnt null, 0x0
    s_barrier
    buffer_gl0_inv
    ds_gws_barrier v0
    v_add_f32_sdwa v1, v2, v3 dst_sel:BYTE_0
    v_add_f64_dpp v[0:1], v[2:3], v[4:5] quad_perm:[0,1,2,3]
    v_add_f32_dpp v1, s2, v3 quad_perm:[0,1,2,3]
    s_load_b32 s0, s[2:3], 0x0 dlc
};

fn main() {}
