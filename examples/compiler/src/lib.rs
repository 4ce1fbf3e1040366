//! A compiler of a small language for kernels of gfx1100: the example of the guide page "Write a back end".
//!
//! A kernel goes through the modules in this order: [`syntax`] reads it, `select` checks its types and chooses instructions,
//! `allocate` chooses registers, `waits` inserts waits for memory, and `object` writes a code object. `abi` states where a
//! kernel finds its arguments.

mod abi;
mod allocate;
mod object;
mod select;
pub mod syntax;
mod waits;

pub use abi::GROUP;
pub use allocate::Limits;

/// A result with any error.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Compiles a kernel to the bytes of a code object.
///
/// # Errors
/// The source is not a valid kernel, or an instruction needs more registers than the limits admit.
pub fn compile(source: &str, limits: Limits) -> Result<Vec<u8>> {
    let kernel = syntax::parse(source)?;
    let mut code = allocate::allocate(&select::select(&kernel)?, limits)?;
    code.lines = waits::insert_waits(&code.lines)?;
    object::write(&kernel, &code)
}
