//! Code objects and their kernels.

use std::sync::Arc;

use amdgpu_dis::{Options, open};
use amdgpu_dispatch::CODE_BASE;
use amdgpu_object::{Argument, Kernel as KernelInfo};
use pyo3::exceptions::PyKeyError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::data::Data;
use crate::errors::format_error;
use crate::image::ImageObject;
use crate::launch::{LaunchOptions, LaunchResult, LaunchedKernel, Sizes, call};
use crate::lint::LintFinding;
use crate::observer;
use crate::target::selection;

/// A loaded file: the code objects for one processor.
#[pyclass(frozen, mapping, module = "amdgpu_isa")]
pub struct CodeObject {
    file: Vec<u8>,
    images: Vec<Arc<ImageObject>>,
}

impl CodeObject {
    /// Returns the contents of the file.
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    fn all(&self) -> impl Iterator<Item = Kernel> {
        self.images
            .iter()
            .flat_map(|image| (0..image.kernels.len()).map(|index| Kernel { image: image.clone(), index }))
    }
}

#[pymethods]
impl CodeObject {
    /// The name of the processor.
    #[getter]
    fn arch(&self) -> &str {
        self.images.first().map_or("", |image| &image.processor)
    }

    /// The kernels, sorted by name in each code object.
    #[getter]
    fn kernels(&self) -> Vec<Kernel> {
        self.all().collect()
    }

    fn __len__(&self) -> usize {
        self.all().count()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.all().any(|kernel| kernel.has_name(name))
    }

    fn __iter__(&self) -> KernelNames {
        KernelNames(self.all().map(|kernel| kernel.info().name.clone()).collect::<Vec<_>>().into_iter())
    }

    fn __getitem__(&self, name: &str) -> PyResult<Kernel> {
        self.all().find(|kernel| kernel.has_name(name)).ok_or_else(|| {
            let names: Vec<String> = self.all().map(|kernel| kernel.info().name.clone()).collect();
            PyKeyError::new_err(format!("no kernel `{}`; the kernels are {}", name.escape_debug(), names.join(", ")))
        })
    }

    fn __repr__(&self) -> String {
        format!("<CodeObject for {}: {} kernels>", self.arch(), self.all().count())
    }
}

/// The names of kernels.
#[pyclass(module = "amdgpu_isa")]
pub struct KernelNames(std::vec::IntoIter<String>);

#[pymethods]
impl KernelNames {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<String> {
        self.0.next()
    }
}

/// Loads a file: a code object, or a bundle, program or archive with code objects.
#[pyfunction]
#[pyo3(signature = (data, arch=None))]
pub fn load(py: Python<'_>, data: &Bound<'_, PyAny>, arch: Option<&str>) -> PyResult<CodeObject> {
    let file = Data::read(data)?.into_vec();
    let options = Options { target: arch.map(selection).transpose()?, ..Options::default() };
    let images = py.detach(|| {
        let images = open(&file, &options).images.map_err(|error| error.to_string())?;
        let images = images.into_iter().map(|image| {
            let processor = image.object_file(&options.limits).map_err(|error| error.to_string())?.processor();
            ImageObject::new(image.bytes.into_owned(), processor).map(Arc::new)
        });
        images.collect::<Result<Vec<_>, String>>()
    });
    match images {
        Ok(images) => Ok(CodeObject { file, images }),
        Err(error) => Err(format_error(py, error)),
    }
}

/// An argument of a kernel.
#[pyclass(frozen, get_all, module = "amdgpu_isa")]
pub struct KernelArgument {
    /// The name in the source.
    name: Option<String>,
    /// The kind, as metadata spells it: `global_buffer`, `by_value`, …
    kind: &'static str,
    /// The type in the source.
    type_name: Option<String>,
    /// The offset in the memory of arguments.
    offset: u32,
    /// The size in bytes.
    size: u32,
}

#[pymethods]
impl KernelArgument {
    fn __repr__(&self) -> String {
        let name = self.name.as_deref().unwrap_or("?");
        format!("<KernelArgument {name}: {}, {} bytes>", self.kind, self.size)
    }
}

/// A kernel of a code object. A call runs it.
#[pyclass(frozen, module = "amdgpu_isa")]
pub struct Kernel {
    image: Arc<ImageObject>,
    index: usize,
}

impl Kernel {
    /// Returns the descriptor, the metadata and the addresses.
    fn info(&self) -> &KernelInfo {
        &self.image.kernels[self.index]
    }

    fn has_name(&self, name: &str) -> bool {
        let info = self.info();
        info.name == name || info.metadata.as_ref().is_some_and(|metadata| metadata.name == name)
    }

    fn spills_of(&self, count: impl Fn(&amdgpu_object::KernelMetadata) -> Option<u32>) -> u32 {
        self.info().metadata.as_ref().and_then(count).unwrap_or(0)
    }
}

#[pymethods]
impl Kernel {
    /// The name of the kernel's symbol.
    #[getter]
    fn name(&self) -> &str {
        &self.info().name
    }

