//! Exceptions, whose classes are in `amdgpu_isa._errors`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns an exception of a class of `amdgpu_isa._errors`, made from a message and fields.
pub fn exception(py: Python<'_>, class: &str, message: &str, fields: Option<&Bound<'_, PyDict>>) -> PyErr {
    let make = || py.import("amdgpu_isa._errors")?.getattr(class)?.call((message,), fields);
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Returns the exception for data that is not what it should be.
pub fn format_error(py: Python<'_>, error: impl std::fmt::Display) -> PyErr {
    exception(py, "FormatError", &error.to_string(), None)
}

/// Returns the exception for a launch whose arguments or grid do not fit.
pub fn launch_error(py: Python<'_>, error: impl std::fmt::Display) -> PyErr {
    exception(py, "LaunchError", &error.to_string(), None)
}
