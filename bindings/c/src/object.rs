//! Files with code objects, and their kernels.

use std::ffi::{CString, c_char, c_void};
use std::sync::OnceLock;

use amdgpu_dis::{Options, open};
use amdgpu_dispatch::{CODE_BASE, HostLaunch, LoadedObject};
use amdgpu_object::{CodeObject, Kernel};
use amdgpu_report::HostContext;

use crate::arch::target;
use crate::border::{self, Out, OutError, OutHandle, OutStruct, Plain, Sized32, element, guard, optional};
use crate::status::{Failure, c_string, isa_error, isa_status};

/// A file with code objects for one processor. Free it with `isa_object_free`.
#[derive(Debug)]
pub struct isa_object {
    images: Vec<Image>,
    kernels: Vec<ObjectKernel>,
    processor: CString,
}

/// A code object of the file.
#[derive(Debug)]
struct Image {
    bytes: Vec<u8>,
    kernels: Vec<Kernel>,
    /// Loaded by the first launch.
    loaded: OnceLock<Result<LoadedObject, String>>,
}

/// A kernel with its text for C.
#[derive(Debug)]
struct ObjectKernel {
    image: usize,
    index: usize,
    name: CString,
    arguments: Vec<ObjectArgument>,
}

#[derive(Debug)]
struct ObjectArgument {
    name: Option<CString>,
    type_name: Option<CString>,
    kind: CString,
    offset: u32,
    bytes: u32,
}

/// A kernel and what launches need of its code object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaunchedKernel<'a> {
    pub info: &'a Kernel,
    pub object: &'a LoadedObject,
    bytes: &'a [u8],
}

impl LaunchedKernel<'_> {
    /// Returns the resolver of faults and findings of a launch.
    pub fn context<'a>(&'a self, launch: &'a HostLaunch<'a>) -> Result<HostContext<'a>, Failure> {
        let context = HostContext::new(self.object, self.info, launch, self.bytes);
        context.ok_or_else(|| Failure::new(isa_status::Launch, "no segment holds the code of the kernel"))
    }
}

impl isa_object {
    fn new(file: &[u8], processor: Option<&str>) -> Result<Self, Failure> {
        let options = Options { target: processor.map(target).transpose()?, ..Options::default() };
        let mut all = Self { images: Vec::new(), kernels: Vec::new(), processor: CString::default() };
        for image in open(file, &options).images.map_err(Failure::format)? {
            if all.images.is_empty() {
                let name = image.object_file(&options.limits).map_err(Failure::format)?.processor();
                all.processor = c_string(name);
            }
            let bytes = image.bytes.into_owned();
            let kernels = CodeObject::load(&bytes, CODE_BASE).map_err(Failure::format)?.kernels;
            let index = all.images.len();
            all.kernels.extend(kernels.iter().enumerate().map(|(nth, kernel)| ObjectKernel::new(index, nth, kernel)));
            all.images.push(Image { bytes, kernels, loaded: OnceLock::new() });
        }
        Ok(all)
    }

    fn kernel(&self, index: usize) -> Result<(&ObjectKernel, &Image, &Kernel), Failure> {
        let entry = element(&self.kernels, index)?;
        let image = element(&self.images, entry.image)?;
        Ok((entry, image, element(&image.kernels, entry.index)?))
    }

    /// Returns a kernel and its code object, which the first call loads.
    pub(crate) fn launched(&self, index: usize) -> Result<LaunchedKernel<'_>, Failure> {
        let (_, image, info) = self.kernel(index)?;
        let load = || LoadedObject::load(&image.bytes).map_err(|error| error.to_string());
        let object = image.loaded.get_or_init(load).as_ref();
        let object = object.map_err(|error| Failure::new(isa_status::Launch, error.clone()))?;
        Ok(LaunchedKernel { info, object, bytes: &image.bytes })
    }
}

