const CODE: &[u32] = &rdna3::asm! {
    s_endpgm s0
    s_add_u32 s0, s1
    s_cbranch_scc0
    v_add_f32 v0, v1, v2, v3
};

fn main() {}
