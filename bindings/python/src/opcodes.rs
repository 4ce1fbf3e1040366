//! The opcodes of a set.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::target::selection;

/// An opcode.
#[pyclass(frozen, get_all, module = "amdgpu_isa")]
pub struct Opcode {
    name: &'static str,
    guide_name: &'static str,
    formats: Vec<&'static str>,
    aliases: Vec<&'static str>,
    computes: String,
}

#[pymethods]
impl Opcode {
    fn __repr__(&self) -> String {
        format!("<Opcode {} ({})>", self.name, self.formats.join(", "))
    }
}

/// Returns the opcodes of a processor or a set, by their mnemonic without a suffix.
#[pyfunction]
#[pyo3(signature = (arch="gfx1100"))]
pub fn opcodes<'py>(py: Python<'py>, arch: &str) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for entry in amdgpu_arch::opcodes(selection(arch)?.arch) {
        let amdgpu_arch::OpcodeEntry { name, guide_name, formats, aliases, computes } = entry;
        all.set_item(name, Bound::new(py, Opcode { name, guide_name, formats, aliases, computes })?)?;
    }
    Ok(all)
}
