// Instructions of another generation.
const GCN1_2: &[u32] = &gcn::gcn1_2::asm! {
    s_atomic_add s5, s[2:3], 0x10
    buffer_load_dword v1, v[2:3], s[4:7], 0 addr64
    s_load_dword s5, s[2:3], -4
    s_load_dword s103, s[2:3], 0x10 nv
    buffer_load_ubyte_d16 v1, off, s[4:7], 0
};

const GCN1_0: &[u32] = &gcn::gcn1_0::asm! {
    buffer_load_dwordx3 v[1:3], off, s[4:7], 0
    buffer_load_dword v1, v0, s[4:7], 0 ofen
};

fn main() {}