impl ObjectKernel {
    fn new(image: usize, index: usize, kernel: &Kernel) -> Self {
        let arguments = kernel.metadata.iter().flat_map(|metadata| metadata.explicit_arguments());
        let arguments = arguments.map(|argument| ObjectArgument {
            name: argument.name.clone().map(c_string),
            type_name: argument.type_name.clone().map(c_string),
            kind: c_string(argument.value_kind.name()),
            offset: argument.offset,
            bytes: argument.size,
        });
        Self { image, index, name: c_string(kernel.name.clone()), arguments: arguments.collect() }
    }
}

/// Opens the contents of a file: a code object or an object file, or a bundle, program or archive with code objects. The bytes are
/// copied. `target` selects the code objects for a processor, or is NULL if the file has those of one processor only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_object_load(
    bytes: *const c_void,
    size: usize,
    target: *const c_char,
    object: *mut *mut isa_object,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (bytes, target, object, error) = unsafe {
        (
            border::slice(bytes.cast::<u8>(), size, "bytes"),
            border::optional_name(target, "target"),
            OutHandle::new(object),
            OutError::new(error),
        )
    };
    guard(error, || {
        let object = object?;
        object.set(isa_object::new(bytes?, target?)?);
        Ok(())
    })
}

/// Opens a file by its path: see `isa_object_load`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_object_read(
    path: *const c_char,
    target: *const c_char,
    object: *mut *mut isa_object,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (path, target, object, error) = unsafe {
        (
            border::name(path, "path"),
            border::optional_name(target, "target"),
            OutHandle::new(object),
            OutError::new(error),
        )
    };
    guard(error, || {
        let (path, object) = (path?, object?);
        let bytes = std::fs::read(path);
        let bytes = bytes.map_err(|error| Failure::new(isa_status::Io, format!("{path}: {error}")))?;
        object.set(isa_object::new(&bytes, target?)?);
        Ok(())
    })
}

/// Frees an object; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_object_free(object: *mut isa_object) {
    // SAFETY: the contract of the header.
    unsafe { border::free(object) };
}

/// Returns the name of the processor, which lives as long as the object; an empty text for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_object_processor(object: *const isa_object) -> *const c_char {
    // SAFETY: the contract of the header.
    let object = unsafe { border::handle(object) };
    object.map_or(c"".as_ptr(), |object| object.processor.as_ptr())
}

/// Returns the number of kernels; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_object_kernel_count(object: *const isa_object) -> usize {
    // SAFETY: the contract of the header.
    let object = unsafe { border::handle(object) };
    object.map_or(0, |object| object.kernels.len())
}

/// Stores the index of the kernel with a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_object_find_kernel(
    object: *const isa_object,
    name: *const c_char,
    index: *mut usize,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (object, name, index, error) = unsafe {
        (border::handle(object), border::name(name, "name"), Out::new(index, 0, "index"), OutError::new(error))
    };
    guard(error, || {
        let (object, name, index) = (object?, name?, index?);
        let found = object.kernels.iter().position(|kernel| kernel.name.to_bytes() == name.as_bytes());
        let missing = || {
            let names: Vec<_> = object.kernels.iter().map(|kernel| kernel.name.to_string_lossy()).collect();
            let message = format!("no kernel `{}`; the kernels are {}", name.escape_debug(), names.join(", "));
            Failure::new(isa_status::OutOfRange, message)
        };
        index.set(found.ok_or_else(missing)?);
        Ok(())
    })
}

