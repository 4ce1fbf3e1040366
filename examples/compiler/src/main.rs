//! `cargo run -p example-compiler -- KERNEL.k OUT.co` compiles a kernel to a code object.

use std::error::Error;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [source, object] = paths.as_slice() else { return Err("usage: example-compiler KERNEL.k OUT.co".into()) };
    fs::write(object, example_compiler::compile(&fs::read_to_string(source)?)?)?;
    Ok(())
}
