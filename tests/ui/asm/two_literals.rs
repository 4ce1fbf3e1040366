const CODE: &[u32] = &rdna3::asm! {
    v_fma_f32 v0, 0x1234, 0x5678, v1;
    s_add_u32 s0, 0x12345, 0x54321;
};

fn main() {}
