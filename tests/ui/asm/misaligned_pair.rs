const CODE: &[u32] = &rdna3::asm! {
    s_mov_b64 s[1:2], exec
    s_load_b128 s[4:7], s[3:4], 0
    s_buffer_load_b32 s0, s[6:9], 0
};

fn main() {}
