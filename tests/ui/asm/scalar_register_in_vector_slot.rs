const CODE: &[u32] = &rdna3::asm! {
    v_add_f32 s0, v1, v2
    v_add_f32_e32 v0, v1, s2
    global_load_b32 s0, v[0:1], off
};

fn main() {}
