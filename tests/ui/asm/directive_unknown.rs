const CODE: &[u32] = &rdna3::asm! {
    .p2align 8
    s_endpgm
};

fn main() {}
