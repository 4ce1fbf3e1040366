fn main() {
    let base = 3;
    let _ = rdna3::asm! { v_mov_b32 v0, {base} };
}
