//! A pair of registers that begins with an odd one, as the destination of a scalar load.
const LOAD: &[u32] = &rdna3::asm! {
    s_load_b64 s[3:4], s[0:1], 0
    s_load_b32 exec_lo, s[0:1], 0
};

fn main() {}
