const CODE: &[u32] = &rdna3::asm! {
    s_mov_b32 v0, 1;
    v_add_f32 v0, v1, v256;
    v_add_f32 v0, v1;
    s_waitcnt vmcnt(99);
};

fn main() {}
