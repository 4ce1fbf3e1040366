const CODE: &[u32] = &rdna3::asm! {
    v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v5, v3
    v_dual_mul_f32 v0, v1, v2 :: v_dual_mul_f32 v2, v2, v3
};

fn main() {}
