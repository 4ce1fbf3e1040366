// Halves of 16-bit operands, as with LLVM's `+real-true16`.
const CODE: &[u32] = &rdna4::asm! {
    v_add_f16_e32 v200.l, v1.l, v2.h
    v_add_f32 v1.l, v2, v3
    v_minimum3_f32 v1, v2.l, v3, v4
    v_cvt_f32_f16 v1.h, v2.l
    v_s_exp_f16 v1.l, s2
};

fn main() {}
