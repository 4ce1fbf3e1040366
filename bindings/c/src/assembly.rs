//! The assembler.

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use amdgpu_asm::{
    Assembly, Diagnostics, Directories, IncludeError, IncludeResolver, IncludedFile, Options, Severity, Target,
    assemble,
};

use crate::arch::{optional_wave, target, wave};
use crate::border::{self, Out, OutError, OutHandle, OutStruct, Plain, Sized32, element, guard, optional};
use crate::status::{Failure, c_string, isa_error, isa_status};

/// A symbol with a number as its value.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_define {
    /// The name.
    pub name: *const c_char,
    /// The value.
    pub value: i64,
}

// SAFETY: all members are valid with any bits.
unsafe impl Plain for isa_define {}

/// An included file, as `isa_include_fn` returns it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_included {
    /// The contents. They have to be valid until the function is called again or `isa_assemble` returns.
    pub bytes: *const u8,
    /// Their size.
    pub size: usize,
    /// The path that diagnostics show, or NULL for the name in the program.
    pub path: *const c_char,
}

/// Finds an included file: `name` is what the program calls it, `limit` the size above which the library refuses it. Returns 0 if `file`
/// is filled in, and another number if the file does not exist. It is called by one thread at a time, which may not be the caller's.
pub type isa_include_fn = Option<
    unsafe extern "C" fn(data: *mut c_void, name: *const c_char, limit: usize, file: *mut isa_included) -> c_int,
>;

/// The options of an assembly. NULL or 0 are the defaults.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_assemble_options {
    /// The size of the struct.
    pub size: u32,
    /// The lanes of a wave: 32 or 64, or 0 for the default of the set.
    pub wave: u32,
    /// The name of a processor, a set or a target; gfx1100 by default.
    pub target: *const c_char,
    /// Symbols with numbers as values.
    pub defines: *const isa_define,
    /// The number of `defines`.
    pub define_count: usize,
    /// Directories with included files. Without them and without `include`, an included file is an error.
    pub directories: *const *const c_char,
    /// The number of `directories`.
    pub directory_count: usize,
    /// Finds included files, instead of `directories`.
    pub include: isa_include_fn,
    /// The first argument of `include`.
    pub include_data: *mut c_void,
}

// SAFETY: numbers and pointers; the contract of the header demands that `include` is NULL or a function. The first member is the size.
unsafe impl Plain for isa_assemble_options {}
impl Sized32 for isa_assemble_options {
    const FIRST: usize = size_of::<Self>();
}

/// The result of an assembly: diagnostics, and output unless some are errors. Free it with `isa_assembly_free`.
#[derive(Debug)]
pub struct isa_assembly {
    assembly: Option<Assembly>,
    diagnostics: Vec<Diagnostic>,
    code_object: OnceLock<Result<Vec<u8>, String>>,
    object_file: OnceLock<Result<Vec<u8>, String>>,
}

#[derive(Debug)]
struct Diagnostic {
    severity: Severity,
    location: Location,
    message: CString,
    help: Option<CString>,
    labels: Vec<(Location, CString)>,
}

#[derive(Debug)]
struct Location {
    file: Option<CString>,
    line: u64,
    column: u64,
}

fn location(all: &Diagnostics, position: usize) -> Location {
    let location = all.source().location(position);
    Location { file: location.file.map(c_string), line: location.line as u64, column: location.column as u64 }
}

fn diagnostics(all: &Diagnostics) -> Vec<Diagnostic> {
    let convert = |diagnostic: &amdgpu_asm::Diagnostic| Diagnostic {
        severity: diagnostic.severity,
        location: location(all, diagnostic.span.start),
        message: c_string(diagnostic.message.clone()),
        help: diagnostic.help.clone().map(c_string),
        labels: diagnostic.labels.iter().map(|label| (location(all, label.span.start), c_string(label.text))).collect(),
    };
    all.iter().map(convert).collect()
}

/// Returns the error for a program with errors: the first of them.
fn failure(all: &Diagnostics) -> Failure {
    let Some(first) = all.iter().find(|diagnostic| diagnostic.severity == Severity::Error) else {
        return Failure::new(isa_status::Assembly, "the program has errors");
    };
    let location = all.source().location(first.span.start);
    Failure {
        status: isa_status::Assembly,
        message: first.message.clone(),
        help: first.help.clone(),
        file: location.file,
        line: location.line,
        column: location.column,
    }
}

/// The function that finds included files.
#[derive(Debug)]
struct Callback {
    function: unsafe extern "C" fn(*mut c_void, *const c_char, usize, *mut isa_included) -> c_int,
    /// The address of its data. The lock keeps calls apart.
    data: Mutex<usize>,
}

