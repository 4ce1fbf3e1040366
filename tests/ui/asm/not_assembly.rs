const CODE: &[u32] = &rdna3::asm! {
    1 + 1
    v0, v1
    "s_endpgm"
};

fn main() {}
