// Temporal hints and scopes have the place of RDNA3's `glc`, `slc` and `dlc`.
const CODE: &[u32] = &rdna4::asm! {
    global_load_b32 v1, v[2:3], off th:TH_STORE_NT
    global_store_b32 v[2:3], v1, off th:TH_LOAD_LU
    s_load_b32 s0, s[2:3], 0x0 th:TH_LOAD_RT_NT
    global_load_b32 v1, v[2:3], off scope:SCOPE_WG
    global_load_b32 v1, v[2:3], off scope:4
    global_load_b32 v1, v[2:3], off glc
    global_atomic_add_u32 v0, v[2:3], v1, off
    ds_add_u32 v0, v1 gds
    global_atomic_add_u32 v[2:3], v1, off th:TH_ATOMIC_RETURN
    global_atomic_add_u32 v[2:3], v1, off th:TH_ATOMIC_CASCADE_RT scope:SCOPE_SE
};

fn main() {}
