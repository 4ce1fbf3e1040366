const CODE: &[u32] = &rdna3::asm! {
    v_add_nc_u32_e32 v0, v1, v2 clamp
    v_cmp_eq_u32 vcc_lo, v0, v1 mul:2
    global_load_b32 v0, v[1:2], off offen
    s_add_u32 s0, s1, s2 clamp
};

fn main() {}
