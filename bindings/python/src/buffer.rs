//! Memory of other Python objects: the buffer protocol, DLPack and `data_ptr()`.
//!
//! All unsafe code of the package is in this module. It relies on what these protocols promise: the memory stays where it is, at least as
//! large as stated, while the export, the capsule or the object is kept. Waves access it as atomics, so that threads of a launch do not
//! race with each other.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use amdgpu_dispatch::{HostRange, SharedBuffer};
use isa_exec::memory::SharedCells;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

/// `Py_buffer`. Its layout is part of the stable ABI since Python 3.11 and the same since 3.0.
#[repr(C)]
struct View {
    buf: *mut c_void,
    obj: *mut ffi::PyObject,
    len: isize,
    itemsize: isize,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut isize,
    strides: *mut isize,
    suboffsets: *mut isize,
    internal: *mut c_void,
}

// The stable ABI has these functions since Python 3.11; Python 3.9 and 3.10 export them too, with the same signatures.
unsafe extern "C" {
    fn PyObject_GetBuffer(object: *mut ffi::PyObject, view: *mut View, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut View);
}

/// Contiguous bytes.
const SIMPLE: c_int = 0;
/// `PyBUF_STRIDES`: memory with gaps, too.
const STRIDES: c_int = 0x18;

/// A buffer that an object exports. The object keeps its memory in place until the export is dropped.
pub struct Export(Box<View>);

// SAFETY: the pointers of a view are to memory that the exporter keeps until the view is released, on any thread. The view itself is only
// read, and released by `drop`, which attaches to the interpreter.
unsafe impl Send for Export {}
// SAFETY: as above; no method changes the view.
unsafe impl Sync for Export {}

impl Export {
    /// Returns the contiguous buffer of an object; `None` if it exports none.
    pub fn of(object: &Bound<'_, PyAny>) -> Option<Self> {
        Self::with_flags(object, SIMPLE)
    }

    fn with_flags(object: &Bound<'_, PyAny>, flags: c_int) -> Option<Self> {
        let mut view = Box::new(View {
            buf: ptr::null_mut(),
            obj: ptr::null_mut(),
            len: 0,
            itemsize: 0,
            readonly: 0,
            ndim: 0,
            format: ptr::null_mut(),
            shape: ptr::null_mut(),
            strides: ptr::null_mut(),
            suboffsets: ptr::null_mut(),
            internal: ptr::null_mut(),
        });
        // SAFETY: `object` is a live object and the thread is attached to the interpreter, since there is a `Bound`; `view` is a writable
        // `Py_buffer` in a heap block, so that it does not move later.
        let result = unsafe { PyObject_GetBuffer(object.as_ptr(), &raw mut *view, flags) };
        if result != 0 {
            // The exception says that the object has no buffer.
            drop(PyErr::take(object.py()));
            // There is nothing to release.
            return None;
        }
        Some(Self(view))
    }

    /// Copies the contents of a contiguous buffer.
    pub fn copy_contents(&self) -> PyResult<Vec<u8>> {
        let bytes = usize::try_from(self.0.len).map_err(|_| PyBufferError::new_err("a buffer of negative length"))?;
        if bytes == 0 || self.0.buf.is_null() {
            return Ok(Vec::new());
        }
        // SAFETY: the exporter promises `len` contiguous bytes at `buf` (flags without strides) while the view is not released. The thread
        // is attached to the interpreter, so that no Python code changes them meanwhile.
        Ok(unsafe { std::slice::from_raw_parts(self.0.buf.cast::<u8>(), bytes) }.to_vec())
    }

