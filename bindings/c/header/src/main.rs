//! Makes `include/amdgpu_isa.h` from `src/`. With `--check` it only compares the two, and ends with 1 if they differ.

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no folder above")?;
    let path = folder.join("include/amdgpu_isa.h");
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml"))?;
    let mut header = Vec::new();
    cbindgen::Builder::new().with_crate(folder).with_config(config).generate()?.write(&mut header);
    if std::env::args().nth(1).as_deref() != Some("--check") {
        std::fs::write(&path, &header)?;
    } else if std::fs::read(&path)? != header {
        eprintln!("error: include/amdgpu_isa.h is not what cbindgen makes; run `cargo run` in bindings/c/header");
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
