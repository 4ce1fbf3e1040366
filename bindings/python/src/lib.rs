//! The extension module of the Python package `amdgpu_isa`.
//!
//! It translates between Python and the crates of this repository, and has no logic of instruction sets. `python/amdgpu_isa` has what users
//! import: the functions and classes of this module, the exceptions and the type stubs.

mod assembly;
mod buffer;
mod data;
mod errors;
mod image;
mod launch;
mod lint;
mod listing;
mod object;
mod observer;
mod opcodes;
mod target;

use isa_exec::check::finding::Kind;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<assembly::Diagnostic>()?;
    module.add_class::<launch::Finding>()?;
    module.add_class::<launch::LaunchResult>()?;
    module.add_class::<launch::Mapped>()?;
    module.add_class::<listing::Disassembly>()?;
    module.add_class::<listing::Instruction>()?;
    module.add_class::<lint::LintFinding>()?;
    module.add_class::<object::CodeObject>()?;
    module.add_class::<object::Kernel>()?;
    module.add_class::<object::KernelArgument>()?;
    module.add_class::<opcodes::Opcode>()?;
    module.add_function(wrap_pyfunction!(assembly::assemble, module)?)?;
    module.add_function(wrap_pyfunction!(launch::mapped, module)?)?;
    module.add_function(wrap_pyfunction!(listing::decode, module)?)?;
    module.add_function(wrap_pyfunction!(listing::disassemble, module)?)?;
    module.add_function(wrap_pyfunction!(listing::explain, module)?)?;
    module.add_function(wrap_pyfunction!(listing::lint, module)?)?;
    module.add_function(wrap_pyfunction!(object::load, module)?)?;
    module.add_function(wrap_pyfunction!(observer::observe, module)?)?;
    module.add_function(wrap_pyfunction!(opcodes::opcodes, module)?)?;
    let kinds = Kind::ALL.map(Kind::name);
    module.add("CHECK_KINDS", PyTuple::new(module.py(), kinds)?)?;
    Ok(())
}