    /// Returns the range of the memory.
    fn extent(&self) -> PyResult<Extent> {
        let view = &self.0;
        let dimensions = usize::try_from(view.ndim).unwrap_or(0);
        if dimensions == 0 || view.shape.is_null() || view.strides.is_null() {
            return Extent::new(view.buf as u64, i128::from(view.len as i64), &[], &[]);
        }
        // SAFETY: with PyBUF_STRIDES, `shape` and `strides` are null or have `ndim` numbers, as long as the view is not released.
        let (shape, strides) = unsafe {
            (std::slice::from_raw_parts(view.shape, dimensions), std::slice::from_raw_parts(view.strides, dimensions))
        };
        let wide = |numbers: &[isize]| numbers.iter().map(|number| *number as i128).collect::<Vec<_>>();
        Extent::new(view.buf as u64, view.itemsize as i128, &wide(shape), &wide(strides))
    }
}

impl Drop for Export {
    fn drop(&mut self) {
        let view = &raw mut *self.0;
        // SAFETY: the view was filled by PyObject_GetBuffer, is released once, and the thread is attached to the interpreter.
        Python::attach(|_| unsafe { PyBuffer_Release(view) });
    }
}

/// Bytes of memory, and the address in or before them that the object gives.
#[derive(Debug, Clone, Copy)]
struct Extent {
    pointer: u64,
    start: u64,
    bytes: u64,
}

impl Extent {
    /// Returns the range of an array: strides are in bytes, and may be negative.
    fn new(pointer: u64, item: i128, shape: &[i128], strides: &[i128]) -> PyResult<Self> {
        let (mut low, mut high) = (0_i128, item);
        for (count, stride) in shape.iter().zip(strides) {
            if *count == 0 {
                return Ok(Self { pointer, start: pointer, bytes: 0 });
            }
            let reach = (count - 1).checked_mul(*stride).ok_or_else(too_large)?;
            let end = if reach < 0 { &mut low } else { &mut high };
            *end = end.checked_add(reach).ok_or_else(too_large)?;
        }
        let start = u64::try_from(i128::from(pointer) + low).map_err(|_| too_large())?;
        let bytes = u64::try_from(high - low).map_err(|_| too_large())?;
        // Addresses of user space on all hosts; larger sizes are wrong.
        match start.checked_add(bytes) {
            Some(end) if end <= 1 << 56 && item >= 0 => Ok(Self { pointer, start, bytes }),
            _ => Err(too_large()),
        }
    }
}

#[cold]
fn too_large() -> PyErr {
    PyValueError::new_err("the memory of a buffer exceeds the address space")
}

/// Memory that a kernel may access, and what keeps it in place.
pub struct HostMemory {
    extent: Extent,
    is_writable: bool,
    _keep: Keep,
}

