//! A number that the program computes in `vgpr!` and `sgpr!`.
//! The macros take literals only.

fn main() {
    let n = 4;
    let _ = rdna3::vgpr!(n);
    let _ = rdna3::sgpr!(n..=5);
}
