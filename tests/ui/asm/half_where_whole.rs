const CODE: &[u32] = &rdna3::asm! {
    v_add_f32 v0.l, v1, v2
    v_add_f16 v0, v1, v2
};

fn main() {}
