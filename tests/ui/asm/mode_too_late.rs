const CODE: &[u32] = &rdna3::asm! {
    s_nop 0
    .wave64
};

fn main() {}
