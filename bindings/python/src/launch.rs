//! Launches of kernels from Python.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use amdgpu_dispatch::{
    Argument, Buffer, Checks, GroupFault, HostLaunch, LaunchReport, LoadedObject, Printed, Settings, Stream,
};
use amdgpu_object::{Kernel as KernelInfo, ValueKind};
use amdgpu_report::{HostContext, ResolvedFault, ResolvedFinding, ResolvedSite};
use isa_exec::check::finding::{Kind, Kinds};
use isa_exec::fault::FaultKind;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString, PyTuple};

use crate::buffer::{Export, HostMemory, Mappings};
use crate::errors::{exception, launch_error};
use crate::image::ImageObject;

/// Memory that all launches can access, besides their arguments.
static MAPPED: Mutex<Vec<Arc<HostMemory>>> = Mutex::new(Vec::new());

fn mapped_memory() -> MutexGuard<'static, Vec<Arc<HostMemory>>> {
    MAPPED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Memory that kernels can reach through pointers in memory, until it is closed.
#[pyclass(frozen, module = "amdgpu_isa")]
pub struct Mapped(Arc<HostMemory>);

impl Mapped {
    fn unmap(&self) {
        mapped_memory().retain(|memory| !Arc::ptr_eq(memory, &self.0));
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        self.unmap();
    }
}

#[pymethods]
impl Mapped {
    /// The address that kernels use.
    #[getter]
    fn address(&self) -> u64 {
        self.0.pointer()
    }

    /// The size in bytes, from the address on.
    #[getter]
    fn nbytes(&self) -> u64 {
        self.0.bytes_from_pointer()
    }

    /// Unmaps the memory.
    fn close(&self) {
        self.unmap();
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.unmap();
    }
}

/// Maps further memory, which kernels reach through pointers in memory or numbers.
#[pyfunction]
pub fn mapped(buffer: &Bound<'_, PyAny>) -> PyResult<Mapped> {
    let memory = HostMemory::of(buffer)?.ok_or_else(|| not_memory(buffer))?;
    let memory = Arc::new(memory);
    mapped_memory().push(memory.clone());
    Ok(Mapped(memory))
}

fn not_memory(object: &Bound<'_, PyAny>) -> PyErr {
    let class = object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("`{class}` has neither `data_ptr()` nor the buffer protocol nor DLPack"))
}

/// Sizes in up to three dimensions: an integer or a sequence.
#[derive(Clone, Copy)]
pub struct Sizes([u32; 3]);

impl Sizes {
    /// One.
    pub const ONE: Self = Self([1; 3]);
}

impl<'py> FromPyObject<'_, 'py> for Sizes {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let given: Vec<u32> =
            if object.is_instance_of::<PyInt>() { vec![object.extract()?] } else { object.extract()? };
        let mut sizes = [1; 3];
        if given.is_empty() || given.len() > 3 || given.contains(&0) {
            return Err(PyValueError::new_err("sizes are one to three integers above 0"));
        }
        sizes[..given.len()].copy_from_slice(&given);
        Ok(Self(sizes))
    }
}

/// A kernel that is launched.
pub struct LaunchedKernel<'a> {
    pub image: &'a ImageObject,
    pub info: &'a KernelInfo,
}

impl LaunchedKernel<'_> {
    /// Returns the explicit arguments that metadata state.
    fn arguments(&self) -> Option<Vec<&amdgpu_object::Argument>> {
        Some(self.info.metadata.as_ref()?.explicit_arguments().collect())
    }
}

/// The options of a launch.
pub struct LaunchOptions<'py> {
    pub grid: Sizes,
    pub block: Sizes,
    pub items: Option<Sizes>,
    pub lds: u32,
    pub check: Option<Bound<'py, PyAny>>,
    pub timeout: Option<f64>,
    pub turn: Option<u64>,
    pub seed: Option<u64>,
    pub max_instructions: Option<u64>,
    pub resident: Option<u64>,
    pub stack: Option<u32>,
}

