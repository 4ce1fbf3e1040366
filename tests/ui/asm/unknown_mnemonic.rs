const CODE: &[u32] = &rdna3::asm! {
    s_mov_b32 s0, 1;
    v_ad_f32 v0, v1, v2;
    s_endpgm;
};

fn main() {}
