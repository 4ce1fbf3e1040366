const CODE: &[u32] = &rdna3::asm! {
    v_cmp_eq_u32 s[2:3], v0, v1
    v_cndmask_b32 v0, v1, v2, vcc
};

fn main() {}
