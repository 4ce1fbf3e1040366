//! The observer of launches: the pytest plug-in checks the launches of a test through it.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// Any object with `check`, the value of `check=` for launches without one, and `launched(kernel, findings)`.
static OBSERVER: Mutex<Option<Py<PyAny>>> = Mutex::new(None);

/// Sets the observer of launches without `check=`. Returns the one before.
#[pyfunction]
#[pyo3(signature = (observer))]
pub fn observe(observer: Option<Py<PyAny>>) -> Option<Py<PyAny>> {
    std::mem::replace(&mut *OBSERVER.lock().unwrap_or_else(PoisonError::into_inner), observer)
}

/// Returns the observer.
pub fn current<'py>(py: Python<'py>) -> Option<Bound<'py, PyAny>> {
    let observer = OBSERVER.lock().unwrap_or_else(PoisonError::into_inner);
    observer.as_ref().map(|observer| observer.bind(py).clone())
}
