const CODE: &[u32] = &rdna3::asm! {
    loop_1:
    s_sub_u32 s0, s0, 1;
    s_cbranch_scc0 lop_1;
    s_branch done;
    s_endpgm;
};

fn main() {}
