const CODE: &[u32] = &rdna3::asm! {
    v_fma_f32 v0, s1, s2, s3
    v_lshlrev_b64 v[0:1], s0, s[2:3]
};

fn main() {}