impl LaunchOptions<'_> {
    fn global(&self) -> PyResult<[u32; 3]> {
        if let Some(items) = self.items {
            return Ok(items.0);
        }
        let mut global = [1; 3];
        for ((to, grid), block) in global.iter_mut().zip(self.grid.0).zip(self.block.0) {
            *to = grid.checked_mul(block).ok_or_else(|| PyValueError::new_err("the grid has too many work-items"))?;
        }
        Ok(global)
    }

    fn settings(&self, object: &LoadedObject) -> PyResult<Settings> {
        let defaults = object.settings();
        let turn = self.turn.unwrap_or(defaults.turn);
        if turn == 0 || self.resident == Some(0) {
            return Err(PyValueError::new_err("turn and resident are at least 1"));
        }
        Ok(Settings {
            dynamic_lds_bytes: self.lds,
            stack_bytes: self.stack,
            max_instructions: self.max_instructions.unwrap_or(u64::MAX),
            turn,
            seed: self.seed,
            resident: self.resident,
            ..defaults
        })
    }

    fn checks(&self) -> PyResult<Option<Checks>> {
        let Some(check) = &self.check else { return Ok(None) };
        if let Ok(check) = check.cast::<PyBool>() {
            return Ok(check.is_true().then(|| Kinds::ALL.into()));
        }
        let names: Vec<String> =
            if check.is_instance_of::<PyString>() { vec![check.extract()?] } else { check.extract()? };
        let mut kinds = Kinds::NONE;
        for name in names {
            let kind = Kind::from_name(&name).ok_or_else(|| {
                let known: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
                let name = name.escape_debug();
                PyValueError::new_err(format!("check: `{name}` is not a kind; the kinds are {}", known.join(", ")))
            })?;
            kinds = kinds.with(kind);
        }
        Ok(Some(kinds.into()))
    }

    fn timeout(&self) -> PyResult<Option<Duration>> {
        let duration = |seconds| {
            Duration::try_from_secs_f64(seconds).map_err(|_| PyValueError::new_err("timeout is in seconds, at least 0"))
        };
        self.timeout.map(duration).transpose()
    }
}

/// Converts the arguments of a call. The memory of buffers is added to `memory`.
fn convert(
    kernel: &LaunchedKernel<'_>,
    values: &Bound<'_, PyTuple>,
    memory: &mut Vec<Arc<HostMemory>>,
) -> PyResult<Vec<Argument>> {
    let stated = kernel.arguments();
    if let Some(stated) = stated.as_ref().filter(|stated| stated.len() != values.len()) {
        let names: Vec<_> = stated.iter().map(|argument| argument.name.as_deref().unwrap_or("?")).collect();
        let plural = if stated.len() == 1 { "" } else { "s" };
        return Err(PyTypeError::new_err(format!(
            "{} has {} argument{plural} ({}), and {} are given",
            kernel.info.name,
            stated.len(),
            names.join(", "),
            values.len()
        )));
    }
    let mut arguments = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let argument = stated.as_ref().and_then(|stated| stated.get(index));
        let converted = match argument.map(|argument| argument.value_kind) {
            Some(ValueKind::ByValue) => {
                let size = argument.map_or(0, |argument| argument.size);
                let type_name = argument.and_then(|argument| argument.type_name.as_deref());
                value_bytes(&value, size, type_name).map(Argument::Value)
            }
            Some(ValueKind::DynamicSharedPointer) => value.extract().map(Argument::Lds),
            Some(_) => pointer(&value, memory),
            None if Export::of(&value).is_some_and(|_| value.is_instance_of::<pyo3::types::PyBytes>()) => {
                Ok(Argument::Value(value.extract()?))
            }
            None => pointer(&value, memory),
        };
        arguments.push(converted.map_err(|error| about(values.py(), kernel, index, &error))?);
    }
    Ok(arguments)
}

/// Names the argument that an exception is about.
fn about(py: Python<'_>, kernel: &LaunchedKernel<'_>, index: usize, error: &PyErr) -> PyErr {
    let text = format!("{}: {}", described(kernel, index), error.value(py));
    if error.is_instance_of::<PyTypeError>(py) { PyTypeError::new_err(text) } else { PyValueError::new_err(text) }
}

/// Returns the number of an argument with its name.
fn described(kernel: &LaunchedKernel<'_>, index: usize) -> String {
    let arguments = kernel.arguments().unwrap_or_default();
    match arguments.get(index).and_then(|argument| argument.name.as_deref()) {
        Some(name) => format!("argument {index} ({name})"),
        None => format!("argument {index}"),
    }
}

/// Returns the pointer that an argument is: memory, a number, or `None`.
fn pointer(value: &Bound<'_, PyAny>, memory: &mut Vec<Arc<HostMemory>>) -> PyResult<Argument> {
    if value.is_none() {
        return Ok(Argument::Value(vec![0; 8]));
    }
    if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
        let address: u64 = value.extract()?;
        return Ok(Argument::Value(address.to_le_bytes().into()));
    }
    let found = Arc::new(HostMemory::of(value)?.ok_or_else(|| not_memory(value))?);
    let buffer = Buffer { address: found.pointer(), bytes: found.bytes_from_pointer() };
    memory.push(found);
    Ok(Argument::Buffer(buffer))
}

