const CODE: &[u32] = &rdna3::asm! {
    s_load_b32 s0, s[2:3], 0x12345678
    v_permlane16_b32 v0, v1, 0x1234, s2
    ds_load_b32 v0, 4
};

fn main() {}
