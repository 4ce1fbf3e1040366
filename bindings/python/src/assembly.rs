//! The assembler.

use std::path::PathBuf;

use amdgpu_asm::{
    Diagnostic as Message, Diagnostics, Directories, Options, Severity, Target, assemble as assemble_program,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::exception;
use crate::target::{default_wave, selection, wave};

/// A message of the assembler.
#[pyclass(frozen, get_all, module = "amdgpu_isa")]
pub struct Diagnostic {
    severity: &'static str,
    message: String,
    help: Option<String>,
    line: usize,
    column: usize,
    file: Option<String>,
}

impl Diagnostic {
    fn new(message: &Message, all: &Diagnostics) -> Self {
        let location = all.source().location(message.span.start);
        Self {
            severity: match message.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            message: message.message.clone(),
            help: message.help.clone(),
            line: location.line,
            column: location.column,
            file: location.file,
        }
    }
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> String {
        let file = self.file.as_ref().map(|file| format!("{file}:")).unwrap_or_default();
        let help = self.help.as_ref().map(|help| format!("; help: {help}")).unwrap_or_default();
        format!("{file}{}:{}: {}: {}{help}", self.line, self.column, self.severity, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.__str__())
    }
}

/// Assembles a program.
#[pyfunction]
#[pyo3(signature = (text, arch="gfx1100", emit="co", wave=None, symbols=None, include=None))]
pub fn assemble<'py>(
    py: Python<'py>,
    text: &str,
    arch: &str,
    emit: &str,
    wave: Option<u32>,
    symbols: Option<Vec<(String, i64)>>,
    include: Option<Vec<PathBuf>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let selection = selection(arch)?;
    let wave = self::wave(wave)?.unwrap_or_else(|| default_wave(&selection));
    if !["co", "obj", "text"].contains(&emit) {
        let emit = emit.escape_debug();
        return Err(PyValueError::new_err(format!("emit is `co`, `obj` or `text`, not `{emit}`")));
    }
    let directories = include.map(Directories);
    let (assembled, warnings) = py.detach(|| {
        let mut options = Options::new(Target::of(&selection), wave);
        options.symbols = symbols.unwrap_or_default();
        options.includes = directories.as_ref().map(|directories| directories as _);
        let assembly = match assemble_program(text, &options) {
            Ok(assembly) => assembly,
            Err(errors) => return (Err(Failure::Program(errors)), Vec::new()),
        };
        let bytes = match emit {
            "obj" => assembly.to_object_file(),
            "text" => Ok(assembly.text().to_vec()),
            _ => assembly.to_code_object(),
        };
        let all = assembly.diagnostics();
        let warnings = all.iter().map(|message| Diagnostic::new(message, all)).collect();
        (bytes.map_err(|error| Failure::Object(error.to_string())), warnings)
    });
    for warning in warnings {
        py.import("amdgpu_isa._errors")?.call_method1("warn", (warning.__str__(),))?;
    }
    let fields = PyDict::new(py);
    match assembled {
        Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
        Err(Failure::Program(errors)) => {
            let diagnostics: Vec<Diagnostic> = errors.iter().map(|message| Diagnostic::new(message, &errors)).collect();
            fields.set_item("diagnostics", diagnostics)?;
            Err(exception(py, "AssemblyError", &errors.to_string(), Some(&fields)))
        }
        Err(Failure::Object(error)) => {
            fields.set_item("diagnostics", Vec::<Diagnostic>::new())?;
            Err(exception(py, "AssemblyError", &error, Some(&fields)))
        }
    }
}

/// Why a program is not assembled.
enum Failure {
    /// The program has errors.
    Program(Diagnostics),
    /// The output cannot be written.
    Object(String),
}
