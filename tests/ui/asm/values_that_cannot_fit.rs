fn main() {
    let (n, r) = (3, "v1");
    let _ = rdna3::instrs! {
        v_ad_f32 v0, {r}, {n};
        v_add_f32 v0, {r}, {n} glc;
        s_add_u32 {r}, v2, {n};
        v_add_f32 v0, {r};
        .long 0;
    };
}
