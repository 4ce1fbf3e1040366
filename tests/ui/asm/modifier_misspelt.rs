const CODE: &[u32] = &rdna3::asm! {
    buffer_load_b32 v1, v0, s[8:11], 0 ofen offset:12
    v_mul_f32_e64 v0, v1, v2 clmp
};

fn main() {}