/// Returns the bytes of a value of a size: of a NumPy scalar, a ctypes value or bytes, or a Python number where its type is clear.
fn value_bytes(value: &Bound<'_, PyAny>, size: u32, type_name: Option<&str>) -> PyResult<Vec<u8>> {
    let is_float = type_name.map(|name| ["float", "double", "half", "__fp16", "_Float16"].contains(&name));
    let size_bytes = size as usize;
    if value.is_instance_of::<PyFloat>()
        || value.is_instance_of::<PyInt>() && is_float == Some(true) && !is_numpy(value)
    {
        let number: f64 = value.extract()?;
        return match (is_float, size) {
            (Some(true), 4) => Ok((number as f32).to_le_bytes().into()),
            (Some(true), 8) => Ok(number.to_le_bytes().into()),
            _ if is_numpy(value) && size == 8 => Ok(number.to_le_bytes().into()),
            _ => Err(PyTypeError::new_err(
                "a Python float, where the metadata do not state a float; help: pass numpy.float32(…), or the bytes",
            )),
        };
    }
    if value.is_instance_of::<PyInt>() {
        if size_bytes > 8 {
            return Err(PyTypeError::new_err(format!("an integer, and the argument has {size} bytes")));
        }
        let number: i128 = value.extract()?;
        let bits = 8 * size;
        if number < -(1_i128 << bits.saturating_sub(1)) || number >= 1_i128 << bits {
            return Err(PyValueError::new_err(format!("{number} does not fit into {size} bytes")));
        }
        return Ok(number.to_le_bytes()[..size_bytes].into());
    }
    let Some(export) = Export::of(value) else {
        let class = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("`{class}` is not a value; help: pass a NumPy scalar, or the bytes")));
    };
    let bytes = export.copy_contents()?;
    if bytes.len() != size_bytes {
        return Err(PyTypeError::new_err(format!("a value of {} bytes, and the kernel expects {size}", bytes.len())));
    }
    Ok(bytes)
}

/// Whether a number is a scalar of NumPy: `numpy.float64` is a Python float.
fn is_numpy(value: &Bound<'_, PyAny>) -> bool {
    value.hasattr("dtype").unwrap_or(false)
}

/// Runs a kernel.
pub fn call(
    py: Python<'_>,
    kernel: &LaunchedKernel<'_>,
    values: &Bound<'_, PyTuple>,
    options: &LaunchOptions<'_>,
) -> PyResult<LaunchResult> {
    let object = kernel.image.loaded().map_err(|error| launch_error(py, error))?;
    let mut memory = mapped_memory().clone();
    let arguments = convert(kernel, values, &mut memory)?;
    let mappings = Mappings::new(memory);
    let launch = HostLaunch {
        arguments,
        memory: mappings.buffers(),
        global: options.global()?,
        local: options.block.0,
        settings: options.settings(object)?,
        checks: options.checks()?,
        timeout: options.timeout()?,
    };
    let printed = Mutex::new(Vec::new());
    let mut raised = None;
    let report = py.detach(|| {
        let print = |texts: &[Printed]| lock(&printed).extend_from_slice(texts);
        let mut poll = || {
            Python::attach(|py| match write_printed(py, &printed).and_then(|()| py.check_signals()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    raised = Some(error);
                    ControlFlow::Break(())
                }
            })
        };
        object.run(kernel.info, &launch, &print, &mut poll)
    });
    write_printed(py, &printed)?;
    if let Some(error) = raised {
        return Err(error);
    }
    let report = report.map_err(|error| launch_error(py, format_args!("{}: {error}", kernel.info.name)))?;
    finish(py, kernel, object, &launch, report)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes what kernels have printed to `sys.stdout` and `sys.stderr`.
fn write_printed(py: Python<'_>, printed: &Mutex<Vec<Printed>>) -> PyResult<()> {
    let texts = std::mem::take(&mut *lock(printed));
    for text in texts {
        let stream = if text.stream == Stream::Stdout { "stdout" } else { "stderr" };
        py.import("sys")?.getattr(stream)?.call_method1("write", (String::from_utf8_lossy(&text.text),))?;
    }
    Ok(())
}

/// Converts the report of a run.
fn finish(
    py: Python<'_>,
    kernel: &LaunchedKernel<'_>,
    object: &LoadedObject,
    launch: &HostLaunch<'_>,
    report: LaunchReport,
) -> PyResult<LaunchResult> {
    let file = kernel.image.bytes();
    let context = HostContext::new(object, kernel.info, launch, file);
    let context = context.ok_or_else(|| launch_error(py, "no segment holds the code of the kernel"))?;
    let found = report.checked.as_ref().map(|checked| context.findings(checked)).unwrap_or_default();
    let name = &kernel.info.name;
    let findings = found.into_iter().map(|finding| Py::new(py, Finding::new(name, finding)));
    let findings = findings.collect::<PyResult<Vec<_>>>()?;
    if let Some(fault) = &report.fault {
        return Err(fault_exception(py, fault, &context.fault(fault, report.interruption), findings));
    }
    Ok(LaunchResult {
        kernel: name.clone(),
        groups: report.groups,
        instructions: report.instructions,
        seconds: report.duration.as_secs_f64(),
        findings,
    })
}