impl IncludeResolver for Callback {
    fn read(&self, name: &str, limit: usize) -> Result<IncludedFile, IncludeError> {
        let data = self.data.lock().unwrap_or_else(PoisonError::into_inner);
        let c_name = c_string(name);
        let mut file = isa_included { bytes: ptr::null(), size: 0, path: ptr::null() };
        // SAFETY: the contract of the header: `include` is a function that takes its data from any thread, one at a time.
        let result =
            unsafe { (self.function)(ptr::with_exposed_provenance_mut(*data), c_name.as_ptr(), limit, &raw mut file) };
        if result != 0 {
            return Err(IncludeError::NotFound);
        }
        let size = file.size.min(limit.saturating_add(1));
        // SAFETY: the contract of the header: the function has filled in valid memory, which stays valid until it is called again.
        let (bytes, path) =
            unsafe { (border::slice(file.bytes, size, "bytes"), border::optional_name(file.path, "path")) };
        let other = |failure: Failure| IncludeError::Other(failure.message);
        let path = path.map_err(other)?.unwrap_or(name).to_owned();
        Ok(IncludedFile { path, bytes: bytes.map_err(other)?.to_vec() })
    }
}

/// Options with everything that their pointers point to.
struct Copied {
    target: String,
    wave: u32,
    symbols: Vec<(String, i64)>,
    directories: Option<Directories>,
    callback: Option<Callback>,
}

/// Copies options.
///
/// # Safety
/// The contract of the header for the options.
unsafe fn copied(options: *const isa_assemble_options) -> Result<Copied, Failure> {
    // SAFETY: the caller's.
    let options = unsafe { border::options(options, "isa_assemble_options") }?;
    // SAFETY: the caller's.
    let defines = unsafe { border::slice(options.defines, options.define_count, "defines") }?;
    // SAFETY: the caller's.
    let directories = unsafe { border::slice(options.directories, options.directory_count, "directories") }?;
    let symbols = defines.iter().map(|define| {
        // SAFETY: the caller's.
        let name = unsafe { border::name(define.name, "the name of a symbol") }?;
        Ok((name.to_owned(), define.value))
    });
    let paths = directories.iter().map(|directory| {
        // SAFETY: the caller's.
        let path = unsafe { border::name(*directory, "a directory") }?;
        Ok(PathBuf::from(path))
    });
    let paths = paths.collect::<Result<Vec<_>, Failure>>()?;
    // SAFETY: the caller's.
    let target = unsafe { border::optional_name(options.target, "target") }?;
    let data = options.include_data.expose_provenance();
    Ok(Copied {
        target: target.unwrap_or("gfx1100").to_owned(),
        wave: options.wave,
        symbols: symbols.collect::<Result<_, Failure>>()?,
        directories: (!paths.is_empty()).then_some(Directories(paths)),
        callback: options.include.map(|function| Callback { function, data: Mutex::new(data) }),
    })
}

/// Assembles a program of `size` bytes. `options` may be NULL. A program with errors is `ISA_STATUS_ASSEMBLY`; `*assembly` has its
/// diagnostics then, as it has warnings on success, and the error is the first of them. Other failures set `*assembly` to NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_assemble(
    text: *const c_char,
    size: usize,
    options: *const isa_assemble_options,
    assembly: *mut *mut isa_assembly,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (text, options, out, error) =
        unsafe { (border::text(text, size, "text"), copied(options), OutHandle::new(assembly), OutError::new(error)) };
    guard(error, || {
        let (text, copied, out) = (text?, options?, out?);
        let selection = target(&copied.target)?;
        optional_wave(copied.wave)?;
        let mut options = Options::new(Target::of(&selection), wave(selection.arch, copied.wave)?);
        options.symbols = copied.symbols;
        options.includes = match (&copied.callback, &copied.directories) {
            (Some(callback), _) => Some(callback as _),
            (None, directories) => directories.as_ref().map(|directories| directories as _),
        };
        let (assembly, diagnostics, failure) = match assemble(text, &options) {
            Ok(assembly) => {
                let diagnostics = diagnostics(assembly.diagnostics());
                (Some(assembly), diagnostics, None)
            }
            Err(errors) => (None, diagnostics(&errors), Some(failure(&errors))),
        };
        let (code_object, object_file) = (OnceLock::new(), OnceLock::new());
        out.set(isa_assembly { assembly, diagnostics, code_object, object_file });
        failure.map_or(Ok(()), Err)
    })
}

/// Frees an assembly; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_assembly_free(assembly: *mut isa_assembly) {
    // SAFETY: the contract of the header.
    unsafe { border::free(assembly) };
}

/// An output of the assembler.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_output {
    /// A loadable code object, which is linked.
    CodeObject = 0,
    /// A relocatable object file.
    ObjectFile = 1,
    /// The bytes of `.text`.
    Text = 2,
}