/// A kernel. Its text lives as long as the object.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_kernel {
    /// The size of the struct.
    pub size: u32,
    /// The lanes of a wave: 32 or 64.
    pub wave: u32,
    /// The name.
    pub name: *const c_char,
    /// The address of the first instruction in the code object.
    pub address: u64,
    /// The number of explicit arguments; 0 without metadata.
    pub argument_count: usize,
    /// Whether the code object has metadata for the kernel, which state its arguments: 0 or 1.
    pub has_metadata: u32,
    /// The number of vector registers: that of the metadata, else that of the descriptor.
    pub vector_registers: u32,
    /// The number of scalar registers; 0 without metadata.
    pub scalar_registers: u32,
    /// The number of vector registers that are stored in scratch memory.
    pub vector_spills: u32,
    /// The number of scalar registers that are stored elsewhere.
    pub scalar_spills: u32,
    /// The local memory of a work-group in bytes, without dynamic local memory.
    pub lds: u32,
    /// The scratch memory of a work-item in bytes.
    pub scratch: u32,
    /// The largest number of work-items in a work-group.
    pub max_block: u32,
    /// The only size of work-groups that the kernel works with, or zeros.
    pub required_block: [u32; 3],
    /// 0.
    pub reserved: u32,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_kernel {}
impl Sized32 for isa_kernel {
    const FIRST: usize = size_of::<Self>();
}

/// Fills in a kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_object_kernel(
    object: *const isa_object,
    index: usize,
    kernel: *mut isa_kernel,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (object, out) = unsafe { (border::handle(object), OutStruct::new(kernel)) };
    guard(OutError::none(), || {
        let ((entry, _, info), out) = (object?.kernel(index)?, out?);
        let (metadata, descriptor) = (info.metadata.as_ref(), &info.descriptor);
        let spills = |count: Option<Option<u32>>| count.flatten().unwrap_or(0);
        let max_block = metadata.map(|metadata| metadata.max_flat_workgroup_size).filter(|count| *count > 0);
        out.write(isa_kernel {
            size: 0,
            wave: if descriptor.wavefront_size32() { 32 } else { 64 },
            name: entry.name.as_ptr(),
            address: info.entry.wrapping_sub(CODE_BASE),
            argument_count: entry.arguments.len(),
            has_metadata: metadata.is_some().into(),
            vector_registers: metadata.map_or_else(|| descriptor.vgpr_count(), |metadata| metadata.vgpr_count),
            scalar_registers: metadata.map_or(0, |metadata| metadata.sgpr_count),
            vector_spills: spills(metadata.map(|metadata| metadata.vgpr_spill_count)),
            scalar_spills: spills(metadata.map(|metadata| metadata.sgpr_spill_count)),
            lds: descriptor.group_segment_fixed_size(),
            scratch: descriptor.private_segment_fixed_size(),
            max_block: max_block.unwrap_or(1024),
            required_block: metadata.and_then(|metadata| metadata.reqd_workgroup_size).unwrap_or_default(),
            reserved: 0,
        });
        Ok(())
    })
}

/// An explicit argument of a kernel. Its text lives as long as the object.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_kernel_argument {
    /// The size of the struct.
    pub size: u32,
    /// The offset in the memory of arguments.
    pub offset: u32,
    /// The size in bytes.
    pub bytes: u32,
    /// 0.
    pub reserved: u32,
    /// The kind, as metadata spell it: `global_buffer`, `by_value` and others.
    pub kind: *const c_char,
    /// The name in the source, or NULL.
    pub name: *const c_char,
    /// The type in the source, or NULL.
    pub type_name: *const c_char,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_kernel_argument {}
impl Sized32 for isa_kernel_argument {
    const FIRST: usize = size_of::<Self>();
}

/// Fills in an argument of a kernel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_object_kernel_argument(
    object: *const isa_object,
    kernel: usize,
    index: usize,
    argument: *mut isa_kernel_argument,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (object, out) = unsafe { (border::handle(object), OutStruct::new(argument)) };
    guard(OutError::none(), || {
        let argument = element(&element(&object?.kernels, kernel)?.arguments, index)?;
        out?.write(isa_kernel_argument {
            size: 0,
            offset: argument.offset,
            bytes: argument.bytes,
            reserved: 0,
            kind: argument.kind.as_ptr(),
            name: optional(&argument.name),
            type_name: optional(&argument.type_name),
        });
        Ok(())
    })
}