/// Returns the exception of a fault.
fn fault_exception(py: Python<'_>, ended: &GroupFault, fault: &ResolvedFault, findings: Vec<Py<Finding>>) -> PyErr {
    let class = match &ended.fault.kind {
        _ if fault.is_timeout => "KernelTimeout",
        FaultKind::Trap { .. } if fault.printed.is_some() => "DeviceAssert",
        _ => "KernelFault",
    };
    let [x, y, z] = fault.group;
    let fields = PyDict::new(py);
    let set = || -> PyResult<()> {
        fields.set_item("kernel", &fault.kernel)?;
        fields.set_item("group", (x, y, z))?;
        fields.set_item("wave", fault.wave)?;
        fields.set_item("lane", fault.lane)?;
        fields.set_item("kind", fault.kind)?;
        fields.set_item("pc", fault.site.address)?;
        fields.set_item("instruction", &fault.site.text)?;
        fields.set_item("source_line", fault.site.source.as_ref().map(ToString::to_string))?;
        fields.set_item("address", fault.address)?;
        fields.set_item("argument", fault.near.as_ref().and_then(|memory| memory.near.argument))?;
        fields.set_item("near", fault.near.as_ref().map(ToString::to_string))?;
        fields.set_item("text", &fault.printed)?;
        fields.set_item("findings", findings)
    };
    match set() {
        Ok(()) => exception(py, class, &fault.message(), Some(&fields)),
        Err(error) => error,
    }
}

/// The end of a launch.
#[pyclass(frozen, get_all, module = "amdgpu_isa")]
pub struct LaunchResult {
    kernel: String,
    groups: u64,
    instructions: u64,
    seconds: f64,
    findings: Vec<Py<Finding>>,
}

impl LaunchResult {
    /// Returns the findings of the checks.
    pub fn findings(&self, py: Python<'_>) -> Vec<Py<Finding>> {
        self.findings.iter().map(|finding| finding.clone_ref(py)).collect()
    }
}

#[pymethods]
impl LaunchResult {
    fn __repr__(&self) -> String {
        let Self { kernel, groups, instructions, findings, .. } = self;
        format!(
            "<LaunchResult {kernel}: {groups} work-groups, {instructions} instructions, {} findings>",
            findings.len()
        )
    }
}

/// A fault that a check has found.
#[pyclass(frozen, get_all, module = "amdgpu_isa")]
pub struct Finding {
    kind: &'static str,
    is_error: bool,
    message: String,
    help: String,
    kernel: String,
    group: (u32, u32, u32),
    wave: u32,
    /// A mask.
    lanes: u64,
    pc: u64,
    instruction: Option<String>,
    symbol: Option<String>,
    source_line: Option<String>,
    count: u64,
    registers: Vec<String>,
    space: Option<&'static str>,
    address: Option<u64>,
    access: Option<&'static str>,
    argument: Option<usize>,
    near: Option<String>,
    other_pc: Option<u64>,
    other_instruction: Option<String>,
    other_source_line: Option<String>,
    /// The finding in a line.
    text: String,
}

impl Finding {
    fn new(kernel: &str, found: ResolvedFinding) -> Self {
        let (text, message, is_error) = (found.line(kernel), found.message(), found.is_error());
        let source = |site: &ResolvedSite| site.source.as_ref().map(ToString::to_string);
        let other = found.other.as_ref().map(|other| &other.site);
        Self {
            kind: found.kind.name(),
            is_error,
            message,
            help: found.help,
            kernel: kernel.into(),
            group: found.here.group.into(),
            wave: found.here.wave,
            lanes: found.here.lanes,
            pc: found.here.site.address,
            source_line: source(&found.here.site),
            instruction: found.here.site.text,
            symbol: found.here.site.symbol,
            count: found.count,
            registers: found.registers,
            space: found.memory.map(|memory| memory.space.name()),
            address: found.memory.map(|memory| memory.at),
            access: found.here.access.map(|access| access.name()),
            argument: found.near.as_ref().and_then(|memory| memory.near.argument),
            near: found.near.as_ref().map(ToString::to_string),
            other_pc: other.map(|site| site.address),
            other_instruction: other.and_then(|site| site.text.clone()),
            other_source_line: other.and_then(source),
            text,
        }
    }
}

#[pymethods]
impl Finding {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Finding {} at {:#x}>", self.kind, self.pc)
    }
}
