const CODE: &[u32] = &rdna3::asm! {
    v_add_f32 v0, v[2:3], v1
    s_mov_b32 s0, s[2:3]
    v_add_f64 v[0:1], v2, v[4:5]
};

fn main() {}
