const CODE: &[u32] = &rdna3::asm! {
    s_add_u32 s0, v1, s2
    s_load_b64 v[0:1], s[2:3], 0
};

fn main() {}
