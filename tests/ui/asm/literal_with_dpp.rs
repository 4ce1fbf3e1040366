const CODE: &[u32] = &rdna3::asm! {
    v_add_f32_dpp v0, 0x1234, v1 row_shr:1
};

fn main() {}
