//! Two instructions on a line, and a comment after `;` in a block of lines.
const TWO: &[u32] = &rdna3::asm! {
    s_nop 0 s_nop 1
    v_add_f32 v0, v1, v2 v_add_f32 v0, v1, v2
};

const COMMENT: &[u32] = &rdna3::asm! {
    s_nop 0 ; wait
    s_nop 1
};

fn main() {}