    /// The name of the processor.
    #[getter]
    fn arch(&self) -> &str {
        &self.image.processor
    }

    /// The address of the first instruction, as disassemblies list it.
    #[getter]
    fn address(&self) -> u64 {
        self.info().entry.wrapping_sub(CODE_BASE)
    }

    /// The explicit arguments; empty without metadata.
    #[getter]
    fn args(&self) -> Vec<KernelArgument> {
        let metadata = self.info().metadata.as_ref();
        let arguments = metadata.map(|metadata| metadata.explicit_arguments().collect::<Vec<_>>()).unwrap_or_default();
        let argument = |argument: &&Argument| KernelArgument {
            name: argument.name.clone(),
            kind: argument.value_kind.name(),
            type_name: argument.type_name.clone(),
            offset: argument.offset,
            size: argument.size,
        };
        arguments.iter().map(argument).collect()
    }

    /// The lanes of a wave: 32 or 64.
    #[getter]
    fn wave(&self) -> u32 {
        if self.info().descriptor.wavefront_size32() { 32 } else { 64 }
    }

    /// The number of vector registers: those that metadata state, else those that the descriptor allocates.
    #[getter]
    fn vgprs(&self) -> u32 {
        let stated = self.info().metadata.as_ref().map(|metadata| metadata.vgpr_count);
        stated.unwrap_or_else(|| self.info().descriptor.vgpr_count())
    }

    /// The number of scalar registers; 0 without metadata.
    #[getter]
    fn sgprs(&self) -> u32 {
        self.spills_of(|metadata| Some(metadata.sgpr_count))
    }

    /// The number of registers that are stored elsewhere.
    #[getter]
    fn spills(&self) -> u32 {
        self.vgpr_spills() + self.sgpr_spills()
    }

    /// The number of vector registers that are stored in scratch memory.
    #[getter]
    fn vgpr_spills(&self) -> u32 {
        self.spills_of(|metadata| metadata.vgpr_spill_count)
    }

    /// The number of scalar registers that are stored elsewhere.
    #[getter]
    fn sgpr_spills(&self) -> u32 {
        self.spills_of(|metadata| metadata.sgpr_spill_count)
    }

    /// The local memory of a work-group in bytes, without dynamic local memory.
    #[getter]
    fn lds(&self) -> u32 {
        self.info().descriptor.group_segment_fixed_size()
    }

    /// The scratch memory of a work-item in bytes.
    #[getter]
    fn scratch(&self) -> u32 {
        self.info().descriptor.private_segment_fixed_size()
    }

    /// The largest number of work-items in a work-group.
    #[getter]
    fn max_block(&self) -> u32 {
        let stated = self.info().metadata.as_ref().map(|metadata| metadata.max_flat_workgroup_size);
        stated.filter(|count| *count > 0).unwrap_or(1024)
    }

    /// The only size of work-groups that the kernel works with, if there is one.
    #[getter]
    fn required_block(&self) -> Option<[u32; 3]> {
        self.info().metadata.as_ref()?.reqd_workgroup_size
    }

    /// Lints the code object of the kernel: missing waits and hazards. Further calls return the same findings.
    fn lint(&self, py: Python<'_>) -> PyResult<Vec<LintFinding>> {
        let findings = py.detach(|| self.image.linted().map(<[_]>::to_vec));
        findings.map_err(|error| format_error(py, error))
    }

    /// Runs the kernel: `grid` work-groups of `block` work-items, or `items` work-items in all.
    #[expect(clippy::too_many_arguments, reason = "the keywords of a Python function")]
    #[pyo3(signature = (
        *args, grid=Sizes::ONE, block=Sizes::ONE, items=None, lds=0, check=None, timeout=None, turn=None, seed=None,
        max_instructions=None, resident=None, stack=None
    ))]
    fn __call__<'py>(
        this: &Bound<'py, Self>,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        grid: Sizes,
        block: Sizes,
        items: Option<Sizes>,
        lds: u32,
        check: Option<Bound<'py, PyAny>>,
        timeout: Option<f64>,
        turn: Option<u64>,
        seed: Option<u64>,
        max_instructions: Option<u64>,
        resident: Option<u64>,
        stack: Option<u32>,
    ) -> PyResult<LaunchResult> {
        let observer = if check.is_none() { observer::current(py) } else { None };
        let check = match &observer {
            Some(observer) => Some(observer.getattr(intern!(py, "check"))?),
            None => check,
        };
        let options =
            LaunchOptions { grid, block, items, lds, check, timeout, turn, seed, max_instructions, resident, stack };
        let kernel = this.get();
        let result = call(py, &LaunchedKernel { image: &kernel.image, info: kernel.info() }, args, &options)?;
        if let Some(observer) = observer {
            observer.call_method1(intern!(py, "launched"), (this, result.findings(py)))?;
        }
        Ok(result)
    }

    fn __repr__(&self) -> String {
        format!("<Kernel {} for {}>", self.info().name, self.image.processor)
    }
}