/// Stores an output of an assembly and its size; `output` is an `isa_output`. The bytes live as long as the assembly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_assembly_output(
    assembly: *const isa_assembly,
    output: u32,
    bytes: *mut *const u8,
    size: *mut usize,
    error: *mut *mut isa_error,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (assembly, bytes, size, error) = unsafe {
        (
            border::handle(assembly),
            Out::new(bytes, ptr::null(), "bytes"),
            Out::new(size, 0, "size"),
            OutError::new(error),
        )
    };
    guard(error, || {
        let (all, bytes, size) = (assembly?, bytes?, size?);
        let has_errors = || Failure::new(isa_status::Assembly, "the program has errors");
        let assembly = all.assembly.as_ref().ok_or_else(has_errors)?;
        let written = |result: Result<Vec<u8>, amdgpu_asm::ObjectError>| result.map_err(|error| error.to_string());
        let output = match output {
            0 => all.code_object.get_or_init(|| written(assembly.to_code_object())).as_deref(),
            1 => all.object_file.get_or_init(|| written(assembly.to_object_file())).as_deref(),
            2 => Ok(assembly.text()),
            _ => return Err(Failure::invalid(format!("{output} is not an isa_output"))),
        };
        let output = output.map_err(|error| Failure::new(isa_status::Assembly, error.clone()))?;
        bytes.set(output.as_ptr());
        size.set(output.len());
        Ok(())
    })
}

/// The severity of a diagnostic.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum isa_severity {
    /// The program is wrong, and has no output.
    Error = 0,
    /// A warning.
    Warning = 1,
    /// A message that the program asks for.
    Note = 2,
}

/// A message of the assembler. Its text lives as long as the assembly.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_diagnostic {
    /// The size of the struct.
    pub size: u32,
    /// An `isa_severity`.
    pub severity: u32,
    /// The message.
    pub message: *const c_char,
    /// What to write instead, or NULL.
    pub help: *const c_char,
    /// The included file, or NULL for the program.
    pub file: *const c_char,
    /// The line from 1.
    pub line: u64,
    /// The column in bytes from 1.
    pub column: u64,
    /// The number of related places: see `isa_assembly_label`.
    pub label_count: usize,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_diagnostic {}
impl Sized32 for isa_diagnostic {
    const FIRST: usize = size_of::<Self>();
}

/// Returns the number of diagnostics of an assembly; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_assembly_diagnostic_count(assembly: *const isa_assembly) -> usize {
    // SAFETY: the contract of the header.
    let assembly = unsafe { border::handle(assembly) };
    assembly.map_or(0, |assembly| assembly.diagnostics.len())
}

/// Fills in a diagnostic.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_assembly_diagnostic(
    assembly: *const isa_assembly,
    index: usize,
    diagnostic: *mut isa_diagnostic,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (assembly, out) = unsafe { (border::handle(assembly), OutStruct::new(diagnostic)) };
    guard(OutError::none(), || {
        let (found, out) = (element(&assembly?.diagnostics, index)?, out?);
        out.write(isa_diagnostic {
            size: 0,
            severity: match found.severity {
                Severity::Error => isa_severity::Error,
                Severity::Warning => isa_severity::Warning,
                Severity::Note => isa_severity::Note,
            } as u32,
            message: found.message.as_ptr(),
            help: optional(&found.help),
            file: optional(&found.location.file),
            line: found.location.line,
            column: found.location.column,
            label_count: found.labels.len(),
        });
        Ok(())
    })
}

/// A place that is related to a diagnostic. Its text lives as long as the assembly.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct isa_label {
    /// The size of the struct.
    pub size: u32,
    /// 0.
    pub reserved: u32,
    /// How the place is related.
    pub text: *const c_char,
    /// The included file, or NULL for the program.
    pub file: *const c_char,
    /// The line from 1.
    pub line: u64,
    /// The column in bytes from 1.
    pub column: u64,
}

// SAFETY: all members are valid with any bits; the first is the size.
unsafe impl Plain for isa_label {}
impl Sized32 for isa_label {
    const FIRST: usize = size_of::<Self>();
}

/// Fills in a place that is related to a diagnostic.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isa_assembly_label(
    assembly: *const isa_assembly,
    diagnostic: usize,
    index: usize,
    label: *mut isa_label,
) -> isa_status {
    // SAFETY: the contract of the header.
    let (assembly, out) = unsafe { (border::handle(assembly), OutStruct::new(label)) };
    guard(OutError::none(), || {
        let (place, text) = element(&element(&assembly?.diagnostics, diagnostic)?.labels, index)?;
        out?.write(isa_label {
            size: 0,
            reserved: 0,
            text: text.as_ptr(),
            file: optional(&place.file),
            line: place.line,
            column: place.column,
        });
        Ok(())
    })
}
