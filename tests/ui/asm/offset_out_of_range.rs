const CODE: &[u32] = &rdna3::asm! {
    ds_load_b32 v0, v1 offset:65536
    buffer_load_b32 v0, off, s[0:3], 0 offset:4096
    global_load_b32 v0, v[2:3], off offset:4096
};

fn main() {}
