//! Data that functions read: contents of files, or their paths.

use std::ops::Deref;
use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::Export;

/// The bytes of an argument. They are copied, since other threads may change the argument while a function reads them.
pub struct Data(Vec<u8>);

impl Data {
    /// Reads a path, or bytes in any object with the buffer protocol.
    pub fn read(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        if data.is_instance_of::<pyo3::types::PyString>() || data.hasattr("__fspath__")? {
            let path: PathBuf = data.extract()?;
            return Ok(Self(std::fs::read(path)?));
        }
        Self::of_bytes(data)
    }

    /// Reads bytes in any object with the buffer protocol.
    pub fn of_bytes(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = data.cast::<PyBytes>() {
            return Ok(Self(bytes.as_bytes().to_vec()));
        }
        match Export::of(data) {
            Some(export) => export.copy_contents().map(Self),
            None => {
                let class = data.get_type().name()?;
                Err(PyTypeError::new_err(format!("expected bytes or a path, not `{class}`")))
            }
        }
    }

    /// Copies bytes.
    pub fn copied(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    /// Returns the bytes.
    pub fn into_vec(self) -> Vec<u8> {
        self.0
    }
}

impl Deref for Data {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
