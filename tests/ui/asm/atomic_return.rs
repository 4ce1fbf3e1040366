const CODE: &[u32] = &rdna3::asm! {
    global_atomic_add_u32 v0, v[2:3], v1, off
    buffer_atomic_add_u32 v[0:1], off, s[4:7], 0 glc
};

fn main() {}
