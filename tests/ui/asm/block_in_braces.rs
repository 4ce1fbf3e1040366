const CODE: &[u32] = &rdna3::asm!({
    s_nop 0
    s_endpgm
});

fn main() {
    let _ = rdna3::instrs!({ s_nop 0 });
    let _ = rdna3::asm!("s_nop 0");
}
