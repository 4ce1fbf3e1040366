//! Assembles a kernel, lists it and runs it on the CPU.
//!
//! ```sh
//! cargo run -p isa-tests --example assemble
//! ```

use std::error::Error;

use amdgpu_arch::Wave;
use amdgpu_asm::{Options, Target, assemble};
use amdgpu_dispatch::{AddressSpace, Argument, CODE_BASE, Dispatch, Settings};
use amdgpu_object::{CodeObject, Grid};
use isa_exec::program::Program;
use rdna3::exec::Rdna3Machine;

/// Returns the listing of the kernel and the first squares that it stores.
pub fn squares() -> Result<(String, Vec<u8>), Box<dyn Error>> {
    let options = Options { listing: true, ..Options::new(Target::parse("gfx1100")?, Wave::W32) };
    let assembly = assemble(include_str!("squares.s"), &options)?;
    let rows = assembly.listing().into_iter().filter(|row| !row.bytes.is_empty());
    let rows = rows.map(|row| format!("{:4x}  {:02x?}  {}\n", row.offset, row.bytes, row.source));
    let listing = rows.collect();

    let file = assembly.to_code_object()?;
    let object = CodeObject::load(&file, CODE_BASE)?;
    let mut space = AddressSpace::new(&object)?;
    let buffer = space.allocate(64 * 4)?;
    let code = object.segments.iter().find(|segment| segment.is_executable).ok_or("no code")?;
    let program = Program::new::<Rdna3Machine>(&*code.bytes, code.address, Wave::W32, 256);
    let (kernel, grid) = (&object.kernels[0], Grid::new(&[64], &[64])?);
    let dispatch =
        Dispatch::new(&program, kernel, grid, &[Argument::Buffer(buffer)], &Settings::default(), &mut space)?;
    dispatch.run(space.memory())?;
    Ok((listing, space.contents(buffer).map_err(|_| "the buffer is not mapped")?))
}

#[allow(dead_code, reason = "tests include this file and call `squares`")]
fn main() -> Result<(), Box<dyn Error>> {
    let (listing, squares) = squares()?;
    println!("{listing}{squares:?}");
    Ok(())
}
