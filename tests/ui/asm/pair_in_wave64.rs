const CODE: &[u32] = &rdna3::asm! {
    .wave64
    v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v2, v3
};

fn main() {}
