struct Mine;

fn main() {
    let _ = rdna3::instrs! { v_add_f32 v0, {Mine}, v1 };
}
