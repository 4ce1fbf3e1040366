const CODE: &[u32] = &rdna3::asm! {
    again:
    s_nop 0;
    again:
    s_branch again;
};

fn main() {}
