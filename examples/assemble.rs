//! Assembles a kernel, lists it and runs it on the CPU.
//!
//! ```sh
//! cargo run -p isa-tests --example assemble
//! ```

use std::error::Error;

use amdgpu_arch::Wave;
use amdgpu_asm::{Options, Target, assemble};
use amdgpu_dispatch::{Kernel, LaunchArgument};

/// Returns the listing of the kernel and the first squares that it stores.
pub fn squares() -> Result<(String, Vec<u8>), Box<dyn Error>> {
    let assembly = assemble(include_str!("squares.s"), &Options::new(Target::parse("gfx1100")?, Wave::W32))?;
    let file = assembly.to_code_object()?;

    let options = amdgpu_dis::Options::default();
    let image = amdgpu_dis::open(&file, &options).images?.remove(0);
    let code = image.listing(&options)?.sections.remove(0);
    let listing = code.rows().map(|row| format!("{:4x}  {row}\n", code.address_of(row.offset))).collect();

    let launch = Kernel::load(&file)?.arguments([LaunchArgument::zeros(64 * 4)])?;
    let finished = launch.global(64).local(64).run()?;
    Ok((listing, finished.contents(0)?))
}

#[allow(dead_code, reason = "tests include this file and call `squares`")]
fn main() -> Result<(), Box<dyn Error>> {
    let (listing, squares) = squares()?;
    println!("{listing}{squares:?}");
    Ok(())
}
