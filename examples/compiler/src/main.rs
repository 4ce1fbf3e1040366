//! `cargo run -p example-compiler -- KERNEL.k OUT.co` compiles a kernel to a code object.

use std::error::Error;
use std::{env, fs};

use example_compiler::{Limits, compile};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [source, object] = paths.as_slice() else { return Err("usage: example-compiler KERNEL.k OUT.co".into()) };
    fs::write(object, compile(&fs::read_to_string(source)?, Limits::default())?)?;
    Ok(())
}
