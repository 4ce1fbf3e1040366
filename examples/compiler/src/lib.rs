//! A compiler of a small language for kernels of gfx1100: the example of the guide page "Write a back end".
//!
//! A kernel goes through the modules in this order: `syntax` reads it, `ir` checks its types and makes operations of it,
//! `select` chooses instructions, `allocate` chooses registers, `waits` inserts waits for memory, and `object` writes a
//! code object. `interpret` defines what a kernel does, for tests.

mod allocate;
mod interpret;
mod ir;
mod object;
mod select;
mod syntax;
mod waits;

use std::fmt;

pub use interpret::{Argument, interpret};
pub use object::GROUP;

/// Why a kernel cannot be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// A result with any error.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Compiles a kernel to the bytes of a code object.
///
/// # Errors
/// The source is no valid kernel, or the kernel needs more registers than there are.
pub fn compile(source: &str) -> Result<Vec<u8>> {
    let kernel = ir::lower(&syntax::parse(source)?)?;
    let code = allocate::allocate(&select::select(&kernel)?)?;
    let code = allocate::Allocated { lines: waits::insert_waits(&code.lines)?, ..code };
    object::write(&kernel, &code)
}