/// What keeps memory in place.
enum Keep {
    Export(#[expect(dead_code, reason = "kept until it is dropped")] Export),
    Object(#[expect(dead_code, reason = "kept until it is dropped")] Py<PyAny>),
}

/// The types of devices of DLPack whose memory the processor accesses.
const DL_CPU: [i32; 2] = [1, 3];

/// `DLTensor`, the first field of a `DLManagedTensor`.
#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    type_code: u8,
    type_bits: u8,
    type_lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

impl HostMemory {
    /// Returns the memory of an object with `data_ptr()`, the buffer protocol or DLPack; `None` for any other object.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = object.py();
        if let Some(pointer) = object.getattr_opt(pyo3::intern!(py, "data_ptr"))? {
            return Self::of_tensor(object, &pointer).map(Some);
        }
        if let Some(export) = Export::with_flags(object, STRIDES) {
            let (extent, is_writable) = (export.extent()?, export.0.readonly == 0);
            return Ok(Some(Self { extent, is_writable, _keep: Keep::Export(export) }));
        }
        match object.getattr_opt(pyo3::intern!(py, "__dlpack__"))? {
            Some(export) => Self::of_dlpack(object, &export).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the memory of a tensor: all of its storage, if it is a view of one.
    fn of_tensor(object: &Bound<'_, PyAny>, pointer: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if let Some(device) = object.getattr_opt(pyo3::intern!(py, "device"))?
            && let Some(device) = device.getattr_opt(pyo3::intern!(py, "type"))?
        {
            let device: String = device.extract()?;
            if device != "cpu" {
                return Err(PyTypeError::new_err(format!(
                    "a tensor on the device `{device}`; help: move it to the cpu"
                )));
            }
        }
        let pointer: u64 = pointer.call0()?.extract()?;
        let storage = match object.getattr_opt(pyo3::intern!(py, "untyped_storage"))? {
            Some(storage) => Some(storage),
            // Before torch 2.0.
            None => object.getattr_opt(pyo3::intern!(py, "storage"))?,
        };
        let (start, bytes, keep) = match storage {
            Some(storage) => {
                let storage = storage.call0()?;
                let start: u64 = storage.call_method0(pyo3::intern!(py, "data_ptr"))?.extract()?;
                let bytes: u64 = storage.call_method0(pyo3::intern!(py, "nbytes"))?.extract()?;
                (start, bytes, storage)
            }
            None => {
                let bytes: u64 = match object.getattr_opt(pyo3::intern!(py, "nbytes"))? {
                    Some(bytes) => bytes.extract()?,
                    None => {
                        let count: u64 = object.call_method0(pyo3::intern!(py, "numel"))?.extract()?;
                        let size: u64 = object.call_method0(pyo3::intern!(py, "element_size"))?.extract()?;
                        count.checked_mul(size).ok_or_else(too_large)?
                    }
                };
                (pointer, bytes, object.clone())
            }
        };
        let mut extent = Extent::new(start, i128::from(bytes), &[], &[])?;
        extent.pointer = pointer;
        Ok(Self { extent, is_writable: true, _keep: Keep::Object(keep.unbind()) })
    }

    fn of_dlpack(object: &Bound<'_, PyAny>, export: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (device, _): (i32, i32) = object.call_method0("__dlpack_device__")?.extract()?;
        if !DL_CPU.contains(&device) {
            return Err(PyTypeError::new_err(format!(
                "a tensor on the DLPack device of type {device}, not on the cpu"
            )));
        }
        let capsule = export.call0()?.cast_into::<PyCapsule>()?;
        let tensor = capsule.pointer_checked(Some(c"dltensor"))?.cast::<DlTensor>();
        // SAFETY: a capsule named `dltensor` holds a DLManagedTensor, which begins with a DLTensor and lives until the capsule is dropped.
        let tensor = unsafe { tensor.as_ref() };
        let dimensions = usize::try_from(tensor.ndim).unwrap_or(0);
        let numbers = |pointer: *const i64| {
            if dimensions == 0 || pointer.is_null() {
                return Vec::new();
            }
            // SAFETY: `shape` has `ndim` numbers, and so has `strides` unless it is null.
            unsafe { std::slice::from_raw_parts(pointer, dimensions) }.iter().map(|n| i128::from(*n)).collect()
        };
        let item = (i128::from(tensor.type_bits) * i128::from(tensor.type_lanes) + 7) / 8;
        let (shape, strides): (Vec<i128>, Vec<i128>) = (numbers(tensor.shape), numbers(tensor.strides));
        let pointer = (tensor.data as u64).checked_add(tensor.byte_offset).ok_or_else(too_large)?;
        let extent = if strides.is_empty() {
            let mut bytes = item;
            for count in &shape {
                bytes = bytes.checked_mul(*count).ok_or_else(too_large)?;
            }
            Extent::new(pointer, bytes, &[], &[])?
        } else {
            let strides: Vec<i128> = strides.iter().map(|stride| stride * item).collect();
            Extent::new(pointer, item, &shape, &strides)?
        };
        Ok(Self { extent, is_writable: true, _keep: Keep::Object(capsule.into_any().unbind()) })
    }

    /// Returns the address that the kernel gets.
    pub fn pointer(&self) -> u64 {
        self.extent.pointer
    }

    /// Returns the number of bytes from the pointer to the end.
    pub fn bytes_from_pointer(&self) -> u64 {
        (self.extent.start + self.extent.bytes).saturating_sub(self.extent.pointer)
    }
}

/// The memory of a launch: ranges without overlap.
#[derive(Default)]
pub struct Mappings {
    memory: Vec<Arc<HostMemory>>,
    ranges: Vec<HostRange>,
}

impl Mappings {
    /// Merges memory that overlaps. Bytes that several objects share may be written if one of them may.
    pub fn new(memory: Vec<Arc<HostMemory>>) -> Self {
        let used = memory.iter().filter(|memory| memory.extent.start > 0);
        let ranges = used.map(|memory| {
            let Extent { start, bytes, .. } = memory.extent;
            HostRange { start, end: start + bytes, is_writable: memory.is_writable }
        });
        let ranges = HostRange::disjoint(&ranges.collect::<Vec<_>>());
        Self { memory, ranges }
    }

    /// Returns the memory at its own addresses, as long as the objects are kept.
    pub fn buffers(&self) -> Vec<SharedBuffer<'_>> {
        // The objects whose memory it is.
        debug_assert!(self.ranges.is_empty() || !self.memory.is_empty());
        let buffer = |HostRange { start, end, is_writable }: &HostRange| {
            let bytes = (end - start) as usize;
            // SAFETY: the range is part of what the objects in `self.memory` state, or of several that touch; each keeps its memory in place
            // and readable while `self` is borrowed. The executor stores to ranges that are writable only. Other code may access the memory
            // while a kernel runs, as it may while a function of NumPy runs without the interpreter's lock: the caller answers for the
            // values then, and the accesses here are atomics.
            let parts = unsafe { cells(*start as usize, bytes) };
            SharedBuffer { address: *start, parts, is_writable: *is_writable }
        };
        self.ranges.iter().map(buffer).collect()
    }
}

/// Returns memory as bytes up to the first dword, a dword up to the first qword, qwords, a dword and bytes: without those that are empty.
///
/// # Safety
/// The memory is mapped for the lifetime `'m`, and writable if a store follows.
unsafe fn cells<'m>(address: usize, bytes: usize) -> Vec<SharedCells<'m>> {
    let end = address + bytes;
    let mut parts = Vec::with_capacity(1);
    let mut at = address;
    // Each part ends where the next alignment begins; the last ones at the end.
    let first_dword = at.next_multiple_of(4).min(end);
    let first_qword = if first_dword + 4 <= end { first_dword.next_multiple_of(8) } else { first_dword };
    let last_qword = (end & !7).max(first_qword);
    let last_dword = (end & !3).max(last_qword);
    if at < first_dword {
        // SAFETY: bytes are aligned; the range is in that of the caller.
        parts.push(SharedCells::Bytes(unsafe { slice::<AtomicU8>(at, first_dword - at) }));
    }
    at = first_dword;
    if at < first_qword {
        // SAFETY: the address is a multiple of 4, and the dword ends by `end`.
        parts.push(SharedCells::Dwords(unsafe { slice::<AtomicU32>(at, (first_qword - at) / 4) }));
    }
    at = first_qword;
    if at < last_qword {
        // SAFETY: the address is a multiple of 8, and so is the end.
        parts.push(SharedCells::Qwords(unsafe { slice::<AtomicU64>(at, (last_qword - at) / 8) }));
    }
    at = last_qword;
    if at < last_dword {
        // SAFETY: the address is a multiple of 4, and so is the end.
        parts.push(SharedCells::Dwords(unsafe { slice::<AtomicU32>(at, (last_dword - at) / 4) }));
    }
    at = last_dword;
    if at < end {
        // SAFETY: bytes are aligned; the range is in that of the caller.
        parts.push(SharedCells::Bytes(unsafe { slice::<AtomicU8>(at, end - at) }));
    }
    parts
}

/// Returns memory as atomics, which have the size and the alignment of their numbers.
///
/// # Safety
/// The memory is mapped for the lifetime `'m`, and the address a multiple of the size.
unsafe fn slice<'m, T>(address: usize, count: usize) -> &'m [T] {
    // SAFETY: the caller's. The memory belongs to another language, which has initialised it as far as Rust is concerned.
    unsafe { std::slice::from_raw_parts(ptr::with_exposed_provenance::<T>(address), count) }
}
